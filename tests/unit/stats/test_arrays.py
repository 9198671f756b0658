"""What the statistics share: refusals that name the argument, tails, and what has no denominator."""

from __future__ import annotations

import math

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
