"""The ideal bootstrap against convolution, a sampled bootstrap and its corners."""

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import stats_intervals as slow


def triangle(n):
    n10, n01 = np.indices((n + 1, n + 1))
    return n10[n10 + n01 <= n], n01[n10 + n01 <= n]


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 25])
def test_agrees_with_convolution_on_all_tables(n, level):
    """Level .5 makes true ties at small n: a quarter of the mass is 1/4 exactly."""
    n10, n01 = triangle(n)
    expected = [slow.bootstrap_percentile(a, b, n, level) for a, b in zip(n10, n01, strict=True)]
    np.testing.assert_array_equal(np.array(stats.bootstrap_percentile(n10, n01, n, level)).T, expected)


@pytest.mark.parametrize(
    ("n10", "n01", "n"),
    [
        (0, 1, 2000), (1, 0, 2000), (1, 1, 2000), (30, 2, 2000), (700, 900, 2000), (1000, 1000, 2000),
        (999, 1000, 2000), (1999, 1, 2000), (1, 1998, 2000), (0, 1999, 2000), (0, 5, 1500), (40, 1400, 1500),
    ],
)  # fmt: skip
def test_agrees_with_convolution_on_large_tables(n10, n01, n):
    """Few and many discordant cases, one-sided ones, and none concordant (a law on every second value)."""
    assert stats.bootstrap_percentile(n10, n01, n) == slow.bootstrap_percentile(n10, n01, n)


def test_ties_reach_the_quantile():
    # One of two cases differs: D* = 0, 1, 2 with 1/4, 1/2, 1/4; the cdf reaches q = 1/4 at 0 exactly.
    assert stats.bootstrap_percentile(0, 1, 2, 0.5) == (0.0, 0.5)


def test_a_window_changes_nothing():
    """Rows of very different spread in one call share no window."""
    n10, n01, n = (
        np.array([[0, 5, 5000, 3, 450]] * 1).T,
        np.array([[1, 5, 5000, 11, 600]]).T,
        np.array([[50, 10_000, 10_000, 36, 10_000]]).T,
    )
    together = np.array(stats.bootstrap_percentile(n10, n01, n))
    apart = [stats.bootstrap_percentile(*row) for row in zip(n10.flat, n01.flat, n.flat, strict=True)]
    np.testing.assert_array_equal(together[:, :, 0].T, apart)


@pytest.mark.parametrize("table", [(3, 11, 36), (0, 4, 30), (120, 150, 900)])
def test_agrees_with_ten_thousand_resamples(table):
    """A sampled quantile misses the ideal one by at most four standard errors of the cdf (false alarm 6e-5 each).

    The sampled cdf at the ideal quantile must reach q less 4·√(q(1 − q)/R), and just below it must not exceed q
    plus as much. Seed fixed.
    """
    n10, n01, n = table
    resamples = 10_000
    draws = np.random.default_rng(1).multinomial(n, [n10 / n, n01 / n, 1 - (n10 + n01) / n], resamples)
    d = draws[:, 1] - draws[:, 0]
    for q, limit in zip((0.025, 0.975), stats.bootstrap_percentile(*table), strict=True):
        error = 4 * np.sqrt(q * (1 - q) / resamples)
        at = round(limit * n)
        assert np.mean(d <= at) >= q - error
        assert np.mean(d <= at - 1) <= q + error


class TestCorners:
    def test_nothing_discordant_is_zero_and_never_rejects(self):
        """Trap 1 is the bootstrap's own fault: [0, 0]; Tango's interval beside it has a width."""
        assert stats.bootstrap_percentile(0, 0, 100) == (0.0, 0.0)
        assert stats.bootstrap_reject(0, 0, 100) == 0

    def test_all_one_way_is_a_point(self):
        assert stats.bootstrap_percentile(0, 9, 9) == (1.0, 1.0)
        assert stats.bootstrap_percentile(9, 0, 9) == (-1.0, -1.0)

    def test_no_case_is_nan(self):
        assert np.isnan(stats.bootstrap_percentile(0, 0, 0)).all()
        assert np.isnan(stats.bootstrap_reject(0, 0, 0))


def test_reject_is_the_side_of_zero():
    n10, n01 = triangle(20)
    low, high = stats.bootstrap_percentile(n10, n01, 20)
    expected = np.where(low > 0, 1, np.where(high < 0, -1, 0))
    np.testing.assert_array_equal(stats.bootstrap_reject(n10, n01, 20), expected)
    assert {-1.0, 0.0, 1.0} == set(expected.tolist())


def test_the_gate_of_three_regressions_and_three_improvements():
    """The published gate: 3 critical regressions and 3 improvements of 36 give [−.139, +.139]."""
    assert stats.bootstrap_percentile(3, 3, 36) == (-5 / 36, 5 / 36)


def test_how_many_improvements_let_a_gate_of_five_points_pass():
    """At n = 36 and margin .05 the bound needs 4, 6, 8 gains for 1, 2, 3 losses; Tango 2, 5, 7, 8 from 0 losses on."""
    gains = np.arange(33)
    bootstrap = [int(np.argmax(stats.bootstrap_percentile(r, gains, 36)[0] >= -0.05)) for r in (1, 2, 3)]
    tango = [int(np.argmax(stats.tango(r, gains, 36)[0] >= -0.05)) for r in (0, 1, 2, 3)]
    assert bootstrap == [4, 6, 8]
    assert tango == [2, 5, 7, 8]


def test_lattices_longer_than_a_chunk_of_few_rows():
    """Of very many cases the bootstrap is normal, and a single row is more than is held of many."""
    n10, n01, n = np.array([10**8, 10**8, 2]), np.array([12 * 10**7, 10**8, 5]), 10**9
    low, high = stats.bootstrap_percentile(n10, n01, n)
    expected = stats.paired_wald(n10[:2], n01[:2], n)
    np.testing.assert_allclose((low[:2], high[:2]), expected, rtol=1e-3, atol=2e-9)
    assert (low[2], high[2]) == (-2e-9, 8e-9)


def test_more_differences_than_can_be_listed_are_refused():
    with pytest.raises(ParameterError, match="paired_z does as well there"):
        stats.bootstrap_percentile(10**14, 2 * 10**14, 10**15)
