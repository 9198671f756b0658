"""What is in a file of results, how it was understood, which commands can use it, and what the others miss."""

from __future__ import annotations

from typing import Any

import numpy as np

from simstudy.errors import RecordsError
from simstudy.records.coded import ABSENT
from simstudy.records.records import Records

CERTAIN = 0.9
"""Certainty of a format from which it is not called a guess."""


def checkup(records: Records) -> dict[str, Any]:
    """Return the findings on the records of one file, by the names of the documentation."""
    can, missing = _uses(records)
    run = records.further.get("run")
    labels = [name for name, role in records.roles.items() if role == "label"]
    judges = [name for name, role in records.roles.items() if role in ("judge", "verdict")]
    if "judge" in records.further:
        judges += list(records.further["judge"].words)
    cluster = records.further.get("cluster")
    read = records.read[0]
    return {
        "file": read.name,
        "format": read.format,
        "format_certain": read.certainty >= CERTAIN,
        "n_records": len(records),
        "n_cases": len(np.unique(records.case.codes[records.case.present()])),
        "systems": list(records.systems),
        "metrics": {name: _of_metric(records, name) for name in records.metrics},
        "labels": labels or (["label"] if "label" in records.further else []),
        "judges": list(dict.fromkeys(judges)) or (["verdict"] if "verdict" in records.further else []),
        "runs": _most_runs(records) if run is not None or records.doubled() else 1,
        "clusters": 0 if cluster is None else len(cluster.words),
        "unreadable": {system: reasons for system, reasons in records.unreadable().items() if reasons},
        "left_aside": {aside.reason: len(aside.where) for aside in records.aside},
        "can": can,
        "missing": missing,
        "remarks": [remark.says for remark in records.remarks],
    }


def _of_metric(records: Records, name: str) -> dict[str, Any]:
    mine = records.take(records.metric.where(name))
    values = mine.value[mine.usable()]
    return {
        "values": len(values),
        "unreadable": int(np.count_nonzero(~mine.usable())),
        "lowest": float(values.min()) if len(values) else None,
        "highest": float(values.max()) if len(values) else None,
        "mean": float(values.mean()) if len(values) else None,
        "lower_is_better": records.metrics[name].lower_is_better,
    }


def _most_runs(records: Records) -> int:
    """Return the most records that a system has of one case in one metric."""
    orders = [records.further[name] for name in ("first", "second") if name in records.further]  # a pair has two
    codes = [column.codes.astype(np.int64) for column in (records.case, records.system, records.metric, *orders)]
    keep = codes[0] != ABSENT
    if not keep.any():
        return 0
    _, times = np.unique(np.stack([code[keep] for code in codes]), axis=1, return_counts=True)
    return int(times.max())


def _uses(records: Records) -> tuple[list[str], list[str]]:
    """Return the commands that can use the file, and what the others miss."""
    further, several = records.further, len(records.systems) > 1
    if not (records.metrics and records.systems):
        can, missing = [], ["compare: values of a system, one per case"]
    elif not several:
        can = ["compare"]
        missing = [
            "compare: a second system, in this file or another, for a comparison",
            "power, mde, size with --pilot: a second system",
        ]
    else:
        can, missing = ["compare"], []
        values = records.of_metric().value
        if np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
            can += ["power", "mde", "size"]
        else:
            missing.append(
                "power, mde, size with --pilot: right or wrong; these values are scores (--threshold, or another "
                "--metric)"
            )
    if records.metrics and records.doubled() and "run" not in further:
        missing.append("all of them: what the records are that a case has more than once (--runs, or --run-column)")
    if "label" in further or any(role == "label" for role in records.roles.values()):
        missing.append(
            "judge: a command that this version does not have"
            if "verdict" in further
            else "judge: a column of verdicts beside the labels"
        )
    return can, missing


def refused(name: str, error: RecordsError) -> dict[str, Any]:
    """Return the findings on a file that no reader understood."""
    return {"file": name, "format": None, "format_certain": False, "can": [], "missing": [str(error)]}
