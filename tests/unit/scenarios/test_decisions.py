"""Decisions on rows whose p-values, limits and estimates are given by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simstudy.errors import RefusedError
from simstudy.scenarios.decisions import (
    DIFFERENCE,
    DOWN,
    FAILS,
    HOLDS,
    NOTHING,
    OPEN,
    UP,
    Decision,
    Equivalence,
    Exceeds,
    NonInferiority,
    Part,
    Rule,
    blocked_by,
)
from simstudy.scenarios.method import Method
from simstudy.scenarios.parts import Call

NAN = np.nan
BY_P = Method("m", "", "", p_value=Call("a:b", ()))
BY_INTERVAL = Method("m", "", "", interval=Call("a:b", ()))


@dataclass
class Given:
    """Evidence by hand: half-widths of 1 at level .95 and less, of .5 at .90."""

    p: Any = None
    estimate: Any = None
    null: float | None = 0.0
    level: float = 0.05
    alternative: str = "two-sided"
    columns: dict[str, Any] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)

    def __post_init__(self):
        self.p, self.estimate = (None if x is None else np.asarray(x, float) for x in (self.p, self.estimate))

    @property
    def rows(self):
        return len(next(x for x in (self.p, self.estimate, *self.columns.values()) if x is not None))

    def limits(self, level):
        half = 0.5 if level < 0.93 else 1.0
        return self.estimate - half, self.estimate + half

    def value(self, call, **extra):
        return self.limits(extra["level"]) if "level" in extra else np.asarray(self.columns[call], float)

    def bound(self, bound):
        if isinstance(bound, str):
            return self.level if bound == "alpha" else self.values[bound]
        return bound


def codes(decision: Decision, **given: Any) -> list[int]:
    return decision.decide(Given(**given)).code.tolist()


def test_a_difference_has_the_direction_of_its_estimate():
    p, estimate = [0.05, 0.01, 0.2, NAN], [0.3, -0.3, 0.9, 0.5]
    assert codes(DIFFERENCE, p=p, estimate=estimate) == [UP, DOWN, NOTHING, NOTHING]
    assert codes(DIFFERENCE, p=p, estimate=estimate, null=0.4) == [DOWN, DOWN, NOTHING, NOTHING]
    assert codes(DIFFERENCE, p=p, alternative="greater") == [UP, UP, NOTHING, NOTHING]
    assert codes(DIFFERENCE, p=p, alternative="less") == [DOWN, DOWN, NOTHING, NOTHING]
    assert DIFFERENCE.decide(Given(p=p, estimate=estimate)).undefined.tolist() == [False, False, False, True]
    with pytest.raises(RefusedError, match="needs an estimate and a null"):
        codes(DIFFERENCE, p=p)


def test_an_interval_decides_by_what_it_leaves_out():
    estimate = [1.2, 0.7, -0.7, -1.2, NAN]
    assert codes(DIFFERENCE, estimate=estimate) == [UP, NOTHING, NOTHING, DOWN, NOTHING]
    # one-sided: the interval of twice the level
    assert codes(DIFFERENCE, estimate=estimate, alternative="greater") == [UP, UP, NOTHING, NOTHING, NOTHING]
    assert codes(DIFFERENCE, estimate=estimate, alternative="less") == [NOTHING, NOTHING, DOWN, DOWN, NOTHING]
    with pytest.raises(RefusedError, match=r"alpha below 0\.5"):
        codes(DIFFERENCE, estimate=estimate, alternative="less", level=0.5)


def test_exceeding_is_claimed_upward_alone():
    assert codes(Exceeds(), estimate=[1.2, -1.2], null=0.1) == [UP, NOTHING]
    assert codes(Exceeds(), p=[0.05, 0.06]) == [UP, NOTHING]
    assert Exceeds().decisive == (UP,)
    assert not Exceeds().allows("less")
    # a limit of the two-sided interval has half of alpha on its side, a p-value all of it
    assert Exceeds().level_of(BY_INTERVAL, 0.05, "two-sided") == 0.025
    assert Exceeds().level_of(BY_INTERVAL, 0.05, "greater") == 0.05
    assert Exceeds().level_of(BY_P, 0.05, "two-sided") == 0.05


def test_margins_move_the_null():
    values = {"margin": 0.2}
    # the limits are those of 1 − 2·alpha: ±.5
    assert codes(NonInferiority(), estimate=[0.31, 0.29], values=values) == [UP, NOTHING]
    assert codes(Equivalence(), estimate=[0.0], values={"margin": 0.6}) == [UP]
    assert codes(Equivalence(), estimate=[0.0, 0.2], values={"margin": 0.5}) == [NOTHING, NOTHING]
    point = SimpleNamespace(estimand=-0.1, values=values, null=0.0)
    assert NonInferiority().null_at(point) == -0.2
    assert NonInferiority().truth(point) == ((UP,), (DOWN,))
    assert Equivalence().truth(SimpleNamespace(estimand=-0.3, values=values, null=0.0)) == ((DOWN,), (UP,))
    with pytest.raises(RefusedError, match="no smallest effect"):
        Equivalence().start(values, None)


@pytest.mark.parametrize(
    ("estimand", "expected"), [(0.6, ((UP,), (DOWN,))), (0.4, ((DOWN,), (UP,))), (0.5 + 1e-13, None)]
)
def test_the_truth_is_right_and_none_at_the_null(estimand, expected):
    assert DIFFERENCE.truth(SimpleNamespace(estimand=estimand, null=0.5)) == expected


def test_a_null_may_be_named():
    point = SimpleNamespace(null=0.0, truth={"bar": 0.7}, derived={}, values={})
    assert (Decision().null_at(point), Decision(null=0.5).null_at(point)) == (0.0, 0.5)
    assert Decision(null="bar").null_at(point) == 0.7


@pytest.mark.parametrize(
    ("decision", "alternative", "seen"),
    [(DIFFERENCE, "two-sided", [1, -1]), (DIFFERENCE, "less", [-1]), (Exceeds(), "two-sided", [1])],
)
def test_a_direction_is_seen_where_it_can_be_decided_for(decision, alternative, seen):
    assert [side for side in (1, 0, -1) if decision.sees(side, alternative)] == seen


RULE = Rule(
    parts=(
        Part("test", "p is small", "p", at_most="alpha", opens=True),
        Part("rate", "the rate is large", "rate", at_least="bar"),
    ),
    passes="adopt",
    fails="reject",
)


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
