"""What sets of pairs find: against the scenario, and the peer's noncentral t."""

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

import simstudy
from simstudy.records.paired_values import PairedValues
from simstudy.records.question import Question
from simstudy.records.rates import pairs_of_counts
from simstudy.records.two_compared import compare_pairs

SCORES = np.random.default_rng(2).normal(0.2, 1.0, (2, 30)).round(2)


def pairs(a, b, cluster=None, rule=None):
    a, b = np.array(a, float), np.array(b, float)
    cases = tuple(str(number) for number in range(len(a)))
    return PairedValues("A", "B", cases, a, b, cluster, rule, 1, 0, 0, (), ())


def test_the_smallest_difference_is_that_of_the_scenario():
    r = compare_pairs(pairs_of_counts((52, 6, 15, 27)), Question()).record
    solved = simstudy.mde("paired", accuracy_a=0.58, discordance=0.21, n_cases=100, method="mcnemar_midp")
    assert r["mde_positive"] == pytest.approx(float(solved["answer"].item()), abs=1e-5)
    assert r["mde_negative"] < 0


def test_clusters_of_rates_are_planned_for_by_the_t_test_of_few_units():
    cells = [(6, 1, 4, 4), (3, 4, 3, 5), (7, 0, 5, 3), (5, 3, 3, 4)]  # both, only A, only B, neither of each cluster
    a, b = (np.concatenate([np.repeat(right, own) for own in cells]) for right in ((1, 1, 0, 0), (1, 0, 1, 0)))
    cluster = np.repeat(np.arange(4), 15)
    found = compare_pairs(pairs(a, b, cluster), Question(differences=(0.2,)))
    d = b - a
    sums = np.bincount(cluster, weights=d) - 15 * d.mean()
    effect = max(1.0, 4 / 3 * np.sum(sums**2) / 60 / d.var(ddof=1))

    def power(size):
        sd = math.sqrt((23 / 60 - size**2) * effect * 4 / 60)
        return TTestPower().power(size / sd, 4, 0.05)

    assert found.seen[0].power == pytest.approx(power(0.2), abs=1e-9)
    assert power(found.record["mde_positive"]) == pytest.approx(0.8, abs=1e-9)
    assert found.record["mde_negative"] == -found.record["mde_positive"]
    assert found.seen[0].cases % 15 == 0
    assert found.seen[0].low < found.seen[0].median < found.seen[0].high
    assert list(found.seen[0].expected) == sorted(found.seen[0].expected)


def test_one_cluster_plans_nothing():
    found = compare_pairs(pairs([1, 0, 1, 0], [1, 1, 1, 0], np.zeros(4, int)), Question())
    assert math.isnan(found.record["mde_positive"])
    assert math.isnan(found.seen[0].cases)
    assert math.isnan(found.record["p_value"])
