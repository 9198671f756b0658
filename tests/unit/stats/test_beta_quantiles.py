"""Quantiles of beta laws among very many trials, against 40-digit quadrature and against each other."""

import numpy as np
import pytest
from scipy import special

from simstudy import stats
from simstudy.stats import _beta_quantiles as beta

Z = 1.959963984540054


@pytest.mark.parametrize(
    ("x", "n", "exact", "midp"),
    [
        # roots of a quadrature in 40 digits (mpmath): both limits of Clopper & Pearson and of mid-p
        (1, 10**16, (2.5317807984289875e-18, 5.5716433909388973e-16), (5.002034483533549e-18, 4.9318605247067724e-16)),
        (5, 10**16, (1.6234863901184207e-16, 1.1668332079322666e-15), (1.831994808528417e-16, 1.1082415664992013e-15)),
        (
            1000,
            10**16,
            (9.3897301840769801e-14, 1.0639521360162986e-13),
            (9.3944989900645663e-14, 1.0634445074654312e-13),
        ),
    ],
)
def test_few_successes_among_very_many_trials(x, n, exact, midp):
    assert stats.clopper_pearson(x, n) == pytest.approx(exact, rel=1e-12)
    assert stats.midp_proportion(x, n) == pytest.approx(midp, rel=1e-12)


@pytest.mark.parametrize("interval", [stats.clopper_pearson, stats.jeffreys, stats.midp_proportion])
@pytest.mark.parametrize(("x", "n"), [(10**15, 10**16), (5 * 10**15, 10**16), (10**14, 2 * 10**14), (10**11, 10**12)])
def test_many_of_very_many_lie_a_normal_quantile_away(interval, x, n):
    """10**15 of 10**16 was 21% too narrow: the normal limits are right to 1/√n of their distance."""
    p = x / n
    deviation = np.sqrt(p * (1 - p) / n)
    low, high = interval(x, n)
    assert [(low - p) / deviation, (high - p) / deviation] == pytest.approx([-Z, Z], rel=1e-5)


@pytest.mark.parametrize("interval", [stats.clopper_pearson, stats.jeffreys, stats.midp_proportion])
@pytest.mark.parametrize("n", [10**6, 10**8, 10**12, 10**15])
def test_limits_grow_with_the_successes_and_fall_with_the_trials(interval, n):
    x = np.array([1, 2, 3, 7, 8, 1000, 1001, 10**6 - 1])
    # n + n/1000 crosses every bound between the ways of computing
    now, later = np.array(interval(x, n)), np.array(interval(x, n + n // 1000))
    assert (np.diff(now, axis=1) > 0)[:, :-1].all()
    assert (later[:, :-1] < now[:, :-1]).all()
    low, high = now
    assert (low < high).all()
    other_low, other_high = interval(n - x, n)
    np.testing.assert_allclose(1 - other_high, low, rtol=0, atol=1e-15)
    np.testing.assert_allclose(1 - other_low, high, rtol=0, atol=1e-15)


@pytest.mark.parametrize("tail", [1e-9, 0.025, 0.4])
@pytest.mark.parametrize("upper", [False, True])
def test_the_ways_of_computing_agree_where_they_meet(tail, upper):
    """Checked quantiles and expansions at 10**12 trials, in standard deviations: SciPy errs by some 1e-6 there."""
    a = np.array([1.0, 3.0, 30.0, 999_000.0, 1_001_000.0, 1e9, 5e11])
    b = 1e12 - a
    part = special.betaincc if upper else special.betainc
    checked = beta._roots(a, b, tail, part)
    expanded = beta._expanded(a, b, tail, upper)
    deviation = np.sqrt(a * b / 1e36)
    np.testing.assert_allclose((expanded - checked) / deviation, 0, atol=1e-5)
    # the mirrored law, with its tails exchanged
    mirrored = 1 - beta._expanded(b, a, tail, not upper)
    np.testing.assert_allclose((mirrored - checked) / deviation, 0, atol=1e-3)


@pytest.mark.parametrize("n", [1e7, 1e8, 1e9])
@pytest.mark.parametrize("tail", [0.005, 0.025, 0.1])
def test_scipys_quantile_is_mended_where_it_misses(n, tail):
    """Of beta laws (1000, 10**8) SciPy 1.17 misses an upper tail of .005 by 2% of it."""
    a = np.array([999.0, 1000.0, 1001.0])
    for upper, part in ((False, special.betainc), (True, special.betaincc)):
        found = beta.beta_quantile(a, n - a, tail, upper)
        np.testing.assert_allclose(part(a, n - a, found), tail, rtol=2e-8)


def test_ordinary_numbers_are_scipys():
    a, b = np.array([3.0, 40.0]), np.array([9.0, 61.0])
    np.testing.assert_array_equal(beta.beta_quantile(a, b, 0.025), special.betaincinv(a, b, 0.025))
    np.testing.assert_array_equal(beta.beta_quantile(a, b, 0.025, upper=True), special.betainccinv(a, b, 0.025))


@pytest.mark.parametrize("level", [1.2e-16, 1e-9, 1 - 1e-9, 1 - 1.2e-16])
@pytest.mark.parametrize(("x", "n"), [(0, 50), (7, 50), (50, 50), (3, 10**9), (10**15, 10**16)])
def test_extreme_levels_have_limits(x, n, level):
    for interval in (stats.clopper_pearson, stats.jeffreys, stats.midp_proportion, stats.wilson, stats.wald):
        low, high = interval(x, n, level)
        # at a level of nearly 0 the limits meet where rounding has them
        assert 0 <= low <= high + 1e-15 <= 1 + 1e-15, interval.__name__
