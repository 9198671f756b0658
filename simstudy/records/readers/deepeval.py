"""DeepEval: a run of tests, each case with the scores of its metrics."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from simstudy.errors import RecordsError
from simstudy.records.cells import Reason
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import case_of_text, name_of, with_columns
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "deepeval"
SAYS = "a run of DeepEval: testCases, each with metricsData"
SUCCESS = "success"
LISTS = ("testCases", "conversationalTestCases")
LOWER = frozenset({"hallucination", "bias", "toxicity", "misuse"})
"""Metrics of the tool whose threshold is a maximum; PII Leakage and Role Violation are 1 where there is none."""
_NUMBERED = re.compile(r"(conversational_)?test_case_\d+")


def sniff(head: Head) -> float:
    """Tell a run by its lists of cases, and a file that has the link to one alone."""
    whole = head.object
    if "testRunLink" in whole and len(whole) <= 2:
        return 0.9
    run = whole.get("testRunData", whole)
    cases = run.get("testCases") if isinstance(run, dict) else None
    if not isinstance(cases, list):
        return 0.0
    first = next((case for case in cases if isinstance(case, dict)), {})
    return 0.95 if "metricsData" in first or "conversationalTestCases" in run or "metricsScores" in run else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record for each case and metric; whether the case passed is the last metric."""
    run = _run(source)
    builder = RecordsBuilder(source.name, NAME, place="record", encoding=source.encoding)
    found = [case for name in LISTS if isinstance(run.get(name), list) for case in run[name]]
    cases = [(place, case) for place, case in enumerate(found, start=1) if isinstance(case, dict)]
    for place, case in enumerate(found, start=1):
        if not isinstance(case, dict):
            builder.aside("no JSON object", place)
    if not cases:
        raise RecordsError(f"{source.name} holds no test case.")
    by_text = _by_text([case for _, case in cases])
    system = name_of(run.get("identifier"), source.stem)
    _metrics(builder, [case for _, case in cases])
    for place, case in cases:
        _add(builder, place, case, system, by_text)
    if by_text:
        builder.remark("ids", "Names of cases are numbers or repeated: the text of the input was taken as the case.")
    named = isinstance(run.get("identifier"), str)
    return with_columns(builder.records(ids_from="text" if by_text else "column", named_systems=named), options)


def _run(source: Source) -> dict[str, Any]:
    whole = source.json()
    run = whole.get("testRunData", whole) if isinstance(whole, dict) else None
    if not isinstance(run, dict) or not any(isinstance(run.get(name), list) for name in LISTS):
        link = isinstance(whole, dict) and "testRunLink" in whole
        why = "only a link to results" if link else "no list testCases"
        raise RecordsError(f"{source.name} holds {why}; DeepEval's results are in .latest_run_full.json.")
    return run


def _by_text(cases: list[dict[str, Any]]) -> bool:
    """Whether the inputs tell the cases apart and the names do not, or are no more than places in the list."""
    names, inputs = [case.get("name") for case in cases], [case.get("input") for case in cases]
    texts = all(isinstance(text, str) and text.strip() for text in inputs)
    if not texts or len(set(map(str, inputs))) < len(inputs):
        return False
    poor = all(not isinstance(name, str) or _NUMBERED.fullmatch(name) for name in names)
    return poor or len(set(map(str, names))) < len(names)


def _data(case: dict[str, Any]) -> list[dict[str, Any]]:
    data = case.get("metricsData")
    return [metric for metric in data if isinstance(metric, dict)] if isinstance(data, list) else []


def _metrics(builder: RecordsBuilder, cases: list[dict[str, Any]]) -> None:
    """Say of each metric which direction is better, and how many cases lack it."""
    seen: dict[str, list[dict[str, Any]]] = {}
    for case in cases:
        for metric in _data(case):
            seen.setdefault(name_of(metric.get("name"), "metric"), []).append(metric)
    for name, found in seen.items():
        lower = _lower_is_better(found)
        builder.metric(name, lower_is_better=name.casefold() in LOWER if lower is None else lower)
    have = Counter(name for case in cases for name in {name_of(m.get("name"), "metric") for m in _data(case)})
    for name, times in have.items():
        if times < len(cases):
            builder.remark("metric", f"'{name}' was not measured on {len(cases) - times} of {len(cases)} cases.")


def _lower_is_better(found: list[dict[str, Any]]) -> bool | None:
    """Return which direction passes the threshold, as far as the file shows it."""
    shown: set[bool] = set()
    for metric in found:
        score, threshold, success = metric.get("score"), metric.get("threshold"), metric.get("success")
        if not isinstance(score, int | float) or not isinstance(threshold, int | float) or metric.get("error"):
            continue
        if isinstance(success, bool) and score != threshold:
            shown.add((score < threshold) == success)
    return shown.pop() if len(shown) == 1 else None


def _add(builder: RecordsBuilder, place: int, case: dict[str, Any], system: str, by_text: bool) -> None:
    text = case.get("input") if isinstance(case.get("input"), str) else None
    name = case_of_text(text) if by_text and text is not None else case.get("name")
    data = _data(case)
    for metric in data:
        builder.add(
            name,
            system,
            metric.get("score"),
            metric=name_of(metric.get("name"), "metric"),
            place=place,
            error=metric.get("error") or None,
            input_text=text,
            judge=metric.get("evaluationModel"),
        )
    # a case fails, too, where a metric could not be computed: that is no failure of the system
    broken = [metric for metric in data if metric.get("error") or metric.get("score") is None]
    failed = case.get("success") is False and bool(broken)
    builder.add(
        name,
        system,
        case.get("success"),
        metric=SUCCESS,
        place=place,
        reason=str(Reason.ERROR) if failed else None,
        input_text=text,
    )
