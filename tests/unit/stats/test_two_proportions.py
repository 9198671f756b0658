"""Two independent proportions against whole-number enumeration and hand arithmetic."""

import itertools
import math

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from simstudy.stats import two_proportions
from tests.oracle import stats_proportions as slow
from tests.oracle.stats_paired import normal_tail

ALTERNATIVES = ("two-sided", "greater", "less")
TABLES = [
    (x_a, n_a, x_b, n_b)
    for n_a, n_b in [(1, 1), (3, 3), (2, 7), (9, 4), (12, 12)]
    for x_a, x_b in itertools.product(range(n_a + 1), range(n_b + 1))
]
COLUMNS = np.array(TABLES).T


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_fisher_agrees_with_whole_numbers(alternative):
    """Fractions see ties exactly: the slack of the statistic must neither lose nor invent one."""
    expected = [slow.fisher_exact(*table, alternative) for table in TABLES]
    np.testing.assert_allclose(stats.fisher_exact(*COLUMNS, alternative), expected, rtol=1e-12)


@pytest.mark.parametrize("sizes", [(150, 150), (60, 240), (400, 380)])
def test_fisher_on_larger_tables(sizes):
    rng = np.random.default_rng(sum(sizes))
    tables = [
        (int(rng.binomial(sizes[0], 0.6)), sizes[0], int(rng.binomial(sizes[1], 0.7)), sizes[1]) for _ in range(25)
    ]
    expected = [slow.fisher_exact(*table) for table in tables]
    np.testing.assert_allclose(stats.fisher_exact(*np.array(tables).T), expected, rtol=1e-11)


def test_fisher_at_twenty_thousand_cases_does_not_overflow():
    """Trap 6, unpaired; the z test is within a few per cent of it that far out."""
    p = stats.fisher_exact(14_000, 20_000, 14_300, 20_000)
    assert p == pytest.approx(stats.z_pooled(14_000, 20_000, 14_300, 20_000), rel=0.05)
    assert stats.fisher_exact(0, 20_000, 20_000, 20_000) == 0.0


def test_fisher_with_one_possible_table_is_one():
    np.testing.assert_array_equal(stats.fisher_exact([0, 5, 0, 0], [5, 5, 0, 3], [0, 5, 2, 0], [5, 5, 4, 0]), 1.0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_z_tests_by_their_textbook_formulas(alternative):
    for x_a, n_a, x_b, n_b in TABLES:
        p_a, p_b, pooled = x_a / n_a, x_b / n_b, (x_a + x_b) / (n_a + n_b)
        error = math.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
        expected = normal_tail((p_b - p_a) / error, alternative) if error else math.nan
        np.testing.assert_allclose(stats.z_pooled(x_a, n_a, x_b, n_b, alternative), expected, rtol=1e-12)
        error = math.sqrt(p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b)
        expected = normal_tail((p_b - p_a) / error, alternative) if error else math.nan
        np.testing.assert_allclose(stats.z_unpooled(x_a, n_a, x_b, n_b, alternative), expected, rtol=1e-12)


def test_unpaired_z_is_z_pooled_at_equal_sizes():
    x_a, x_b = np.indices((12, 12))
    np.testing.assert_allclose(stats.unpaired_z(x_a, x_b, 11), stats.z_pooled(x_a, 11, x_b, 11), rtol=1e-13)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_newcombe_independent_agrees_with_its_twin(level):
    expected = [slow.newcombe_independent(*table, level) for table in TABLES]
    np.testing.assert_allclose(np.array(stats.newcombe_independent(*COLUMNS, level)).T, expected, rtol=0, atol=1e-11)


def test_wald_independent_leaves_out_zero_exactly_where_z_unpooled_rejects():
    low, high = stats.wald_independent(*COLUMNS)
    p = stats.z_unpooled(*COLUMNS)
    defined = ~np.isnan(p)
    np.testing.assert_array_equal(np.isnan(low), ~defined)
    np.testing.assert_array_equal(((low > 0) | (high < 0))[defined], (p < 0.05)[defined])


def test_empty_samples_are_nan():
    for function in (stats.z_pooled, stats.z_unpooled, stats.newcombe_independent, stats.wald_independent):
        assert np.isnan(function(0, 0, 3, 5)).all()
        assert np.isnan(function(3, 5, 0, 0)).all()


def test_sign_is_b_minus_a():
    assert stats.z_pooled(10, 30, 20, 30, "greater") < 0.05 < stats.z_pooled(10, 30, 20, 30, "less")
    assert stats.fisher_exact(10, 30, 20, 30, "greater") < 0.05 < stats.fisher_exact(10, 30, 20, 30, "less")
    assert stats.newcombe_independent(10, 30, 20, 30)[0] > 0


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_fisher_lists_no_more_than_the_counts_that_matter(monkeypatch, alternative):
    """The law of 100,000 cases each, as a whole and within 40 standard deviations."""
    right_b = np.array([0, 39_000, 39_900, 40_000, 40_050, 40_400, 42_000, 80_000])
    given = (80_000 - right_b, 100_000, right_b, 100_000, alternative)
    whole = stats.fisher_exact(*given)
    monkeypatch.setattr(two_proportions, "WHOLE", 10_000)
    np.testing.assert_allclose(stats.fisher_exact(*given), whole, rtol=1e-9, atol=1e-290)


def test_fisher_of_very_many_cases():
    """Of 14 right answers among two billion each lies on either side with probability one half, but for 1e-9."""
    tail = sum(math.comb(14, k) for k in range(9, 15)) / 2**14
    assert stats.fisher_exact(5, 10**9, 9, 10**9, "greater") == pytest.approx(tail, rel=1e-7)
    z_test = stats.z_pooled(5 * 10**8, 10**9, 5 * 10**8 + 40_000, 10**9)
    assert stats.fisher_exact(5 * 10**8, 10**9, 5 * 10**8 + 40_000, 10**9) == pytest.approx(z_test, rel=1e-3)
    with pytest.raises(ParameterError, match="z_pooled does as well there"):
        stats.fisher_exact(10**14, 10**15, 10**14, 10**15)


def test_limits_of_a_difference_are_cut_at_one():
    """1 of 4 and 4 of 4: .75 ± 1.96·.2165, of which the upper one would be 1.17."""
    low, high = stats.wald_independent(1, 4, 4, 4)
    assert (low, high) == (pytest.approx(0.75 - 1.959964 * math.sqrt(0.1875 / 4), abs=1e-6), 1.0)
    assert stats.wald_independent(4, 4, 1, 4) == (-1.0, pytest.approx(-low, abs=1e-15))
