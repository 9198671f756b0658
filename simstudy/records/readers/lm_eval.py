"""lm-evaluation-harness: samples_*.jsonl, one system on one task; its totals alone (results_*.json) are refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.natural_order import listed
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import Totals
from simstudy.records.readers._objects import have, objects, place_of, short_fields, with_columns
from simstudy.records.records import Records, RecordsBuilder, is_lower_better
from simstudy.records.source import Head, Source

NAME = "lm-eval"
SAYS = "samples of lm-evaluation-harness (samples_*.jsonl)"
FIELDS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash"}
    | {"prompt_hash", "target_hash", "task", "task_name"}
)
"""Fields of a sample that are no metrics, for files that do not list these."""
FILTERS = True
NO_FILTER = "none"
_UNLIKE_ACCURACY = ("perplexity", "bits_per_byte")


@dataclass(frozen=True)
class _Row:
    place: int
    doc_id: Any
    filter: str | None
    values: dict[str, Any]
    hash: str | None
    fields: dict[str, Any]


def sniff(head: Head) -> float:
    """Tell samples by their responses, totals by their tasks."""
    if have(head, "doc_id", "filtered_resps") or have(head, "doc_id", "resps"):
        return 0.95
    return 0.9 if any(True for _ in _totals(head.object)) else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record per document and metric; where there are filters, each makes metrics of its own."""
    _refuse_totals(source)
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    rows = [
        _Row(place, row["doc_id"], _text(row.get("filter")), _values(row), _text(row.get("doc_hash")), fields)
        for place, row in objects(source, builder, "doc_id")
        for fields in [short_fields(row.get("doc"), options)]
    ]
    rows = _filtered(source, builder, rows, options.filter)
    without = _without_numbers(rows)
    for name in without:
        builder.remark("metric", f"'{name}' holds no number per document, and was left out.")
    names: dict[str | None, dict[str, None]] = {row.filter: {} for row in rows}
    for row in rows:
        names[row.filter] |= dict.fromkeys(name for name in row.values if name not in without)
    if not any(names.values()):
        raise RecordsError(f"{source.name} holds samples without a metric that has a value per document.")
    system = _model_of(source)
    if system is not None:
        builder.remark("system", f"The system '{system}' was named after the folder.", certain=False)
    for row in rows:
        _add(builder, row, system or source.stem, list(names[row.filter]), options.filter)
    return with_columns(builder.records(named_systems=system is not None), options)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _values(row: dict[str, Any]) -> dict[str, Any]:
    """Return the metrics of a sample: those it lists, else every field that is not known to be something else."""
    named = row.get("metrics")
    if isinstance(named, list) and named:
        return {name: row.get(name) for name in named if isinstance(name, str)}
    return {name: value for name, value in row.items() if name not in FIELDS}


def _without_numbers(rows: list[_Row]) -> list[str]:
    """Return the metrics of which no document has a number, but a list that totals are computed from."""
    found: dict[str, bool] = {}
    for row in rows:
        for name, value in row.values.items():
            found[name] = found.get(name, False) or isinstance(value, bool | int | float)
    return [name for name, number in found.items() if not number]


def _filtered(source: Source, builder: RecordsBuilder, rows: list[_Row], asked: str | None) -> list[_Row]:
    filters = list(dict.fromkeys(row.filter for row in rows if row.filter is not None))
    if asked is None:
        if len(filters) > 1:
            builder.remark(
                "filter", f"Each filter has its own metrics ({', '.join(filters)}); --filter NAME takes one of them."
            )
        elif not filters:
            _remark_repeats(builder, rows)
        return rows
    if not filters:
        raise RecordsError(f"{source.name} names no filter, so that '{asked}' cannot be taken from it.")
    if asked not in filters:
        raise UnknownNameError("filter", asked, filters)
    for row in rows:
        if row.filter != asked:
            builder.aside(f"another filter than '{asked}'", row.place, row.filter or "")
    return [row for row in rows if row.filter == asked]


def _remark_repeats(builder: RecordsBuilder, rows: list[_Row]) -> None:
    times = Counter(str(row.doc_id) for row in rows)
    twice = [name for name, count in times.items() if count > 1]
    if twice:
        builder.remark(
            "doubled",
            f"{len(twice)} documents have several rows that nothing tells apart ({listed(twice)}): perhaps two filters "
            "of an older layout, which did not name them.",
            certain=False,
        )


def _add(builder: RecordsBuilder, row: _Row, system: str, names: list[str], asked: str | None) -> None:
    for name in names:
        plain = asked is not None or row.filter in (None, NO_FILTER)
        metric = name if plain else f"{name},{row.filter}"
        lower = is_lower_better(name) or any(word in name for word in _UNLIKE_ACCURACY)
        builder.metric(metric, lower_is_better=lower)
        builder.add(
            row.doc_id,
            system,
            row.values.get(name),
            metric=metric,
            place=row.place,
            input_text=row.hash,
            extra=row.fields,
        )


def _model_of(source: Source) -> str | None:
    """Return the model after which the harness names the folder of its samples."""
    parts = re.split(r"[\\/]", source.name)
    folder = parts[-2] if len(parts) > 1 else ""
    named = source.stem.startswith("samples_") and "__" in folder.strip("_")
    return folder.replace("__", "/") if named else None


def _totals(whole: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tasks of a file of totals, which have a standard error beside each metric."""
    results = whole.get("results") if isinstance(whole, dict) else None
    for task, found in results.items() if isinstance(results, dict) else ():
        if isinstance(found, dict) and any("_stderr" in name for name in found):
            yield task, found


def totals(source: Source) -> list[Totals]:
    """Return the metrics of a file of totals (results_*.json), for samples that are given beside it."""
    if not dict(_totals(source.head.object)):
        return []
    whole = source.json()
    found = []
    for task, figures in _totals(whole):
        for name, value in figures.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if (
                number
                and "_stderr" not in name
                and any(f.startswith(f"{name.partition(',')[0]}_stderr") for f in figures)
            ):
                found.append(Totals(f"{name} {value:.4g} of '{task}'", _documents(whole, task)))
    return found


def _documents(whole: dict[str, Any], task: str) -> int | None:
    sizes = whole.get("n-samples")
    size = sizes.get(task) if isinstance(sizes, dict) else None
    n = size.get("effective") if isinstance(size, dict) else None
    return n if isinstance(n, int) and not isinstance(n, bool) else None


def _refuse_totals(source: Source) -> None:
    totals = dict(_totals(source.head.object))
    if not totals:
        return
    whole = source.json()
    impossible = next((said for task, found in _totals(whole) for said in _impossible(whole, task, found)), "")
    raise RecordsError(
        f"{source.name} holds totals of {len(dict(_totals(whole)))} tasks and no results per document: "
        f"samples_*.jsonl is needed (lm_eval --log_samples){impossible}."
    )


def _impossible(whole: dict[str, Any], task: str, found: dict[str, Any]) -> Iterator[str]:
    """Yield what cannot be: a standard error of 0 of a rate between 0 and 1."""
    for name, error in found.items():
        metric, _, filter_ = name.partition(",")
        value = found.get(f"{metric.removesuffix('_stderr')},{filter_}".rstrip(","))
        number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1
        if metric.endswith("_stderr") and number and isinstance(error, int | float) and error == 0:
            n = _documents(whole, task)
            of = "" if n is None else f" of {n}"
            yield f"; besides, a standard error of 0 at {value:g}{of} ('{task}') is impossible"
