"""Non-inferiority and equivalence against the intervals they must agree with."""

import itertools

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import stats_intervals as slow
from tests.oracle.stats_paired import expand, normal_tail

N10, N01, N = np.array([(a, b, n) for n in (12, 80) for a, b in itertools.product(range(10), repeat=2) if a + b <= n]).T
MARGINS = (0.02, 0.05, 0.2, 0.7)


@pytest.mark.parametrize("margin", MARGINS)
def test_noninferiority_tango_is_the_score_of_the_numerical_likelihood(margin):
    expected = [normal_tail(slow.tango_z(*t, -margin), "greater") for t in zip(N10, N01, N, strict=True)]
    np.testing.assert_allclose(stats.noninferiority_tango(N10, N01, N, margin), expected, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("margin", MARGINS)
def test_noninferiority_wald_is_a_shifted_z(margin):
    expected = []
    for table in zip(N10, N01, N, strict=True):
        d = np.array(expand(*table))
        variance = d.var(ddof=1)
        expected.append(
            normal_tail((d.mean() + margin) / np.sqrt(variance / d.size), "greater") if variance else np.nan
        )
    np.testing.assert_allclose(stats.noninferiority_wald(N10, N01, N, margin), expected, rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize(
    ("test", "interval"), [("noninferiority_tango", "tango"), ("noninferiority_wald", "paired_wald")]
)
def test_noninferiority_agrees_with_the_lower_limit_of_twice_alpha(test, interval, margin):
    p = getattr(stats, test)(N10, N01, N, margin)
    low, _ = getattr(stats, interval)(N10, N01, N, 0.90)
    np.testing.assert_array_equal(p < 0.05, low > -margin)


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize(("test", "interval"), [("equivalence_tango", "tango"), ("equivalence_wald", "paired_wald")])
def test_equivalence_means_that_the_interval_lies_within_the_margins(test, interval, margin):
    p = getattr(stats, test)(N10, N01, N, margin)
    low, high = getattr(stats, interval)(N10, N01, N, 0.90)
    np.testing.assert_array_equal(p < 0.05, (low > -margin) & (high < margin))


def test_a_table_without_discordant_case_is_defined_for_tango_only():
    z = np.sqrt(100 * 0.05 / 0.95)
    assert stats.noninferiority_tango(0, 0, 100, 0.05) == pytest.approx(normal_tail(z, "greater"), rel=1e-12)
    assert stats.equivalence_tango(0, 0, 100, 0.05) == stats.noninferiority_tango(0, 0, 100, 0.05)
    assert np.isnan(stats.noninferiority_wald(0, 0, 100, 0.05))
    assert np.isnan(stats.equivalence_wald(0, 0, 100, 0.05))


@pytest.mark.parametrize("margin", [0.0, 1.0, -0.1, 5, np.nan])
def test_a_margin_outside_its_range_is_refused(margin):
    with pytest.raises(ValueError, match="margin must lie strictly between 0 and 1"):
        stats.noninferiority_tango(1, 2, 30, margin)


def test_a_margin_in_the_point_estimate_alone_is_no_gate():
    """Trap 9: at n = 20, two losses and one gain lie within a five-point margin and prove nothing."""
    assert stats.difference(2, 1, 20) >= -0.05
    assert stats.noninferiority_tango(2, 1, 20, 0.05) > 0.3
