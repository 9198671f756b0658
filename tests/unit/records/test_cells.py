from __future__ import annotations

import math

import numpy as np
import pytest

from simstudy.records.cells import (
    Reason,
    codes_in,
    has_decimal_comma,
    letters_of,
    read_cell,
    read_error,
    read_verdict,
    the_words,
    why_not,
)


def test_words_of_a_line() -> None:
    assert the_words("yes no yes") == {"yes", "no"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            (word, 1.0)
            for word in ("1", "true", "TRUE", " Correct. ", "pass", "Passed", "yes", "C", '"correct"', "1.0")
        ),
        *((word, 0.0) for word in ("0", "False", "incorrect", "INCORRECT", "fail", "FAILED", "no", "I", "-0", "0e5")),
        *((word, 0.5) for word in ("tie", "partial", ".5", "5e-1", "50%", "50 %")),
        ("-1", -1.0),
        ("+3.25", 3.25),
        ("1e3", 1000.0),
    ],
)
def test_values(text: str, value: float) -> None:
    assert read_cell(text) == (value, None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((word, Reason.MISSING) for word in ("", "  ", "NaN", "nan", "None", "null", "N/A", "NA", "-", "—", "#N/A")),
        *((word, Reason.NOT_FINITE) for word in ("inf", "-Infinity", "1e999", "9" * 400)),
        *((word, Reason.ERROR) for word in ("error", "ERROR: 429", "#ERR", "#DIV/0!", "$ERROR$", "[invalid]")),
        *((word, Reason.TIMEOUT) for word in ("timeout", "timeout after 60 s", "Timed out", "TLE")),
        ("skipped", Reason.SKIPPED),
        ("I'm sorry, I cannot judge this.", Reason.REFUSAL),
        *(
            (word, Reason.NOT_A_VALUE)
            for word in (
                "Correct? No.",
                "NOT CORRECT",
                "The answer is correct because it matches.",
                "3/5",
                "1,5",
                "x",
                "١",
            )
        ),
    ],
)
def test_no_value_has_a_reason_and_is_never_a_number(text: str, reason: Reason) -> None:
    read = read_cell(text)
    assert math.isnan(read.value)
    assert read.reason == reason


def test_a_comma_is_decimal_only_where_it_is_said() -> None:
    assert read_cell("0,375", decimal_comma=True).value == 0.375
    assert read_cell("0,375").reason is Reason.NOT_A_VALUE


def test_p_is_half_right_beside_c_and_i_alone() -> None:
    assert read_cell("P", letters=letters_of(["C", "P", "I", "None"])).value == 0.5
    assert read_cell("P", letters=letters_of(["P", "F"])).value == 1.0


def test_letters_are_single_and_letters() -> None:
    assert letters_of(["C", " i ", "1", "no", "-"]) == {"c", "i"}


@pytest.mark.parametrize(
    ("words", "comma"), [(["0,375", "1"], True), (["0,375", "0.5"], False), (["1", "a,b"], False), ([], False)]
)
def test_decimal_commas(words: list[str], comma: bool) -> None:
    assert has_decimal_comma(words) == comma


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([0, 1, -1], (-1.0,)),
        ([6, 10, -1, math.nan, -999], (-999.0, -1.0)),
        ([-1, -1], (-1.0,)),
        ([0.2, -1, -0.4], ()),
        ([0, 1], ()),
        ([], ()),
    ],
)
def test_codes_for_no_value_are_the_only_negative_numbers(values: list[float], codes: tuple[float, ...]) -> None:
    assert codes_in(np.array(values, dtype=np.float64)) == codes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((word, None) for word in ("", "none", "false", "0", "ok", "no", "NaN")),
        ("rate limited", Reason.ERROR),
        ("true", Reason.ERROR),
        ("timeout after 60 s", Reason.TIMEOUT),
        ("skipped", Reason.SKIPPED),
    ],
)
def test_columns_of_errors(text: str, reason: Reason | None) -> None:
    assert read_error(text) is reason


def test_a_text_without_any_sign_of_an_error_is_no_value() -> None:
    assert why_not("maybe") is Reason.NOT_A_VALUE


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        *((word, "first") for word in ("A", "[[A]]", "model_a", "A>>B", "1", "first", "Assistant A")),
        *((word, "second") for word in ("b", "model_b", "B>A", "2")),
        *((word, "tie") for word in ("C", "tie", "tie (bothbad)", "A=B", "both")),
    ],
)
def test_verdicts_of_pairs(text: str, verdict: str) -> None:
    assert read_verdict(text) == (verdict, None)


@pytest.mark.parametrize(("text", "reason"), [("", Reason.MISSING), ("error", Reason.ERROR), ("D", Reason.NOT_A_VALUE)])
def test_no_verdict_has_a_reason(text: str, reason: Reason) -> None:
    assert read_verdict(text) == (None, reason)
