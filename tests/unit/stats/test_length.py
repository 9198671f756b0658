"""Slopes on length, their tests and bootstraps, and the interval regression, against slow twins and peers."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats as scipy_stats

from simstudy import stats
from simstudy.errors import ParameterError, UnknownNameError
from tests.oracle import verbosity_slow as slow

RNG = np.random.default_rng(30)
WORDS = slow.lengths(14, 6)
SCORES = slow.simulate(RNG, 5, WORDS, 0.6, 0.5, 0.3)
ROUNDING = 1e-12
# the twin takes its derivatives from differences of 1e-4
NUMERICAL = 2e-5


def test_slopes_of_cases():
    for y, slopes in zip(SCORES, stats.case_slopes(WORDS, SCORES), strict=True):
        np.testing.assert_allclose(slopes, slow.case_slopes(WORDS, y), atol=ROUNDING)


def test_mean_slope():
    found = stats.mean_slope(stats.case_slopes(WORDS, SCORES))
    expected = np.array([slow.mean_slope(slow.case_slopes(WORDS, y)) for y in SCORES])
    np.testing.assert_allclose(np.transpose(found[:2]), expected, atol=ROUNDING)
    assert found.n.tolist() == [14] * 5


def test_pooled_slope():
    found = stats.pooled_slope(WORDS, SCORES)
    np.testing.assert_allclose(np.transpose(found[:2]), [slow.pooled_slope(WORDS, y) for y in SCORES], atol=ROUNDING)
    assert found.n.tolist() == [14] * 5


def test_pooled_slope_is_that_of_statsmodels_but_for_its_factor():
    """statsmodels multiplies by n/(n − 1)·(m − 1)/(m − p) with m scores and p coefficients."""
    n, k = WORDS.shape
    cases = np.repeat(np.arange(n), k)
    design = np.column_stack([np.log2(WORDS).ravel(), np.eye(n)[cases]])
    for y, estimate, error in zip(SCORES, *stats.pooled_slope(WORDS, SCORES)[:2], strict=True):
        fit = sm.OLS(y.ravel(), design).fit(cov_type="cluster", cov_kwds={"groups": cases})
        factor = (n * k - 1) / (n * k - n - 1)
        assert estimate == pytest.approx(fit.params[0], abs=ROUNDING)
        assert error == pytest.approx(fit.bse[0] / math.sqrt(factor), rel=1e-9)


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


@pytest.mark.parametrize("gamma", [-0.4, 0.0, 0.6])
def test_interval_regression(gamma):
    for y in slow.simulate(RNG, 3, WORDS, gamma, 0.5, 0.0):
        found = stats.interval_regression(WORDS, y)
        expected = slow.interval_regression(WORDS, y)
        np.testing.assert_allclose(found[:3], expected, rtol=NUMERICAL, atol=NUMERICAL)
        assert found.n == 14
        # the twin's parameters at its maximum: no other level or sigma is likelier
        x = np.log2(WORDS / 10)
        shift = np.log2(WORDS).mean() - math.log2(10)
        best = [found.level - found.estimate * shift, found.estimate, math.log(found.sigma)]
        top = slow.log_likelihood(best, x, y).sum()
        for step in (*np.eye(3) * 1e-3, *np.eye(3) * -1e-3):
            assert slow.log_likelihood(best + step, x, y).sum() < top


def test_interval_regression_recovers_what_the_ceiling_hides():
    """60 cases, three quarters of the scores at 5: gamma .6 within five of its standard errors, .05 each."""
    words = slow.lengths(60, 6)
    y = slow.simulate(np.random.default_rng(1), 1, words, 0.6, 0.5, 0.0)[0]
    assert (y == 5).mean() > 0.7
    found = stats.interval_regression(words, y)
    assert abs(found.estimate - 0.6) < 5 * found.standard_error
    assert found.standard_error == pytest.approx(0.05, abs=0.02)
    assert stats.mean_slope(stats.case_slopes(words, y)).estimate < 0.45


def test_other_scales():
    """Scores of 0 to 10 are the same as 1 to 11, whatever the ends are called."""
    y = np.clip(np.rint(5 + 0.8 * np.log2(WORDS / 10) + RNG.normal(size=WORDS.shape)), 0, 10)
    np.testing.assert_allclose(
        stats.interval_regression(WORDS, y, 0, 10)[:4], stats.interval_regression(WORDS, y + 1, 1, 11)[:4], atol=1e-9
    )


@pytest.mark.parametrize(
    "y",
    [
        np.full((14, 6), 5),
        np.where(WORDS > 40, 5, 4),
        np.where(SCORES[0] > 4, 5, 1),
        # inner scores at 26 words alone, 1 below and 5 above
        np.where(WORDS == 26, 2 + 2 * (np.arange(14)[:, None] % 2), np.where(WORDS > 26, 5, 1)),
        # without noise a line passes through the limits of every score
        np.clip(np.rint(4 + np.log2(WORDS / 20.5)), 1, 5),
    ],
)
def test_likelihoods_without_a_maximum(y):
    assert not slow.has_maximum(WORDS, y)
    found = stats.interval_regression(WORDS, y)
    assert found.n == 14
    assert np.isnan([found.estimate, found.standard_error, found.robust_error, found.level, found.sigma]).all()


def test_two_scores_that_are_no_neighbours_and_not_both_ends_have_a_maximum():
    y = np.where(SCORES[0] > 4, 5, 3)
    assert slow.has_maximum(WORDS, y)
    assert stats.interval_regression(WORDS, y)[:3] == pytest.approx(slow.interval_regression(WORDS, y), rel=NUMERICAL)


def test_lengths_that_do_not_vary_have_no_slope():
    words = np.full((14, 6), 30)
    assert np.isnan(stats.case_slopes(words, SCORES)).all()
    assert np.isnan(stats.mean_slope(stats.case_slopes(words, SCORES))[:2]).all()
    assert np.isnan(stats.pooled_slope(words, SCORES)[:2]).all()
    assert np.isnan(stats.interval_regression(words, SCORES[0]).estimate)


def test_equal_scores_and_equal_slopes_have_no_standard_error():
    for y in (np.full((5, 3), 5), np.tile([2, 3, 5], (5, 1))):
        words = np.tile([7, 16, 46], (5, 1))
        mean, pooled = stats.mean_slope(stats.case_slopes(words, y)), stats.pooled_slope(words, y)
        assert mean.estimate == pytest.approx(pooled.estimate)
        assert np.isnan([mean.standard_error, pooled.standard_error]).all()
        assert np.isnan(stats.slope_t(*mean))
        assert np.isnan(stats.slope_t_interval(*pooled)).all()
        assert np.isnan(stats.cluster_bootstrap_slope(stats.case_slopes(words, y))).all()


@pytest.mark.parametrize(
    ("words", "y"),
    [
        # slopes of 2, 1 and −1 in exact arithmetic; log2 leaves differences in the last digits
        ([[10, 20], [30, 60], [70, 140]], [[1, 3], [2, 4], [3, 5]]),
        ([[3, 6, 12], [7, 14, 28], [11, 22, 44]], [[1, 2, 3], [2, 3, 4], [3, 4, 5]]),
        ([[30, 60], [11, 22], [70, 140]], [[2, 1], [5, 4], [3, 2]]),
        # lengths that hardly vary magnify them
        ([[100, 101], [200, 202], [700, 707]], [[1, 3], [2, 4], [3, 5]]),
    ],
)
def test_slopes_that_are_equal_but_for_rounding_have_no_standard_error(words, y):
    slopes = stats.case_slopes(words, y)
    assert np.isnan([stats.mean_slope(slopes).standard_error, stats.pooled_slope(words, y).standard_error]).all()
    assert np.isnan(stats.cluster_bootstrap_slope(slopes)).all()
    slopes[0] *= 1 + 1e-9
    assert stats.mean_slope(slopes).standard_error == pytest.approx(abs(slopes[1]) * 1e-9 / 3, rel=1e-3)
    assert np.isfinite(stats.cluster_bootstrap_slope(slopes)).all()


def test_a_single_case():
    words, y = [[5, 16, 24, 36, 49]], [[2, 2, 4, 3, 5]]
    mean = stats.mean_slope(stats.case_slopes(words, y))
    assert mean.n == 1
    assert mean.estimate == pytest.approx(slow.case_slopes(np.array(words), np.array(y))[0])
    assert np.isnan([mean.standard_error, stats.pooled_slope(words, y).standard_error]).all()
    found = stats.interval_regression(words, y)
    assert found.standard_error > 0
    assert np.isnan(found.robust_error)


def test_missing_scores_and_cases_of_one_version_do_not_count():
    words, y = WORDS.astype(float), SCORES[0].copy()
    y[0, 3:] = np.nan
    y[1, 1:] = np.nan
    words[2, :] = np.nan
    slopes = stats.case_slopes(words, y)
    assert slopes[0] == pytest.approx(slow.case_slopes(WORDS[:1, :3], y[:1, :3])[0])
    assert np.isnan(slopes[1:3]).all()
    mean, pooled = stats.mean_slope(slopes), stats.pooled_slope(words, y)
    assert mean.n == pooled.n == 12
    rest = [0, *range(3, 14)]
    assert mean.estimate == pytest.approx(slopes[rest].mean())
    assert pooled[:2] == pytest.approx(tuple(stats.pooled_slope(words[rest], y[rest])[:2]))
    # a single version of a case still speaks of the latent score
    assert stats.interval_regression(words, y).n == 13


def test_a_table_from_a_list_of_scores():
    words, scores = stats.length_table(["b", "a", "b", "a", "b"], [10, 3, 20, 9, 30], [4, 1, 5, 2, 5])
    np.testing.assert_array_equal(words, [[3, 9, np.nan], [10, 20, 30]])
    np.testing.assert_array_equal(scores, [[1, 2, np.nan], [4, 5, 5]])
    assert stats.length_table([], [], [])[0].shape == (0, 0)


def test_the_cluster_bootstrap_covers_what_theory_says():
    """Standard deviation of the resampled mean is s·√((n − 1)/n)/√n; a set varies √.58 = .76 times as much.

    With 200,000 resamples and n = 400 the normal quantiles are met within 2%.
    """
    slopes = np.random.default_rng(5).normal(0.2, 1, 400)
    width = 2 * 1.96 * slopes.std() / 20
    low, high = stats.cluster_bootstrap_slope(slopes, resamples=200_000, seed=3)
    assert high - low == pytest.approx(width, rel=0.02)
    assert (low + high) / 2 == pytest.approx(slopes.mean(), abs=0.02 * width)
    low, high = stats.set_bootstrap_slope(slopes, resamples=200_000, seed=3)
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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: stats.case_slopes([1, 2], [3, 4]), "an axis of cases and one of versions"),
        (lambda: stats.case_slopes([[1, 0]], [[3, 4]]), "words must be positive; they hold 0"),
        (lambda: stats.case_slopes(np.ones((2, 3)), np.ones((2, 4))), "do not broadcast"),
        (lambda: stats.interval_regression([1, 2], [3, 4]), "one row per case"),
        (lambda: stats.interval_regression([[-1, 2]], [[3, 4]]), "words must be positive; they hold -1"),
        (lambda: stats.interval_regression([[1, 2]], [[3, 4.5]]), "from 1 to 5; they hold 4.5"),
        (lambda: stats.interval_regression([[1, 2]], [[3, 6]]), "from 1 to 5; they hold 6"),
        (lambda: stats.length_table([1, 2], [1, 2], [3]), "lists of one length"),
        (lambda: stats.cluster_bootstrap_slope([[0.1, 0.2]]), "one slope per case"),
        (lambda: stats.set_bootstrap_slope([0.1, 0.2], resamples=0), "resamples is 0"),
        (lambda: stats.cluster_bootstrap_slope([0.1, 0.2], level=1.0), "confidence level"),
    ],
)
def test_bad_input_is_worded(call, words):
    with pytest.raises(ParameterError, match=words):
        call()


def test_an_unknown_alternative_is_refused():
    with pytest.raises(UnknownNameError):
        stats.percentile_p(1, 2, 3, "more")
