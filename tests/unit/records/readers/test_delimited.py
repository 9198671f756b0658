from __future__ import annotations

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import delimited, find_reader
from simstudy.records.records import Records
from simstudy.records.source import Source


def read(text: str) -> Records:
    return delimited.read(Source("x.csv", text.encode()), ReadOptions())


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_told_from_content(sign: str) -> None:
    source = Source("results.txt", "id,old,new\na,1,0\nb,0,1\n".replace(",", sign).encode())
    reader, certainty = find_reader(source)
    assert reader.NAME == "table"
    assert certainty > 0.5
    records = reader.read(source, ReadOptions())
    assert records.value.tolist() == [1, 0, 0, 1]
    assert records.read[0].place == "line"


def test_lines_may_end_as_they_did_on_old_computers() -> None:
    source = Source("x", b"id,old\ra,1\rb,0\r")
    assert find_reader(source)[0].NAME == "table"
    assert read("id,old\ra,1\rb,0\r").value.tolist() == [1, 0]


@pytest.mark.parametrize("text", ['{"a": 1}\n', "[1]", "<html>", "hello"])
def test_what_is_no_table(text: str) -> None:
    assert delimited.sniff(Source("x", text.encode()).head) == 0


def test_quoted_cells_may_hold_signs_and_lines() -> None:
    records = read('id,prompt,old\na,"x, y\nand z",1\nb,"say ""hi""",0\n')
    assert records.case.words == ("a", "b")
    assert records.place.tolist() == [2, 4]


def test_blank_lines_are_passed_over_and_crlf_is_an_end() -> None:
    records = read("id,old,new\r\na,1,0\r\n\r\n,,\r\nb,0,1\r\n")
    assert records.case.words == ("a", "b")
    assert records.place.tolist() == [2, 5, 2, 5]


def test_a_line_with_another_number_of_cells_is_counted() -> None:
    records = read("id,old,new\na,1,0\nb,1\nc,0,1\nd,1,1,1\n")
    (aside,) = records.aside
    assert aside.where == (3, 5)
    assert aside.example == "b, 1"
    assert records.case.words == ("a", "c")


def test_a_cell_of_a_million_characters() -> None:
    records = read(f"id,answer,old\na,{'x' * 1_000_000},1\nb,y,0\n")
    assert records.value.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,old,old\na,1,1\n", "'old' more than once"),
        ("id,old\n", "no case in it"),
        ("id\na\nb\n", "one column only"),
        ('id,old\na,"1\nb,0\n', "starts on line 2 cannot be read"),
        ("id,old,new\na,1,1\nb\nc\nd\ne\n", "most lines have another number of cells"),
        (",".join(f"s{n}" for n in range(20_000)) + "\n" + ",".join(["1"] * 20_000) + "\n", "20000 columns"),
    ],
)
def test_refusals_name_the_place(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(text)
