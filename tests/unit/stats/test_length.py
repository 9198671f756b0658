"""Slopes on length, their tests and bootstraps, and the interval regression, against slow twins and peers."""

import math

import numpy as np
import pytest
import statsmodels.api as sm

from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import verbosity_slow as slow

RNG = np.random.default_rng(30)

WORDS = slow.lengths(14, 6)

SCORES = slow.simulate(RNG, 5, WORDS, 0.6, 0.5, 0.3)

ROUNDING = 1e-12


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
