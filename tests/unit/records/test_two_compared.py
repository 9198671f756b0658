"""Comparisons of two systems against figures of peers and formulas written out."""

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats as peer
from statsmodels.stats.power import TTestPower

import simstudy
from simstudy.errors import ParameterError
from simstudy.records.paired_values import PairedValues
from simstudy.records.rates import pairs_of_counts
from simstudy.records.two_compared import Question, Strata, check, compare_pairs, mean_of_clusters

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


def test_the_smallest_difference_is_that_of_the_scenario():
    r = compare_pairs(pairs_of_counts((52, 6, 15, 27)), Question()).record
    solved = simstudy.mde("paired", accuracy_a=0.58, discordance=0.21, n_cases=100, method="mcnemar_midp")
    assert r["mde_positive"] == pytest.approx(float(solved["answer"].item()), abs=1e-5)
    assert r["mde_negative"] < 0


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


def test_clusters_of_unequal_size_weigh_their_rows():
    values, cluster = np.array([1.0, 2, 3, 4, 7]), np.array([0, 0, 1, 1, 2])
    found = mean_of_clusters(values, cluster)
    apart = np.array([3 - 2 * 3.4, 7 - 2 * 3.4, 7 - 3.4])
    assert found.error == pytest.approx(np.sqrt(3 / 2 * np.sum(apart**2)) / 5)


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


def test_strata_weigh_alike_or_as_asked():
    a, b = SCORES
    of_case = {str(number): "x" if number < 10 else "y" for number in range(30)}
    d = b - a
    x, y = d[:10], d[10:]
    r = compare_pairs(pairs(a, b), Question(), Strata(of_case)).record
    assert r["difference"] == pytest.approx((x.mean() + y.mean()) / 2)
    assert r["se"] == pytest.approx(math.sqrt(x.var(ddof=1) / 10 + y.var(ddof=1) / 20) / 2)
    # Satterthwaite's degrees of freedom are those of Welch where the weights are alike
    assert r["p_value"] == pytest.approx(peer.ttest_ind(x, -y, equal_var=False).pvalue)
    weighted = compare_pairs(pairs(a, b), Question(), Strata(of_case, {"x": 3.0, "y": 1.0})).record
    assert weighted["difference"] == pytest.approx(0.75 * x.mean() + 0.25 * y.mean())
    with pytest.raises(ParameterError, match="z"):
        compare_pairs(pairs(a, b), Question(), Strata(of_case, {"x": 1.0, "z": 1.0}))


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


@pytest.mark.parametrize(
    ("setting", "value"),
    [("alpha", 0.0), ("level", 1.0), ("power", 0.01), ("margin", 0.0), ("margin", math.nan), ("differences", (0.0,))],
)
def test_settings_that_mean_nothing_are_refused(setting, value):
    with pytest.raises(ParameterError):
        check(dataclasses.replace(Question(), **{setting: value}))


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


def test_strata_are_planned_for_by_their_own_degrees_of_freedom():
    a, b = SCORES
    of_case = {str(number): "x" if number < 5 else "y" for number in range(30)}
    r = compare_pairs(pairs(a, b), Question(), Strata(of_case, {"x": 0.7, "y": 0.3})).record
    x, y = (b - a)[:5], (b - a)[5:]
    parts = [0.49 * x.var(ddof=1) / 5, 0.09 * y.var(ddof=1) / 25]
    df = sum(parts) ** 2 / (parts[0] ** 2 / 4 + parts[1] ** 2 / 24)
    edge, shift = peer.t.isf(0.025, df), r["mde_positive"] / math.sqrt(sum(parts))
    assert peer.nct.sf(edge, df, shift) + peer.nct.cdf(-edge, df, shift) == pytest.approx(0.8, abs=1e-8)
    # the means are weighed as their difference is
    assert r["mean_b"] - r["mean_a"] == pytest.approx(r["difference"], abs=1e-12)
    assert r["mean_a"] == pytest.approx(0.7 * a[:5].mean() + 0.3 * a[5:].mean())


def test_strata_of_rates_speak_of_points():
    a, b = np.tile([1, 0, 1, 1, 0, 0], 5), np.tile([1, 1, 0, 1, 1, 0], 5)
    of_case = {str(number): "x" if number < 15 else "y" for number in range(30)}
    found = compare_pairs(pairs(a, b), Question(), Strata(of_case))
    assert [seen.difference for seen in found.seen] == [0.05, 0.1]


def test_small_scores_are_told_apart_as_large_ones_are():
    a, b = SCORES
    small, plain = (compare_pairs(pairs(a * scale, b * scale), Question()).record for scale in (1e-12, 1.0))
    assert small["p_value"] == pytest.approx(plain["p_value"])
    assert small["se"] == pytest.approx(plain["se"] * 1e-12)
    # differences of large scores that rounding alone parts
    large = compare_pairs(pairs([1e6 + 0.1, 2e6 + 0.7], [1e6 + 0.3, 2e6 + 0.9]), Question()).record
    assert large["se"] == 0
