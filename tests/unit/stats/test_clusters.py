"""Cluster-robust inference against fractions and the one-sample tests of cluster sums."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simstudy import stats
from tests.oracle.stats_proportions import cluster_variance

RNG = np.random.default_rng(20)
SUMS = RNG.integers(-4, 6, size=(30, 7))
SIZES = RNG.integers(5, 9, size=(30, 7))


def test_standard_error_agrees_with_fractions():
    expected = [math.sqrt(cluster_variance(s.tolist(), n.tolist())) for s, n in zip(SUMS, SIZES, strict=True)]
    np.testing.assert_allclose(stats.cluster_standard_error(SUMS, SIZES), expected, rtol=1e-13)


def test_one_case_per_cluster_is_the_ordinary_standard_error():
    d = RNG.integers(-1, 2, size=40)
    assert stats.cluster_standard_error(d, np.ones(40)) == pytest.approx(d.std(ddof=1) / math.sqrt(40), rel=1e-13)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_cluster_t_is_the_t_test_of_the_cluster_sums(alternative):
    expected = scipy_stats.ttest_1samp(SUMS, 0, axis=1, alternative=alternative).pvalue
    p = stats.cluster_t(SUMS.sum(axis=1), (SUMS**2).sum(axis=1), 7, alternative)
    np.testing.assert_allclose(p, expected, rtol=1e-11)


def test_cluster_z_is_estimate_over_standard_error_whatever_the_size():
    for size in (1, 5):
        z = SUMS.sum(axis=1) / (7 * size) / stats.cluster_standard_error(SUMS, np.full((30, 7), size))
        expected = 2 * scipy_stats.norm.sf(np.abs(z))
        np.testing.assert_allclose(stats.cluster_z(SUMS.sum(axis=1), (SUMS**2).sum(axis=1), 7), expected, rtol=1e-11)


@pytest.mark.parametrize(("kind", "quantile"), [("t", scipy_stats.t(6).ppf(0.95)), ("z", scipy_stats.norm.ppf(0.95))])
def test_interval(kind, quantile):
    low, high = stats.cluster_interval(SUMS, SIZES, 0.9, kind)
    estimate, error = SUMS.sum(axis=1) / SIZES.sum(axis=1), stats.cluster_standard_error(SUMS, SIZES)
    np.testing.assert_allclose(low, estimate - quantile * error, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(high, estimate + quantile * error, rtol=1e-10, atol=1e-13)


def test_undefined_with_one_cluster_or_without_variance():
    assert np.isnan(stats.cluster_standard_error([[3], [0]], [[5], [5]])).all()
    assert np.isnan(stats.cluster_interval([3], [5])).all()
    # Three clusters of one mean, 1/3, which no double holds: the variance must still be exactly 0.
    assert np.isnan(stats.cluster_standard_error([1, 2, 3], [3, 6, 9]))
    assert np.isnan(stats.cluster_t(9, 27, 3))
    assert np.isnan(stats.cluster_z(4, 16, 1))


def test_an_empty_cluster_does_not_count():
    assert stats.cluster_standard_error([1, 2, 0], [4, 4, 0]) == stats.cluster_standard_error([1, 2], [4, 4])
    assert stats.cluster_interval([1, 2, 0], [4, 4, 0]) == stats.cluster_interval([1, 2], [4, 4])


def test_clusters_count_as_often_as_they_come():
    """Trap 20: two clusters with the same numbers are two clusters, not one element of a set."""
    twice = stats.cluster_standard_error([1, 1, 4, 4], [5, 5, 5, 5])
    assert twice < stats.cluster_standard_error([1, 4], [5, 5])


def test_exploding_a_question_into_rows_is_not_more_data():
    """Trap 17: ten identical rows per question leave the cluster error where it was and shrink the naive one."""
    per_question = np.array([1, -1, 1, 0, 1, 1, 0, -1])
    once = stats.cluster_standard_error(per_question, np.ones(8))
    exploded = stats.cluster_standard_error(10 * per_question, np.full(8, 10))
    naive = stats.cluster_standard_error(np.repeat(per_question, 10), np.ones(80))
    assert exploded == pytest.approx(once, rel=1e-14)
    assert naive < 0.4 * once


def test_wrong_requests():
    with pytest.raises(ValueError, match=r"no kind of interval 'T'.*Did you mean t"):
        stats.cluster_interval([1, 2], [3, 3], kind="T")
    with pytest.raises(ValueError, match="axis of clusters"):
        stats.cluster_standard_error(3, 5)
