from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, mt_bench_pairs
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

FILE = Path(__file__).resolve().parents[5] / "shared/data/files/mt_bench/Stefanstud+FastChat"


def pair(question: int, first: Any, second: Any, models: tuple[str, str] = ("old", "new")) -> dict[str, Any]:
    return {
        "question_id": question,
        "model_1": models[0],
        "model_2": models[1],
        "g1_winner": first,
        "g2_winner": second,
        "judge": ["gpt-4", "pair-v2"],
        "g1_judgment": "[[A]]",
        "g2_judgment": "[[A]]",
        "turn": 1,
        "tstamp": 1717231244.69,
    }


def source(*rows: Any) -> Source:
    return Source("gpt-4_pair.jsonl", "\n".join(json.dumps(row) for row in rows).encode())


def values(records: Records, system: str) -> list[float]:
    found: list[float] = records.value[records.system.where(system)].tolist()
    return found


def test_told_from_content() -> None:
    rows = source(pair(1, "model_2", "model_2"), pair(2, "model_1", "model_2"), pair(3, "tie", "model_2"))
    reader, certainty = find_reader(rows)
    assert (reader.NAME, certainty) == ("mt-bench pairs", 0.95)
    records = reader.read(rows, ReadOptions())
    assert records.systems == ("old", "new")
    assert values(records, "new") == [1, 0.5, 0.75]
    assert values(records, "old") == [0, 0.5, 0.25]
    assert records.doubled() == []
    assert any("2 of 3 verdicts change with the order" in remark.says for remark in records.remarks)


def test_verdicts_are_as_shown() -> None:
    records = mt_bench_pairs.read(source(pair(1, "model_2", "model_2"), pair(2, "model_1", "error")), ReadOptions())
    shown = records.take(~records.metric.present())
    columns = [shown.further[name].texts() for name in ("first", "second", "verdict")]
    # the new model wins both orders of question 1: shown second, then shown first
    assert list(zip(*columns, strict=True)) == [
        ("old", "new", "second"),
        ("new", "old", "first"),
        ("old", "new", "first"),
        ("new", "old", "error"),
    ]


def test_an_order_that_cannot_be_read() -> None:
    rows = source(pair(1, "model_1", "error"), pair(2, "error", "error"), pair(3, None, "tie"), pair(4, "tie", "tie"))
    records = mt_bench_pairs.read(rows, ReadOptions())
    assert records.unreadable()["new"] == {"error": 2, "not a value": 1}
    assert records.further["raw"].texts()[0] == "model_1, error"


def test_many_models_against_a_baseline() -> None:
    rows = source(*(pair(q, "model_1", "model_1", (name, "base")) for name in ("a", "b") for q in (1, 2)))
    records = mt_bench_pairs.read(rows, ReadOptions())
    assert records.systems == ("a", "b")
    assert list(records.metrics) == ["win rate against base"]
    assert records.doubled() == []


def test_all_pairs() -> None:
    rows = source(*(pair(1, "model_1", "tie", names) for names in (("a", "b"), ("b", "c"), ("c", "a"))))
    records = mt_bench_pairs.read(rows, ReadOptions())
    assert sorted(records.systems) == ["a", "b", "c"]
    assert records.doubled() == ["1, turn 1"]


@pytest.mark.parametrize(("text", "words"), [('{"question_id": 1}', "no field 'model_1'"), ("[3]", "no JSON object")])
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        mt_bench_pairs.read(Source("x", text.encode()), ReadOptions())


def test_a_file_of_others() -> None:
    # winners in the two orders: 20 times model_2 twice, 18 model_1 twice, 16 + 2 contradictions, 8 ties twice,
    # 5 model_1 and tie, 3 + 1 model_2 and tie, 2 with an error
    if not FILE.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(FILE / "model_judgment__gpt-4_pair.jsonl")
    usable = records.usable() & records.metric.present()
    mine = records.value[usable & records.system.where("phi-3-dpo")]
    assert len(mine) == 73
    assert mine.sum() == 20 + (16 + 2 + 8) / 2 + 5 * 0.25 + (3 + 1) * 0.75
    assert records.unreadable()["phi-3-dpo"] == {"error": 2}
    assert len(records.further["verdict"].texts()) == 2 * 75 + 2 * 75
