"""Tests of score differences against SciPy and against every sign written out."""

import itertools

import numpy as np
import pytest
from scipy import stats as peer

from simstudy import stats
from simstudy.errors import ParameterError

# five-point scores with ties and zeros, and scores without
STEPS = np.array([1, 0, -1, 2, 0, 1, 1, -2, 3, 1], float) / 2
SMOOTH = np.random.default_rng(7).normal(0.4, 1.0, 14)


def signs_written_out(differences):
    """Return the two-sided p-value over all signs of Pratt's ranks."""
    ranks = peer.rankdata(np.abs(differences))[differences != 0]
    observed = abs(np.sum(ranks * np.sign(differences[differences != 0])))
    sums = [abs(np.dot(signs, ranks)) for signs in itertools.product((-1, 1), repeat=ranks.size)]
    return np.mean(np.array(sums) >= observed)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("differences", [STEPS, SMOOTH])
def test_t_is_that_of_a_peer(differences, alternative):
    expected = peer.ttest_1samp(differences, 0, alternative=alternative)
    # sums of ten numbers in another order
    np.testing.assert_allclose(stats.score_t(differences, alternative), expected.pvalue, rtol=1e-11)
    if alternative == "two-sided":
        limits = expected.confidence_interval(0.9)
        np.testing.assert_allclose(stats.score_t_interval(differences, 0.9), limits, rtol=1e-11)


@pytest.mark.parametrize("differences", [STEPS, SMOOTH, np.array([0.0, 0, 2, 2, -2])])
def test_signed_ranks_are_those_of_all_signs(differences):
    assert stats.wilcoxon(differences) == pytest.approx(signs_written_out(differences), rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_signed_ranks_are_those_of_a_peer(alternative):
    without = peer.wilcoxon(SMOOTH, method="exact", alternative=alternative).pvalue
    assert stats.wilcoxon(SMOOTH, alternative) == pytest.approx(without, rel=1e-12)
    normal = peer.wilcoxon(STEPS, zero_method="pratt", correction=False, method="asymptotic", alternative=alternative)
    assert stats.wilcoxon_normal(STEPS, alternative) == pytest.approx(normal.pvalue, rel=1e-12)


def test_differences_of_rounded_numbers_are_tied():
    # .3 - .1 is not .2 in binary; the zeros are none
    raw = np.array([0.3, 0.7, 0.5, 0.1 + 0.2]) - np.array([0.1, 0.5, 0.7, 0.3])
    whole = np.array([2, 2, -2, 0])
    assert stats.wilcoxon(raw) == stats.wilcoxon(whole)
    assert stats.sign_midp(raw) == stats.mcnemar_midp(1, 2)


def test_many_units_take_the_normal_law():
    many = np.random.default_rng(1).normal(0.02, 1, 1500)
    assert stats.wilcoxon(many) == stats.wilcoxon_normal(many)
    # at the largest exact size both laws agree to the third digit (their difference is of order 1/n)
    assert stats.wilcoxon(many[:1000]) == pytest.approx(stats.wilcoxon_normal(many[:1000]), rel=2e-3)


def test_flips_are_counted_where_there_are_steps_and_drawn_where_there_are_none():
    assert stats.score_sign_flip(STEPS) == (stats.sign_flip_exact(STEPS * 2), 0.0)
    sums = np.abs([np.dot(signs, SMOOTH) for signs in itertools.product((-1, 1), repeat=SMOOTH.size)])
    exact = np.mean(sums >= abs(SMOOTH.sum()) * (1 - 1e-12))
    drawn, error = stats.score_sign_flip(SMOOTH)
    # four standard errors of 9,999 draws: false alarm 6e-5, and the seed is fixed
    assert abs(drawn - exact) <= 4 * np.sqrt(exact * (1 - exact) / 9999)
    assert error == pytest.approx(np.sqrt(drawn * (1 - drawn) / 10_000))
    assert drawn == stats.score_sign_flip(SMOOTH).p_value
    assert drawn != stats.score_sign_flip(SMOOTH, seed=2).p_value


def test_bootstrap_t_is_that_of_a_loop():
    level, draws = 0.9, 200
    picks = np.random.Generator(np.random.Philox(key=3)).integers(0, SMOOTH.size, (draws, SMOOTH.size))
    error = np.std(SMOOTH, ddof=1) / np.sqrt(SMOOTH.size)
    t = sorted((SMOOTH[p].mean() - SMOOTH.mean()) / (np.std(SMOOTH[p], ddof=1) / np.sqrt(SMOOTH.size)) for p in picks)
    # the 10th and the 190th of 200 are the 5% and the 95% point
    expected = SMOOTH.mean() - t[189] * error, SMOOTH.mean() - t[9] * error
    np.testing.assert_allclose(stats.bootstrap_t(SMOOTH, level, draws, 3)[:2], expected, rtol=1e-10)


def test_bootstrap_t_covers():
    # skewed differences of 25 units; 400 sets: below .90 with probability 1e-5 if the coverage is .95
    generator = np.random.default_rng(5)
    inside = 0
    for _ in range(400):
        low, high, *_ = stats.bootstrap_t(generator.exponential(1.0, 25), resamples=399)
        inside += low <= 1.0 <= high
    assert inside / 400 >= 0.90


def test_a_resample_without_spread_counts_as_infinite():
    low, high, *errors = stats.bootstrap_t([1.0, 2.0], resamples=199)
    assert np.isnan(errors).all()
    assert low == -np.inf
    assert high == np.inf


@pytest.mark.parametrize("differences", [[], [1.0], [0.5, 0.5, 0.5], [0.0, 0.0]])
def test_what_has_no_spread_is_undefined(differences):
    assert np.isnan(stats.score_t(differences))
    assert np.isnan(stats.score_t_interval(differences)).all()
    assert np.isnan(stats.bootstrap_t(differences)).all()


def test_nothing_but_zeros_is_one():
    for test in (stats.wilcoxon, stats.wilcoxon_normal, stats.sign_midp):
        assert test([0.0, 0.0]) == 1.0
    assert stats.score_sign_flip([0.0, 0.0]) == (1.0, 0.0)


def test_rows_are_taken_each_for_itself():
    rows = np.stack([STEPS, -STEPS, STEPS[::-1]])
    for test in (stats.score_t, stats.wilcoxon, stats.wilcoxon_normal, stats.sign_midp):
        np.testing.assert_array_equal(test(rows), np.repeat(test(STEPS), 3))


def test_holm_is_the_step_down_procedure():
    p = np.array([0.01, 0.04, 0.03, 0.005])
    np.testing.assert_allclose(stats.holm(p), [0.03, 0.06, 0.06, 0.02])
    # an undefined one is a comparison that was made
    np.testing.assert_allclose(stats.holm([0.01, np.nan]), [0.02, np.nan])
    with pytest.raises(ParameterError, match="between 0 and 1"):
        stats.holm([0.2, 1.2])


def test_flips_of_tiny_scores_are_those_of_large_ones():
    differences = np.array([1.5, -0.25, 2.0, 0.75, 1.0])
    sums = [abs(np.dot(signs, differences)) for signs in itertools.product((-1, 1), repeat=5)]
    expected = np.mean(np.array(sums) >= abs(differences.sum()))
    # 32 sums of signs, drawn 10,000 times or listed: four standard errors of a share of .1875 are .016; seed fixed
    assert stats.score_sign_flip(differences * 1e-12, seed=1).p_value == pytest.approx(expected, abs=0.016)


def test_errors_of_bootstrap_limits_are_as_large_as_seeds_scatter():
    # 60 seeds: their standard deviation is known to 9%, the mean of the errors better; .7 to 1.4 leaves four of that
    found = np.array([stats.bootstrap_t(SMOOTH, 0.9, 999, seed) for seed in range(60)])
    for limit, error in ((0, 2), (1, 3)):
        assert 0.7 <= found[:, error].mean() / found[:, limit].std(ddof=1) <= 1.4
