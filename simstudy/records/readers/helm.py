"""HELM: per_instance_stats.json, the statistics of one run by instance; its totals alone (stats.json) are refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simstudy.errors import RecordsError
from simstudy.records.ids import id_text
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import have, objects, place_of, with_columns
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.roles import Role, role_of
from simstudy.records.source import Head, Source

NAME = "helm"
SAYS = "statistics per instance of HELM (per_instance_stats.json)"
NO_SCORES = re.compile(
    r"(num_|finish_reason_|training_|inference_|max_prob|logprob|batch_size|prompt_truncated|estimated_num_)"
)
"""Beginnings of statistics that say how a run went, not how good an answer is."""
LARGEST = 1e300
"""From here on integers of JSON have no quotient."""
_MODEL = re.compile(r"model=([^,/\\:]+?)(?=,|/|\\|__|\.json|$)")


@dataclass(frozen=True)
class _Stat:
    place: int
    instance: Any
    trial: Any
    split: str | None
    metric: str
    value: Any


def sniff(head: Head) -> float:
    """Tell entries by their instance and its list of statistics, totals by the count and the sum of each."""
    entries = [record for record in head.records[:5] if isinstance(record.get("stats"), list)]
    if any("instance_id" in entry for entry in entries):
        return 0.95
    return 0.9 if have(head, "name", "count", "sum") and _is_total(head.records[0]) else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record per instance and score; entries of one instance belong together."""
    if source.head.records and _is_total(source.head.records[0]):
        raise RecordsError(
            f"{source.name} holds HELM's totals and no results per instance: per_instance_stats.json is needed."
        )
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    stats, passed = [], Counter[str]()
    for place, entry in objects(source, builder, "instance_id", "stats"):
        listed = entry["stats"] if isinstance(entry["stats"], list) else []
        found = list(_stats(place, entry, listed))
        if len(found) < max(1, len(listed)):
            why = "statistics without a name" if listed else "no statistics"
            builder.aside(why, place, str(entry["instance_id"]))
        for stat in found:
            name = stat.metric.partition(",")[0]
            if options.metric in (name, stat.metric) or _is_score(name):
                stats.append(stat)
            else:
                passed[name] += 1
    if not stats:
        shown = ", ".join(list(passed)[:12])
        raise RecordsError(
            f"{source.name} holds no score per instance; its statistics are {shown or 'none'} (--metric takes one)."
        )
    system, named = _system(source)
    several = len({str(stat.trial) for stat in stats}) > 1
    for stat in _once(builder, stats):
        builder.add(
            stat.instance,
            system,
            stat.value,
            metric=stat.metric,
            place=stat.place,
            run=stat.trial if several else None,
            extra={"split": stat.split},
        )
    _remark(builder, stats, passed)
    if named:
        builder.remark("system", f"The system '{system}' was named after the folder or the file.", certain=False)
    return with_columns(builder.records(named_systems=named), options)


def _is_total(record: dict[str, Any]) -> bool:
    return isinstance(record.get("name"), dict) and "instance_id" not in record and "count" in record


def _is_score(name: str) -> bool:
    return not NO_SCORES.match(name) and role_of(name) in (None, Role.METRIC)


def _stats(place: int, entry: dict[str, Any], listed: list[Any]) -> Iterator[_Stat]:
    """Yield the statistics of an entry; those of a perturbed input are metrics of their own."""
    for stat in listed:
        about = stat.get("name") if isinstance(stat, dict) else None
        name = about.get("name") if isinstance(about, dict) else None
        if not isinstance(about, dict) or not isinstance(name, str) or not name:
            continue
        changed = _perturbation(entry.get("perturbation") or about.get("perturbation"))
        split = about.get("split")
        yield _Stat(
            place,
            entry["instance_id"],
            entry.get("train_trial_index", 0),
            split if isinstance(split, str) else None,
            name if changed is None else f"{name},{changed}",
            _mean(stat),
        )


def _perturbation(given: Any) -> str | None:
    if not given:
        return None
    name = given.get("name") if isinstance(given, dict) else given
    on = given.get("computed_on") if isinstance(given, dict) else None
    return f"{name} {on}" if on in ("original", "worst") else str(name)


def _mean(stat: dict[str, Any]) -> Any:
    """Return the mean, of which there is none where nothing was counted."""
    count, total = stat.get("count"), stat.get("sum")
    if count == 0:
        return None
    if stat.get("mean") is None and isinstance(count, int) and isinstance(total, float | int):
        return total / count if max(abs(total), abs(count)) < LARGEST else None
    return stat.get("mean")


def _once(builder: RecordsBuilder, stats: list[_Stat]) -> Iterator[_Stat]:
    """Yield the statistics, those of inputs as they are first; one that stands twice with the same value once."""
    known: set[tuple[str | None, str, str, str]] = set()
    for stat in sorted(stats, key=lambda stat: "," in stat.metric):
        key = (id_text(stat.instance), str(stat.trial), stat.metric, str(stat.value))
        if key in known:
            builder.aside("the same statistic again", stat.place, stat.metric)
            continue
        known.add(key)
        yield stat


def _system(source: Source) -> tuple[str, bool]:
    """Return the model, which stands in the name of the folder of a run, and whether it was found there."""
    found = _MODEL.search(source.name)
    if found:
        return found[1], True
    parts = re.split(r"[\\/]", source.name)
    return (parts[-2], True) if source.stem == "per_instance_stats" and len(parts) > 1 else (source.stem, False)


def _remark(builder: RecordsBuilder, stats: list[_Stat], passed: Counter[str]) -> None:
    splits = {str(stat.instance): stat.split for stat in stats if stat.split is not None}
    counts = Counter(splits.values())
    if len(counts) > 1:
        said = ", ".join(f"{times} of {split}" for split, times in counts.most_common())
        builder.remark("cases", f"Instances of several splits stand in the file ({said}), and all were taken.")
    changed = sorted({stat.metric.partition(",")[2] for stat in stats} - {""})
    if changed:
        builder.remark("metric", f"Perturbed inputs have metrics of their own: {', '.join(changed)}.")
    if passed:
        builder.remark(
            "metric",
            f"{len(passed)} statistics are no scores, and were passed over: {', '.join(list(passed)[:6])}, ...",
        )
