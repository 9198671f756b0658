"""What a declaration says of a design point is checked at the first one, before anything is computed."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import pytest

from simstudy import (
    Block,
    Call,
    Difference,
    Parameter,
    Part,
    RequestError,
    Rule,
    Scenario,
    mde,
    power_curve,
    register,
    size,
)
from simstudy.scenarios import built_in, get_scenario
from simstudy.scenarios.check_point import check_point
from tests.unit.scenarios.coin import SHARE, SIZE, WILSON, declaration, effect, sign, wilson

UNITS = {"odds": ("odds of heads", "ratio")}
LIMITS = "simstudy.stats.proportions"


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})


def calling(function: str) -> dict[str, Any]:
    return wilson(interval=Call(function, ("x", "n")))


def returning(name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {name: lambda self, values: value, **more}


WRONG = [
    # truth
    (returning("truth", {"odds": 1.0}), "coin: truth() returns 'odds', which units does not describe; add 'odds':"),
    (returning("truth", None), "coin, truth() returns None; it must return a dict, name → number."),
    (returning("truth", {"odds": "even"}, units=UNITS), "coin, truth(): 'odds' is 'even'; it must be a number."),
    (returning("truth", {"odds": None}, units=UNITS), "coin, truth(): 'odds' is None; it must be a number."),
    (
        {**wilson(estimand="odds"), "units": UNITS},
        "coin, method 'wilson', estimand in what truth() returns: there is no 'odds'. Allowed: none.",
    ),
    (
        {**wilson(own_target="odds"), "units": UNITS},
        "coin, method 'wilson', own_target in what truth() returns: there is no 'odds'. Allowed: none.",
    ),
    # null and estimand
    (returning("null", math.nan), "coin, null() returns nan; it must return a finite number or None."),
    (returning("null", "p"), "coin, null() returns 'p'; it must return a finite number or None."),
    (returning("estimand", math.nan), "coin, estimand() returns nan; it must return a finite number."),
    (returning("estimand", None), "coin, estimand() returns None; it must return a finite number."),
    (
        {"parameters": (SIZE, dataclasses.replace(SHARE, role="effect", null="limit"), Parameter("limit", "", ""))},
        "coin, null of 'p': the parameter 'limit' has no value; require it, give it a default",
    ),
    # costs and claims
    (
        wilson(costs={"odds": lambda values: math.nan}) | {"units": UNITS},
        "coin, method 'wilson', the cost 'odds' returns nan; it must return a finite number.",
    ),
    (
        wilson(claim=Rule(parts=(Part("big", "x is big", "x", at_least=3),), holds=lambda values: math.nan)),
        "coin, method 'wilson', holds() returns nan; it must return True or False.",
    ),
    # derived numbers
    (returning("derived", None), "coin, derived() returns None; it must return a dict"),
    (returning("derived", {"n": 3}), "coin, derived(): 'n' is also a count or a parameter; choose another name."),
    (
        returning("derived", {"units": 3}, blocks=(Block("unitz", ("x", "tails")),)),
        "coin, size of a block: there is no 'unitz'. Did you mean units? Allowed: units, n, p.",
    ),
    (
        returning("derived", {"units": 3}, **wilson(interval=Call(f"{LIMITS}:wilson", ("x", "unit")))),
        "coin, method 'wilson', arguments of a function: there is no 'unit'. Did you mean units?",
    ),
    # functions
    (
        calling(f"{LIMITS}:wilsn"),
        f"method 'wilson': there is no function 'wilsn' in the module {LIMITS}. Did you mean {LIMITS}:wilson?",
    ),
    (calling(f"{LIMITS}:__doc__"), f"there is no function '__doc__' in the module {LIMITS}."),
    (
        calling("simstudy.stats.proportion:wilson"),
        "coin, method 'wilson': the function 'simstudy.stats.proportion:wilson' cannot be imported: No module named",
    ),
    (
        {
            "parameters": (SIZE, SHARE, Parameter("prior", "", "")),
            **wilson(interval=Call(f"{LIMITS}:wilson", ("x", "n", "prior"))),
        },
        "coin, method 'wilson': the parameter 'prior' has no value; require it, give it a default, or let the",
    ),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_what_is_wrong_is_said_before_anything_is_computed(changes: dict[str, Any], message: str) -> None:
    register(declaration(**changes))
    with pytest.raises(RequestError, match=re.escape(message)) as refused:
        power_curve("coin", n=20, p=0.5)
    assert str(refused.value).startswith("Scenario coin")


@pytest.mark.parametrize(
    "changes",
    [
        returning("truth", {"odds": math.nan}, units=UNITS),
        returning("null", None),
        effect(),
        sign(),
        {**wilson(estimand="odds", own_target="odds"), **returning("truth", {"odds": 1.0}, units=UNITS)},
        # only the methods asked for are looked at
        {"methods": (WILSON, dataclasses.replace(WILSON, name="other", interval=Call("nowhere:f", ("x", "n"))))},
        returning("derived", {"units": 20}, blocks=(Block("units", ("x", "tails")),)),
    ],
)
def test_what_means_something_is_computed(changes: dict[str, Any]) -> None:
    register(declaration(**changes))
    assert power_curve("coin", n=20, p=0.5).sizes["method"] == 1


def test_a_parameter_that_a_method_needs_is_asked_for_by_name() -> None:
    prior = Parameter("prior", "prior heads", "heads")
    reads = wilson(interval=Call(f"{LIMITS}:wilson", ("x", "n", "prior")), needs=("prior",))
    register(declaration(parameters=(SIZE, SHARE, prior), **reads))
    with pytest.raises(RequestError, match="wilson needs --prior: prior heads"):
        power_curve("coin", n=20, p=0.5)


def test_an_estimand_is_not_asked_for_where_nothing_reads_it() -> None:
    truth = returning("truth", {"odds": 1.0}, units=UNITS)
    register(declaration(**wilson(estimand="odds"), **truth, estimand=Scenario.estimand))
    # the odds are 1: above the interval of all outcomes but the most extreme one
    assert float(power_curve("coin", n=20, p=0.5)["coverage"][0]) == pytest.approx(0.5**20, rel=1e-12)


@pytest.mark.parametrize("name", built_in())
def test_built_in_scenarios_hold_at_a_point(name: str) -> None:
    scenario = get_scenario(name)
    point = scenario.point(scenario.example)
    methods = [method for method in scenario.methods if not method.needs]
    check_point(point, methods)


@pytest.mark.parametrize("found", [None, (0.1,), (0.0, math.nan), ("0", "1"), 0.5])
def test_a_range_of_effects_that_is_none(found: object) -> None:
    register(declaration(**effect(), **returning("effect_range", found)))
    with pytest.raises(RequestError, match=r"^Scenario coin, effect_range\(\) returns .*two numbers, \(low, high\)\.$"):
        mde("coin", n=20, target="power=0.8")


@pytest.mark.parametrize("found", [None, math.nan, math.inf, "3"])
def test_a_smallest_size_that_is_none(found: object) -> None:
    register(declaration(**returning("smallest_size", found)))
    with pytest.raises(RequestError, match=r"^Scenario coin, smallest_size\(\) returns .*a finite number\.$"):
        size("coin", p=0.6, target="half_width=0.2")


@pytest.mark.parametrize("name", ["estimand", "null"])
def test_what_is_undefined_at_a_later_point_is_refused(name: str) -> None:
    register(declaration(**effect(), **{name: lambda self, values: 0.5 if values["p"] == 0.5 else math.nan}))
    with pytest.raises(RequestError, match=rf"^Scenario coin, {name}\(\) returns nan; it must return a finite number"):
        power_curve("coin", n=20, p=[0.5, 0.6])


@pytest.mark.parametrize("null", [None, 0.5])
def test_a_true_value_that_is_undefined_is_neither_covered_nor_missed(null: float | None) -> None:
    """Comparisons with NaN are false: an interval would be said to cover it always."""
    method = wilson(estimand="odds", own_target="odds", claim=Difference(null=null) if null else "difference")
    register(declaration(**method, **returning("truth", {"odds": math.nan}), units=UNITS))
    found = power_curve("coin", n=20, p=0.5)
    undefined = ["coverage", "coverage_low", "coverage_own", "miss_below", "miss_above"]
    undefined += ["power_right", "power_wrong"] if null else []
    assert all(math.isnan(found[name].item()) for name in undefined)
    assert found["interval_width"].item() > 0
