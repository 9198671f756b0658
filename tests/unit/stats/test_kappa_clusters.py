"""Kappa with its cluster-robust error: clusters of one, copies, and sums of derivatives."""

import math

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import agreement_slow as slow

EXAMPLE = (60, 5, 15, 20)

POWERS = {"none": None, "linear": 1, "quadratic": 2}


def test_clusters_of_one_unit_are_the_table_itself():
    first, second = np.repeat([0, 0, 1, 1], [60, 5, 15, 20]), np.repeat([0, 1, 0, 1], [60, 5, 15, 20])
    kappa, error = stats.cohen_kappa_clustered(first, second, np.arange(100))
    assert kappa == pytest.approx(9 / 17, abs=1e-15)
    assert error == pytest.approx(stats.kappa_standard_error(*EXAMPLE) * math.sqrt(100 / 99), rel=1e-12)


def test_verdicts_that_are_counted_twice_say_nothing_new():
    """Each unit twice, both copies in one cluster: the error of the single units, not 1/√2 of it."""
    first, second = np.repeat([0, 0, 1, 1], [9, 2, 3, 7]), np.repeat([0, 1, 0, 1], [9, 2, 3, 7])
    alone = stats.cohen_kappa_clustered(first, second, np.arange(21), weights="linear")
    twice = stats.cohen_kappa_clustered(*(np.tile(x, 2) for x in (first, second, np.arange(21))), weights="linear")
    assert twice == pytest.approx(alone, rel=1e-12)
    low, high = stats.cohen_kappa_clustered_interval(first, second, np.arange(21), level=0.9)
    # t with 20 degrees of freedom, 1.7247 in every table
    assert high - low == pytest.approx(2 * 1.7247 * alone[1], rel=1e-4)


@pytest.mark.parametrize("weights", POWERS)
def test_cluster_sums_are_those_of_the_derivatives(weights):
    rng = np.random.default_rng(2)
    first = rng.integers(0, 3, 30)
    second = np.where(rng.random(30) < 0.6, first, rng.integers(0, 3, 30))
    cluster = rng.integers(0, 7, 30)
    table = stats.agreement_table(first, second, [0, 1, 2]).tolist()
    influence = slow.influences(table, POWERS[weights])
    sums = [
        float(sum(influence[a][b] for a, b, c in zip(first, second, cluster, strict=True) if c == k)) for k in range(7)
    ]
    expected = math.sqrt(7 / 6 * sum(s * s for s in sums)) / 30
    assert stats.cohen_kappa_clustered(first, second, cluster, [0, 1, 2], weights)[1] == pytest.approx(
        expected, rel=1e-10
    )


def test_clusters_that_say_nothing():
    for first, second, cluster in (([0, 1, 1], [0, 1, 1], [1, 2, 3]), ([0, 1, 1], [0, 1, 0], [1, 1, 1])):
        assert np.isnan(stats.cohen_kappa_clustered(first, second, cluster)[1])
        assert np.isnan(stats.cohen_kappa_clustered_interval(first, second, cluster)).all()
    with pytest.raises(ParameterError, match="There are 2 ratings and 1 names of clusters"):
        stats.cohen_kappa_clustered([0, 1], [0, 1], [3])
    with pytest.raises(ParameterError, match="two or more categories"):
        stats.cohen_kappa_clustered([1, 1], [1, 1], [3, 4], weights="linear")
    assert np.isnan(stats.cohen_kappa_clustered([1, 1], [1, 1], [3, 4], [0, 1], "linear")).all()
