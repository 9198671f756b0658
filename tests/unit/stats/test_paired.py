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
@pytest.mark.parametrize("name", ["mcnemar_exact", "mcnemar_midp", "mcnemar_chi2", "mcnemar_cc"])
def test_mcnemar_agrees_with_its_twin(name, alternative):
    n10, n01 = np.indices((14, 14))
    twin = [[getattr(slow, name)(a, b, alternative) for b in range(14)] for a in range(14)]
    np.testing.assert_allclose(getattr(stats, name)(n10, n01, alternative), twin, rtol=ROUNDING, atol=0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("name", "twin"), [("paired_z", slow.mean_z), ("paired_t", slow.mean_t)])
def test_paired_tests_agree_with_the_expanded_list(name, twin, alternative):
    tables = np.array(SMALL_TABLES)
    expected = [twin(slow.expand(*table), alternative) for table in SMALL_TABLES]
    np.testing.assert_allclose(getattr(stats, name)(*tables.T, alternative), expected, rtol=ROUNDING)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_mean_tests_agree_with_the_expanded_list(alternative):
    differences = np.random.default_rng(7).integers(-3, 5, size=(40, 11))
    total, squares = differences.sum(axis=1), (differences**2).sum(axis=1)
    for function, twin in ((stats.mean_z, slow.mean_z), (stats.mean_t, slow.mean_t)):
        expected = [twin(row.tolist(), alternative) for row in differences]
        np.testing.assert_allclose(function(total, squares, 11, alternative), expected, rtol=1e-12)


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


def test_mcnemar_by_hand():
    # m = 5, one against four: P(X ≤ 1) = 6/32; the point P(X = 1) = 5/32.
    assert stats.mcnemar_exact(1, 4) == 12 / 32
    assert stats.mcnemar_midp(1, 4) == pytest.approx(7 / 32, abs=1e-15)
    assert stats.mcnemar_exact(1, 4, "greater") == 6 / 32
    assert stats.mcnemar_exact(1, 4, "less") == 31 / 32
    assert stats.mcnemar_midp(1, 4, "greater") == pytest.approx(3.5 / 32, abs=1e-15)


class TestUndefined:
    def test_no_discordant_case_is_defined_for_mcnemar(self):
        """Trap 1: zero discordant cases of 100 are no finding in either direction."""
        for test in (stats.mcnemar_exact, stats.mcnemar_midp, stats.mcnemar_chi2, stats.mcnemar_cc):
            assert test(0, 0) == 1.0
        assert stats.mcnemar_midp(0, 0, "greater") == 0.5
        assert stats.mcnemar_chi2(0, 0, "less") == 0.5

    @pytest.mark.parametrize("table", [(0, 0, 10), (10, 0, 10), (0, 10, 10), (0, 1, 1), (0, 0, 0)])
    def test_zero_variance_is_nan(self, table):
        assert np.isnan(stats.paired_z(*table))
        assert np.isnan(stats.paired_t(*table))

    def test_no_case_is_nan(self):
        assert np.isnan(stats.difference(0, 0, 0))
        assert np.isnan(stats.unpaired_z([0, 5], [0, 5], [0, 5])).all()
        assert np.isnan(stats.phi(0, 0, 5, 5))

    def test_nan_is_local_to_its_row(self):
        p = stats.paired_z([0, 3], [0, 11], [36, 36])
        assert np.isnan(p[0])
        assert 0 < p[1] < 1


def test_four_of_four_one_way_is_no_proof():
    """Trap 2: four discordant cases of 30, all one way."""
    assert stats.mcnemar_exact(0, 4) == 0.125
    assert stats.mcnemar_midp(0, 4) == 0.0625


def test_no_result_of_five_cases_at_usual_discordance_is_significant():
    """Trap 5: with five cases even five of five discordant one way reach only .0625."""
    assert stats.mcnemar_exact(0, 5) == 0.0625


def test_twenty_thousand_pairs_do_not_overflow():
    """Trap 6: 2.0**m overflows from 1024 discordant cases on."""
    for test in (stats.mcnemar_exact, stats.mcnemar_midp):
        p = test([10_000, 10_300, 12_000, 0], [10_000, 9_700, 8_000, 20_000])
        assert p[0] == 1.0
        # The normal approximation with a correction is within a per cent of the tail at z = 4.2.
        assert p[1] == pytest.approx(stats.mcnemar_cc(10_300, 9_700), rel=0.05)
        assert 0 < p[2] < 1e-150
        assert p[3] == 0.0


def test_mcnemar_tail_at_twenty_thousand_pairs_is_exact():
    k, m = 9_700, 20_000
    # Python's integers carry the whole tail: no logarithm, no approximation.
    total, term = 0, 1
    for j in range(k + 1):
        total += term
        term = term * (m - j) // (j + 1)
    assert stats.mcnemar_exact(k, m - k) == pytest.approx(2 * total / 2**m, rel=1e-12)


def test_boolean_answers_count_as_numbers():
    """Trap 20: adding two boolean arrays is a logical OR; here a truth value is the number 1."""
    a, b = np.array([True, True, False, False]), np.array([True, False, True, True])
    only_a, only_b = (a & ~b).sum(), (b & ~a).sum()
    assert stats.mcnemar_exact(only_a, only_b) == stats.mcnemar_exact(1, 2)
    assert stats.sign_flip_exact(np.array([True, True, False])) == stats.sign_flip_exact([1, 1, 0])
