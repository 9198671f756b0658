"""Errors of means by formulas written out, and how sure a spread is against what was drawn."""

import numpy as np
import pytest
from scipy import stats as peer

from simstudy.records.mean_error import df_of_spread, mean_of_clusters
from simstudy.records.paired_values import PairedValues

SCORES = np.random.default_rng(2).normal(0.2, 1.0, (2, 30)).round(2)


def pairs(a, b, cluster=None, rule=None):
    a, b = np.array(a, float), np.array(b, float)
    cases = tuple(str(number) for number in range(len(a)))
    return PairedValues("A", "B", cases, a, b, cluster, rule, 1, 0, 0, (), ())


def test_clusters_of_unequal_size_weigh_their_rows():
    values, cluster = np.array([1.0, 2, 3, 4, 7]), np.array([0, 0, 1, 1, 2])
    found = mean_of_clusters(values, cluster)
    apart = np.array([3 - 2 * 3.4, 7 - 2 * 3.4, 7 - 3.4])
    assert found.error == pytest.approx(np.sqrt(3 / 2 * np.sum(apart**2)) / 5)


def test_a_spread_is_as_sure_as_it_scatters():
    # 4,000 sets of 40 of t with 5 degrees of freedom: 2·mean²/variance of s² are those of its χ²; the mean of the
    # estimates lies between that and what normal values have, for the fourth moment is seen in few of such sets alone
    draws = np.random.default_rng(3).standard_t(5, (4000, 40))
    squares = draws.var(axis=1, ddof=1)
    scatters_like = 2 * squares.mean() ** 2 / squares.var()
    found = np.mean([df_of_spread(row) for row in draws[:500]])
    assert scatters_like < found < 0.85 * 39


def test_light_tails_and_few_units_are_taken_as_normal():
    assert df_of_spread(np.array([0.0, 1, 2])) == 2
    assert df_of_spread(np.tile([0.0, 1.0], 20)) == pytest.approx(39)
    assert df_of_spread(np.zeros(9)) == 8


def test_excess_kurtosis_is_that_of_a_peer():
    values = np.array([0.0, 1, 1, 2, 3, 9, 2, 1])
    expected = 2 / (peer.kurtosis(values, bias=False) / 8 + 2 / 7)
    assert df_of_spread(values) == pytest.approx(expected)
