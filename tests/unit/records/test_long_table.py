"""Values, errors, and names in their natural order."""

from __future__ import annotations

import numpy as np

from simstudy.records.long_table import is_error, listed, natural_key, parse_value


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
