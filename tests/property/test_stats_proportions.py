"""Properties of one and two proportions, clusters, sample sizes and Monte Carlo errors."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from simstudy import stats

ONE = (stats.wald, stats.agresti_coull, stats.wilson, stats.clopper_pearson, stats.jeffreys)
# A busy machine is no failure: no deadline per example.
unhurried = settings(deadline=None, max_examples=60)
LEVELS = st.sampled_from([0.5, 0.8, 0.95, 0.99])


@st.composite
def shares(draw, largest=5000):
    n = draw(st.integers(1, largest))
    return draw(st.integers(0, n)), n


@unhurried
@given(shares(), LEVELS)
def test_intervals_hold_the_estimate_and_lie_inside(share, level):
    x, n = share
    for interval in ONE:
        low, high = interval(x, n, level)
        assert 0 <= low <= high <= 1
        # Jeffreys' posterior is pulled towards one half; at level .5 and the ends it may miss x/n otherwise.
        if interval is not stats.jeffreys and interval is not stats.agresti_coull:
            assert low <= x / n + 1e-12
            assert high >= x / n - 1e-12


@unhurried
@given(shares(), LEVELS)
def test_clopper_pearson_holds_jeffreys(share, level):
    low, high = stats.clopper_pearson(*share, level)
    inner_low, inner_high = stats.jeffreys(*share, level)
    assert low <= inner_low + 1e-12
    assert inner_high <= high + 1e-12


@unhurried
@given(shares(500), st.integers(2, 5), LEVELS)
def test_intervals_shrink_with_n(share, factor, level):
    x, n = share
    for interval in ONE:
        low, high = interval(x, n, level)
        more_low, more_high = interval(factor * x, factor * n, level)
        assert more_high - more_low <= high - low + 1e-12


@unhurried
@given(shares(300), shares(300), LEVELS)
def test_swapping_samples_flips_the_sign(a, b, level):
    for interval in (stats.newcombe_independent, stats.wald_independent):
        low, high = interval(*a, *b, level)
        mirrored = interval(*b, *a, level)
        np.testing.assert_allclose([low, high], [-mirrored[1], -mirrored[0]], rtol=0, atol=1e-13)
        assert np.isnan(low) or -1 <= low <= high <= 1
    for test in (stats.z_pooled, stats.z_unpooled, stats.fisher_exact):
        p = test(*a, *b)
        assert np.isnan(p) or 0 <= p <= 1
        np.testing.assert_allclose(p, test(*b, *a), rtol=1e-10)
        np.testing.assert_allclose(test(*a, *b, "greater"), test(*b, *a, "less"), rtol=1e-10)


@unhurried
@given(shares(200), shares(200))
def test_right_and_wrong_may_change_places(a, b):
    (x_a, n_a), (x_b, n_b) = a, b
    turned = (n_a - x_a, n_a, n_b - x_b, n_b)
    np.testing.assert_allclose(stats.fisher_exact(x_a, n_a, x_b, n_b), stats.fisher_exact(*turned), rtol=1e-10)


@unhurried
@given(st.lists(st.tuples(shares(60), shares(60)), min_size=1, max_size=15))
def test_fisher_rows_do_not_see_each_other(rows):
    tables = np.array([(*a, *b) for a, b in rows])
    np.testing.assert_array_equal(stats.fisher_exact(*tables.T), [stats.fisher_exact(*table) for table in tables])


@unhurried
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 6)), min_size=2, max_size=12), st.randoms())
def test_the_order_of_clusters_changes_nothing(clusters, random):
    shuffled = clusters.copy()
    random.shuffle(shuffled)
    np.testing.assert_allclose(
        stats.cluster_standard_error(*zip(*clusters, strict=True)),
        stats.cluster_standard_error(*zip(*shuffled, strict=True)),
        rtol=1e-13,
    )


@unhurried
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=12), st.integers(1, 7))
def test_the_scale_of_differences_cancels(sums, scale):
    total, squares = sum(sums), sum(s * s for s in sums)
    for test in (stats.cluster_t, stats.cluster_z):
        p = test(total, squares, len(sums))
        np.testing.assert_allclose(test(scale * total, scale**2 * squares, len(sums)), p, rtol=1e-10)


@unhurried
@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(0.5, 0.99))
def test_sample_size_is_symmetric_and_grows_with_power(p_a, p_b, power):
    assume(abs(p_a - p_b) > 1e-3)
    n = stats.n_two_proportions(p_a, p_b, power=power)
    assert n == stats.n_two_proportions(p_b, p_a, power=power)
    # Right and wrong change places: equal but for the rounding of 1 − p just at a whole number.
    assert n == pytest.approx(stats.n_two_proportions(1 - p_a, 1 - p_b, power=power), abs=1)
    assert n <= stats.n_two_proportions(p_a, p_b, power=0.5 + 0.5 * power)
    assert n < stats.n_two_proportions(p_a, p_b, power=power, corrected=True)


@unhurried
@given(st.floats(0, 1), st.integers(1, 10**7))
def test_the_half_width_is_positive_and_shrinks(rate, replications):
    wide = stats.wilson_half_width(rate, replications)
    assert 0 < stats.wilson_half_width(rate, 4 * replications) < wide
    assert stats.rate_mcse(rate, replications) <= 0.5 / np.sqrt(replications) * (1 + 1e-15)
