"""A declaration that could not be used is refused when it is registered, in words."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, ClassVar

import pytest

from simstudy import (
    Block,
    Call,
    Group,
    Kernel,
    Measure,
    Method,
    Outcome,
    Parameter,
    Part,
    RequestError,
    Rule,
    Said,
    Sample,
    Scenario,
    power_curve,
    register,
    scenario_names,
)
from simstudy.scenarios import built_in, get_scenario
from simstudy.scenarios.check import TARGET_VARIABLES, check_declaration
from simstudy.study.target import targets_of

SIZE = Parameter("n", "tosses", "tosses", "integer", 1, required=True, role="size")
SHARE = Parameter("p", "heads", "proportion", low=0, high=1, required=True)
TRUTHS = ("one_level", "exact", "test", "misuse")
SIGN = Method(
    "sign",
    "sign test",
    "Arbuthnot 1710",
    p_value=Call("simstudy.stats.paired:mcnemar_exact", ("tails", "x")),
    estimate=Call("simstudy.scenarios.proportion:share", ("x", "n")),
    discordant=("tails", "x"),
)
WILSON = Method("wilson", "Wilson", "1927", interval=Call("simstudy.stats.proportions:wilson", ("x", "n")))


def declaration(**changes: Any) -> type[Scenario]:
    base = {
        "name": "coin",
        "title": "a coin",
        "unit": "toss",
        "aims": "aims",
        "mechanism": "tosses",
        "estimand_words": "p",
        "parameters": (SIZE, SHARE),
        "blocks": (Block("n", ("x", "tails")),),
        "methods": (WILSON,),
        "default_methods": ("wilson",),
        "target_variable": "coverage",
        "estimand": lambda self, values: values["p"],
        "law": lambda self, values: ((values["p"], 1 - values["p"]),),
    }
    return type("Coin", (Scenario,), {**base, **changes})


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})


@pytest.mark.parametrize("name", built_in())
def test_the_built_in_ones_are_whole(name: str) -> None:
    check_declaration(get_scenario(name))


def test_a_whole_declaration_works() -> None:
    register(declaration())
    assert float(power_curve("coin", n=20, p=0.5)["coverage"][0]) > 0.9


def wilson(**changes: Any) -> dict[str, Any]:
    return {"methods": (dataclasses.replace(WILSON, **changes),)}


def reading(*arguments: str, function: str = "a:b") -> dict[str, Any]:
    return wilson(interval=Call(function, arguments))


def share(**changes: Any) -> dict[str, Any]:
    return {"parameters": (SIZE, dataclasses.replace(SHARE, **changes))}


def effect(**changes: Any) -> dict[str, Any]:
    return share(role="effect", null=0.5, **changes)


def sign(**changes: Any) -> dict[str, Any]:
    return {**effect(), "methods": (dataclasses.replace(SIGN, **changes),), "default_methods": ("sign",)}


def kernel(**changes: Any) -> dict[str, Any]:
    whole = Kernel("a:b", ("x", "tails"), "a:c", ("head",))
    return {"kernel": dataclasses.replace(whole, **changes)}


WRONG = [
    ({"methods": ()}, "Scenario coin lacks methods."),
    ({"title": ""}, "Scenario coin lacks title."),
    ({"methods": WILSON}, "coin: methods must be a tuple of Method, as in (Method(...),)."),
    ({"blocks": ("n",)}, "coin: blocks must be a tuple of Block"),
    ({"kernel": "a:b"}, "coin: kernel is 'a:b'; it must be a Kernel, a Sample or None."),
    ({"shows": "coverage"}, "coin: shows is 'coverage'; it must be a tuple of names, as in ('x', 'n')."),
    ({"directions": ("down",)}, "coin: directions must be two texts"),
    ({"units": {"odds": "ratio"}}, "coin, units: 'odds' is 'ratio'; it must be two texts, (words, unit)."),
    ({"units": {"coverage": ("c", "1")}}, "coin, units: the name 'coverage' is taken by a measure"),
    ({"units": {"power_low": ("c", "1")}}, "coin, units: the name 'power_low' is taken by a measure"),
    # parameters
    ({"parameters": (SIZE, SHARE, SHARE)}, "coin declares the parameter 'p' more than once."),
    (share(name="seed"), "coin: the parameter name 'seed' is taken by an option"),
    (share(name="power"), "coin: the parameter name 'power' is taken by a measure"),
    (share(name="a b"), "coin: the parameter name 'a b' must be a Python identifier."),
    (
        share(kind="reel"),
        "coin, parameter 'p': kind is 'reel'; it must be real or integer or profile. Did you mean real?",
    ),
    (share(role="efect"), "parameter 'p': role is 'efect'; it must be size or effect or None. Did you mean effect?"),
    (share(required="no"), "coin, parameter 'p': required is 'no'; it must be True or False."),
    (share(open_low=1), "coin, parameter 'p': open_low is 1; it must be True or False."),
    (share(low="0"), "coin, parameter 'p': low is '0'; it must be a number."),
    (share(low=2), "coin: 'p' has no value from low 2 to high 1."),
    (share(default=3), "Scenario coin, default of 'p': p is 3; it must be a number in [0, 1]."),
    (share(null=0.5), "coin, null of 'p': a null belongs to the effect"),
    (share(role="effect"), "coin: the effect 'p' has no null: say null=NUMBER, or define null()."),
    (share(role="effect", null=1.5), "coin, null of 'p': it is 1.5; it must be a number in [0, 1]."),
    (share(role="effect", null=float("nan")), "coin, null of 'p': it is nan; it must be"),
    (share(role="effect", null="thresh"), "coin, null of 'p': there is no 'thresh'. Allowed: n."),
    (share(role="effect", null="p"), "coin, null of 'p': there is no 'p'. Allowed: n."),
    (effect(kind="profile"), "coin: the effect 'p' must be a single number, not a profile."),
    (share(role="size", kind="integer"), "coin: n and p have the role 'size'; one parameter can have it."),
    (
        {"parameters": (SIZE, *effect()["parameters"][1:], Parameter("q", "", "", role="effect", null=0.0))},
        "coin: p and q have the role 'effect'; one parameter can have it.",
    ),
    ({"parameters": (dataclasses.replace(SIZE, kind="real"), SHARE)}, "coin: the size 'n' must have kind 'integer'"),
    ({"groups": (Group((("p",), ("q",))),)}, "coin, groups: there is no 'q'. Allowed: n, p."),
    (
        {"groups": (Group(("p", "n")),)},
        "coin, group: alternatives is ('p', 'n'); it must be a tuple of tuples of names.",
    ),
    # counts
    (
        {"blocks": (Block("m", ("x", "tails")),)},
        "coin, size of a block: there is no 'm'. Allowed: n, p.",
    ),
    ({"blocks": (Block("n", "x"),)}, "coin, block: classes is 'x'; it must be a tuple of names"),
    ({"blocks": ()}, "coin has neither blocks nor a walk nor a kernel, so nothing can be computed."),
    ({"blocks": (Block("n", ("x", "x")),)}, "coin: the name 'x' stands for more than one thing"),
    ({"blocks": (Block("n", ("x", "p")),)}, "coin: the name 'p' stands for more than one thing"),
    ({"projections": {"y": {"heads": 1}}}, "coin, projection 'y': there is no 'heads'. Allowed: x, tails."),
    ({"projections": {"y": {"x": 0.5}}}, "coin, projection 'y': the numbers must be whole."),
    (kernel(real=("nope",)), "coin, real columns of the kernel: there is no 'nope'. Allowed: x, tails."),
    (kernel(real="x"), "coin, kernel: real is 'x'; it must be a tuple of names"),
    (kernel(selective="yes"), "coin, kernel: selective is 'yes'; it must be True or False."),
    (kernel(columns=("x", "x")), "coin, kernel: the name 'x' stands for more than one thing"),
    (
        kernel(columns=("tails",)),
        "coin, method 'wilson', 'x' in the columns of the kernel: there is no 'x'. Allowed: tails.",
    ),
    (kernel(simulate="simulate"), "coin, kernel: the function 'simulate' must be written 'module:function'."),
    # methods
    ({"methods": (WILSON, WILSON)}, "coin declares the method 'wilson' more than once."),
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
    ({"default_methods": ("wald",)}, "coin, default_methods: there is no 'wald'. Allowed: wilson."),
    (
        {"target_variable": "coverag"},
        "coin, target_variable: there is no 'coverag'. Did you mean coverage? Allowed: power,",
    ),
    ({"shows": ("coverige",)}, "coin, shows: there is no 'coverige'. Did you mean coverage? Allowed: power,"),
    # claims
    (
        wilson(claim="exceds"),
        "coin, method 'wilson': claim is 'exceds'; it must be difference or exceeds or non_inferiority or equivalence or a Decision. "
        "Did you mean exceeds?",
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
    assert str(refused.value).startswith("Scenario coin")
    assert scenario_names() == list(built_in())


@pytest.mark.parametrize(
    "changes",
    [
        effect(),
        sign(),
        share(role="effect", null="n"),
        effect(open_low=True, open_high=True) | {"shows": ("power_right", "odds"), "units": {"odds": ("odds", "1")}},
        {"shows": ("coverage_low", "interval_width_mcse")},
        {"null": lambda self, values: 0.5, **wilson(claim="exceeds")},
        {**share(role="effect"), "null": lambda self, values: 0.5},
        kernel(real=("x",)),
        {"parameters": [SIZE, SHARE], "default_methods": ["wilson"]},
    ],
)
def test_what_means_something_is_accepted(changes: dict[str, Any]) -> None:
    assert register(declaration(**changes)).name == "coin"


def test_a_margin_is_required_or_needed_by_the_method() -> None:
    margin = Parameter("margin", "margin", "proportion", low=0, high=1)
    parameters = (*effect()["parameters"], margin)
    beside = sign(claim="non_inferiority", discordant=())
    with pytest.raises(RequestError, match="require it, give it a default, or say needs"):
        register(declaration(**{**beside, "parameters": parameters}))
    needing = sign(claim="non_inferiority", discordant=(), needs=("margin",))
    register(declaration(**{**needing, "parameters": parameters}))


def test_every_target_variable_can_be_a_target() -> None:
    assert set(TARGET_VARIABLES) <= set(targets_of(get_scenario("paired")))


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
    ({"walk_columns": ("alarm",)}, "has blocks and a walk"),
    ({"target_variable": "delay"}, "there is no 'delay'"),
    ({"kernel": Sample("simulate", "analyse", ("x",), ("u",))}, "must be written 'module:function'"),
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


class Laws:
    wrong: ClassVar = [((0.5, 1.0),), ((0.5,),), ((0.2, 0.3, 0.5),), ((float("nan"), 0.5),), ((0.5, 0.5), (0.5, 0.5))]
    wrong += [None, (0.5,), (0.5, 0.5), ((0.5, None),), (("a", "b"),)]


@pytest.mark.parametrize("law", Laws.wrong)
def test_a_law_that_is_none_is_refused(law: Any) -> None:
    register(declaration(law=lambda self, values: law))
    with pytest.raises(RequestError, match="law of coin"):
        power_curve("coin", n=20, p=0.5)
