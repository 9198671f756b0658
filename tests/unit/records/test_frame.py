from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simstudy.errors import RecordsError
from simstudy.records.frame import read_frame
from simstudy.records.reading import read_records


def test_a_wide_frame() -> None:
    records = read_frame(pd.DataFrame({"id": [1, 2], "old": [True, False], "new": [0.5, np.nan]}))
    assert records.system.texts() == ["old", "old", "new", "new"]
    assert records.value[:3].tolist() == [1, 0, 0.5]
    assert records.unreadable() == {"old": {}, "new": {"missing": 1}}
    assert records.read[0].format == "DataFrame"


def test_ids_that_became_fractions_are_whole_again() -> None:
    frame = pd.DataFrame({"id": [1.0, np.nan, 3.0], "score": [1.0, 0.0, 1.0]})
    assert read_frame(frame).case.texts() == ["1", None, "3"]


def test_an_index_may_be_the_case() -> None:
    frame = pd.DataFrame({"old": [1, 0]}, index=pd.Index(["a", "b"], name="task"))
    assert read_frame(frame).case.words == ("a", "b")


def test_columns_of_several_levels_have_dots() -> None:
    frame = pd.DataFrame([["a", 1]], columns=pd.MultiIndex.from_tuples([("id", ""), ("scores", "correct")]))
    assert read_frame(frame).metric.words == ("scores.correct",)


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "category", "object"])
def test_kinds_of_columns(dtype: str) -> None:
    column = pd.Series([True, False, None], dtype=dtype)
    records = read_frame(pd.DataFrame({"id": list("abc"), "correct": column}))
    assert records.value[:2].tolist() == [1, 0]
    assert records.unreadable() == {"table": {"missing": 1}}


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame([[1, 1]], columns=["old", "old"]), "several columns 'old'"),
        (pd.DataFrame({"id": [], "old": []}), "no case"),
        (pd.DataFrame(), "no case"),
    ],
)
def test_refusals(frame: pd.DataFrame, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read_frame(frame)


def test_a_frame_is_read_like_the_file_it_was_read_from(tmp_path: Path) -> None:
    frame = pd.DataFrame({"case": ["x", "y", "z"], "old": [1, 0, None], "new": [1.0, 1.0, 0.0]})
    frame.to_csv(tmp_path / "f.csv", index=False)
    from_file, from_frame = read_records(tmp_path / "f.csv"), read_frame(frame)
    for records in (from_file, from_frame):
        assert records.systems == ("old", "new")
        assert records.case.texts() == from_file.case.texts()
        assert records.unreadable() == {"old": {"missing": 1}, "new": {}}
    named = read_frame(frame.set_index("case"))
    assert named.case.texts() == from_frame.case.texts()
