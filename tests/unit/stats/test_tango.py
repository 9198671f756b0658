"""Tango's score test and interval against the numerical likelihood."""

import itertools

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import stats_intervals as slow

# Limits are roots iterated to 1e-13; the twin's bisection of a numerical likelihood adds about 1e-12.
LIMIT = 1e-10

TABLES = [
    (n10, n01, n) for n in (1, 2, 3, 8) for n10, n01 in itertools.product(range(n + 1), repeat=2) if n10 + n01 <= n
]

LARGE = [
    (0, 1, 100),
    (1, 0, 1000),
    (3, 11, 36),
    (99, 0, 100),
    (98, 2, 100),
    (250, 1, 252),
    (1200, 1500, 20_000),
]


def columns(tables):
    return np.array(tables).T


@pytest.mark.parametrize(
    "level", [pytest.param(0.8, marks=pytest.mark.slow), 0.95, pytest.param(0.999, marks=pytest.mark.slow)]
)
def test_tango_agrees_with_the_numerical_likelihood(level):
    tables = TABLES + LARGE
    limits = np.array(stats.tango(*columns(tables), level)).T
    expected = [slow.tango(*table, level) for table in tables]
    np.testing.assert_allclose(limits, expected, rtol=0, atol=LIMIT)


def test_tango_z_agrees_with_the_numerical_likelihood():
    deltas = [-0.99, -0.4, -0.05, 0.0, 0.02, 0.5, 0.97]
    for table in TABLES:
        expected = [slow.tango_z(*table, delta) for delta in deltas]
        np.testing.assert_allclose(stats.tango_z(*table, deltas), expected, rtol=1e-9, atol=1e-9)


def test_tango_statistic_falls_in_delta_so_that_each_limit_is_the_only_root():
    deltas = np.linspace(-0.999, 0.999, 801)
    z = stats.tango_z(*(column[:, None] for column in columns(TABLES + LARGE)), deltas)
    assert (np.diff(z, axis=1) < 1e-9).all()


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_tango_limits_solve_the_score_equation(level):
    inner = [t for t in TABLES + LARGE if t[0] + t[1] > 0 and max(t[:2]) < t[2]]
    low, high = stats.tango(*columns(inner), level)
    z = slow.z_of(level)
    np.testing.assert_allclose(stats.tango_z(*columns(inner), low), z, rtol=1e-7)
    np.testing.assert_allclose(stats.tango_z(*columns(inner), high), -z, rtol=1e-7)


@pytest.mark.parametrize("level", [1.2e-16, 1e-300, 1e-9, 1 - 1e-9, 1 - 1.2e-16])
def test_every_level_has_limits_around_the_difference(level):
    """z rounded to 0 at levels near 0, and the search had no end; near 1 it was infinite."""
    n10, n01, n = columns(TABLES + LARGE)
    low, high = stats.tango(n10, n01, n, level)
    seen = (n01 - n10) / n
    assert (low <= seen + 1e-12).all()
    assert (seen - 1e-12 <= high).all()
    assert ((low >= -1) & (high <= 1)).all()
    assert stats.tango(0, 7, 50, 1.11e-16) == pytest.approx((0.14, 0.14), abs=1e-15)


@pytest.mark.parametrize("table", [(0, 1, 10**12), (3, 11, 10**10), (10**14, 3 * 10**14, 10**16), (1, 0, 10**16)])
def test_limits_among_very_many_cases_solve_the_score_equation(table):
    low, high = stats.tango(*table)
    z = slow.z_of(0.95)
    assert stats.tango_z(*table, low) == pytest.approx(z, rel=1e-5)
    assert stats.tango_z(*table, high) == pytest.approx(-z, rel=1e-5)


def test_a_table_has_the_same_limits_in_any_company():
    n10, n01, n = columns([*TABLES, *LARGE, (3, 11, 10**10)])
    low, high = stats.tango(n10, n01, n)
    for i, table in enumerate(zip(n10, n01, n, strict=True)):
        np.testing.assert_array_equal(stats.tango(*table), (low[i], high[i]))
