"""Rules of several parts, on rows whose numbers are given by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from simstudy.scenarios.decisions import DOWN, NOTHING, UP
from simstudy.scenarios.rules import FAILS, HOLDS, OPEN, Part, Rule, blocked_by
from tests.small.nulls import Held
from tests.unit.scenarios.test_decisions import BY_P, NAN, RULE, Given, at, paired


def test_a_rule_passes_where_all_parts_hold_and_says_which_blocked():
    columns = {"p": [0.05, 0.2, 0.01, 0.2, NAN], "rate": [0.6, 0.7, 0.5, 0.5, 0.9]}
    found = RULE.decide(Given(columns=columns, values={"bar": 0.6}))
    assert found.code.tolist() == [UP, NOTHING, DOWN, DOWN, NOTHING]
    # a test that finds nothing leaves the question open
    assert found.said["test"].tolist() == [HOLDS, OPEN, HOLDS, OPEN, OPEN]
    assert found.said["rate"].tolist() == [HOLDS, HOLDS, FAILS, FAILS, HOLDS]
    assert found.undefined.tolist() == [False] * 4 + [True]
    assert blocked_by(found.said, "test").tolist() == [False, True, False, False, True]
    assert blocked_by(found.said, "rate").tolist() == [False, False, True, False, False]


def test_without_an_outcome_for_failing_a_rule_decides_nothing():
    rule = Rule(parts=RULE.parts)
    found = rule.decide(Given(columns={"p": [0.01], "rate": [0.5]}, values={"bar": 0.6}))
    assert found.code.tolist() == [NOTHING]
    assert rule.names(None) == ("no decision", "pass")
    assert rule.level_of(BY_P, 0.05, "two-sided") is None


def test_a_bound_that_is_met_but_for_rounding_is_met():
    part = Part("rate", "", "rate", at_least=0.6)
    said, _ = part.said(Given(columns={"rate": [0.6 - 1e-15, 0.599]}))
    assert said.tolist() == [HOLDS, FAILS]


def test_a_part_by_an_interval_is_open_where_the_bound_lies_inside():
    part = Part("gap", "", "gap", at_least=0.0, interval=True)
    said, _ = part.said(Given(estimate=[1.5, 0.5, -1.5]))
    assert said.tolist() == [HOLDS, OPEN, FAILS]


@pytest.mark.parametrize(("power_is", "decisive"), [("", (UP,)), ("adopt", (UP,)), ("reject", (DOWN,))])
def test_the_power_of_a_rule_is_that_of_a_named_outcome(power_is, decisive):
    rule = Rule(parts=RULE.parts, passes="adopt", fails="reject", power_is=power_is)
    assert rule.decisive == decisive
    assert rule.names(None) == ("no decision", "adopt", "reject")


def test_a_rule_is_right_by_its_claim_which_is_false_at_the_null():
    rule = Rule(parts=RULE.parts, fails="reject")
    assert [rule.truth(paired(d), BY_P) for d in (-0.1, 0.0, 0.1)] == [((DOWN,), (UP,))] * 2 + [((UP,), (DOWN,))]
    # without an outcome for failing nothing is right where the claim is false
    assert [RULE_WITHOUT_FAILS.truth(paired(d), BY_P) for d in (0.0, 0.1)] == [((), (UP,)), ((UP,), ())]
    own = Rule(parts=RULE.parts, fails="reject", holds=lambda values: values["difference"] >= -values["margin"])
    assert [own.truth(paired(d), BY_P) for d in (-0.2, -0.1, 0.0)] == [((DOWN,), (UP,)), *[((UP,), (DOWN,))] * 2]


RULE_WITHOUT_FAILS = Rule(parts=RULE.parts)


def test_a_rule_measures_a_size_where_it_has_a_null():
    assert not RULE.measures_size
    assert Rule(null=0.5, parts=RULE.parts).measures_size
    assert Rule(null="bar", parts=RULE.parts).null_at(at(Held(), n=10, p=0.6, bar=0.7)) == 0.7


BOUNDS = [
    (0.5, {}, [0.5, 0.49]),
    ("bar", {"bar": 0.6}, [0.6, 0.59]),
    ("alpha", {}, [0.05, 0.049]),
    (lambda values: 1 - values["margin"], {"margin": 0.3}, [0.7, 0.69]),
]


@pytest.mark.parametrize(("bound", "values", "seen"), BOUNDS, ids=["number", "name", "alpha", "function"])
def test_bounds_of_parts(bound, values, seen):
    evidence = Given(columns={"x": [*seen, NAN]}, values=values)
    least, undefined = Part("part", "", "x", at_least=bound).said(evidence)
    assert least.tolist() == [HOLDS, FAILS, OPEN]
    assert undefined.tolist() == [False, False, True]
    most, _ = Part("part", "", "x", at_most=bound).said(evidence)
    assert most.tolist() == [HOLDS, HOLDS, OPEN]
    above, _ = Part("part", "", "x", at_most=bound).said(Given(columns={"x": [seen[0] + 0.01]}, values=values))
    assert above.tolist() == [FAILS]


def test_a_p_value_below_a_small_alpha_is_compared_with_it_and_not_with_rounding():
    """At alpha 1e-12 a slack for numbers near 1 would let all p-values pass."""
    part = Part("test", "", "p", at_most="alpha")
    said, _ = part.said(Given(columns={"p": [1e-12, 2e-12]}, level=1e-12))
    assert said.tolist() == [HOLDS, FAILS]


@pytest.mark.parametrize(("bound", "expected"), [("at_least", [HOLDS, OPEN, FAILS]), ("at_most", [FAILS, OPEN, HOLDS])])
def test_a_part_by_an_interval_holds_fails_or_is_open(bound, expected):
    part = Part("gap", "", "gap", interval=True, **{bound: 0.2})
    said, _ = part.said(Given(estimate=[1.3, 0.2, -0.9]))
    assert said.tolist() == expected
    # an end of the interval at the bound
    ends, _ = part.said(Given(estimate=[1.2, -0.8]))
    assert ends.tolist() == ([HOLDS, OPEN] if bound == "at_least" else [OPEN, HOLDS])


def test_a_part_says_which_alternative_its_function_takes():
    asked = []

    class Asked(Given):
        def value(self, call, **extra):
            asked.append(extra)
            return self.p

    evidence = Asked(p=[0.01])
    Part("test", "", "p", at_most="alpha", alternative="less").said(evidence)
    Part("test", "", "p", at_most="alpha").said(evidence)
    assert asked == [{"alternative": "less"}, {}]


def test_the_only_part_of_a_rule_is_what_blocks_it():
    said = {"test": np.array([HOLDS, OPEN, FAILS], np.int8)}
    assert blocked_by(said, "test").tolist() == [False, True, True]


def test_a_rule_reads_the_parameters_that_hold_its_bounds():
    rule = Rule(parts=(*RULE.parts, Part("n", "", "n", at_most=3), Part("m", "", "m", at_most="cap")))
    assert rule.bounds == ("bar", "cap")


def test_of_three_parts_one_blocks_where_both_others_hold():
    """One replication for each of the eight ways in which three parts hold or fail."""
    ways = list(itertools.product([HOLDS, FAILS], repeat=3))
    said = {name: np.array([way[k] for way in ways], np.int8) for k, name in enumerate("abc")}
    alone = [[way[k] == FAILS and way.count(FAILS) == 1 for way in ways] for k in range(3)]
    assert [blocked_by(said, name).tolist() for name in "abc"] == alone
