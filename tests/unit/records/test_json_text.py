from __future__ import annotations

import io
import json

import pytest

from simstudy.errors import RecordsError
from simstudy.records.json_text import CHUNK, Written, beginning, decoded, elements, flat, load


def read(text: str) -> list[tuple[int, int, object, str]]:
    return [tuple(element) for element in elements(io.StringIO(text, newline=""))]


def test_numbers_know_how_they_were_written() -> None:
    found = load('{"a": 1.10, "b": 9007199254740993, "c": 1e2}', "x.json")
    assert (found["a"].written, found["a"], found["b"], found["c"]) == ("1.10", 1.1, 9007199254740993, 100.0)
    assert isinstance(Written("2.50"), float)


def test_a_number_of_thousands_of_digits_is_no_traceback() -> None:
    assert load("9" * 10_000, "x.json") == float("inf")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"a": 1, "a ": 2}', "'a' stands twice"),
        ('{"a": ', "cut off"),
        ("{'a': 1}", "not JSON"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_refusals_of_a_whole(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        load(text, "x.json")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines(end: str) -> None:
    assert read(end.join(['\ufeff{"a": 1}', "", '{"a": "\u2028"}', ""])) == [
        (1, 1, {"a": 1}, ""),
        (2, 3, {"a": "\u2028"}, ""),
    ]


def test_a_broken_line_is_told_and_the_rest_read() -> None:
    first, second, third = read('{"a": 1}\n{"a": 1, "a": 2}\n{"a": 3')
    assert first[2] == {"a": 1}
    assert second[:2] == (2, 2)
    assert "twice" in second[3]
    assert third[3].startswith("cut off")


def test_an_array_may_stand_in_one_line_or_in_many() -> None:
    records = [{"n": n, "text": "ü" * (n % 7), "nested": {"list": [n, [n]]}} for n in range(5000)]
    for indent in (None, 1):
        text = json.dumps(records, indent=indent)
        found = read(text)
        assert [value for _, _, value, _ in found] == records
        assert not any(problem for *_, problem in found)
    assert found[1][1] == text[: text.index('"n": 1')].count("\n")  # the record begins on the line before


def test_an_element_longer_than_many_chunks() -> None:
    records = [{"n": 1, "text": "x" * (5 * CHUNK)}, {"n": 2}]
    assert [value for _, _, value, _ in read(json.dumps(records))] == records
    assert [v for _, _, v, _ in read("\n".join(map(json.dumps, records)))] == records


def test_numbers_at_the_edge_of_a_chunk_are_whole() -> None:
    numbers = list(range(10_000, 30_000))
    assert [value for _, _, value, _ in read(json.dumps(numbers))] == numbers


@pytest.mark.parametrize(
    ("text", "problem"),
    [("[1, 2", "cut off"), ('[1, {"a": ', "cut off"), ("[1, nope, 3]", "not JSON"), ("[1 2]", "not JSON")],
)
def test_an_array_that_breaks_says_so_last(text: str, problem: str) -> None:
    found = read(text)
    assert found[0][2] == 1
    assert found[-1][3].startswith(problem)


def test_an_element_with_a_name_twice_does_not_cost_the_others() -> None:
    found = read('[{"a": 1}, {"a": 1, "a": 2}, {"a": 3}]')
    assert [value for _, _, value, _ in found] == [{"a": 1}, None, {"a": 3}]


def test_nothing_is_no_element() -> None:
    assert read("") == read("  \n\n") == read("[]") == []


def test_decoded_tells_what_is_wrong() -> None:
    assert decoded("[1]") == ([1], "")
    assert decoded("[" * 100_000)[1] == "nested too deep"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": {"b": [{"c": 1}, {"c": ', {"a": {"b": [{"c": 1}, {}]}}),
        ('{"a": 1, "b": "{[', {"a": 1}),
        ("[1, 2, 3", [1, 2]),
        ('{"a": 1}', {"a": 1}),
        ("hello", None),
        ("{nope, 1", None),
    ],
)
def test_beginnings(text: str, value: object) -> None:
    assert beginning(text) == value


def test_nested_fields_are_named_with_dots() -> None:
    assert flat({"a": 1, "b": {"c": {"d": 2}, "e": [3]}}) == {"a": 1, "b.c.d": 2, "b.e": [3]}
