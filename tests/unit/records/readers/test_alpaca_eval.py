from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import alpaca_eval, find_reader
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

SHARED = Path(__file__).resolve().parents[5] / "shared/data"
FILES = SHARED / "files/alpaca_eval/JlPang863+alpaca_eval"


def annotation(number: int, preference: Any, **more: Any) -> dict[str, Any]:
    """Return an annotation as the tool writes it: output_1 is the baseline's."""
    return {
        "instruction": f"Write {number} lines.",
        "output_1": "one two",
        "generator_1": "base",
        "output_2": "one two three",
        "generator_2": "mine",
        "dataset": "koala",
        "annotator": "weighted_alpaca_eval_gpt4_turbo",
        "preference": preference,
        **more,
    }


def read(*preferences: Any) -> Records:
    rows = [annotation(number, preference) for number, preference in enumerate(preferences)]
    return alpaca_eval.read(Source("annotations.json", json.dumps(rows).encode()), ReadOptions())


def test_told_from_content() -> None:
    source = Source("x.txt", json.dumps([annotation(1, 1.25), annotation(2, None)]).encode())
    reader, certainty = find_reader(source)
    assert (reader.NAME, certainty) == ("alpaca_eval", 0.95)
    records = reader.read(source, ReadOptions())
    assert records.systems == ("mine",)
    assert records.case.words == ("Write 1 lines.", "Write 2 lines.")
    assert records.value[0] == 0.25
    assert records.reason.texts() == [None, "missing"]
    assert list(records.metrics) == ["win rate against base"]
    assert records.further["judge"].words == ("weighted_alpaca_eval_gpt4_turbo",)
    assert records.ids_from == "text"
    assert records.extra["words_2"].texts() == ["3", "3"]


def test_what_a_preference_is() -> None:
    records = read(1, 2, 1.5, 0, "2", 2.5, "first", -1, True, math.nan, [1], 10**400)
    assert records.value[:5].tolist() == [0, 1, 0.5, 0.5, 1]
    assert records.reason.texts()[:5] == [None] * 5
    assert records.reason.texts()[5:] == [
        "not between 1 and 2",
        "not a value",
        "not between 1 and 2",
        "not a value",
        "missing",
        "not a value",
        "not between 1 and 2",
    ]


def test_two_models_against_the_same_baseline(tmp_path: Path) -> None:
    for name, values in (("one", (1.2, 1.8)), ("two", (1.4, 2))):
        rows = [annotation(n, value, generator_2=name) for n, value in enumerate(values)]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    records = read_records([tmp_path / "one.json", tmp_path / "two.json"])
    assert records.systems == ("one", "two")
    assert len(records.case.words) == 2
    assert len(records.metrics) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"instruction": "a"}]', "no field 'preference'"),
        ("[1, 2]", "no record that can be read"),
        ('[{"instruction": "a", "prefer', "holds no record that can be read"),
    ],
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        alpaca_eval.read(Source("x.json", text.encode()), ReadOptions())


@pytest.mark.parametrize(
    ("file", "values", "unreadable", "wins"),
    [
        ("alpaca_eval_gpt4__annotations.json", 19, 1, 8),
        ("alpaca_eval_gpt4_turbo_fn__annotations.json", 20, 0, 4),
        ("alpaca_eval_gpt4o_mini__annotations.json", 0, 10, 0),
        ("oasst_pythia_12b__annotations.json", 19, 1, 12),
        ("weighted_alpaca_eval_gpt-4o-mini-2024-07-18__annotations.json", 20, 0, 0.0000459644),
    ],
)
def test_files_of_others(file: str, values: int, unreadable: int, wins: float) -> None:
    if not FILES.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(FILES / file)
    assert records.read[0].format == "alpaca_eval"
    usable = records.value[records.usable()]
    assert (len(usable), len(records) - len(usable)) == (values, unreadable)
    assert float(usable.sum()) == pytest.approx(wins, abs=5e-8)  # preferences are written with ten digits


def test_the_published_sample() -> None:
    path = SHARED / "alpaca_eval/annotations_sample20.json"
    if not path.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(path)
    assert records.systems == ("FuseChat-Gemma-2-9B-Instruct",)
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert sorted(records.value.tolist()) == pytest.approx(sorted(row["preference"] - 1 for row in rows))
