"""Tests of paired data against hand arithmetic and slow twins."""

import itertools

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import stats_paired as slow

ALTERNATIVES = ("two-sided", "greater", "less")

# Incomplete beta, error function and t tails agree with their twins to a few units of rounding.
ROUNDING = 1e-13

SMALL_TABLES = [
    (n10, n01, n) for n in (1, 2, 5, 9) for n10, n01 in itertools.product(range(n + 1), repeat=2) if n10 + n01 <= n
]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("name", "twin"), [("paired_z", slow.mean_z), ("paired_t", slow.mean_t)])
def test_paired_tests_agree_with_the_expanded_list(name, twin, alternative):
    tables = np.array(SMALL_TABLES)
    expected = [twin(slow.expand(*table), alternative) for table in SMALL_TABLES]
    np.testing.assert_allclose(getattr(stats, name)(*tables.T, alternative), expected, rtol=ROUNDING)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_unpaired_z_agrees_with_its_twin(alternative):
    x_a, x_b = np.indices((8, 8))
    twin = [[slow.unpaired_z(a, b, 7, alternative) for b in range(8)] for a in range(8)]
    np.testing.assert_allclose(stats.unpaired_z(x_a, x_b, 7, alternative), twin, rtol=1e-12)


def test_phi_is_the_correlation_of_the_columns():
    for n10, n01, n11 in itertools.product(range(4), repeat=3):
        n = 9
        np.testing.assert_allclose(stats.phi(n10, n01, n11, n), slow.phi(n10, n01, n11, n), atol=1e-15)


def test_difference_is_b_minus_a():
    assert stats.difference(3, 11, 36) == pytest.approx(8 / 36, abs=1e-16)


def test_boolean_answers_count_as_numbers():
    """Trap 20: adding two boolean arrays is a logical OR; here a truth value is the number 1."""
    a, b = np.array([True, True, False, False]), np.array([True, False, True, True])
    only_a, only_b = (a & ~b).sum(), (b & ~a).sum()
    assert stats.mcnemar_exact(only_a, only_b) == stats.mcnemar_exact(1, 2)
    assert stats.sign_flip_exact(np.array([True, True, False])) == stats.sign_flip_exact([1, 1, 0])
