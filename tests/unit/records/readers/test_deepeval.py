from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import deepeval, find_reader
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

SHARED = Path(__file__).resolve().parents[5] / "shared"


def metric(name: str, score: Any, success: bool, threshold: float = 0.5, **more: Any) -> dict[str, Any]:
    return {"name": name, "threshold": threshold, "success": success, "score": score, "strictMode": False, **more}


def case(name: str, *metrics: Any, **more: Any) -> dict[str, Any]:
    passed = all(found["success"] for found in metrics)
    return {"name": name, "input": f"What of {name}?", "success": passed, "metricsData": list(metrics), **more}


def source(*cases: Any, **more: Any) -> Source:
    run = {"testCases": list(cases), "conversationalTestCases": [], "metricsScores": [], "testPassed": 1, **more}
    return Source(".latest_run_full.json", json.dumps(run).encode())


def read(*cases: Any, **more: Any) -> Records:
    return deepeval.read(source(*cases, **more), ReadOptions())


def values(records: Records, name: str) -> list[float]:
    mine = records.of_metric(name)
    found: list[float] = mine.value[mine.usable()].tolist()
    return found


def test_told_from_content() -> None:
    rows = source(
        case("a", metric("Toxicity", 0.1, True), metric("Clarity [GEval]", 0.9, True, evaluationModel="gpt-4.1")),
        case("b", metric("Toxicity", 0.7, False)),
        identifier="new prompt",
    )
    reader, certainty = find_reader(rows)
    assert (reader.NAME, certainty) == ("deepeval", 0.95)
    records = reader.read(rows, ReadOptions())
    assert list(records.metrics) == ["Toxicity", "Clarity [GEval]", "success"]
    assert values(records, "Toxicity") == [0.1, 0.7]
    assert values(records, "success") == [1, 0]
    assert records.systems == ("new prompt",)
    assert records.further["judge"].words == ("gpt-4.1",)
    assert "'Clarity [GEval]' was not measured on 1 of 2 cases." in [remark.says for remark in records.remarks]


def test_wrapped_and_conversations() -> None:
    talk = {"name": "talk", "success": True, "metricsData": [metric("Role", 1, True)], "turns": []}
    run = {"testRunData": {"testCases": [], "conversationalTestCases": [talk]}}
    rows = Source("x", json.dumps(run).encode())
    assert find_reader(rows)[0].NAME == "deepeval"
    assert values(deepeval.read(rows, ReadOptions()), "Role") == [1]


def test_the_direction_is_seen_from_what_passes() -> None:
    records = read(
        case("a", metric("Mine", 0.2, True), metric("Yours", 0.8, True), metric("Bias", 0.5, True)),
        case("b", metric("Mine", 0.8, False), metric("Yours", 0.2, False), metric("Bias", 0.5, True)),
        case("c", metric("PII Leakage", 1, True, 1), metric("Toxicity [GEval]", 0.9, True)),
    )
    directions = {name: found.lower_is_better for name, found in records.metrics.items()}
    assert directions == {
        "Mine": True,
        "Yours": False,
        "Bias": True,
        "PII Leakage": False,
        "Toxicity [GEval]": False,
        "success": False,
    }


def test_a_metric_that_could_not_be_computed_is_no_failure() -> None:
    records = read(
        case("a", metric("Clarity", None, False, error="empty output")),
        case("b", metric("Clarity", 0.2, False, error="Timeout after 60 s")),
        case("c", metric("Clarity", None, False)),
        case("d", metric("Clarity", 0.3, False)),
    )
    assert records.of_metric("Clarity").reason.texts() == ["error", "timeout", "missing", None]
    assert records.of_metric("success").reason.texts() == ["error", "error", "error", None]
    assert values(records, "success") == [0]


def test_names_that_are_places_or_repeated() -> None:
    numbered = read(case("test_case_0", metric("M", 1, True)), case("test_case_1", metric("M", 1, True)))
    assert numbered.case.words == ("What of test_case_0?", "What of test_case_1?")
    assert numbered.ids_from == "text"
    one = {"name": "test_rag", "success": True, "metricsData": [metric("M", 1, True)]}
    assert read({**one, "input": "p"}, {**one, "input": "q"}).case.words == ("p", "q")
    assert read({**one, "input": "p"}, {**one, "input": "p"}).doubled() == ["test_rag"]


def test_parts_of_the_wrong_type_are_counted() -> None:
    records = read(7, case("a", metric("M", "0.5", True)), {"name": "b", "metricsData": "none", "success": None})
    assert [(found.reason, found.where) for found in records.aside] == [("no JSON object", (1,))]
    assert values(records, "M") == [0.5]
    assert records.of_metric("success").reason.texts() == [None, "missing"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"testRunLink": "https://app"}', "holds only a link to results; .*latest_run_full.json"),
        ('{"a": 1}', "no list testCases"),
        ('{"testCases": []}', "holds no test case"),
        ("[]", "no list testCases"),
        ('{"testCases": [{"name": "a", "metr', "is not JSON"),
    ],
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        deepeval.read(Source("x", text.encode()), ReadOptions())


def test_a_link_alone_is_told() -> None:
    assert find_reader(Source("x", b'{"testRunLink": "https://app"}'))[0].NAME == "deepeval"


def test_a_metric_that_could_not_be_computed() -> None:
    path = SHARED / "cases/deepeval_like.json"
    if not path.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(path)
    assert records.read[0].format == "deepeval"
    assert len(records.case.words) == 8
    assert len(values(records, "Hallucination")) == 8
    assert values(records, "Clarity") == [0.9, 0.9, 0.9]
    assert records.of_metric("Clarity").reason.counts() == {"error": 3}
    assert [m.lower_is_better for m in records.metrics.values()] == [True, False, False]
    assert any("'Clarity' was not measured on 2 of 8 cases" in remark.says for remark in records.remarks)


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("amitesh1234+codegraph-advanced/.latest_run_full.json", {"ImpactCoverage [GEval]": [0.9, 0.9]}),
        ("amitesh1234+codegraph-advanced/.latest_test_run.json", {"ImpactCoverage [GEval]": [0.9, 0.9]}),
        (
            "WhiteboxHub+project-talentscreen-wbox-cli/.latest_run_full.json",
            {"Form Accuracy Metric": [1.0], "Safety Handoff Metric": [1.0]},
        ),
    ],
)
def test_files_of_others(file: str, found: dict[str, list[float]]) -> None:
    path = SHARED / "data/files/deepeval" / file
    if not path.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(path)
    assert records.read[0].format == "deepeval"
    assert {name: values(records, name) for name in records.metrics} == {**found, "success": [1, 1]}
    assert len(records.case.words) == 2
