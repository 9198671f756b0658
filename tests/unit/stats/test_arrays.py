"""What the statistics share: refusals that name the argument, tails, and what has no denominator."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simstudy.errors import ParameterError, UnknownNameError
from simstudy.stats import _arrays


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: _arrays.whole_numbers(n10=[1, 2.5]), r"n10 must hold whole numbers; it holds 2\.5"),
        (lambda: _arrays.whole_numbers(n10=math.nan), "it holds nan"),
        (lambda: _arrays.counts(n01=[3, -2]), "n01 must not be negative; it holds -2"),
        (lambda: _arrays.counts(a=[1, 2], b=[1, 2, 3]), r"do not broadcast together: a \(2,\), b \(3,\)"),
        (lambda: _arrays.discordant(3, 4, 6), r"n10 \+ n01 must not exceed n; 7 of 6 was given"),
        (lambda: _arrays.bounded(0, 1, share=[0.5, 1.5]), r"share must lie between 0 and 1; it holds 1\.5"),
        (lambda: _arrays.bounded(0, 1, open_ends=True, share=1.0), "strictly between 0 and 1"),
        (lambda: _arrays.any_numbers("x", [1, 2, "x"]), "x must hold numbers; it holds 'x'"),
        (lambda: _arrays.any_numbers("x", [[1], ["2"]]), "x must hold numbers; it holds '2'"),
        (lambda: _arrays.check_level(1), r"strictly between 0 and 1, for example 0\.95"),
    ],
)
def test_refusals_name_the_argument_and_what_it_holds(call, words):
    with pytest.raises(ParameterError, match=words):
        call()


def test_an_alternative_that_does_not_exist():
    with pytest.raises(UnknownNameError, match="Did you mean greater"):
        _arrays.check_alternative("grater")


def test_a_whole_is_no_smaller_than_its_part():
    only_a, only_b, n = _arrays.discordant([1, 2], 3, [4, 5])
    assert (only_a.tolist(), only_b.tolist(), n.tolist()) == ([1, 2], [3, 3], [4, 5])


def test_nothing_is_divided_by_zero():
    found = _arrays.ratio([1, 0, -1, 3], [2, 0, 0, -4])
    np.testing.assert_array_equal(found, [0.5, np.nan, np.nan, np.nan])


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_tails_are_scipys_and_undefined_stays_undefined(alternative):
    values = np.array([-40.0, -1.5, 0.0, 2.5, 40.0, np.nan])
    sides = {"two-sided": lambda law: 2 * law.sf(abs(values)), "greater": lambda law: law.sf(values)}
    expected = sides.get(alternative, lambda law: law.cdf(values))
    # an error of some units in the last place, in the far tail too
    np.testing.assert_allclose(_arrays.normal_p(values, alternative), expected(scipy_stats.norm), rtol=1e-13)
    found = _arrays.student_p(values, np.float64(7), alternative)
    np.testing.assert_allclose(found, expected(scipy_stats.t(7)), rtol=1e-11)


def test_groups_keep_their_positions():
    groups = dict(_arrays.grouped(np.array([2, 0, 2, 1, 0], np.intp)))
    assert {label: places.tolist() for label, places in groups.items()} == {0: [1, 4], 1: [3], 2: [0, 2]}
    assert dict(_arrays.grouped(np.array([], np.intp))) == {}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.ma.masked_array([1, 2], [False, True]), "x has masked values: leave them out"),
        ("7", "x must hold numbers; it holds '7'"),
        (["1", "2"], "x must hold numbers"),
        (b"36", "x must hold numbers"),
        (np.array(["2024-01-01"], "datetime64[D]"), "x must hold numbers; it holds 2024-01-01"),
        (np.timedelta64(5, "D"), "x must hold numbers"),
        (1 + 2j, "x must hold numbers"),
        (None, "x must hold numbers; it holds None"),
        ([1, None], "x must hold numbers; it holds None"),
        ({"a": 1}, "x must hold numbers"),
        ([[1], [2, 3]], "x must be a number or an array of numbers"),
        (10**400, "x holds a number that is too large"),
    ],
)
def test_what_is_no_number_is_refused(value, words):
    for check in (_arrays.any_numbers, lambda name, given: _arrays.counts(**{name: given})):
        with pytest.raises(ParameterError, match=words):
            check("x", value)


def test_numbers_of_any_kind_are_float64():
    expected = [1.0, 2.0]
    masked_nowhere = np.ma.masked_array([1, 2], [False, False])
    for value in ([1, 2], np.array([1, 2], np.int8), np.array([1, 2], np.float16), masked_nowhere, (Fraction(1), 2)):
        found = _arrays.any_numbers("x", value)
        assert found.dtype == np.float64
        assert found.tolist() == expected
    assert _arrays.any_numbers("x", Decimal("0.5")) == 0.5
    assert _arrays.any_numbers("x", [True, False]).tolist() == [1.0, 0.0]
    array = np.array([1.5, np.nan])
    assert _arrays.any_numbers("x", array) is array


def test_truth_values_are_verdicts_and_differences_but_no_counts():
    assert _arrays.whole_numbers(d=[True, False])[0].tolist() == [1.0, 0.0]
    for value in (True, np.bool_(True), [True, False], np.array([True])):
        with pytest.raises(ParameterError, match="x holds truth values"):
            _arrays.counts(x=value)
        with pytest.raises(ParameterError, match="x holds truth values"):
            _arrays.bounded(0, 1, x=value)


def test_numbers_too_large_to_compute_with_are_refused():
    assert _arrays.counts(n=10**16)[0] == 1e16
    with pytest.raises(ParameterError, match=r"n holds 2e\+16; it must not exceed 1e\+16"):
        _arrays.counts(n=2 * 10**16)
    with pytest.raises(ParameterError, match="d holds"):
        _arrays.whole_numbers(d=-1e80)


@pytest.mark.parametrize("level", ["abc", None, [0.9, 0.95], True, 1j, b"1", 0, 1, math.nan, np.datetime64("2024")])
def test_a_level_is_one_number(level):
    with pytest.raises(ParameterError, match="must lie strictly between 0 and 1"):
        _arrays.check_level(level)
    assert _arrays.check_level(np.array(0.9)) == 0.9


def test_quantiles_are_positive_and_finite_at_every_level():
    assert _arrays.critical_z(0.95) == 1.959963984540054
    # ½ + level/2 is ½ below, and 1 above
    assert _arrays.critical_z(1e-16) == pytest.approx(1e-16 * math.sqrt(math.pi / 2), rel=1e-12, abs=0)
    assert _arrays.critical_z(1 - 1.2e-16) == pytest.approx(scipy_stats.norm.isf(2**-54), rel=1e-12)
    assert _arrays.critical_t(np.array(5.0), 1 - 1.2e-16) == pytest.approx(scipy_stats.t(5).isf(2**-54), rel=1e-9)
    for bound in (_arrays.EXTREME, 1 - _arrays.EXTREME):
        below, above = _arrays.critical_z(bound * (1 - 1e-9)), _arrays.critical_z(bound * (1 + 1e-9))
        # ½ + level/2 carries 1e-16 of level 1e-6
        assert below < above
        assert above == pytest.approx(below, rel=1e-2 if bound > 0.5 else 1e-8)


@pytest.mark.parametrize("value", ["x", None, [1], -1, 2**64, 1.5, math.nan, True, 1e300, np.datetime64("2024")])
def test_a_setting_is_one_whole_number_in_its_range(value):
    with pytest.raises(ParameterError, match=r"seed is .*; it must be a whole number from 0 to"):
        _arrays.whole_number("seed", value, 0, 2**64 - 1)


def test_settings_keep_their_digits():
    assert _arrays.whole_number("seed", 2**64 - 1, 0, 2**64 - 1) == 2**64 - 1
    assert _arrays.whole_number("seed", np.uint64(2**64 - 1), 0, 2**64 - 1) == 2**64 - 1
    assert _arrays.whole_number("resamples", 1000.0, 1, 2000) == 1000


@pytest.mark.parametrize("flag", ["no", None, 2, np.array([True, False]), 0])
def test_a_flag_is_true_or_false(flag):
    with pytest.raises(ParameterError, match=r"pooled is .*; it must be True or False"):
        _arrays.check_flag("pooled", flag)
    _arrays.check_flag("pooled", np.bool_(True))


@pytest.mark.parametrize("given", [5, None, ["greater"], np.array(["less"]), b"less", {}])
def test_a_choice_is_a_word(given):
    with pytest.raises(UnknownNameError, match="There is no alternative"):
        _arrays.check_alternative(given)


def test_names_are_words_or_numbers():
    assert _arrays.labels("case", ["b", "a"]).tolist() == ["b", "a"]
    for value in (
        [None, "a"],
        [2.0, np.nan],
        np.array(["2024-01-01", "NaT"], "datetime64[D]"),
        "a",
        [object(), object()],
        [[1], [2, 3]],
    ):
        with pytest.raises(ParameterError, match="case must be a list of words or of numbers"):
            _arrays.labels("case", value)
    with pytest.raises(ParameterError, match="case has masked values"):
        _arrays.labels("case", np.ma.masked_array([1, 2], [True, False]))
