"""SWE-bench: a report that lists the ids of one system's instances by their outcome."""

from __future__ import annotations

from typing import Any

from simstudy.errors import RecordsError
from simstudy.records.cells import Reason
from simstudy.records.natural_order import listed
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import name_of, with_columns
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "swe-bench"
SAYS = "a report of SWE-bench: resolved_ids, unresolved_ids, ..."
RESOLVED = "resolved"
VALUES = {"resolved_ids": 1.0, "unresolved_ids": 0.0, "empty_patch_ids": 0.0}
HARNESS = ("error_ids", "infra_failure_ids")
"""Outcomes that say nothing of the system: the harness or the machines failed."""
SUBMITTED = "submitted_ids"
NO_OUTCOME = "no outcome in the report"
IN_SEVERAL = "stands under several outcomes"
OLD = frozenset({"no_generation", "no_logs", "no_apply", "applied", "generated", "with_logs", "install_fail"})
"""Lists of the reports before 2024-06, which do not say what was submitted."""


def sniff(head: Head) -> float:
    """Tell a report by its lists of ids."""
    whole = head.object
    if isinstance(whole.get("resolved_ids"), list) or (SUBMITTED in whole and "resolved_instances" in whole):
        return 0.95
    return 0.9 if isinstance(whole.get(RESOLVED), list) and OLD & whole.keys() else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record per instance that was submitted."""
    whole = source.json()
    report = whole if isinstance(whole, dict) else {}
    lacking = [name for name in ("resolved_ids", "unresolved_ids") if not isinstance(report.get(name), list)]
    if lacking:
        raise RecordsError(
            f"{source.name} does not list {' and '.join(lacking)}: what was submitted and not resolved has to be known."
        )
    builder = RecordsBuilder(source.name, NAME, place="record", encoding=source.encoding)
    found = {name: _ids(builder, report, name) for name in (*VALUES, *HARNESS)}
    # completed_ids are those of resolved_ids and unresolved_ids again
    submitted = dict.fromkeys([*_ids(builder, report, SUBMITTED), *(i for ids in found.values() for i in ids)])
    if not submitted:
        raise RecordsError(f"{source.name} lists no instance that was submitted.")
    named = name_of(report.get("model_name_or_path") or report.get("model_name"), "")
    for place, name in enumerate(submitted, start=1):
        outcomes = [kind for kind, ids in found.items() if name in ids]
        value, reason = _outcome(outcomes)
        builder.add(
            name,
            named or source.stem,
            value,
            metric=RESOLVED,
            place=place,
            reason=reason,
            extra={"outcome": " ".join(outcomes).replace("_ids", "") or None},
        )
    _remark(builder, report, submitted, found)
    return with_columns(builder.records(named_systems=bool(named)), options)


def _ids(builder: RecordsBuilder, report: dict[str, Any], name: str) -> dict[str, None]:
    """Return the ids of a list, each once; what is no id is counted."""
    given = report.get(name)
    ids: dict[str, None] = {}
    for place, one in enumerate(given if isinstance(given, list) else [], start=1):
        if isinstance(one, str) and one.strip():
            ids[one] = None
        else:
            builder.aside(f"no id, in {name}", place, str(one))
    return ids


def _outcome(outcomes: list[str]) -> tuple[float | None, str | None]:
    harness = [name for name in outcomes if name in HARNESS]
    values = {VALUES[name] for name in outcomes if name in VALUES}
    if len(values) > 1:
        return None, IN_SEVERAL
    if harness:
        return None, str(Reason.HARNESS)
    return (values.pop(), None) if values else (None, NO_OUTCOME)


def _remark(
    builder: RecordsBuilder, report: dict[str, Any], submitted: dict[str, None], found: dict[str, dict[str, None]]
) -> None:
    """Say what is a 0 by decision, what is no case, and where the report's counts and lists disagree."""
    if found["empty_patch_ids"]:
        builder.remark(
            "empty patch", f"{len(found['empty_patch_ids'])} empty patches count as 0: the system gave no answer."
        )
    total, counted = report.get("total_instances"), report.get("submitted_instances")
    if isinstance(total, int) and total > len(submitted):
        builder.remark(
            "cases", f"{total - len(submitted)} of {total} instances were never submitted, and are no cases."
        )
    if isinstance(counted, int) and counted != len(submitted):
        builder.remark("cases", f"The report counts {counted} submitted instances and lists {len(submitted)}.")
    resolved = report.get("resolved_instances")
    if isinstance(resolved, int) and resolved != len(found["resolved_ids"]):
        builder.remark(
            "cases", f"The report counts {resolved} resolved instances and lists {len(found['resolved_ids'])}."
        )
    several = [name for name in submitted if sum(name in ids for ids in found.values()) > 1]
    if several:
        builder.remark("doubled", f"{len(several)} instances stand under several outcomes: {listed(several)}.")
