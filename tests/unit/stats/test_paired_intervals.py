"""Intervals of the paired difference against slow twins, corners and their tests."""

import itertools

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import stats_intervals as slow

# Closed forms: a few units of rounding.
CLOSED = 1e-13

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


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_newcombe_agrees_with_the_paper_written_out(level):
    rows = [(*t, n11) for t in TABLES for n11 in range(t[2] - t[0] - t[1] + 1)]
    n10, n01, n, n11 = columns(rows)
    expected = [slow.newcombe(a, b, both, size, level) for a, b, size, both in rows]
    # The twin finds Wilson's limits by bisection; under the root of a near-zero sum that costs half the digits.
    np.testing.assert_allclose(np.array(stats.newcombe(n10, n01, n11, n, level)).T, expected, rtol=0, atol=1e-7)


def test_newcombe_correlation_is_corrected_and_never_turned_negative():
    # n11·n00 − n10·n01 = 4·4 − 2·2 = 12 > n/2 = 6 loses 6; 3·2 − 2·2 = 2 < n/2 becomes 0, not −2.5.
    for table, numerator in (((2, 2, 4, 12), 6.0), ((2, 2, 3, 9), 0.0)):
        n10, n01, n11, n = table
        margins = (n11 + n10) * (n11 + n01) * (n - n11 - n10) * (n - n11 - n01)
        p = (n11 + n01) / n
        low, high = slow.wilson(n11 + n01, n)
        below, above = p - low, high - p
        expected = np.sqrt(below**2 - 2 * numerator / np.sqrt(margins) * below * above + above**2)
        assert stats.newcombe(n10, n01, n11, n)[1] == pytest.approx(expected, abs=1e-12)


def test_newcombe_without_discordance_has_a_width():
    """Trap 1, including both systems right on all cases."""
    low, high = stats.newcombe(0, 0, [100, 50, 0], 100)
    assert (low < 0).all()
    assert (high > 0).all()


def test_bonett_price_agrees_with_its_twin():
    expected = [slow.bonett_price(*table) for table in TABLES + LARGE]
    np.testing.assert_allclose(np.array(stats.bonett_price(*columns(TABLES + LARGE))).T, expected, rtol=0, atol=CLOSED)


@pytest.mark.parametrize(("interval", "test"), [("paired_wald", "paired_z"), ("paired_t_interval", "paired_t")])
def test_wald_and_t_leave_out_zero_exactly_where_their_test_rejects(interval, test):
    low, high = getattr(stats, interval)(*columns(TABLES + LARGE))
    p = getattr(stats, test)(*columns(TABLES + LARGE))
    defined = ~np.isnan(p)
    np.testing.assert_array_equal(np.isnan(low), ~defined)
    np.testing.assert_array_equal(((low > 0) | (high < 0))[defined], (p < 0.05)[defined])


def test_wald_and_t_by_hand():
    # n = 4, one against none: d = 1/4, sample variance 1/4, standard error 1/4.
    assert stats.paired_wald(0, 1, 4) == (
        pytest.approx(0.25 - 0.25 * slow.z_of(0.95)),
        pytest.approx(0.25 * (1 + slow.z_of(0.95))),
    )
    # The .975 quantile of t with 3 degrees of freedom is 3.1824463 in every printed table.
    assert stats.paired_t_interval(0, 1, 4)[0] == pytest.approx(0.25 - 0.25 * 3.1824463, abs=1e-8)
    assert stats.paired_t_interval(0, 1, 4)[1] == 1.0


@pytest.mark.parametrize("table", [(0, 0, 10), (10, 0, 10), (0, 1, 1), (0, 0, 0)])
def test_wald_and_t_are_undefined_without_variance(table):
    assert np.isnan(stats.paired_wald(*table)).all()
    assert np.isnan(stats.paired_t_interval(*table)).all()


def test_overlapping_intervals_are_not_a_test():
    """Trap 15: the two Wilson intervals overlap widely, and the paired difference is significant."""
    (_, high_a), (low_b, _) = stats.wilson(70, 100), stats.wilson(78, 100)
    assert low_b < high_a
    assert stats.mcnemar_midp(1, 9) < 0.05
    assert stats.tango(1, 9, 100)[0] > 0
