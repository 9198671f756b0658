"""A method that could not be applied, or whose decisions would mean nothing, is refused in words."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from simstudy import Call, Measure, Method, Outcome, Parameter, Part, RequestError, Rule, Said, power_curve, register
from tests.unit.scenarios.coin import (
    WILSON,
    declaration,
    effect,
    kernel,
    reading,
    share,
    sign,
    wilson,
)

TRUTHS = ("one_level", "exact", "test", "misuse")


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})


WRONG = [
    (wilson(interval=None), "coin, method 'wilson' has neither a p-value nor an interval."),
    (wilson(p_value=WILSON.interval), "coin, method 'wilson' needs an estimate beside its p-value."),
    (
        reading("x", function="stats.wilson"),
        "method 'wilson': the function 'stats.wilson' must be written 'module:function'.",
    ),
    (
        reading("y"),
        "coin, method 'wilson', arguments of a function: there is no 'y'. Allowed: x, tails, n, p, alphas, seed.",
    ),
    (wilson(interval=Call("a:b", "x")), "coin, method 'wilson': arguments is 'x'; it must be a tuple of names"),
    (
        wilson(interval=Call("a:b", ("x",), sided="no")),
        "coin, method 'wilson': sided is 'no'; it must be True or False.",
    ),
    (wilson(interval="a:b"), "coin, method 'wilson': interval is 'a:b'; it must be a Call or None."),
    (wilson(needs="margin"), "coin, method 'wilson': needs is 'margin'; it must be a tuple of names"),
    (wilson(needs=("q",)), "coin, method 'wilson', needs: there is no 'q'. Allowed: n, p."),
    *((wilson(**{name: "no"}), f"method 'wilson': {name} is 'no'; it must be True or False.") for name in TRUTHS),
    (wilson(estimand="gap"), "method 'wilson', estimand among the units of truth(): there is no 'gap'. Allowed: none."),
    (wilson(own_target="gap"), "method 'wilson', own_target among the units of truth(): there is no 'gap'."),
    # claims
    (
        wilson(claim="exceds"),
        "coin, method 'wilson': claim is 'exceds'; it must be difference or exceeds or non_inferiority or equivalence "
        "or a Decision. Did you mean exceeds?",
    ),
    (
        wilson(claim="exceeds"),
        "coin, method 'wilson' claims that the null is exceeded, and the scenario has no null to decide about:",
    ),
    ({**sign(), **share()}, "coin, method 'sign' has a p-value, and the scenario has no null to decide about:"),
    (
        {**effect(), **wilson(claim="equivalence")},
        "method 'wilson' claims equivalence and reads the parameter 'margin'",
    ),
    (
        sign(claim="equivalence", discordant=()),
        "coin, method 'sign' claims equivalence and reads the parameter 'margin'",
    ),
    # discordant counts
    (sign(discordant="xt"), "coin, method 'sign': discordant is 'xt'; it must be a tuple of names"),
    (sign(discordant=("x", "tails", "n")), "discordant is ('x', 'tails', 'n'); it must be two different counts"),
    (sign(discordant=("x", "x")), "discordant is ('x', 'x'); it must be two different counts, (against, toward)."),
    (sign(discordant=("x", "n01")), "coin, method 'sign', discordant: there is no 'n01'. Allowed: x, tails."),
    (sign(discordant=("x", "tails")), "discordant is ('x', 'tails'); it needs a p-value that takes these two alone"),
    (
        sign(claim="exceeds"),
        "it needs a p-value that takes these two alone, in this order, and alternative, with claim",
    ),
    (
        sign(p_value=Call("simstudy.stats.paired:mcnemar_exact", ("tails", "x"), sided=False)),
        "it needs a p-value that takes these two alone",
    ),
    ({**effect(), **wilson(discordant=("tails", "x"))}, "it needs a p-value that takes these two alone"),
    ({**sign(), **kernel(), "blocks": ()}, "coin, method 'sign': discordant needs blocks"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_what_is_wrong_is_said(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=re.escape(message)) as refused:
        register(declaration(**changes))
    assert str(refused.value).startswith("Scenario coin, method")


def test_a_margin_is_required_or_needed_by_the_method() -> None:
    margin = Parameter("margin", "margin", "proportion", low=0, high=1)
    parameters = (*effect()["parameters"], margin)
    beside = sign(claim="non_inferiority", discordant=())
    with pytest.raises(RequestError, match="require it, give it a default, or say needs"):
        register(declaration(**{**beside, "parameters": parameters}))
    needing = sign(claim="non_inferiority", discordant=(), needs=("margin",))
    register(declaration(**{**needing, "parameters": parameters}))


HEADS = Part("heads", "more heads than tails", "x", at_least=10)


def rule(*parts: Part, measures: tuple[Measure, ...] = (), **more: Any) -> dict[str, Any]:
    """Return a coin whose method is a rule."""
    beside = effect()
    method = Method("rule", "a rule", "", claim=Rule(parts=parts, **more))
    return {**beside, "methods": (method,), "default_methods": ("rule",), "measures": measures}


WRONG_RULES: list[tuple[dict[str, Any], str]] = [
    (rule(), "its rule has no parts"),
    (rule(HEADS, HEADS), "has the part 'heads' more than once"),
    (rule(dataclasses.replace(HEADS, at_most=3)), "say either at_least or at_most"),
    (rule(dataclasses.replace(HEADS, at_least=None)), "say either at_least or at_most"),
    (rule(dataclasses.replace(HEADS, of="y")), "there is no 'y'"),
    (rule(dataclasses.replace(HEADS, at_least="least")), "there is no 'least'"),
    (rule(HEADS, power_is="fails"), "there is no 'fails'"),
    (rule(HEADS, measures=(Measure("said", "said", of=Said("tails")),)), "there is no 'tails'. Allowed: heads"),
    (rule(HEADS, measures=(Measure("adopted", "adopted", of=Outcome("adopt")),)), "there is no 'adopt'"),
    (rule(HEADS, measures=(Measure("power", "power", of="x"),)), "the name 'power' is taken"),
    (rule(HEADS, measures=(Measure("n", "n", of="x"),)), "the name 'n' is taken"),
    (rule(HEADS, measures=(Measure("seed", "seed", of="x"),)), "the name 'seed' is taken"),
    (rule(HEADS, measures=(Measure("heads_seen", "heads"),)), "say of what it is the mean"),
    (rule(HEADS, measures=(Measure("m", "m", of="z"),)), "there is no 'z'"),
    (rule(HEADS, measures=(Measure("m", "m", of="x", at={"q": 1}),)), "there is no 'q'"),
    (rule(HEADS, measures=(Measure("m", "m", of="x", better="bigger"),)), "better is 'bigger'"),  # type: ignore[arg-type]
    (rule(HEADS, measures=(Measure("m", "m", of="x"), Measure("m", "m", of="x"))), "is taken"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG_RULES)
def test_rules_and_measures_that_mean_nothing_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=re.escape(message)):
        register(declaration(**changes))


def test_rules_and_measures_that_mean_something_are_accepted() -> None:
    mean = Measure("heads_seen", "mean heads", "heads", of="x", error="mean", better="less")
    register(declaration(**rule(HEADS, measures=(mean, Measure("by_heads", "by heads", of=Said("heads"))))))
    found = power_curve("coin", n=20, p=0.5)
    assert found["heads_seen"].item() == pytest.approx(10)
    assert found["by_heads"].item() == found["power"].item() == pytest.approx(0.5880985260009766)
