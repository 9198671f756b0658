"""Strata against Welch's test and formulas written out."""

import math

import numpy as np
import pytest
from scipy import stats as peer

from simstudy.errors import ParameterError
from simstudy.records.paired_values import PairedValues
from simstudy.records.question import Question
from simstudy.records.strata import Strata
from simstudy.records.two_compared import compare_pairs

SCORES = np.random.default_rng(2).normal(0.2, 1.0, (2, 30)).round(2)


def pairs(a, b, cluster=None, rule=None):
    a, b = np.array(a, float), np.array(b, float)
    cases = tuple(str(number) for number in range(len(a)))
    return PairedValues("A", "B", cases, a, b, cluster, rule, 1, 0, 0, (), ())


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
