"""promptfoo: a JSON file with a result for each test, prompt and provider."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from simstudy.errors import RecordsError
from simstudy.records.cells import Reason, read_error
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import name_of, short_fields, with_columns
from simstudy.records.records import Records, RecordsBuilder, text_hash
from simstudy.records.source import Head, Source

NAME = "promptfoo"
SAYS = "results of promptfoo (JSON)"
SUCCESS, SCORE = "success", "score"
FAILED_BY_ERROR = 2
"""failureReason: 0 is none, 1 an assertion that does not hold, 2 an error, after which nothing was judged."""
OWN = frozenset({"gradingResult", "testIdx", "promptIdx", "testCase", "namedScores"})
AT_RUNTIME = frozenset({"sessionId", "_conversation"})
"""Variables that differ from call to call of one test."""
LONGEST_NAME = 100
LONGEST_LABEL = 40


@dataclass(frozen=True)
class _Test:
    """A test as it was asked: repeats have an index each, and the same case."""

    case: str
    run: int
    question: str | None


def sniff(head: Head) -> float:
    """Tell results by the fields of the first one, or by the id of the evaluation where they begin too late."""
    results = head.object.get("results")
    if not isinstance(results, dict):
        return 0.0
    rows = results.get("results")
    if isinstance(rows, list) and (not rows or (isinstance(rows[0], dict) and OWN & rows[0].keys())):
        return 0.95
    return 0.9 if "evalId" in head.object and "prompts" in results else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record per test, system and metric: whether it passed, its score where it says more, named scores."""
    results = _results(source)
    builder = RecordsBuilder(source.name, NAME, place="record", encoding=source.encoding)
    rows = []
    for place, row in enumerate(results["results"], start=1):
        if isinstance(row, dict):
            rows.append((place, row))
        else:
            builder.aside("no JSON object", place)
    if not rows:
        raise RecordsError(f"{source.name} holds no result: its list results.results is empty.")
    tests, systems = _tests([row for _, row in rows]), _systems([row for _, row in rows], source.stem)
    repeated = any(test.run > 1 for test in tests.values())
    scored = any(_says_more(row) for _, row in rows)
    for column, role in (("cost", "cost"), ("latencyMs", "latency")):
        builder.role(column, role)
    errors = 0
    for place, row in rows:
        reason, text = _failure(row)
        errors += reason is not None
        test = tests[_index(row)]
        values = {SUCCESS: _success(row)} | ({SCORE: row.get("score")} if scored else {}) | _named(row)
        for metric, value in values.items():
            builder.add(
                test.case,
                systems[_column(row, source.stem)],
                value,
                metric=metric,
                place=place,
                run=test.run if repeated else None,
                reason=reason,
                error=text,
                input_text=test.question,
                extra=_extra(row, options),
            )
    _remark(builder, results, rows, errors)
    if repeated:
        builder.remark("runs", "Tests with the same variables and assertions were taken for runs of one case.")
    return with_columns(builder.records(ids_from="text"), options)


def _results(source: Source) -> dict[str, Any]:
    whole = source.json()
    results = whole.get("results") if isinstance(whole, dict) else None
    if not isinstance(results, dict) or not isinstance(results.get("results"), list):
        raise RecordsError(f"{source.name} is no file of promptfoo: it lacks the list results.results.")
    return results


def _dict(row: dict[str, Any], name: str) -> dict[str, Any]:
    found = row.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _variables(row: dict[str, Any]) -> dict[str, Any]:
    found = _dict(row, "vars") or _dict(_dict(row, "testCase"), "vars")
    return {name: value for name, value in found.items() if name not in AT_RUNTIME}


def _index(row: dict[str, Any]) -> str:
    """Return what tells a test from the others: its index, or its variables in layouts that have none."""
    index = row.get("testIdx")
    return str(index) if isinstance(index, int) else _text(_variables(row))


def _tests(rows: list[dict[str, Any]]) -> dict[str, _Test]:
    """Return the tests by index; those with the same variables and assertions are runs of one case."""
    first: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: (_number(row.get("testIdx")), _number(row.get("promptIdx")))):
        first.setdefault(_index(row), row)
    named: dict[str, dict[str, str]] = defaultdict(dict)  # cases of the same name, by what they assert
    runs: Counter[str] = Counter()
    tests = {}
    for index, row in first.items():
        variables, test = _variables(row), _dict(row, "testCase")
        name = _name(variables) if variables else f"test {index}"
        asserts = _text([test.get("assert"), test.get("description")])
        same = named[name]
        case = same.setdefault(asserts, name if not same else f"{name} ({len(same) + 1})")
        runs[case] += 1
        tests[index] = _Test(case, runs[case], _text(variables) if variables else None)
    return tests


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int) and abs(value) < 1 << 53 else float("inf")


def _name(variables: dict[str, Any]) -> str:
    """Return the values of the variables as the name of a case, shortened with a mark that tells them apart."""
    texts = {name: " ".join((v if isinstance(v, str) else _text(v)).split()) for name, v in variables.items()}
    whole = next(iter(texts.values())) if len(texts) == 1 else _joined(texts, None)
    whole = whole or _text(variables)
    if len(whole) <= LONGEST_NAME:
        return whole
    short = f"{whole[:LONGEST_NAME]}…" if len(texts) == 1 else _joined(texts, LONGEST_LABEL)
    return f"{short} {text_hash(_text(variables)) & 0xFFFFFFFF:08x}"


def _joined(texts: dict[str, str], longest: int | None) -> str:
    parts = [
        f"{name}: {text if longest is None or len(text) <= longest else text[:longest] + '…'}"
        for name, text in sorted(texts.items())
    ]
    return ", ".join(parts)


def _column(row: dict[str, Any], otherwise: str) -> tuple[str, str]:
    provider = row.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return name_of(provider, otherwise), str(row.get("promptIdx"))


def _systems(rows: list[dict[str, Any]], otherwise: str) -> dict[tuple[str, str], str]:
    """Return a name for each provider and prompt: the provider's, with the prompt where it has several."""
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        provider, prompt = _column(row, otherwise)
        label = _dict(row, "prompt").get("label")
        labels[provider].setdefault(prompt, label if isinstance(label, str) else "")
    systems = {}
    for provider, prompts in labels.items():
        plain = len(set(prompts.values())) == len(prompts) and all(
            0 < len(p) <= LONGEST_LABEL for p in prompts.values()
        )
        for prompt, label in prompts.items():
            more = "" if len(prompts) == 1 else f", {label}" if plain else f", prompt {prompt}"
            systems[provider, prompt] = provider + more
    return systems


def _success(row: dict[str, Any]) -> Any:
    return row["success"] if "success" in row else _dict(row, "gradingResult").get("pass")


def _says_more(row: dict[str, Any]) -> bool:
    """Whether the score is not just 1 for a pass and 0 for a failure."""
    score = row.get("score")
    return isinstance(score, int | float) and _failure(row)[0] is None and score != _success(row)


def _named(row: dict[str, Any]) -> dict[str, Any]:
    scores = _dict(row, "namedScores") or _dict(_dict(row, "gradingResult"), "namedScores")
    return {f"named {name}" if name in (SUCCESS, SCORE) else name: value for name, value in scores.items()}


def _failure(row: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return why there is no value and what was said; an assertion that does not hold is a value, with its text."""
    why, text = row.get("failureReason"), row.get("error")
    text = text if isinstance(text, str) and text.strip() else None
    # before failureReason existed: an error that nothing was judged after
    unjudged = why is None and text is not None and not isinstance(row.get("gradingResult"), dict)
    if why != FAILED_BY_ERROR and not unjudged:
        return None, None
    return str((read_error(text) if text else None) or Reason.ERROR), text


def _extra(row: dict[str, Any], options: ReadOptions) -> dict[str, Any]:
    variables = _variables(row)
    fields = {**variables, **_dict(_dict(row, "testCase"), "metadata")} if len(variables) > 1 else variables
    numbers = {name: row.get(name) for name in ("cost", "latencyMs") if isinstance(row.get(name), int | float)}
    return short_fields(fields, options) | numbers


def _remark(
    builder: RecordsBuilder, results: dict[str, Any], rows: list[tuple[int, dict[str, Any]]], errors: int
) -> None:
    counted = _dict(results, "stats").get("errors")
    if errors and isinstance(counted, int) and counted != errors:
        builder.remark("error", f"{errors} results are errors; the file's own totals count {counted}.")
    if not any("failureReason" in row for _, row in rows):
        builder.remark(
            "error",
            "The file does not say which failures are errors: results with an error text that were not judged were "
            "taken as such.",
            certain=False,
        )
