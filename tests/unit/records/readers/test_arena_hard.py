from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import arena_hard, find_reader
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

SHARED = Path(__file__).resolve().parents[5] / "shared"


def battle(uid: Any, *scores: Any, **more: Any) -> dict[str, Any]:
    games = [{"score": score, "judgment": {"answer": "..."}, "prompt": "..."} for score in scores]
    return {"uid": uid, "category": "hard_prompt", "judge": "gpt-4.1", "model": "mine", "games": games, **more}


def read(*rows: Any) -> Records:
    return arena_hard.read(Source("mine.jsonl", "\n".join(map(json.dumps, rows)).encode()), ReadOptions())


def test_told_from_content() -> None:
    rows = [battle("u1", "B>A", "A>B", baseline="o3"), battle("u2", "A>>B", "A=B", baseline="o3")]
    source = Source("x", "\n".join(map(json.dumps, rows)).encode())
    reader, certainty = find_reader(source)
    assert (reader.NAME, certainty) == ("arena-hard", 0.95)
    records = reader.read(source, ReadOptions())
    assert records.systems == ("mine",)
    values = records.of_metric()
    assert values.case.texts() == ["u1", "u2"]
    # both games of u1 are won: the model is B in the first and A in the second
    assert values.value.tolist() == [1, 0.25]
    assert list(records.metrics) == ["win rate against o3"]
    says = " ".join(remark.says for remark in records.remarks)
    assert "1 of 2 verdicts change with the order" in says
    assert "A>>B counts like A>B, in 1 of 2 records" in says


def test_games_as_they_were_shown() -> None:
    records = read(battle("u1", "B<A", "A<<B"))
    shown = records.take(~records.metric.present())
    columns = [shown.further[name].texts() for name in ("first", "second", "verdict")]
    assert list(zip(*columns, strict=True)) == [
        ("the baseline", "mine", "first"),
        ("mine", "the baseline", "second"),
    ]
    assert records.doubled() == []
    assert records.of_metric().value.tolist() == [0]


def test_games_that_cannot_be_read() -> None:
    none = battle("u4", "A>B", "A>B")
    none["games"][1] = None
    rows = (battle("u1", None, "A>B"), battle("u2"), battle("u3", "A>C", "A>B"), none, battle("u5", "B>A"))
    records = read(*rows).of_metric()
    assert records.reason.texts() == ["missing", "missing", "not a value", "missing", None]
    assert records.value[-1] == 1


def test_older_files_name_the_question_otherwise() -> None:
    row = {"question_id": "q", "model": "m", "judge": "j", "games": [{"score": "A=B"}, {"score": "A=B"}]}
    assert read(row).case.words == ("q",)


@pytest.mark.parametrize(("text", "words"), [('{"uid": 1, "model": "m"}', "no field 'games'"), ("[]", "no record")])
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        arena_hard.read(Source("x", text.encode()), ReadOptions())


def test_two_models_with_the_second_game_in_swapped_order() -> None:
    if not SHARED.exists():
        pytest.skip("the shared folder is not here")
    records = read_records([SHARED / f"cases/games_{name}.jsonl" for name in ("ash", "oak")]).of_metric()
    means = [float(records.value[records.system.where(name)].mean()) for name in ("games_ash", "games_oak")]
    assert means == [0.50625, 0.5875]
    assert len(records.case.words) == 40
    even = [int((records.value[records.system.where(name)] == 0.5).sum()) for name in ("games_ash", "games_oak")]
    assert even == [9, 14]


@pytest.mark.parametrize(
    ("file", "rows", "wins"),
    [
        ("qwopqwop200+ko-arena-hard-auto/claude-3.5-haiku.jsonl", 500, None),
        ("qwopqwop200+ko-arena-hard-auto/deepseek-r1.jsonl", 500, None),
        # A>B with B>A twice and A>B with B>>A: lost; A>B with A>B, B>A with B>A twice: even; A=B with B>A: a quarter
        ("meltemi-ai+arena-hard-auto-english/phi-3-medium-4k-instruct.jsonl", 7, 1.75),
    ],
)
def test_files_of_others(file: str, rows: int, wins: float | None) -> None:
    path = SHARED / "data/files/arena_hard" / file
    if not path.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(path)
    assert records.read[0].format == "arena-hard"
    values = records.of_metric()
    assert len(values) == int(values.usable().sum()) == rows
    if wins is None:  # counted from the text, by the words of the two games
        text = path.read_text(encoding="utf-8").splitlines()
        games = [[game["score"] for game in json.loads(line)["games"]] for line in text]
        won = sum((g[0] in ("B>A", "B>>A")) + (g[1] in ("A>B", "A>>B")) for g in games)
        wins = won / 2 + sum(score == "A=B" for g in games for score in g) / 4
    assert values.value.sum() == wins


def test_the_same_questions_for_two_models() -> None:
    folder = SHARED / "data/files/arena_hard/qwopqwop200+ko-arena-hard-auto"
    if not folder.exists():
        pytest.skip("the shared folder is not here")
    records = read_records([folder / "claude-3.5-haiku.jsonl", folder / "deepseek-r1.jsonl"])
    assert len(records.case.words) == 500
    assert records.systems == ("claude-3.5-haiku", "deepseek-r1")
