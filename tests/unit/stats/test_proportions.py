"""Intervals of one proportion against bisection, hand arithmetic and their corners."""

import math

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import stats_intervals, stats_proportions

CASES = [(x, n) for n in (1, 2, 5, 17, 36) for x in range(n + 1)]
X, N = np.array(CASES).T
# Bisection of a double goes on to the last bit; the sums it bisects carry some 1e-14.
BISECTED = 1e-12
NAMES = ("wald", "agresti_coull", "wilson", "clopper_pearson", "jeffreys")


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(
    ("name", "twin"),
    [("wilson", stats_intervals.wilson), ("clopper_pearson", stats_proportions.clopper_pearson)],
)
def test_agrees_with_bisection(name, twin, level):
    expected = [twin(x, n, level) for x, n in CASES]
    np.testing.assert_allclose(np.array(getattr(stats, name)(X, N, level)).T, expected, rtol=0, atol=BISECTED)


def test_jeffreys_holds_its_level_of_the_posterior():
    """The density is integrated numerically over the limits: x^(x−½)(1 − x)^(n−x−½), without its constant."""
    for x, n in [(3, 10), (25, 36)]:
        low, high = stats.jeffreys(x, n, 0.9)
        # In the angle φ with share sin²φ the density has no poles and the trapezoid rule is exact to rounding.
        angle = np.linspace(0, math.pi / 2, 200_001)
        density = np.sin(angle) ** (2 * x) * np.cos(angle) ** (2 * (n - x))
        share = np.sin(angle) ** 2
        mass = [density[share < low].sum(), density[share > high].sum()]
        np.testing.assert_allclose(mass / density.sum(), 0.05, atol=1e-4)


def test_wald_and_agresti_coull_by_hand():
    z = stats_intervals.z_of(0.95)
    assert stats.wald(1, 4) == (0.0, pytest.approx(0.25 + z * math.sqrt(0.25 * 0.75 / 4), abs=1e-15))
    n, p = 4 + z * z, (1 + z * z / 2) / (4 + z * z)
    margin = z * math.sqrt(p * (1 - p) / n)
    low, high = stats.agresti_coull(1, 4)
    assert (low, high) == (pytest.approx(max(0, p - margin), abs=1e-15), pytest.approx(p + margin, abs=1e-15))


def test_ends_are_exact():
    for name in ("wilson", "clopper_pearson", "jeffreys"):
        low, high = getattr(stats, name)([0, 7], 7)
        assert low[0] == 0.0
        assert high[1] == 1.0
        assert 0 < high[0] < 1
        assert 0 < low[1] < 1


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_ends_are_exact_among_any_number(level):
    """Computed as a sum, Wilson's upper limit of n of n is one rounding off at every third n or so."""
    n = np.arange(1, 400)
    for name in ("wilson", "clopper_pearson", "jeffreys", "midp_proportion"):
        assert (getattr(stats, name)(n, n, level)[1] == 1.0).all()
        assert (getattr(stats, name)(0, n, level)[0] == 0.0).all()


@pytest.mark.parametrize("name", NAMES)
def test_limits_stay_in_the_unit_interval_and_are_mirrored(name):
    low, high = getattr(stats, name)(X, N)
    mirrored_low, mirrored_high = getattr(stats, name)(N - X, N)
    assert ((low >= 0) & (low <= high) & (high <= 1)).all()
    np.testing.assert_allclose(low, 1 - mirrored_high, atol=1e-13)
    np.testing.assert_allclose(high, 1 - mirrored_low, atol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_no_case_is_nan(name):
    low, high = getattr(stats, name)([0, 1], [0, 2])
    assert np.isnan([low[0], high[0]]).all()
    assert not np.isnan([low[1], high[1]]).any()


def test_wald_has_no_width_where_all_are_right():
    assert stats.wald(20, 20) == (1.0, 1.0)
    assert stats.wilson(20, 20)[0] < 0.85


@pytest.mark.parametrize(("x", "n"), [(25, 24), (25, 0)])
def test_more_successes_than_trials_are_refused(x, n):
    with pytest.raises(ValueError, match=f"x must not exceed n; 25 of {n} was given"):
        stats.wilson(x, n)
