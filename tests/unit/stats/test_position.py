"""Bias toward a position: mid-p limits against bisection, intervals against tests, the fit by hand."""

import math

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import position_slow

# Bisection goes on to the last bit; the sums it bisects carry some 1e-14.
BISECTED = 1e-12
CASES = [(x, n) for n in (1, 2, 5, 17, 36) for x in range(n + 1)]
X, N = np.array(CASES).T
N1, N2 = (grid.ravel() for grid in np.meshgrid(np.arange(25), np.arange(25)))


@pytest.mark.parametrize("level", [0.2, 0.8, 0.95, 0.999])
def test_midp_limits_agree_with_bisection(level):
    expected = [position_slow.midp_limits(x, n, level) for x, n in CASES]
    np.testing.assert_allclose(np.array(stats.midp_proportion(X, N, level)).T, expected, rtol=0, atol=BISECTED)


def test_midp_ends_by_hand():
    """At x = 0 half the probability of the observed count is left: ½(1 − π)^n = .025."""
    low, high = stats.midp_proportion([0, 10], 10)
    assert low[0] == 0.0
    assert high[1] == 1.0
    assert high[0] == pytest.approx(1 - 0.05**0.1, abs=1e-15)
    assert low[1] == pytest.approx(0.05**0.1, abs=1e-15)
    assert np.isnan(stats.midp_proportion(0, 0)).all()


def test_midp_limits_lie_inside_the_exact_ones_and_are_mirrored():
    low, high = stats.midp_proportion(X, N)
    outer_low, outer_high = stats.clopper_pearson(X, N)
    assert ((outer_low <= low) & (low < high) & (high <= outer_high)).all()
    mirrored_low, mirrored_high = stats.midp_proportion(N - X, N)
    np.testing.assert_allclose([low, high], [1 - mirrored_high, 1 - mirrored_low], rtol=0, atol=1e-15)


def test_midp_limits_of_large_counts_keep_their_digits():
    """P(X = 0) and P(X ≤ 1) of a rare event are Poisson: e^−μ and e^−μ(1 + μ), up to 1/n."""
    for n in (10**6, 10**9):
        low, high = np.array(stats.midp_proportion(1, n)) * n
        assert 1 - math.exp(-low) * (1 + low / 2) == pytest.approx(0.025, rel=1e-5)
        assert math.exp(-high) * (1 + high / 2) == pytest.approx(0.025, rel=1e-4)


@pytest.mark.parametrize(
    ("test", "interval"),
    [
        (stats.mcnemar_exact, stats.position_bias_exact),
        (stats.mcnemar_midp, stats.position_bias_midp),
        (stats.mcnemar_chi2, stats.position_bias_score),
    ],
)
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_intervals_do_not_contradict_their_tests(test, interval, level):
    low, high = interval(N1, N2, level)
    rejects = test(N2, N1) <= 1 - level
    np.testing.assert_array_equal(rejects & (N1 > N2), low > 0)
    np.testing.assert_array_equal(rejects & (N1 < N2), high < 0)


@pytest.mark.parametrize("name", ["exact", "midp", "score"])
def test_limits_hold_the_estimate_and_are_open_in_one_direction(name):
    low, high = getattr(stats, f"position_bias_{name}")(N1, N2)
    estimate = stats.position_bias(N1, N2)
    some = N1 + N2 > 0
    assert np.isnan([low[~some], high[~some], estimate[~some]]).all()
    assert ((low <= estimate) & (estimate <= high))[some].all()
    np.testing.assert_array_equal(low[some] == -np.inf, N1[some] == 0)
    np.testing.assert_array_equal(high[some] == np.inf, N2[some] == 0)
    swapped = getattr(stats, f"position_bias_{name}")(N2, N1)
    finite = some & (N1 > 0) & (N2 > 0)
    np.testing.assert_allclose(low[finite], -swapped[1][finite], rtol=0, atol=1e-12)
    np.testing.assert_allclose(stats.position_bias(N2, N1)[some], -estimate[some], rtol=0, atol=1e-15)


def test_estimates_by_hand():
    assert stats.position_bias(4, 0) == pytest.approx(0.5 * math.log(9))
    assert stats.position_bias([10, 3], [10, 8]) == pytest.approx([0, 0.5 * math.log(7 / 17)])
    assert stats.first_share_log_odds(16, 8) == pytest.approx(math.log(33 / 17))
    assert math.isnan(stats.first_share_log_odds(0, 0))
    low, high = stats.first_share_limits(16, 8)
    assert [1 / (1 + math.exp(-low)), 1 / (1 + math.exp(-high))] == pytest.approx(stats.wilson(16, 24))
    assert stats.first_share_limits(0, 5)[0] == -math.inf


# verdicts of an able judge with a bias: X better, Y better
X_BETTER = [20, 50, 0, 4, 6, 0, 0, 0, 0]
Y_BETTER = [15, 5, 0, 40, 8, 0, 0, 0, 0]


def test_the_fit_by_hand():
    """Better answer first: A in 20 + 50 + 15 + 40 of 148; worse one first: A in 20 + 4 + 15 + 5."""
    fit = stats.fit_position(X_BETTER, Y_BETTER)
    better, worse = math.log(125 / 23), math.log(44 / 104)
    assert fit.ability == pytest.approx((better - worse) / 2)
    assert fit.beta == pytest.approx((better + worse) / 2)
    assert fit.se == pytest.approx(math.sqrt(1 / 125 + 1 / 23 + 1 / 44 + 1 / 104) / 2)
    assert fit.flips_observed == pytest.approx(49 / 148)
    # the fitted probabilities are the observed shares
    first, second = 125 / 148, 44 / 148
    assert fit.flips_expected == pytest.approx(first * second + (1 - first) * (1 - second))


def test_the_names_of_the_answers_do_not_matter_to_the_fit():
    """X becomes Y: pass AB becomes pass BA, so (A, B) becomes (B, A)."""
    renamed = [np.reshape(table, (3, 3)).T.ravel() for table in (Y_BETTER, X_BETTER)]
    first, second = stats.fit_position(X_BETTER, Y_BETTER), stats.fit_position(*renamed)
    assert vars(first) == pytest.approx(vars(second))


def test_one_position_only_has_no_finite_fit():
    """The better answer always wins where it is shown first: ability + beta is infinite."""
    fit = stats.fit_position([[5, 20, 0, 0, 0, 0, 0, 0, 0], X_BETTER], [[0] * 9, Y_BETTER])
    assert np.isnan([fit.ability[0], fit.beta[0], fit.se[0], fit.correlation[0], fit.flips_expected[0]]).all()
    assert fit.flips_observed[0] == pytest.approx(0.2)
    assert fit.beta[1] == stats.fit_position(X_BETTER, Y_BETTER).beta
    nothing = stats.fit_position([0] * 9, [0] * 9)
    assert np.isnan([nothing.beta, nothing.flips_observed]).all()


def test_pairs_of_unequal_difficulty_are_told_by_their_flips():
    """Half the pairs at ability .5 and half at 4.5, beta 1.2: expected counts of ten million pairs."""
    shares = np.mean([list(position_slow.law(1.2, ability, x_better=1.0).values()) for ability in (0.5, 4.5)], axis=0)
    counts = np.rint(1e7 * shares)
    fit = stats.fit_position(counts, np.zeros(9))
    assert fit.flips_observed < fit.flips_expected - 0.04
    assert fit.beta < 1.0
    # contradictions do not mind the mixture
    assert stats.position_bias(*stats.contradictions(counts)) == pytest.approx(1.2, abs=1e-4)


def test_ties_are_not_fitted():
    with pytest.raises(ParameterError, match="leave out pairs with a tie"):
        stats.fit_position(X_BETTER, [0, 0, 1, 0, 0, 0, 0, 0, 0])


def test_impossible_counts_are_refused():
    for function in (stats.position_bias, stats.position_bias_exact, stats.position_bias_midp):
        with pytest.raises(ParameterError, match="n2 must not be negative"):
            function(3, -1)
    with pytest.raises(ParameterError, match="strictly between 0 and 1"):
        stats.position_bias_midp(3, 1, 1.0)
    with pytest.raises(ParameterError, match="x must not exceed n; 3 of 2"):
        stats.midp_proportion(3, 2)
