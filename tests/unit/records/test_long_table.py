"""Values, errors, and names in their natural order."""

from __future__ import annotations

import numpy as np

from simstudy.records.long_table import is_error, listed, natural_key, no_value, parse_value


def test_values() -> None:
    for text in ("1", "1.0", "TRUE", "correct", "Yes", "c", "1e0"):
        assert parse_value(text) == 1
    for text in ("0", "0.00", "false", "Incorrect", "no", "I"):
        assert parse_value(text) == 0
    for text in ("", "NA", "null", "NaN", "none", "error", "timeout"):
        value = parse_value(text)
        assert value is not None
        assert np.isnan(value)
    for text in ("maybe", "1_0", "inf", "1,0", "50%", "0x1"):
        assert parse_value(text) is None
    assert parse_value(".5") == 0.5


def test_errors_and_names() -> None:
    assert [is_error(text) for text in ("", "0", "false", "None", "Timeout", "1", "true")] == [False] * 4 + [True] * 3
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


def test_cells_in_messages_are_short() -> None:
    message = str(no_value("r.csv", 3, "a", "words " * 10_000))
    assert message.startswith("r.csv, line 3: the column 'a' holds 'words words")
    assert len(message) < 250
