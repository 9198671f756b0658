"""Gap and bonus of a judge's self-preference: hand arithmetic, SciPy, and every flip counted."""

import math

import numpy as np
import pytest
from scipy import special
from scipy import stats as scipy_stats

from simstudy import stats
from simstudy.errors import ParameterError, UnknownNameError
from tests.oracle import self_preference_slow as slow

# one rounding or a few, whatever the route
ROUNDING = 1e-13

# limits are roots, iterated to 1e-12 of their bracket
ROOTS = 1e-9

GAPS = np.random.default_rng(8).choice([-1, -0.5, 0, 0.5, 1], size=(40, 9), p=[0.05, 0.2, 0.4, 0.3, 0.05])

TOTAL2, SQUARES4 = 2 * GAPS.sum(axis=1), 4 * (GAPS**2).sum(axis=1)


def test_mean_gap_by_hand():
    """Gaps ½, ½, −1, 1 of 5 pairs: the fifth is 0."""
    assert stats.mean_gap(2, 5) == 0.2
    assert np.isnan(stats.mean_gap(0, 0))
    np.testing.assert_allclose(stats.mean_gap(TOTAL2, 9), GAPS.mean(axis=1), rtol=ROUNDING)


def test_gap_tests_are_those_of_the_gaps():
    for test, normal in ((stats.mean_z, True), (stats.mean_t, False)):
        expected = [slow.t_test(row.tolist(), normal) for row in GAPS]
        np.testing.assert_allclose(test(TOTAL2, SQUARES4, 9), expected, rtol=1e-11)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_gap_intervals_are_scipys(level):
    low, high = stats.gap_t_interval(TOTAL2, SQUARES4, 9, level)
    found = [scipy_stats.ttest_1samp(row, 0).confidence_interval(level) for row in GAPS]
    np.testing.assert_allclose(low, [f.low for f in found], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(high, [f.high for f in found], rtol=1e-10, atol=1e-12)
    half = scipy_stats.norm.isf((1 - level) / 2) * GAPS.std(axis=1, ddof=1) / 3
    low, high = stats.gap_z_interval(TOTAL2, SQUARES4, 9, level)
    np.testing.assert_allclose((high - low) / 2, half, rtol=1e-11)
    np.testing.assert_allclose((high + low) / 2, GAPS.mean(axis=1), atol=1e-12)


@pytest.mark.parametrize("interval", [stats.gap_z_interval, stats.gap_t_interval])
def test_gap_intervals_are_undefined_without_spread(interval):
    for total2, squares4, n in ((0, 0, 10), (10, 10, 10), (-20, 40, 10), (1, 1, 1), (0, 0, 0)):
        assert np.isnan(interval(total2, squares4, n)).all()
    low, high = interval([0, 1], [0, 1], 10)
    assert np.isnan(low[0])
    assert low[1] < 0.05 < high[1]


def test_bonus_by_hand():
    assert stats.log_preference(3, 9) == pytest.approx(math.log(9.5 / 3.5))
    assert stats.log_preference(0, 0) != stats.log_preference(0, 0)
    assert stats.log_preference(0, 4) == pytest.approx(math.log(9))


def test_limits_of_the_bonus():
    plus, minus = (grid.ravel() for grid in np.indices((9, 9)))
    some = plus + minus > 0
    low, high = stats.log_preference_exact(minus, plus)
    found = [
        scipy_stats.binomtest(int(k), int(m)).proportion_ci(0.95)
        for k, m in zip(plus[some], (plus + minus)[some], strict=True)
    ]
    np.testing.assert_allclose(special.expit(low[some]), [f.low for f in found], rtol=ROOTS)
    np.testing.assert_allclose(special.expit(high[some]), [f.high for f in found], rtol=ROOTS)
    for limits in (stats.log_preference_exact, stats.log_preference_midp):
        low, high = limits(minus, plus)
        assert np.isnan(low[~some]).all()
        assert np.isnan(high[~some]).all()
        assert (low[some & (plus == 0)] == -np.inf).all()
        assert (high[some & (minus == 0)] == np.inf).all()
        both = (plus > 0) & (minus > 0)
        assert np.isfinite(low[both] + high[both]).all()


def test_midp_limits_halve_the_observed_count():
    """At its own limit the mid-p tail of 11 of 14 is .025, by SciPy's binomial law."""
    low, high = (special.expit(limit) for limit in stats.log_preference_midp(3, 11))
    law = scipy_stats.binom(14, low)
    assert law.sf(11) + law.pmf(11) / 2 == pytest.approx(0.025, rel=ROOTS)
    law = scipy_stats.binom(14, high)
    assert law.cdf(10) + law.pmf(11) / 2 == pytest.approx(0.025, rel=ROOTS)


def test_limits_and_tests_agree():
    """An interval leaves out 0 exactly where its test rejects, save in ties beyond rounding."""
    minus, plus = (grid.ravel() for grid in np.indices((25, 25)))
    for limits, test in (
        (stats.log_preference_exact, stats.mcnemar_exact),
        (stats.log_preference_midp, stats.mcnemar_midp),
    ):
        low, high = limits(minus, plus)
        np.testing.assert_array_equal((low > 0) | (high < 0), test(minus, plus) < 0.05)
    for limits, test in ((stats.gap_z_interval, stats.mean_z), (stats.gap_t_interval, stats.mean_t)):
        low, high = limits(TOTAL2, SQUARES4, 9)
        np.testing.assert_array_equal((low > 0) | (high < 0), test(TOTAL2, SQUARES4, 9) < 0.05)


BAD = [
    (lambda: stats.mean_gap(0.5, 3), "total2 must hold whole numbers"),
    (lambda: stats.mean_gap(7, 3), r"\|total2\| must not exceed 2n; 7 of 6"),
    (lambda: stats.mean_gap([1, 2, 3], [4, 5]), "do not broadcast"),
    (lambda: stats.gap_z_interval(4, 1, 5), "Cauchy–Schwarz"),
    (lambda: stats.gap_t_interval(1, -1, 5), "squares4 must not be negative"),
    (lambda: stats.gap_t_interval(1, 1, 5, 1.0), "strictly between 0 and 1"),
    (lambda: stats.gap_sign_flip(1, 2, 0), "total2 1 cannot come from 2 halves and 0 wholes"),
    (lambda: stats.gap_sign_flip(9, 2, 3), "total2 9 cannot come from 2 halves and 3 wholes"),
    (lambda: stats.gap_sign_flip(0, 0, 1), "total2 0 cannot come from 0 halves and 1 wholes"),
    (lambda: stats.gap_sign_flip(-4, 3, 0), "total2 -4 cannot come"),
    (lambda: stats.gap_sign_flip(0, -1, 0), "halves must not be negative"),
    (lambda: stats.gap_sign_flip([0, 0], [0, 0, 0], 0), "do not broadcast"),
    (lambda: stats.log_preference(-1, 3), "minus must not be negative"),
    (lambda: stats.log_preference_midp(1, 2.5), "plus must hold whole numbers"),
    (lambda: stats.log_preference_exact(1, 2, 0), "strictly between 0 and 1"),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_impossible_numbers_are_refused(call, message):
    with pytest.raises(ParameterError, match=message):
        call()


def test_an_unknown_alternative_is_refused():
    with pytest.raises(UnknownNameError, match="alternative"):
        stats.gap_sign_flip(1, 1, 0, "bigger")


def test_as_many_pairs_as_can_be_summed_over():
    assert 0 < stats.gap_sign_flip(10**5, 0, 10**10) < 1


def test_more_pairs_than_can_be_summed_over_are_refused():
    for halves, wholes, words in ((10**13, 0, "halves holds"), (0, 10**13, "wholes holds")):
        with pytest.raises(ParameterError, match=words):
            stats.gap_sign_flip(10**6, halves, wholes)
