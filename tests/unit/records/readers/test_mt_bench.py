from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, mt_bench
from simstudy.records.reading import read_records
from simstudy.records.source import Source

FILES = Path(__file__).resolve().parents[5] / "shared/data/files/mt_bench"


def judgment(question: Any, turn: int | None, score: Any, **more: Any) -> dict[str, Any]:
    return {
        "question_id": question,
        "model": "m",
        "judge": ["gpt-4", "single-v1" if turn == 1 else "single-v1-multi-turn"],
        "user_prompt": "[Question] ...",
        "judgment": f"Rating: [[{score}]]",
        "score": score,
        "turn": turn,
        "tstamp": 1717245894.03,
        **more,
    }


def lines(*rows: Any) -> Source:
    return Source("gpt-4_single.jsonl", "\n".join(json.dumps(row) for row in rows).encode())


def test_told_from_content() -> None:
    source = lines(judgment(81, 1, 9), judgment(81, 2, 4.5), judgment("82_DE", 1, 7))
    reader, certainty = find_reader(source)
    assert (reader.NAME, certainty) == ("mt-bench", 0.9)
    records = reader.read(source, ReadOptions())
    assert records.systems == ("m",)
    assert records.case.words == ("81, turn 1", "81, turn 2", "82_DE, turn 1")
    assert records.further["cluster"].words == ("81", "82_DE")
    assert records.value.tolist() == [9, 4.5, 7]
    assert records.further["judge"].words == ("gpt-4",)
    assert records.extra["prompt"].texts() == ["single-v1", "single-v1-multi-turn", "single-v1"]


def test_scores_that_are_none() -> None:
    source = lines(
        judgment(1, 1, -1, judgment="no rating here"),
        judgment(2, 1, -1, judgment="$ERROR$"),
        judgment(3, 1, None),
        judgment(4, 1, 0),
        judgment([5], 1, 8),
        judgment(6, None, 8, model=None),
    )
    records = mt_bench.read(source, ReadOptions())
    assert records.reason.texts() == [
        mt_bench.NO_RATING,
        "error",
        "missing",
        None,
        "no id of the case",
        None,
    ]
    assert records.value[3] == 0
    assert records.system.texts()[-1] == "gpt-4_single"
    assert records.case.texts()[-1] == "6"


@pytest.mark.parametrize(("text", "words"), [('{"question_id": 1}', "no field 'score'"), ("[]", "no record")])
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        mt_bench.read(Source("x", text.encode()), ReadOptions())


@pytest.mark.parametrize(
    ("file", "rows", "unreadable", "total", "doubled"),
    [
        ("Stefanstud+FastChat/model_judgment__gpt-4_single.jsonl", 160, 0, 1312, 0),
        ("instructlab+eval/model_judgment__gpt-4_single.jsonl", 160, 120, 296, 0),
        ("Modalities+MT-Bench-X/model_judgment__gpt-4_single.jsonl", 24, 4, 132, 4),
        ("pfnet-research+pfmt-bench-fin-ja/claude-2.1.jsonl", 240, 0, 1947, 0),
    ],
)
def test_files_of_others(file: str, rows: int, unreadable: int, total: int, doubled: int) -> None:
    # 83 tens, 32 nines, ... of the first file; -1 in 120 of 160 of the second, where 0 is a score
    if not FILES.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(FILES / file)
    assert records.read[0].format == "mt-bench"
    usable = records.usable()
    assert (len(records), int((~usable).sum())) == (rows, unreadable)
    assert records.value[usable].sum() == total
    assert len(records.doubled()) == doubled
