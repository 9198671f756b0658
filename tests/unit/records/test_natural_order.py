"""Names in their natural order."""

from __future__ import annotations

from simstudy.records.natural_order import listed, natural_key


def test_names_in_order_and_in_words() -> None:
    assert sorted(["10", "2", "A2", "A", "01", "1"], key=natural_key) == ["01", "1", "2", "10", "A", "A2"]
    assert listed(["3", "1", "2", "1"]) == "1, 2, 3"
    assert listed([str(i) for i in range(12)]) == "0, 1, 2, 3, 4 and 7 more"


def test_numbers_in_names_sort_as_numbers_however_long_they_are() -> None:
    names = [
        "a",
        "a0",
        "a00",
        "a1",
        "a01",
        "a2",
        "a10",
        "a10b2",
        "a10b10",
        "a" + "9" * 5000,
        "a1" + "0" * 5000,
        "b",
        "",
    ]
    by_number = ["", "a", "a0", "a00", "a01", "a1", "a2", "a10", "a10b2", "a10b10", "a" + "9" * 5000, "a1" + "0" * 5000]
    assert sorted(names, key=natural_key) == [*by_number, "b"]
