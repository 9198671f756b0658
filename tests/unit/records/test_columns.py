"""Which column means what: guesses are said, names that are given are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.results_file import read_results


def write(folder: Path, text: str, name: str = "r.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


LONG = "case,system,correct\n1,A,1\n1,B,0\n2,A,no\n2,B,C\n"


def test_names_that_are_given_are_no_guess(tmp_path: Path) -> None:
    path = write(tmp_path, "q,who,good,case\n1,A,1,x\n1,B,0,x\n")
    results = read_results(
        path, layout="long", case_column="q", system_column="who", value_column="good", split_ids=False
    )
    assert results.notes == ()
    assert results.cases.tolist() == ["1", "1"]


def test_a_second_candidate_and_a_grouping_column_are_mentioned(tmp_path: Path) -> None:
    results = read_results(write(tmp_path, "case,id,system,correct,family\n1,9,A,1,f\n1,9,B,1,f\n"))
    said = " ".join(results.notes)
    assert "(not 'id')" in said
    assert "if 'family' marks cases that share a source" in said


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"case_column": "cas"}, UnknownNameError, "case_column 'cas'. Did you mean case"),
        ({"layout": "wid"}, UnknownNameError, "layout 'wid'. Did you mean wide"),
        ({"case_column": "case", "system_column": "case"}, RecordsError, "named for two parts"),
        ({"layout": "wide", "value_column": "correct"}, RecordsError, "belong to a long file"),
        ({"layout": "wide"}, None, ""),
    ],
)
def test_requests_about_columns(tmp_path: Path, options: dict[str, str], error: type | None, words: str) -> None:
    path = write(tmp_path, LONG)
    if error is None:
        assert read_results(path, **options).system_names == ("correct",)  # type: ignore[arg-type]
        return
    with pytest.raises(error, match=words):
        read_results(path, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("case,system,points!\n1,A,1\n", "no column is called like a value"),
        ("thing,system,correct\n1,A,1\n", "no column is called like a case"),
        ("case,system,correct\n1,A,maybe\n", "line 2: the column 'correct' holds 'maybe'"),
        ("case,system,correct\n,A,1\n", "line 2: no case in the column 'case'"),
        ("case,system,correct\n1,,1\n", "line 2: no system"),
        ("case,system,correct,run\n1,A,1,\n", "line 2: no run"),
        ("case,A\n1,text\n", "no column of values"),
    ],
)
def test_files_that_lack_something(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read_results(write(tmp_path, text))


def test_value_column_in_a_file_without_systems(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="no column is called like a system"):
        read_results(write(tmp_path, "case,good\n1,1\n"), value_column="good")
