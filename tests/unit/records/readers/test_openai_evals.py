from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, openai_evals
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

CASES = Path(__file__).parents[3] / "cases"
FILES = Path(__file__).resolve().parents[5] / "shared/data/files/openai_evals/Significant-Gravitas+Auto-GPT-Benchmarks"
SPEC = {"spec": {"completion_fns": ["fn-1"], "eval_name": "e.s1.v0", "base_eval": "e", "split": "s1", "run_id": "r"}}


def event(number: Any, sample: Any, kind: str = "match", **data: Any) -> dict[str, Any]:
    """Return an event as the recorder of the framework writes it."""
    about = {"run_id": "r", "event_id": number, "sample_id": sample, "type": kind, "data": data}
    return {**about, "created_by": "", "created_at": "2023-04-17 22:10:13.127375+00:00"}


def lines(*rows: Any) -> bytes:
    return "\n".join(one if isinstance(one, str) else json.dumps(one) for one in rows).encode()


def read(*rows: Any, **options: Any) -> Records:
    return openai_evals.read(Source("run.jsonl", lines(*rows)), ReadOptions(**options))


def test_told_from_content() -> None:
    for rows in ([SPEC, event(0, "a", correct=True)], [event(0, "a", correct=True)], [SPEC, {"final_report": {}}]):
        reader, certainty = find_reader(Source("x.txt", lines(*rows)))
        assert (reader.NAME, certainty > 0.9) == ("openai evals", True)
    assert openai_evals.sniff(Source("x", b'{"spec": 1}\n{"sample_id": 2}').head) == 0


def test_matches_in_the_order_of_the_events() -> None:
    records = read(
        SPEC,
        {"final_report": {"accuracy": 0.5}},
        event(3, "b", correct=False, expected="x", picked=None),
        event(0, "a", "sampling", prompt="?", sampled=["x"]),
        event(1, "a", correct=True, expected="x", picked="x"),
    )
    assert records.systems == ("fn-1",)
    assert records.named_systems
    assert records.case.texts() == ["a", "b"]
    assert records.value.tolist() == [1, 0]
    assert records.place.tolist() == [5, 3]
    assert [(aside.reason, aside.where) for aside in records.aside] == [("events of the kind 'sampling'", (4,))]
    assert [remark for remark in records.remarks if remark.about == "doubled"] == []


def test_a_sample_that_was_tried_again_is_named() -> None:
    records = read({"final_report": {"accuracy": 2 / 3}}, *(event(n, "a", correct=n > 0) for n in range(3)))
    assert records.doubled() == ["a"]
    assert records.value.tolist() == [0, 1, 1]
    assert any("accuracy 0.667, counts 3 events of 1 samples" in remark.says for remark in records.remarks)
    assert records.systems == ("run",)
    assert not records.named_systems


def test_metrics_are_numbers_by_name() -> None:
    records = read(event(0, "a", "metrics", choice="Yes", score=1.0, f1=0.5), event(1, "b", "metrics", score=None))
    assert list(records.metrics) == ["score", "f1"]
    assert records.of_metric("score").reason.texts() == [None, "missing"]


def test_samples_without_an_outcome_have_no_value() -> None:
    records = read(
        event(0, "a", correct=True),
        event(1, "b", "sampling", sampled="x"),
        event(2, "c", "error", type="Timeout", message="Request timed out"),
        event(3, "d", "match"),
    )
    assert dict(zip(records.case.texts(), records.reason.texts(), strict=True)) == {
        "a": None,
        "b": "missing",
        "c": "timeout",
        "d": "missing",
    }


def test_lines_that_are_no_events_are_counted() -> None:
    records = read(event(0, "a", correct=True), {"note": 1}, event(1, None, correct=True), "[1]", '{"run_id": ')
    assert {aside.reason: len(aside.where) for aside in records.aside} == {
        "no event of a sample": 2,
        "no JSON object": 1,
        "cut off": 1,
    }


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([SPEC, {"final_report": {"accuracy": 0.5}}], "no event of the kinds match or metrics"),
        ([event(0, "a", "sampling")], "no event of the kinds"),
        (["[]"], "no record that can be read"),
    ],
)
def test_refusals(rows: list[Any], words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(*rows)


def test_a_retry_writes_a_second_event() -> None:
    records = read_records(CASES / "retries.jsonl")
    assert len(records.case.words) == 12
    assert records.doubled() == ["capitals.4"]
    values = [records.value[records.case.where(name)] for name in records.case.words]
    reduced = [sum(float(found[0]) for found in values), sum(float(found[-1]) for found in values)]
    assert reduced == [7, 8]
    assert sum(float(found.mean()) for found in values) == 7.5


def test_a_real_log() -> None:
    if not FILES.exists():
        pytest.skip("the shared folder is not here")
    (path,) = FILES.glob("*.jsonl")
    records = read_records(path)
    found = dict(zip(records.case.texts(), records.value.tolist(), strict=True))
    assert found == {"test-match.s1.2": 0, "test-match.s1.1": 1, "test-match.s1.0": 0}
    assert records.systems == ("auto_gpt_completion_fn",)
