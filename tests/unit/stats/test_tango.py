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


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
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
