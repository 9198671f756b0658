from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, promptfoo
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

CASES = Path(__file__).parents[3] / "cases"
FILES = Path(__file__).resolve().parents[5] / "shared/data/files/promptfoo"
ABSENT = pytest.mark.skipif(not FILES.exists(), reason="the shared folder is not here")


def result(test: int | None, right: Any = True, prompt: int = 0, provider: Any = "openai:m", **more: Any) -> Any:
    """Return a result as the reference of the output describes it."""
    score = 1 if right else 0
    grading = {"pass": right, "score": score, "reason": "...", "componentResults": []}
    whole = {
        "promptIdx": prompt,
        "provider": {"id": provider, "label": ""} if isinstance(provider, str) else provider,
        "prompt": {"raw": "Say {{city}}", "label": "Say {{city}}"},
        "vars": {"city": f"City {test}"},
        "testCase": {"vars": {"city": f"City {test}"}, "assert": [{"type": "contains", "value": "x"}]},
        "response": {"output": "..."},
        "success": right,
        "score": score,
        "failureReason": 0 if right else 1,
        "gradingResult": grading,
        "namedScores": {},
        "latencyMs": 12,
        "cost": 0.5,
    }
    return whole | ({} if test is None else {"testIdx": test}) | more


def output(*rows: Any, **more: Any) -> dict[str, Any]:
    inner = {"version": 3, "timestamp": "2025-06-18T20:57:42Z", "prompts": [], "results": list(rows)} | more
    return {"evalId": "eval-x", "results": inner, "config": {}, "shareableUrl": None}


def read(whole: Any, **options: Any) -> Records:
    return promptfoo.read(Source("mine.json", json.dumps(whole).encode()), ReadOptions(**options))


def said(records: Records) -> str:
    return " ".join(remark.says for remark in records.remarks)


def test_told_from_content() -> None:
    long = result(0, response={"output": "y" * 300_000})
    whole: Any
    for whole in (output(result(0)), output(), output(long), {"results": {"results": [], "timestamp": None}}):
        reader, certainty = find_reader(Source("x.txt", json.dumps(whole, indent=2).encode()))
        assert (reader.NAME, certainty > 0.85) == ("promptfoo", True)
    assert promptfoo.sniff(Source("x", b'{"results": {"t": {"acc": 1}}}').head) == 0


def test_providers_are_systems() -> None:
    rows = [
        result(t, t != 1, p, name) for t in range(3) for p, name in enumerate(("a:m", {"id": "b", "label": "mine"}))
    ]
    records = read(output(*rows))
    assert records.systems == ("a:m", "mine")
    assert records.case.words == ("City 0", "City 1", "City 2")
    assert records.value.tolist() == [1, 1, 0, 0, 1, 1]
    assert list(records.metrics) == ["success"]
    assert records.ids_from == "text"
    assert records.roles == {"cost": "cost", "latencyMs": "latency"}
    assert read(output(result(0, provider="a"), result(0, provider={"id": None}, prompt=1))).systems == ("a", "mine")


def test_several_prompts_of_one_provider() -> None:
    rows = [result(0) | {"promptIdx": p, "prompt": {"label": f"v{p}"}} for p in range(2)]
    assert read(output(*rows)).systems == ("openai:m, v0", "openai:m, v1")
    rows = [result(0) | {"promptIdx": p, "prompt": {"label": "z" * 60 + str(p)}} for p in range(2)]
    assert read(output(*rows)).systems == ("openai:m, prompt 0", "openai:m, prompt 1")


def test_repeats_are_runs_of_one_case() -> None:
    rows = [result(t) | {"vars": {"city": f"City {t // 2}"}, "testCase": {"assert": []}} for t in (3, 0, 2, 1)]
    records = read(output(*rows))
    assert records.case.texts() == ["City 1", "City 0", "City 1", "City 0"]
    assert records.further["run"].texts() == ["2", "1", "1", "2"]
    assert "runs of one case" in said(records)


def test_the_same_variables_with_other_assertions_are_another_case() -> None:
    rows = [result(t) | {"vars": {"city": "c"}, "testCase": {"assert": [{"value": t}]}} for t in range(2)]
    records = read(output(*rows))
    assert records.case.words == ("c", "c (2)")
    assert "run" not in records.further


def test_names_of_cases() -> None:
    plain: dict[str, Any] = {"testCase": {}}
    names = [
        ({"a": 1, "b": "x"}, "a: 1, b: x"),
        ({"q": {"k": [1]}}, '{"k": [1]}'),
        ({"q": "Hm?", "sessionId": "17"}, "Hm?"),
        ({}, "test 0"),
        ({"q": ""}, '{"q": ""}'),
    ]
    for variables, name in names:
        assert read(output(result(0) | plain | {"vars": variables})).case.words == (name,)
    long = [read(output(result(0) | plain | {"vars": {"q": "y" * 200 + end}})).case.words[0] for end in "ab"]
    assert long[0][:101] == long[1][:101] == "y" * 100 + "…"
    assert long[0] != long[1]
    image = {"image": "u" * 10_000, "question": "Which city?"}
    assert (
        read(output(result(0) | plain | {"vars": image})).case.words[0].startswith("image: " + "u" * 40 + "…, question")
    )


def test_an_error_is_no_wrong_answer_and_a_failed_assertion_is_one() -> None:
    failed: dict[str, Any] = {"success": False, "score": 0, "gradingResult": None}
    rows = [
        result(0, False, error='Expected output to contain "x"'),
        result(1, False, failureReason=2, error="API error: 503", **failed),
        result(2, False, failureReason=2, error="Request timed out after 300000ms", **failed),
        result(3, False, failureReason=2, error=None, **failed),
        result(4, None, score=None),
    ]
    records = read(output(*rows, stats={"successes": 0, "failures": 5, "errors": 0}))
    assert records.reason.texts() == [None, "error", "timeout", "error", "missing"]
    assert records.value[0] == 0
    assert "3 results are errors; the file's own totals count 0" in said(records)


def test_before_there_was_a_reason_of_failure() -> None:
    rows = [result(t, False, error="...") for t in range(2)]
    for row in rows:
        del row["failureReason"], row["testIdx"]
    rows[1] |= {"gradingResult": None, "provider": "p:x"}
    records = read(output(*rows, version=2))
    assert records.reason.texts() == [None, "error"]
    assert records.systems == ("openai:m", "p:x")
    assert "does not say which failures are errors" in said(records)


def test_scores_and_named_scores() -> None:
    rows = [result(0, namedScores={"tone": 0.25, "score": 2}), result(1, score=0.75), result(2, False)]
    records = read(output(*rows))
    assert list(records.metrics) == ["success", "score", "tone", "named score"]
    np.testing.assert_equal(records.of_metric("score").value, [1, 0.75, 0])
    assert records.of_metric("tone").value.tolist() == [0.25]


def test_variables_and_metadata_as_columns() -> None:
    row = result(0) | {"vars": {"question": "Why?", "level": "easy"}, "testCase": {"metadata": {"topic": "law"}}}
    records = read(output(row), cluster_column="topic")
    assert records.extra["level"].words == ("easy",)
    assert records.further["cluster"].words == ("law",)
    assert records.extra["cost"].words == ("0.5",)


@pytest.mark.parametrize(
    ("whole", "words"),
    [
        (output(), "results.results is empty"),
        (output(1, None), "is empty"),
        ({"results": [1]}, "lacks the list results.results"),
        ([], "lacks the list"),
    ],
)
def test_refusals(whole: Any, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(whole)


def test_what_is_no_result_is_counted() -> None:
    (aside,) = read(output(result(0), 7)).aside
    assert (aside.reason, aside.where) == ("no JSON object", (2,))


def by_system(records: Records) -> dict[str, list[float]]:
    return {name: records.value[records.system.where(name)].tolist() for name in records.systems}


def test_repeats_with_an_index_each() -> None:
    records = read_records(CASES / "repeat_index.json")
    assert len(records.case.words) == 5
    assert records.further["run"].counts() == {"1": 10, "2": 10, "3": 10}
    values = by_system(records)
    assert [sum(values[name]) for name in ("openai:small", "openai:large")] == [3, 11]


def test_failed_or_never_run() -> None:
    records = read_records(CASES / "assert_or_error.json")
    assert records.unreadable() == {"old": {}, "new": {"error": 3}}
    values = by_system(records)
    both = [(a, b) for a, b in zip(values["old"], values["new"], strict=True) if not math.isnan(b)]
    assert (len(both), sum(a for a, _ in both), sum(b for _, b in both)) == (12, 7, 9)


@ABSENT
def test_a_real_file() -> None:
    records = read_records(FILES / "dewanggandhi01+TDS-Project-1/promptfoo_results.json")
    values = by_system(records)
    assert [len(found) for found in values.values()] == [5, 5]
    assert sum(map(sum, values.values())) == 7
    assert list(records.metrics) == ["success"]


@ABSENT
def test_a_real_file_without_results() -> None:
    with pytest.raises(RecordsError, match="is empty"):
        read_records(FILES / "AlekseyF7+LLM_Security_Range/promptfoo-results.json")
