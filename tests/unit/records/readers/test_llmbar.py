from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, llmbar
from simstudy.records.reading import read_records
from simstudy.records.source import Source

SHARED = Path(__file__).resolve().parents[5] / "shared/data/llmbar"


def result(number: int, label: Any, given: Any, swapped: Any) -> dict[str, Any]:
    return {
        "input": f"Add {number}.",
        "output_1": "One, two, three.",
        "output_2": "No.",
        "label": label,
        "results": [
            {
                "swap = False": {"completion": ["Output (a)", "stop"], "winner": given},
                "swap = True": {"completion": ["Output (b)", "stop"], "winner": swapped},
            }
        ],
    }


def source(*rows: Any) -> Source:
    return Source("result.json", json.dumps(rows, indent=1).encode())


def test_told_from_content() -> None:
    rows = source(result(1, 1, "1", "1"), result(2, 2, "1", "2"))
    reader, certainty = find_reader(rows)
    assert (reader.NAME, certainty) == ("llmbar", 0.95)
    records = reader.read(rows, ReadOptions())
    assert records.case.texts() == ["Add 1.", "Add 1.", "Add 2.", "Add 2."]
    # winners are numbers of outputs: output 1 stands second in the swapped order
    assert records.further["verdict"].texts() == ["first", "second", "first", "first"]
    assert records.further["label"].texts() == ["first", "second", "second", "first"]
    assert records.extra["order"].texts() == ["given", "swapped"] * 2
    assert records.extra["words_first"].texts() == ["3", "1", "3", "1"]
    assert (records.systems, records.metrics, records.ids_from) == ((), {}, "text")


def test_winners_that_are_none() -> None:
    rows = source(result(1, 1, None, "tie"), result(2, "x", "7", "2"), {**result(3, 1, "1", "1"), "results": []})
    records = llmbar.read(rows, ReadOptions())
    assert records.reason.texts() == ["missing", None, "not a value", None]
    assert records.further["verdict"].texts() == [None, "tie", None, "first"]
    assert records.further["label"].texts() == ["first", "second", None, None]
    assert [found.reason for found in records.aside] == ["no result in either order"]


@pytest.mark.parametrize(("text", "words"), [('[{"input": "a"}]', "no field 'results'"), ("[[]]", "no JSON object")])
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        llmbar.read(Source("x", text.encode()), ReadOptions())


@pytest.mark.parametrize(
    ("file", "counts"),
    [  # label, winner, winner in the swapped order
        ("result.json", {"222": 54, "111": 39, "212": 2, "121": 1, "211": 1, "221": 1, "112": 1, "122": 1}),
        ("rating_result.json", {"222": 52, "111": 35, "121": 5, "221": 5, "122": 2, "211": 1}),
    ],
)
def test_files_of_others(file: str, counts: dict[str, int]) -> None:
    if not SHARED.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(SHARED / file)
    assert records.read[0].format == "llmbar"
    verdict, label, order = (
        found.texts() for found in (records.further["verdict"], records.further["label"], records.extra["order"])
    )
    right = Counter(o for v, t, o in zip(verdict, label, order, strict=True) if v == t)
    assert right["given"] == sum(times for which, times in counts.items() if which[0] == which[1])
    assert right["swapped"] == sum(times for which, times in counts.items() if which[0] == which[2])
    assert len(records.case.words) == 100
