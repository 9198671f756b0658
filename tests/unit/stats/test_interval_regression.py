"""The interval regression against its slow twin, and where its likelihood has no maximum."""

import math

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import verbosity_slow as slow

RNG = np.random.default_rng(30)

WORDS = slow.lengths(14, 6)

SCORES = slow.simulate(RNG, 5, WORDS, 0.6, 0.5, 0.3)

# the twin takes its derivatives from differences of 1e-4
NUMERICAL = 2e-5


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
