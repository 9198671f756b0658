"""Parsing of CSV, TSV and JSONL: what is accepted, and what each refusal says."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.read import read_sheet


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_csv_with_mark_crlf_quotes_and_blank_lines(tmp_path: Path) -> None:
    text = '\ufeffcase,system,correct\r\n\r\n"a,1","A ""x""",1\r\n  \r\n"two\nlines",B, 0 \r\n'
    sheet = read_sheet(write(tmp_path, "r.CSV", text))
    assert sheet.columns == ("case", "system", "correct")
    assert sheet.rows == (("a,1", 'A "x"', "1"), ("two\nlines", "B", "0"))
    assert sheet.lines == (3, 5)


def test_tsv(tmp_path: Path) -> None:
    sheet = read_sheet(write(tmp_path, "r.tsv", "case\tA, B\n1\t0\n"))
    assert sheet.columns == ("case", "A, B")
    assert sheet.rows == (("1", "0"),)


def test_jsonl_keeps_numbers_as_written_and_unites_keys(tmp_path: Path) -> None:
    first = '{"case": 1.10, "A": true, "B": null}'
    third = '{"case": "x\u2028y", "A": 0.5, "C": {"k": [1]}, "B": NaN}'
    text = f"{first}\n\n{third}\r\n"
    sheet = read_sheet(write(tmp_path, "r.jsonl", text))
    assert sheet.columns == ("case", "A", "B", "C")
    assert sheet.rows[0] == ("1.10", "true", "", "")
    assert sheet.rows[1][:3] == ("x\u2028y", "0.5", "NaN")
    assert sheet.lines == (1, 3)


def test_a_cell_longer_than_the_csv_default_is_read_and_the_limit_restored(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    long = "x" * (before + 1)
    sheet = read_sheet(write(tmp_path, "r.csv", f"case,answer\n1,{long}\n"))
    assert sheet.rows[0][1] == long
    assert csv.field_size_limit() == before


def test_a_column_without_a_name_is_called_after_its_place(tmp_path: Path) -> None:
    assert read_sheet(write(tmp_path, "r.csv", ",A,\n0,1,0\n")).columns == ("column 1", "A", "column 3")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("r.csv", "", "is empty"),
        ("r.csv", "\ufeff \n\n", "is empty"),
        ("r.jsonl", "\n", "is empty"),
        ("r.csv", "case,A,B\n", "a header and no rows"),
        ("r.csv", "case,A,A\n1,0,1\n", "names 'A' more than once"),
        ("r.csv", "case,A,B\n1,0,1\n2,0\n", "line 3: 2 cells where the header names 3"),
        ("r.csv", "case,A,B\n1,0,1,1\n", "line 2: 4 cells"),
        ("r.csv", 'case,A\n1,0\n2,"open\n3,1\n', "starts on line 3 cannot be read"),
        ("r.csv", "case;A;B\n1;0;1\n", "separated by ';'"),
        ("r.csv", "case\tA\tB\n1\t0\t1\n", r"tabs \(name it .tsv\)"),
        ("r.tsv", "case,A\n1,0\n", r"commas \(name it .csv\)"),
        ("r.csv", b"case,A\n1,0\n\xff,1\n", "not UTF-8 text: line 3 has the byte 0xff"),
        ("r.jsonl", '{"case": 1}\n{"case": \n', "line 2 is not JSON"),
        ("r.jsonl", "[1, 2]\n", "line 1: a JSON object"),
        ("r.jsonl", '{"A": 1, "A": 0}\n', "line 1: the object names 'A' more than once"),
    ],
)
def test_refusals_name_the_place(tmp_path: Path, name: str, content: str | bytes, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read_sheet(write(tmp_path, name, content))


def test_a_missing_file_proposes_its_neighbour(tmp_path: Path) -> None:
    write(tmp_path, "results.csv", "case,A\n1,0\n")
    with pytest.raises(RecordsError, match=r"There is no file .*resluts\.csv\. Did you mean .*results\.csv\?"):
        read_sheet(tmp_path / "resluts.csv")
    with pytest.raises(RecordsError, match="does not exist either"):
        read_sheet(tmp_path / "nowhere" / "results.csv")


def test_a_folder_and_an_unknown_ending(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="is a folder"):
        read_sheet(tmp_path)
    with pytest.raises(UnknownNameError, match=r"'\.cvs'\. Did you mean \.csv\?"):
        read_sheet(write(tmp_path, "r.cvs", "a,b\n"))


def test_jsonl_names_that_differ_in_blanks_alone(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="line 1: the object names 'correct' more than once"):
        read_sheet(write(tmp_path, "r.jsonl", '{"case":1,"correct":1,"correct ":0}\n'))
    sheet = read_sheet(write(tmp_path, "n.jsonl", '{"case":1,"nested":{"a":1,"a ":2}}\n'))  # text, no columns
    assert sheet.rows == (("1", '{"a": "1", "a ": "2"}'),)


def test_jsonl_that_is_nested_too_deep_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="line 1: lists or objects are nested too deep to be read"):
        read_sheet(write(tmp_path, "r.jsonl", '{"x":' + "[" * 100_000 + "]" * 100_000 + "}\n"))
