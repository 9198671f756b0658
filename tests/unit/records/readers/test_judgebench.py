from __future__ import annotations

import json
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, judgebench
from simstudy.records.records import Records
from simstudy.records.source import Source


def judged(pair: str, label: Any, *decisions: Any) -> dict[str, Any]:
    judgments = [None if d == "failed" else {"judgment": {"response": "..."}, "decision": d} for d in decisions]
    return {
        "pair_id": pair,
        "original_id": "4",
        "source": "mmlu-pro-math",
        "question": "How many?",
        "response_model": "gpt-4o",
        "response_A": "It is four.",
        "response_B": "Five.",
        "label": label,
        "judge_name": "arena_hard",
        "judgments": judgments,
    }


def read(*rows: Any) -> Records:
    return judgebench.read(Source("x.jsonl", "\n".join(map(json.dumps, rows)).encode()), ReadOptions())


def test_told_from_content() -> None:
    source = Source("x", json.dumps(judged("p1", "A>B", "A>B", "B>A")).encode())
    reader, certainty = find_reader(source)
    assert (reader.NAME, certainty) == ("judgebench", 0.95)
    records = reader.read(source, ReadOptions())
    # right in both orders: the second decision is about (B, A) and was not swapped back
    assert records.further["verdict"].texts() == ["first", "second"]
    assert records.further["label"].texts() == ["first", "second"]
    assert records.further["first"].texts() == ["A", "B"]
    assert records.further["judge"].words == ("arena_hard",)
    assert records.systems == ()
    assert records.metrics == {}
    assert records.extra["words_first"].texts() == ["3", "1"]
    with pytest.raises(RecordsError, match="a judge and a label"):
        records.of_metric()


def test_the_same_letter_twice_is_a_contradiction() -> None:
    records = read(judged("p1", "B>A", "A>B", "A>B"))
    right = [v == t for v, t in zip(*(records.further[n].texts() for n in ("verdict", "label")), strict=True)]
    assert right == [False, True]


def test_decisions_that_are_none() -> None:
    records = read(judged("p1", "A>B", "failed", None), judged("p2", None, "A=B", "maybe"), judged("p3", "A>B"))
    assert records.reason.texts() == ["error", "missing", None, "not a value"]
    assert records.further["verdict"].texts() == [None, None, "tie", None]
    assert records.further["label"].texts() == ["first", "second", None, None]
    assert records.further["raw"].texts()[3] == "maybe"
    assert [(found.reason, found.where) for found in records.aside] == [("no judgment", (3,))]


@pytest.mark.parametrize(
    ("text", "words"), [('{"pair_id": 1, "label": "A>B"}', "no field 'judgments'"), ("[1]", "no JSON object")]
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        judgebench.read(Source("x", text.encode()), ReadOptions())
