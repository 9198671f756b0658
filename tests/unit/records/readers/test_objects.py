from __future__ import annotations

import pytest

from simstudy.errors import RecordsError, RequestError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import (
    case_of_text,
    have,
    name_of,
    objects,
    place_of,
    short_fields,
    verdict_of,
    with_columns,
    words_in,
)
from simstudy.records.records import RecordsBuilder
from simstudy.records.source import Source


def test_objects_and_what_is_none() -> None:
    source = Source("x", b'{"id": 1, "score": 1}\n7\n{"id": 2}\n{"id": 3, "sc')
    builder = RecordsBuilder("x", "f")
    assert [(place, value["id"]) for place, value in objects(source, builder, "id", "score")] == [(1, 1)]
    aside = {found.reason: found.where for found in builder.records().aside}
    assert aside == {"no JSON object": (2,), "no field 'score'": (3,), "cut off": (4,)}


def test_places_of_an_array_in_one_line() -> None:
    source = Source("x", b'[{"id": 1}, {"id": 2}]')
    assert place_of(source) == "record"
    assert [place for place, _ in objects(source, RecordsBuilder("x", "f"), "id")] == [1, 2]


def test_nothing_that_can_be_read() -> None:
    with pytest.raises(RecordsError, match=r"x holds no record that can be read \(no field 'score'\)"):
        list(objects(Source("x", b'[{"id": 1}]'), RecordsBuilder("x", "f"), "score"))


def test_some_of_the_first_objects_have_the_fields() -> None:
    head = Source("x", b'[{"id": 1}, {"id": 2, "games": []}]').head
    assert have(head, "id", "games")
    assert not have(head, "id", "score")


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        *(("A>B", "first"), ("A>>B", "first"), ("B>A", "second"), ("B>>A", "second"), ("A=B", "tie"), ("B=A", "tie")),
        *(("A<B", "second"), ("A<<B", "second"), ("B<A", "first"), ("B << A", "first")),
        *((1, "first"), ("2", "second"), ("model_1", "first"), (None, None), (True, None), ("A>C", None), ("", None)),
    ],
)
def test_verdicts(word: object, verdict: str | None) -> None:
    assert verdict_of(word) == verdict


def test_names_and_lengths() -> None:
    assert [name_of(value, "file") for value in ("m", 7, "", None, ["m"], True)] == [
        "m",
        "7",
        "file",
        "file",
        "file",
        "file",
    ]
    assert case_of_text(" What\n is  it? ") == "What is it?"
    assert case_of_text("x" * 300) != case_of_text("x" * 301)
    assert case_of_text(None) is None
    assert (words_in("two words"), words_in(None)) == (2, None)


def test_columns_that_were_named() -> None:
    builder = RecordsBuilder("x", "f")
    builder.add("a", "m", 1, extra={"dataset": "koala"})
    records = builder.records()
    assert with_columns(records, ReadOptions(cluster_column="dataset")).further["cluster"].words == ("koala",)
    with pytest.raises(RequestError, match="column for run_column"):
        with_columns(records, ReadOptions(run_column="data"))
    with pytest.raises(RecordsError, match="read as f, which says itself what is the case"):
        with_columns(records, ReadOptions(case_column="dataset"))


def test_short_fields_may_be_columns() -> None:
    given = {"topic": "law", "at": {"page": 7}, "question": "Why?", "long": "x" * 81, "none": None, "list": [1]}
    assert short_fields(given, ReadOptions()) == {"topic": "law", "at.page": 7}
    assert short_fields("no object", ReadOptions()) == {}
    asked = short_fields(given, ReadOptions(cluster_column="long", columns=("question",)))
    assert asked == {"topic": "law", "at.page": 7, "long": "x" * 81, "question": "Why?"}
