"""Decisions on rows whose p-values, limits and estimates are given by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simstudy.errors import RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.decisions import (
    DIFFERENCE,
    DOWN,
    NOTHING,
    UP,
    Decision,
    Difference,
    Equivalence,
    Exceeds,
    NonInferiority,
)
from simstudy.scenarios.declaration import DesignPoint, Scenario
from simstudy.scenarios.method import Method
from simstudy.scenarios.parts import Call
from simstudy.scenarios.rules import Part, Rule
from tests.small.nulls import Half, Held, Strength

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
        return bound(self.values) if callable(bound) else bound


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
    assert NonInferiority().truth(point, BY_P) == ((UP,), (DOWN,))
    assert Equivalence().truth(SimpleNamespace(estimand=-0.3, values=values, null=0.0), BY_P) == ((DOWN,), (UP,))
    with pytest.raises(RefusedError, match="no smallest effect"):
        Equivalence().start(values, None, BY_P)


@pytest.mark.parametrize(
    ("estimand", "expected"), [(0.6, ((UP,), (DOWN,))), (0.4, ((DOWN,), (UP,))), (0.5 + 1e-13, None)]
)
def test_the_truth_is_right_and_none_at_the_null(estimand, expected):
    assert DIFFERENCE.truth(SimpleNamespace(estimand=estimand, null=0.5), BY_P) == expected


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


PAIRED = get_scenario("paired")


def at(scenario: Scenario, **values: float) -> DesignPoint:
    return scenario.point(values)


def paired(difference: float, margin: float = 0.1) -> DesignPoint:
    return at(PAIRED, n_cases=10, accuracy_a=0.5, difference=difference, difficulty_sd=0, margin=margin)


BOTH_WAYS = [((DOWN,), (UP,)), None, ((UP,), (DOWN,))]


@pytest.mark.parametrize("decision", [Difference(), Exceeds()])
@pytest.mark.parametrize(
    ("scenario", "effect", "values"),
    [
        # the null is ½; a parameter; ½ on the scale of the share, at strength 0
        (Half(), "p", [0.4, 0.5, 0.6]),
        (Held(), "p", [0.6, 0.7, 0.8]),
        (Strength(), "strength", [-0.1, 0.0, 0.1]),
    ],
)
def test_codes_are_right_on_their_side_of_the_null_and_at_it_none_is(decision, scenario, effect, values):
    more = {"bar": 0.7} if isinstance(scenario, Held) else {}
    points = [at(scenario, n=10, **{effect: value}, **more) for value in values]
    assert [decision.direction(point, BY_P) for point in points] == [-1, 0, 1]
    assert [decision.truth(point, BY_P) for point in points] == BOTH_WAYS
    assert {decision.null_at(point) for point in points} == {0.7 if more else 0.5}
    # the search for an effect begins at the null of the effect
    start = {Half: 0.5, Held: 0.7, Strength: 0.0}[type(scenario)]
    assert decision.start(points[0].values, scenario, BY_P) == start


@pytest.mark.parametrize(
    ("decision", "differences", "directions"),
    [
        (NonInferiority(), [-0.11, -0.1, -0.09, 0.0, 0.2], [-1, 0, 1, 1, 1]),
        (Equivalence(), [-0.11, -0.1, -0.09, 0.0, 0.09, 0.1, 0.11], [-1, 0, 1, 1, 1, 0, -1]),
    ],
)
def test_claims_about_a_margin_are_right_inside_it(decision, differences, directions):
    assert [decision.direction(paired(difference), BY_P) for difference in differences] == directions
    assert [decision.null_at(paired(difference)) for difference in differences] == [-0.1] * len(differences)


def test_margins_begin_where_the_claim_ceases_to_be_true():
    assert NonInferiority().start({"margin": 0.1}, PAIRED, BY_P) == -0.1
    # without a margin there is nothing to begin from but the null
    assert NonInferiority().start({}, PAIRED, BY_P) == 0
    other = NonInferiority(margin="slack")
    assert other.start({"slack": 0.2}, PAIRED, BY_P) == -0.2


def test_outcomes_are_named_by_the_scenario_or_the_rule():
    assert Difference().names(Half()) == ("no decision", "more heads", "fewer heads")
    assert Exceeds().names(Half()) == ("no decision", "more heads")
    assert NonInferiority().names(PAIRED) == ("no decision", "B better")
    gate = Rule(parts=RULE.parts, passes="pass", otherwise="undecided", fails="fail")
    assert gate.names(PAIRED) == ("undecided", "pass", "fail")
    assert (Difference().decisive, Exceeds().decisive, gate.decisive) == ((UP, DOWN), (UP,), (UP,))


@pytest.mark.parametrize(
    ("decision", "two_sided", "greater"),
    [
        (Difference(), (0.05, 0.05), (0.05, 0.05)),
        (NonInferiority(), (0.05, 0.05), (0.05, 0.05)),
        (RULE, (None, None), (None, None)),
    ],
)
def test_levels_at_the_null(decision, two_sided, greater):
    for alternative, expected in (("two-sided", two_sided), ("greater", greater)):
        assert tuple(decision.level_of(method, 0.05, alternative) for method in (BY_P, BY_INTERVAL)) == expected
    careless = Method("m", "", "", p_value=Call("a:b", ()), test=False)
    assert decision.level_of(careless, 0.05, "two-sided") is None
    assert Exceeds().level_of(careless, 0.05, "two-sided") is None


def test_levels_are_said_where_the_study_does_not_say_them():
    assert Difference().level_words(BY_P, "two-sided") == ""
    assert Exceeds().level_words(BY_P, "two-sided") == "one-sided by a p-value: nominal size alpha"
    limit = "by the lower limit of the two-sided interval: nominal size alpha/2"
    assert Exceeds().level_words(BY_INTERVAL, "two-sided") == limit
    assert Exceeds().level_words(BY_INTERVAL, "greater") == "by the lower limit of a one-sided interval"
    assert NonInferiority().level_words(BY_INTERVAL, "two-sided") == "one-sided at the margin"
    assert RULE.level_words(BY_P, "two-sided") == "by a rule: test and rate"
    assert RULE.claims == "adopt, by a rule: it asks that p is small and the rate is large"


@pytest.mark.parametrize(
    ("decision", "allowed", "seen"),
    [
        (Difference(), [True, True, True], [[1, -1], [1], [-1]]),
        (Exceeds(), [True, True, False], [[1], [1], []]),
        (NonInferiority(), [True, True, False], [[1], [1], []]),
        (RULE, [True, True, False], [[1], [1], []]),
    ],
)
def test_alternatives_that_fit_a_claim(decision, allowed, seen):
    alternatives = ("two-sided", "greater", "less")
    assert [decision.allows(a) for a in alternatives] == allowed
    assert [[side for side in (1, 0, -1) if decision.sees(side, a)] for a in alternatives] == seen


def test_a_p_value_at_its_level_but_for_rounding_rejects():
    at_level = [0.05, 0.05 * (1 + 1e-14), 0.05 * (1 + 1e-6)]
    assert codes(Exceeds(), p=at_level) == [UP, UP, NOTHING]


def test_an_estimate_at_the_null_is_no_direction_upward():
    assert codes(Difference(), p=[0.01, 0.01], estimate=[0.5, 0.5000001], null=0.5) == [DOWN, UP]


def test_limits_that_touch_the_null_or_the_margin_decide_nothing():
    assert codes(Difference(), estimate=[1.0, -1.0]) == [NOTHING, NOTHING]
    assert codes(NonInferiority(), estimate=[0.25], values={"margin": 0.25}) == [NOTHING]
    assert codes(Equivalence(), estimate=[0.0], values={"margin": 0.5}) == [NOTHING]
    # on one side alone, limits being the estimate ± .5
    assert codes(Equivalence(), estimate=[0.25, -0.25, 0.125], values={"margin": 0.75}) == [NOTHING, NOTHING, UP]
