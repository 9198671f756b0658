"""Tests and intervals of slopes: t, normal and bootstrap."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simstudy import stats
from simstudy.errors import ParameterError, UnknownNameError
from tests.oracle import verbosity_slow as slow

RNG = np.random.default_rng(30)

WORDS = slow.lengths(14, 6)

SCORES = slow.simulate(RNG, 5, WORDS, 0.6, 0.5, 0.3)

ROUNDING = 1e-12


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_t_test_is_that_of_the_case_slopes(alternative):
    slopes = stats.case_slopes(WORDS, SCORES)
    expected = scipy_stats.ttest_1samp(slopes, 0, axis=1, alternative=alternative)
    np.testing.assert_allclose(stats.slope_t(*stats.mean_slope(slopes), alternative), expected.pvalue, rtol=1e-9)
    interval = scipy_stats.ttest_1samp(slopes, 0, axis=1).confidence_interval(0.9)
    np.testing.assert_allclose(stats.slope_t_interval(*stats.mean_slope(slopes), 0.9), interval, atol=ROUNDING)


@pytest.mark.parametrize(("alternative", "tail"), [("two-sided", 2 * 0.05), ("greater", 0.05), ("less", 0.95)])
def test_the_normal_test_and_interval(alternative, tail):
    z = scipy_stats.norm.ppf(0.95)
    assert stats.slope_z(0.2 * z, 0.2, alternative) == pytest.approx(tail, rel=1e-12)
    assert stats.slope_z_interval(0.3, 0.2, 0.9) == pytest.approx((0.3 - 0.2 * z, 0.3 + 0.2 * z), rel=1e-12)


def test_the_cluster_bootstrap_covers_what_theory_says():
    """Standard deviation of the resampled mean is s·√((n − 1)/n)/√n; a set varies √.58 = .76 times as much.

    With 50,000 resamples the width has a standard error of .4%; with n = 400 its quantiles are normal within 1%.
    """
    slopes = np.random.default_rng(5).normal(0.2, 1, 400)
    width = 2 * 1.96 * slopes.std() / 20
    low, high = stats.cluster_bootstrap_slope(slopes, resamples=50_000, seed=3)
    assert high - low == pytest.approx(width, rel=0.02)
    assert (low + high) / 2 == pytest.approx(slopes.mean(), abs=0.02 * width)
    low, high = stats.set_bootstrap_slope(slopes, resamples=50_000, seed=3)
    distinct = 1 - math.exp(-1)
    assert high - low == pytest.approx(width * math.sqrt((1 - distinct) / distinct), rel=0.02)


def test_bootstraps_repeat_and_ignore_undefined_slopes():
    slopes = np.random.default_rng(2).normal(size=12)
    for bootstrap in (stats.cluster_bootstrap_slope, stats.set_bootstrap_slope):
        first = bootstrap(slopes, 0.9, 500, seed=7)
        assert bootstrap(np.insert(slopes, 3, np.nan), 0.9, 500, seed=7) == first
        assert bootstrap(slopes, 0.9, 500, seed=8) != first
        assert slopes.min() <= first[0] <= first[1] <= slopes.max()
        assert np.isnan(bootstrap([0.5], 0.9)).all()


@pytest.mark.parametrize("resamples", [19, 40, 1000])
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.013])
def test_the_p_value_says_whether_the_percentile_interval_holds_0(resamples, alpha):
    means = np.sort(np.round(np.random.default_rng(3).normal(0.0, 1, (100, resamples)), 1), axis=1)
    means += np.linspace(-3, 3, 100)[:, None].round(1)
    p = stats.percentile_p((means <= 0).sum(axis=1), (means >= 0).sum(axis=1), resamples)
    limits = np.array([(slow.quantile(m, alpha / 2), slow.quantile(m, 1 - alpha / 2)) for m in means])
    np.testing.assert_array_equal(p <= alpha * (1 + 1e-12), (limits[:, 0] > 0) | (limits[:, 1] < 0))


def test_one_sided_p_values_are_shares():
    assert stats.percentile_p(20, 985, 1000, "greater") == pytest.approx(0.02, abs=2e-9)
    assert stats.percentile_p(20, 985, 1000, "less") == 0.985
    assert stats.percentile_p(1000, 1000, 1000) == 1
    assert np.isnan(stats.percentile_p(np.nan, np.nan, 1000))


def test_an_unknown_alternative_is_refused():
    with pytest.raises(UnknownNameError):
        stats.percentile_p(1, 2, 3, "more")


def test_one_resample_is_both_limits():
    slopes = np.random.default_rng(2).normal(size=12)
    for bootstrap in (stats.cluster_bootstrap_slope, stats.set_bootstrap_slope):
        low, high = bootstrap(slopes, resamples=1)
        assert low == high
        # of two, the smaller and the larger one
        low, high = bootstrap(slopes, resamples=2)
        assert low < high


def test_a_slope_without_an_error_has_no_interval():
    assert np.isnan(stats.slope_t_interval(0.3, [0.0, -0.1, np.nan], 14)).all()
    assert np.isnan(stats.slope_z_interval(0.3, [0.0, -0.1, np.nan])).all()
    assert np.isnan([stats.slope_t(0.3, 0.0, 14), stats.slope_z(0.3, 0.0)]).all()
    assert np.isnan(stats.slope_t_interval(0.3, 0.1, [0, 1])).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((12, 990, -1), "resamples must not be negative"),
        ((12, 990, 0), "resamples must be at least 1"),
        ((12, 990, 99.5), "resamples must hold whole numbers"),
        ((1001, 0, 1000), "below must not exceed resamples; 1001 of 1000"),
        ((0, 1001, 1000), "above must not exceed resamples"),
        ((-1, 990, 1000), "below must not be negative"),
        ((5, "990", 1000), "above must hold numbers"),
    ],
)
def test_shares_of_no_resamples_are_refused(given, words):
    """(12, 990, −1) gave −1980."""
    with pytest.raises(ParameterError, match=words):
        stats.percentile_p(*given)


@pytest.mark.parametrize("resamples", [0, -1, 10**12, 1.5, "many", None, True, np.nan])
def test_impossible_numbers_of_resamples_are_refused_before_the_work(resamples):
    with pytest.raises(ParameterError, match=r"resamples is .*; it must be a whole number from 1"):
        stats.cluster_bootstrap_slope([0.1, 0.2, 0.4], resamples=resamples)


def test_slopes_that_are_all_zero_are_all_equal():
    for bootstrap in (stats.cluster_bootstrap_slope, stats.set_bootstrap_slope):
        assert np.isnan(bootstrap(np.zeros(5), resamples=50)).all()


@pytest.mark.parametrize(("resamples", "level", "rank"), [(40, 0.95, 1), (80, 0.95, 2), (20, 0.7, 3), (200, 0.99, 1)])
def test_a_rank_that_is_whole_but_for_rounding_is_whole(resamples, level, rank):
    """½·(1 − .95)·40 is 1 and a little more in floats; the limit is the smallest of 40 means, not the second."""
    slopes = np.random.default_rng(2).normal(size=12)
    low, _ = stats.cluster_bootstrap_slope(slopes, level, resamples, seed=7)
    # a level whose rank lies inside, far from whole numbers
    inside = 1 - 2 * (rank - 0.5) / resamples
    assert low == stats.cluster_bootstrap_slope(slopes, inside, resamples, seed=7)[0]
