"""Interval regressions are defined exactly where a linear program finds no direction in which to run away."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from simstudy import stats
from simstudy.kernels import interval_cells, interval_likelihood
from tests.oracle import verbosity_slow as slow

TABLES = 100 if numba.config.DISABLE_JIT else 4000
POOLS = [[10], [10, 40], [10, 20, 40], [5, 10, 20], [7, 10, 16, 29, 70], [3, 10, 17, 100, 250], range(5, 60)]
SCALES = [[1, 5], [4, 5], [3, 4], [3, 5], [1, 3, 5], [1, 2, 5], [2, 3, 4], [1, 2, 3, 4, 5]]
# two maximisations, each to within 1e-9 standard errors; where the likelihood is nearly flat, as scores are separated
# but for a small part of a point, fewer digits are left
AGREE, NEARLY_FLAT, AGREE_THERE = 1e-8, 50.0, 1e-3
# the twin takes its derivatives from differences of 1e-4
NUMERICAL = 2e-5


def anything(rng, words):
    return rng.choice(SCALES[rng.integers(len(SCALES))], words.shape)


def a_line(rng, words):
    """Scores along a line, with much, little or no noise."""
    noise = rng.choice([0.0, 0.1, 0.5]) * rng.normal(size=words.shape)
    line = rng.integers(2, 11) / 2 + rng.integers(-4, 5) / 2 * np.log2(words / rng.choice([10, 20]))
    return np.clip(np.rint(line + noise), 1, 5).astype(np.int64)


def a_turning_line(rng, words):
    """Inner scores at one length, 1 and 5 on its sides; half of the time one score is another one."""
    longer = words > (pivot := rng.choice(words.ravel()))
    y = np.where(longer == rng.choice([True, False]), 5, 1)
    y = np.where(words == pivot, rng.integers(1, 6, words.shape), y)
    y.flat[rng.integers(y.size)] = rng.integers(1, 6) if rng.random() < 0.5 else y.flat[0]
    return y


def ends_around_the_mean(rng, words):
    """Inner scores where the logarithm of the length is at its mean, ends elsewhere."""
    x = np.log2(words)
    return np.where(np.isclose(x, x.mean()), rng.integers(2, 5, words.shape), rng.choice([1, 5], words.shape))


def samples(seed, number):
    rng = np.random.default_rng(seed)
    for index in range(number):
        words = rng.choice(POOLS[rng.integers(len(POOLS))], (rng.integers(1, 7), rng.integers(1, 5)))
        yield words, [anything, a_line, a_turning_line, ends_around_the_mean][index % 4](rng, words)


def kernel_fit(words, y):
    counts = np.empty((*words.shape, interval_cells.SCORES), np.int64)
    cells = np.empty((interval_likelihood.ROWS, counts.size))
    slope, *variances = interval_likelihood.regress(y.astype(np.int64), np.log2(words / 10), counts, cells)
    return [slope, *np.sqrt(variances)]


def test_regressions_are_defined_exactly_where_the_likelihood_has_a_maximum():
    drawn = list(samples(1, TABLES))
    expected = slow.have_maximum(drawn)
    fits = np.array([stats.interval_regression(*sample)[:3] for sample in drawn])
    kernel_fits = np.array([kernel_fit(*sample) for sample in drawn])
    np.testing.assert_array_equal(np.isfinite(fits[:, :2]), np.transpose([expected, expected]))
    flat = fits[:, 1] > NEARLY_FLAT
    np.testing.assert_allclose(kernel_fits[~flat], fits[~flat], rtol=AGREE, atol=AGREE)
    np.testing.assert_allclose(kernel_fits[flat], fits[flat], rtol=AGREE_THERE)
    # the robust error exists there too, but for a single case and a few tables in which no case moves the slope
    several = np.array([len(words) > 1 for words, _ in drawn]) & expected
    assert not np.isfinite(fits[~several, 2]).any()
    assert np.isfinite(fits[several, 2]).mean() > 0.98
    assert 0.1 < np.mean(expected) < 0.9


@pytest.mark.parametrize(
    ("words", "scores"),
    [
        # inner scores at 20 words alone, 1 below and 5 above
        ([[10, 20, 40]] * 5, [[1, 2, 5], [1, 3, 5], [1, 4, 5], [1, 3, 5], [1, 3, 5]]),
        ([[10, 20, 40]] * 3, [[5, 2, 1], [5, 3, 1], [5, 4, 1]]),
        # they may share their length with 1 and 5, and one side may be empty
        ([[10, 40]] * 6, [[1, 5], [2, 5], [3, 5], [4, 5], [5, 5], [3, 5]]),
        # one length alone
        ([[10]] * 4, [[1], [3], [4], [5]]),
        # no inner score
        ([[10, 20, 40]] * 2, [[1, 5, 1], [5, 1, 5]]),
        # a single line passes: 10, 20 and 40 words within 2.5, 3.5 and 4.5, from both sides
        ([[10, 20, 40]] * 2, [[2, 3, 4], [3, 4, 5]]),
        ([[11, 22, 44]] * 2, [[2, 3, 4], [3, 4, 5]]),
    ],
)
def test_scores_without_a_maximum(words, scores):
    words, scores = np.array(words), np.array(scores)
    assert not slow.has_maximum(words, scores)
    assert np.isnan(stats.interval_regression(words, scores)[:3]).all()
    assert np.isnan(kernel_fit(words, scores)).all()


@pytest.mark.parametrize(
    ("words", "scores"),
    [
        # one 5 below the pivot holds the line back
        ([[10, 20, 40]] * 5, [[1, 2, 5], [5, 3, 5], [1, 4, 5], [1, 3, 5], [1, 3, 5]]),
        ([[10, 40]] * 4, [[2, 5], [3, 5], [4, 5], [3, 1]]),
        # 20 words within 3.5 and 3.5, but 10 and 40 no longer on a line with that
        ([[10, 20, 40]] * 2, [[2, 3, 3], [3, 4, 2]]),
    ],
)
def test_scores_with_a_maximum(words, scores):
    words, scores = np.array(words), np.array(scores)
    assert slow.has_maximum(words, scores)
    found = stats.interval_regression(words, scores)
    np.testing.assert_allclose(kernel_fit(words, scores), found[:3], rtol=AGREE, atol=AGREE)
    np.testing.assert_allclose(found[:3], slow.interval_regression(words, scores), rtol=NUMERICAL, atol=NUMERICAL)


def test_a_maximum_that_rounding_hides_counts_as_none():
    """Nearly separated: 3, 4 and 3 at 41, 42 and 43 words. The likelihood is level to within 1e-13 below sigma .05."""
    words = np.array([[7, 42], [41, 32], [52, 46], [52, 43]])
    scores = np.array([[2, 4], [3, 3], [4, 4], [4, 3]])
    assert slow.has_maximum(words, scores)
    assert np.isnan(stats.interval_regression(words, scores)[:3]).all()
    assert np.isnan(kernel_fit(words, scores)).all()


@pytest.mark.parametrize(
    ("words", "scores"),
    [([[10, 20, 40, 80]] * 3, [[2, 4, 3, 5]] * 3), ([[20, 20], [10, 10]], [[3, 3], [5, 1]])],
)
def test_cases_that_do_not_move_the_slope_have_no_robust_error(words, scores):
    """Alike, or each balanced in itself."""
    words, scores = np.array(words), np.array(scores)
    fit = stats.interval_regression(words, scores)
    assert fit.standard_error > 0
    assert np.isnan(fit.robust_error)
    np.testing.assert_allclose(kernel_fit(words, scores), fit[:3], rtol=AGREE, atol=AGREE)
