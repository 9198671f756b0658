from __future__ import annotations

import pytest

from simstudy.errors import RecordsError
from simstudy.records import sheet as module
from simstudy.records.json_text import Written
from simstudy.records.sheet import SheetBuilder, cell_text, short_word


def test_columns_and_records_make_the_same_table() -> None:
    by_columns = SheetBuilder("x", lambda _: True)
    by_columns.add_columns(["id", "old"], [("a", "b "), ("1", "")], [2, 3])
    one_by_one = SheetBuilder("x", lambda _: True)
    one_by_one.add({"id": "a", "old": "1"}, 2)
    one_by_one.add({"id": "b", "old": None}, 3)
    for sheet in (by_columns.sheet(), one_by_one.sheet()):
        assert {name: column.texts() for name, column in sheet.columns.items()} == {
            "id": ["a", "b"],
            "old": ["1", None],
        }
        assert sheet.places.tolist() == [2, 3]
        assert len(sheet) == 2


def test_fields_may_come_late_and_go() -> None:
    builder = SheetBuilder("x", lambda _: True)
    for place, record in enumerate([{"a": 1}, {"b": True}, {"a": Written("1.50"), "c": [1, "x"]}, {}], start=1):
        builder.add(record, place)
    columns = {name: column.texts() for name, column in builder.sheet().columns.items()}
    assert columns == {
        "a": ["1", None, "1.50", None],
        "b": [None, "true", None, None],
        "c": [None, None, '[1, "x"]', None],
    }


def test_long_texts_are_kept_short_and_told_apart() -> None:
    one, other = "x" * 1000 + "1", "x" * 1000 + "2"
    assert len(short_word(one)) < 100
    assert short_word(one) != short_word(other)
    assert short_word(one) == short_word(f"{one} ")
    assert short_word("short") == "short"


def test_texts_that_play_no_part_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY_WORDS", 10)
    builder = SheetBuilder("x", lambda name: name == "id")
    for start in range(0, 40, 20):
        names = [str(n) for n in range(start, start + 20)]
        builder.add_columns(["id", "answer"], [names, names], range(start, start + 20))
    sheet = builder.sheet()
    assert list(sheet.columns) == ["id"]
    assert sheet.texts == ("answer",)
    assert len(sheet.columns["id"].words) == 40


def test_too_many_columns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_COLUMNS", 3)
    with pytest.raises(RecordsError, match="more than 3 columns"):
        SheetBuilder("x", lambda _: True).add(dict.fromkeys("abcd", 1), 1)


def test_rows_aside_are_counted() -> None:
    builder = SheetBuilder("x", lambda _: True)
    builder.aside("cut off", 7, "x" * 1000)
    ((place, example),) = builder.sheet().aside["cut off"]
    assert place == 7
    assert len(example) == module.LONGEST_WORD


def test_lists_of_words_are_cells_and_lists_of_objects_are_not() -> None:
    assert cell_text(["fully", "partial"]) == '["fully", "partial"]'
    assert cell_text([{"role": "user"}]) is None
    assert cell_text({"a": 1}) is None
    assert cell_text(0.5) == "0.5"
