from __future__ import annotations

import json

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, json_records
from simstudy.records.records import Records
from simstudy.records.source import Source

ROWS = [
    {"id": 9007199254740992, "system": "old", "scores": {"correct": True}, "messages": [{"role": "user"}]},
    {"id": 9007199254740993, "system": "old", "scores": {"correct": None}, "messages": []},
    {"id": 9007199254740992, "system": "new", "scores": {"correct": 0.5}, "messages": []},
]


def read(text: str, **options: object) -> Records:
    return json_records.read(Source("x.jsonl", text.encode()), ReadOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        "\n".join(map(json.dumps, ROWS)),
        "\r\n".join(map(json.dumps, ROWS)),
    ],
)
def test_told_from_content(text: str) -> None:
    source = Source("anything.txt", text.encode())
    reader, _ = find_reader(source)
    records = reader.read(source, ReadOptions())
    assert records.read[0].format == reader.NAME == "json"
    assert records.case.words == ("9007199254740992", "9007199254740993")
    assert records.system.texts() == ["old", "old", "new"]
    assert records.metric.words == ("scores.correct",)
    assert records.value[[0, 2]].tolist() == [1, 0.5]
    assert records.unreadable() == {"old": {"missing": 1}, "new": {}}


@pytest.mark.parametrize(("indent", "place", "unit"), [(None, 2, "record"), (1, 6, "line")])
def test_places_are_lines_where_there_are_lines(indent: int | None, place: int, unit: str) -> None:
    records = read(json.dumps([{"id": "a", "old": 1}, {"id": "b", "old": 0}], indent=indent))
    assert records.place.tolist()[1] == place
    assert records.read[0].place == unit


def test_broken_lines_and_other_values_are_counted() -> None:
    lines = ['{"id": "a", "old": 1}', '{"id": "b", "old": 0}', "[1]", '{"id": "d", "id": "e"}', '{"id": "f", "old": 1}']
    records = read("\n".join([*lines, '{"id": "c", "o']))
    assert records.case.words == ("a", "b", "f")
    assert [(aside.reason, aside.where) for aside in records.aside] == [
        ("no JSON object", (3,)),
        ("'id' stands twice in one object", (4,)),
        ("cut off", (6,)),
    ]


def test_a_file_of_other_things_is_none() -> None:
    assert json_records.sniff(Source("x", b"[1, 2, 3]").head) == 0
    assert json_records.sniff(Source("x", b'{"totals": 3}').head) < 0.2


def test_an_array_is_read_as_far_as_it_goes() -> None:
    records = read('[{"id": "a", "old": 1}, {"id": "b", "old": 0}, nope, {"id": "c", "old": 1}]')
    assert records.case.words == ("a", "b")
    assert [(aside.reason, aside.where) for aside in records.aside] == [("not JSON", (3,))]


def test_refusals() -> None:
    with pytest.raises(RecordsError, match=r"2 of 3 cannot be read \(line 2: no JSON object\)"):
        read('{"id": "a", "old": 1}\n[1]\n{"id')
