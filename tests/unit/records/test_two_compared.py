"""Comparisons of two systems against figures of peers and formulas written out."""

import math

import numpy as np
import pytest
from scipy import stats as peer
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


def test_cells_and_tests_of_rates():
    # 52, 6, 15, 27: exact p .0784, mid-p .0525, Tango [.0002, .1842] by an independent program
    r = compare_pairs(pairs_of_counts((52, 6, 15, 27)), Question()).record
    assert [r[name] for name in ("both_right", "only_a", "only_b", "neither")] == [52, 6, 15, 27]
    assert r["p_mcnemar_exact"] == pytest.approx(2 * peer.binom.cdf(6, 21, 0.5))
    assert r["p_value"] == pytest.approx(2 * peer.binom.cdf(6, 21, 0.5) - peer.binom.pmf(6, 21, 0.5))
    assert (r["low"], r["high"]) == pytest.approx((0.0001974464, 0.1842486621), abs=1e-8)
    assert r["test"] == "mcnemar_midp"


def test_scores_are_a_paired_t_test():
    a, b = SCORES
    found = compare_pairs(pairs(a, b), Question())
    r, expected = found.record, peer.ttest_rel(b, a)
    assert r["p_value"] == pytest.approx(expected.pvalue)
    assert (r["low"], r["high"]) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert r["test"] == "paired_t"
    sd = np.std(b - a, ddof=1)
    assert r["mde_positive"] == pytest.approx(sd * TTestPower().solve_power(nobs=30, alpha=0.05, power=0.8), rel=1e-4)
    assert [seen.difference for seen in found.seen] == pytest.approx([0.2 * sd, 0.5 * sd])
    assert "both_right" not in r


def test_clusters_are_the_units():
    a, b = SCORES
    cluster = np.repeat(np.arange(6), 5)
    r = compare_pairs(pairs(a, b, cluster), Question()).record
    # clusters of one size: the t test of their means
    expected = peer.ttest_1samp((b - a).reshape(6, 5).mean(axis=1), 0)
    assert r["p_value"] == r["p_cluster_t"] == pytest.approx(expected.pvalue)
    assert r["n_clusters"] == 6
    assert (r["low"], r["high"]) == pytest.approx(tuple(expected.confidence_interval(0.95)))


def test_margins_are_claims_of_one_side():
    a, b = SCORES
    r = compare_pairs(pairs(a, b), Question(margin=0.4)).record
    assert r["noninferior_p"] == pytest.approx(peer.ttest_1samp(b - a, -0.4, alternative="greater").pvalue)
    upper = peer.ttest_1samp(b - a, 0.4, alternative="less").pvalue
    assert r["equivalent_p"] == pytest.approx(max(r["noninferior_p"], upper))
    turned = compare_pairs(pairs(-a, -b), Question(margin=0.4, lower_is_better=True)).record
    assert turned["noninferior_p"] == pytest.approx(r["noninferior_p"])


def test_margins_of_rates_are_scores_and_turn_with_the_direction():
    r = compare_pairs(pairs_of_counts((29, 7, 4, 20)), Question(margin=0.05)).record
    assert r["noninferior_p"] == simstudy.stats.noninferiority_tango(7, 4, 60, 0.05)
    turned = compare_pairs(pairs_of_counts((20, 4, 7, 29)), Question(margin=0.05, lower_is_better=True)).record
    assert turned["noninferior_p"] == r["noninferior_p"]


def test_alike_differences_have_no_test_and_no_plan():
    found = compare_pairs(pairs([0.5, 0.7], [0.6, 0.8]), Question())
    assert found.record["se"] == 0
    assert math.isnan(found.record["p_value"])
    assert math.isnan(found.record["mde_positive"])


def test_equal_answers_have_an_interval_with_width():
    r = compare_pairs(pairs_of_counts((45, 0, 0, 15)), Question()).record
    assert (r["low"], r["high"]) == pytest.approx((-0.0601718521, 0.0601718521), abs=1e-8)
    assert r["p_value"] == 1
    assert r["mde_positive"] > 0


def test_cases_with_a_sign_are_listed_by_direction():
    found = compare_pairs(pairs([0, 1, 1], [1, 0, 1]), Question())
    assert (found.improved, found.regressed) == (("0",), ("1",))
    turned = compare_pairs(pairs([0, 1, 1], [1, 0, 1]), Question(lower_is_better=True))
    assert (turned.improved, turned.regressed) == (("1",), ("0",))


def test_small_scores_are_told_apart_as_large_ones_are():
    a, b = SCORES
    small, plain = (compare_pairs(pairs(a * scale, b * scale), Question()).record for scale in (1e-12, 1.0))
    assert small["p_value"] == pytest.approx(plain["p_value"])
    assert small["se"] == pytest.approx(plain["se"] * 1e-12)
    # differences of large scores that rounding alone parts
    large = compare_pairs(pairs([1e6 + 0.1, 2e6 + 0.7], [1e6 + 0.3, 2e6 + 0.9]), Question()).record
    assert large["se"] == 0
