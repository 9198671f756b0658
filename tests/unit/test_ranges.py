"""Values, lists and ranges as they are typed."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simstudy.errors import ParameterError
from simstudy.ranges import parse_values, perhaps_thousands

FORMS = [
    ("36", False, 36),
    ("1e3", True, 1000),
    ("0.5", False, 0.5),
    ("-0.05", False, -0.05),
    ("36,100", True, [36, 100]),
    (" 36 , 100 ", True, [36, 100]),
    ("36,", True, "no number"),
    ("0:0.2:0.05", False, [0, 0.05, 0.1, 0.15, 0.2]),
    ("0.2:0:-0.05", False, [0.2, 0.15, 0.1, 0.05, 0]),
    ("-0.1:0.1:0.1", False, [-0.1, 0, 0.1]),
    ("10:30:10,50", True, [10, 20, 30, 50]),
    ("log:10:1000:3", True, [10, 100, 1000]),
    ("log:1:3:9", True, [1, 2, 3]),
    ("log:0.1:10:3", False, pytest.approx([0.1, 1, 10])),
    ("0:0.2:0.07", False, "does not reach its end"),
    ("0:0.2:0", False, "has step 0"),
    ("0:0.2:-0.1", False, "wrong sign"),
    ("0:1:nan", False, "does not reach its end"),
    ("0:1:1e-9", False, "above 200000"),
    ("log:30:3000:inf", False, "2 to 200000"),
    ("log:30:inf:5", False, "0 < from < to"),
    ("log:30:3000:1000000000", False, "2 to 200000"),
    ("log:0:10:3", False, "0 < from < to"),
    ("log:10:1:3", False, "0 < from < to"),
    ("log:1:10:1", False, "0 < from < to"),
    ("log:1:10:2.5", False, "0 < from < to"),
    ("1:2", False, "is no value"),
    ("1:2:3:4", False, "is no value"),
    ("abc", False, "no number"),
    ("", False, "no number"),
    ("1,2,1", False, "more than once"),
    ("1:3:1,2", False, "more than once"),
]


@pytest.mark.parametrize(("text", "integer", "expected"), FORMS, ids=[form[0] for form in FORMS])
def test_every_form_of_a_value(text, integer, expected):
    if isinstance(expected, str):
        with pytest.raises(ParameterError, match=expected):
            parse_values("x", text, integer)
    else:
        assert parse_values("x", text, integer) == expected


@given(st.integers(-50, 50), st.integers(1, 60), st.sampled_from([0.01, 0.05, 0.1, 0.25, 1.0]))
def test_ranges_hold_the_decimals_that_were_meant(start, count, step):
    low, high = round(start * step, 10), round((start + count) * step, 10)
    values = parse_values("x", f"{low!r}:{high!r}:{step!r}")
    assert len(values) == count + 1
    assert values == [round(low + i * step, 10) for i in range(count + 1)]


def test_a_long_range_is_read_at_once():
    begin = time.perf_counter()
    assert len(parse_values("n", "1:150000:1", True)) == 150_000
    # looking for repeated values pair by pair took minutes
    assert time.perf_counter() - begin < 10


def test_percentages():
    assert parse_values("p", "80%", proportion=True) == 0.8
    assert parse_values("p", "0%:20%:5%", proportion=True) == [0, 0.05, 0.1, 0.15, 0.2]
    assert parse_values("p", "12.3%,.5", proportion=True) == [0.123, 0.5]
    with pytest.raises(ParameterError, match="n is '80%'; it is no proportion"):
        parse_values("n", "80%")
    with pytest.raises(ParameterError, match="'x%' is no percentage"):
        parse_values("p", "x%", proportion=True)


@pytest.mark.parametrize("text", ["1,000", "12,050", "1,000,000", "1,234,000"])
def test_commas_of_thousands_are_pointed_out(text):
    with pytest.raises(ParameterError, match=f"write {text.replace(',', '')}"):
        parse_values("n", text, integer=True)


def test_lists_that_could_be_thousands_are_lists():
    assert parse_values("n", "36,100,400", integer=True) == [36, 100, 400]


@pytest.mark.parametrize("text", ["log:1:2", "log:", "log", "log:1:2:3:4"])
def test_logarithmic_ranges_have_four_fields(text):
    with pytest.raises(ParameterError, match=f"n: '{text}' must be log:from:to:count"):
        parse_values("n", text)


@pytest.mark.parametrize(
    ("text", "perhaps"),
    [
        ("1,250", "1250"),
        ("9,999", "9999"),
        ("12,345,678", "12345678"),
        ("36,100,400", ""),
        ("50,200", ""),
        ("1,25", ""),
        ("1,2500", ""),
        ("100", ""),
        ("1:250:1", ""),
    ],
)
def test_lists_that_could_be_one_number_are_told(text, perhaps):
    said = perhaps_thousands("n", text)
    assert said == (
        f"n is {text.replace(',', ', ')}: a comma parts values; {perhaps} is written without it." * bool(perhaps)
    )
