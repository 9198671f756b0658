"""A declaration that could not be used is refused when it is registered, in words."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, ClassVar

import pytest

from simstudy import Block, Group, Parameter, RequestError, Sample, power_curve, register, scenario_names
from simstudy.scenarios import built_in, get_scenario
from simstudy.scenarios.check import TARGET_VARIABLES, check_declaration
from simstudy.study.target import targets_of
from tests.unit.scenarios.coin import SHARE, SIZE, WILSON, declaration, effect, kernel, share, sign, wilson


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})


@pytest.mark.parametrize("name", built_in())
def test_the_built_in_ones_are_whole(name: str) -> None:
    check_declaration(get_scenario(name))


def test_a_whole_declaration_works() -> None:
    register(declaration())
    assert float(power_curve("coin", n=20, p=0.5)["coverage"][0]) > 0.9


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
    ({"methods": (WILSON, WILSON)}, "coin declares the method 'wilson' more than once."),
    ({"default_methods": ("wald",)}, "coin, default_methods: there is no 'wald'. Allowed: wilson."),
    (
        {"target_variable": "coverag"},
        "coin, target_variable: there is no 'coverag'. Did you mean coverage? Allowed: power,",
    ),
    ({"shows": ("coverige",)}, "coin, shows: there is no 'coverige'. Did you mean coverage? Allowed: power,"),
    # engines
    ({"walk_columns": ("alarm",)}, "has blocks and a walk"),
    ({"target_variable": "delay"}, "there is no 'delay'"),
    ({"kernel": Sample("simulate", "analyse", ("x",), ("u",))}, "must be written 'module:function'"),
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


def test_every_target_variable_can_be_a_target() -> None:
    assert set(TARGET_VARIABLES) <= set(targets_of(get_scenario("paired")))


class Laws:
    wrong: ClassVar = [((0.5, 1.0),), ((0.5,),), ((0.2, 0.3, 0.5),), ((float("nan"), 0.5),), ((0.5, 0.5), (0.5, 0.5))]
    wrong += [None, (0.5,), (0.5, 0.5), ((0.5, None),), (("a", "b"),)]


@pytest.mark.parametrize("law", Laws.wrong)
def test_a_law_that_is_none_is_refused(law: Any) -> None:
    register(declaration(law=lambda self, values: law))
    with pytest.raises(RequestError, match="law of coin"):
        power_curve("coin", n=20, p=0.5)
