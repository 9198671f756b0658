from __future__ import annotations

import math

import pytest

from simstudy.records.ids import id_text, is_total, plain_id, plain_ids, runs_in_ids
from simstudy.records.json_text import Written


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Zu\u0308rich", "Zürich"),
        (" river\u00a0bank\u2009", "river bank"),
        ("item 3\u200b", "item 3"),
        ("a\t b", "a b"),
        ("007", "007"),
        ("TRUE", "TRUE"),
        ("½", "½"),
    ],
)
def test_ids_without_invisible_differences(text: str, plain: str) -> None:
    assert plain_id(text) == plain


def test_ids_that_would_become_one_stay_as_they_are() -> None:
    assert plain_ids(["a b", "a  b", "c ", "d"]) == {"a b": "a b", "a  b": "a  b", "c ": "c", "d": "d"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9007199254740993, "9007199254740993"),
        (Written("1.10"), "1.10"),
        (1.5, "1.5"),
        (True, "true"),
        ("x", "x"),
        (None, None),
        ([1], None),
    ],
)
def test_ids_of_json(value: object, text: str | None) -> None:
    assert id_text(value) == text


def test_runs_in_ids() -> None:
    assert runs_in_ids(["1", "1.1", "1.2", "2"]) == {
        "1": ("1", "0"),
        "1.1": ("1", "1"),
        "1.2": ("1", "2"),
        "2": ("2", "0"),
    }


@pytest.mark.parametrize("ids", [["1", "1.5"], ["1.1", "1.2"], ["1", "2"], ["a", "a.b"], ["1", "1.1", "1.3"]])
def test_ids_with_points_that_are_no_runs(ids: list[str]) -> None:
    assert runs_in_ids(ids) is None


@pytest.mark.parametrize(
    ("case", "values", "total"),
    [
        ("Average", [0.4167, 0.75], True),
        ("TOTAL:", [5.0, 9.0], True),
        ("mean", [41.7, 75.0], True),
        ("overall", [math.nan, math.nan], True),
        ("sum", [1.0, 0.0], False),
        ("w11", [0.4167, 0.75], False),
    ],
)
def test_totals_are_called_so_and_are_so(case: str, values: list[float], total: bool) -> None:
    assert is_total(case, values, [5 / 12, 0.75], [5.0, 9.0]) == total
