"""OpenAI evals: the events of one run, in lines; those of the kinds match and metrics say how a sample came out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from simstudy.errors import RecordsError
from simstudy.records.cells import Reason, read_error
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import objects, place_of, with_columns
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "openai evals"
SAYS = "the event log of a run of OpenAI evals (JSON lines)"
CORRECT = "correct"


@dataclass(frozen=True)
class _Event:
    place: int
    order: int
    sample: str
    values: dict[str, Any]


def sniff(head: Head) -> float:
    """Tell a log by the specification of the run, or by its events."""
    events = {"sample_id", "event_id", "type", "data"}
    for record in head.records[:5]:
        spec = record.get("spec")
        if (isinstance(spec, dict) and {"eval_name", "completion_fns"} & spec.keys()) or events <= record.keys():
            return 0.95
    return 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record per outcome in the order of the events; samples without one have no value."""
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    spec: dict[str, Any] = {}
    report: dict[str, Any] = {}
    outcomes: list[_Event] = []
    seen: dict[str, int] = {}  # samples, and the line that names them first
    errors: dict[str, str] = {}
    for place, record in objects(source, builder):
        kind, sample, data = record.get("type"), record.get("sample_id"), record.get("data")
        if isinstance(record.get("spec"), dict):
            spec = spec or record["spec"]
        elif isinstance(record.get("final_report"), dict):
            report = record["final_report"]
        elif not isinstance(kind, str) or not isinstance(sample, str | int) or not isinstance(data, dict):
            builder.aside("no event of a sample", place)
        else:
            seen.setdefault(str(sample), place)
            values = _values(kind, data)
            if kind == "error":
                errors[str(sample)] = str(data.get("message") or data.get("type") or "error")
            if values:
                outcomes.append(_Event(place, _order(record.get("event_id"), place), str(sample), values))
            else:
                builder.aside(f"events of the kind '{kind}'", place)
    metrics = dict.fromkeys(name for event in outcomes for name in event.values)
    if not metrics and not errors:
        raise RecordsError(
            f"{source.name} holds no event of the kinds match or metrics: no sample of this run says how it came out."
        )
    system = _system(spec)
    for event in sorted(outcomes, key=lambda event: event.order):
        for metric, value in event.values.items():
            builder.add(event.sample, system or source.stem, value, metric=metric, place=event.place)
    _add_without(builder, outcomes, seen, errors, system or source.stem, next(iter(metrics), CORRECT))
    _remark(builder, outcomes, report)
    return with_columns(builder.records(named_systems=system is not None), options)


def _order(number: Any, place: int) -> int:
    return number if isinstance(number, int) else place


def _values(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return what an event says of the outcome: right or wrong, or numbers by their names."""
    if kind == "match":
        return {CORRECT: data.get("correct")}
    if kind != "metrics":
        return {}
    return {name: value for name, value in data.items() if value is None or isinstance(value, bool | int | float)}


def _add_without(
    builder: RecordsBuilder,
    outcomes: list[_Event],
    seen: dict[str, int],
    errors: dict[str, str],
    system: str,
    main: str,
) -> None:
    """Add the samples that were begun, and of which no event says how they came out."""
    known = {event.sample for event in outcomes}
    for sample, place in seen.items():
        if sample not in known:
            text = errors.get(sample)
            reason = None if text is None else str(read_error(text) or Reason.ERROR)
            builder.add(sample, system, None, metric=main, place=place, reason=reason, error=text)


def _system(spec: dict[str, Any]) -> str | None:
    names = spec.get("completion_fns") or spec.get("model_name")
    found = [name for name in (names if isinstance(names, list) else [names]) if isinstance(name, str) and name]
    return ", ".join(found) or None


def _remark(builder: RecordsBuilder, outcomes: list[_Event], report: dict[str, Any]) -> None:
    times = Counter(event.sample for event in outcomes if CORRECT in event.values)
    again = sum(times.values()) - len(times)
    accuracy = report.get("accuracy")
    if again and isinstance(accuracy, int | float) and 0 <= accuracy <= 1:
        builder.remark(
            "doubled",
            f"Its own report, accuracy {accuracy:.3f}, counts {sum(times.values())} events of {len(times)} samples: "
            "some were tried again.",
        )
