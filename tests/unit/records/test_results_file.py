"""Which column means what: guesses that are said aloud, and names that are given."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from simstudy.records.results_file import read_results, runs_in_ids


def write(folder: Path, text: str, name: str = "r.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


LONG = "case,system,correct\n1,A,1\n1,B,0\n2,A,no\n2,B,C\n"


def test_long_is_guessed_and_said(tmp_path: Path) -> None:
    results = read_results(write(tmp_path, LONG))
    assert (results.layout, results.system_names, results.runs_from) == ("long", ("A", "B"), "none")
    assert results.values.tolist() == [1, 0, 0, 1]
    assert results.lines.tolist() == [2, 3, 4, 5]
    said = " ".join(results.notes)
    for column in ("taken as long", "'case'", "'system'", "'correct'"):
        assert column in said


def test_wide_is_guessed_and_text_left_aside(tmp_path: Path) -> None:
    results = read_results(write(tmp_path, "index,prompt,B,A\n1,why,1.0,0\n2,how,true,\n"))
    assert (results.layout, results.system_names) == ("wide", ("A", "B"))
    assert results.unparsed == {"prompt": (2, "why")}
    np.testing.assert_array_equal(results.values, [0, np.nan, 1, 1])
    assert any("Left aside, because they hold text: 'prompt'" in note for note in results.notes)


def test_the_same_results_long_and_wide_and_as_json(tmp_path: Path) -> None:
    wide = read_results(write(tmp_path, "case,A,B\n1,1,0\n2,0,1\n"))
    long = read_results(write(tmp_path, LONG, "l.csv"))
    lines = '{"case":1,"A":1,"B":false}\n{"case":2,"B":"yes","A":0}\n'
    json = read_results(write(tmp_path, lines, "r.jsonl"))
    tables = [
        sorted(zip(r.cases.tolist(), r.systems.tolist(), r.values.tolist(), strict=True)) for r in (wide, long, json)
    ]
    assert tables[0] == tables[1] == tables[2]


def test_an_error_column_makes_rows_unusable(tmp_path: Path) -> None:
    results = read_results(write(tmp_path, "case,system,correct,error\n1,A,0,timeout\n1,B,1,\n2,A,1,false\n"))
    np.testing.assert_array_equal(results.values, [np.nan, 1, 1])
    wide = read_results(write(tmp_path, "case,A,B,error\n1,0,1,crash\n2,0,1,None\n"))
    np.testing.assert_array_equal(wide.values, [np.nan, 0, np.nan, 1])


def test_no_case_column_means_a_case_per_line(tmp_path: Path) -> None:
    results = read_results(write(tmp_path, "A,B\n1,0\n0,0\n"))
    assert results.cases.tolist()[:2] == ["line 2", "line 3"]
    assert any("every line was taken as a case" in note for note in results.notes)


def test_runs_in_ids() -> None:
    assert runs_in_ids(["1", "1.1", "1.2", "2", "2.1"]) == {
        "1": ("1", "0"),
        "1.1": ("1", "1"),
        "1.2": ("1", "2"),
        "2": ("2", "0"),
        "2.1": ("2", "1"),
    }
    for ids in (["1.5", "2.5", "3.5"], ["1", "1.5"], ["1", "2"], ["1", "1.1", "1.3"], ["1", "1.1", "1.1.1"]):
        assert runs_in_ids(ids) is None, ids


def test_ids_may_be_kept_whole(tmp_path: Path) -> None:
    path = write(tmp_path, "case,A,B\n1,1,0\n1.1,0,0\n")
    guessed = read_results(path)
    assert guessed.runs_from == "ids"
    assert "1, 1.1 were taken as the runs of one case: a guess" in guessed.notes[-1]
    assert read_results(path, split_ids=False).cases.tolist()[:2] == ["1", "1.1"]
