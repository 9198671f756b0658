"""A declaration that could not be used is refused when it is registered, in words."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from simstudy import Block, Call, Method, Parameter, RequestError, Scenario, power_curve, register
from simstudy.scenarios import BUILT_IN, get_scenario
from simstudy.scenarios.check import check_declaration

SIZE = Parameter("n", "tosses", "tosses", "integer", 1, required=True, role="size")
SHARE = Parameter("p", "heads", "proportion", low=0, high=1, required=True)
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


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_built_in_ones_are_whole(name: str) -> None:
    check_declaration(get_scenario(name))


def test_a_whole_declaration_works() -> None:
    register(declaration())
    assert float(power_curve("coin", n=20, p=0.5)["coverage"][0]) > 0.9


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"methods": ()}, "lacks methods"),
        ({"title": ""}, "lacks title"),
        ({"parameters": (SIZE, SHARE, SHARE)}, "parameter p more than once"),
        ({"parameters": (SIZE, Parameter("seed", "s", "1"))}, "seed is taken by an option"),
        ({"parameters": (SIZE, Parameter("a b", "s", "1"))}, "must be a Python identifier"),
        ({"parameters": (SIZE, Parameter("p", "s", "1", kind="int"))}, "kind of p is 'int'"),
        ({"parameters": (Parameter("n", "s", "1", role="sze"), SHARE)}, "role of n is 'sze'"),
        ({"methods": (WILSON, WILSON)}, "method wilson more than once"),
        ({"default_methods": ("wald",)}, "default method wald does not exist"),
        ({"blocks": (Block("m", ("x", "tails")),)}, "size of a block m does not exist"),
        ({"blocks": ()}, "neither blocks nor a kernel"),
        ({"projections": {"y": {"heads": 1}}}, "column of a projection heads does not exist"),
        ({"methods": (Method("wilson", "W", "s"),)}, "neither a p-value nor an interval"),
        ({"methods": (Method("wilson", "W", "s", interval=Call("stats.wilson", ("x", "n"))),)}, "module:function"),
        (
            {"methods": (Method("wilson", "W", "s", interval=Call("a:b", ("y", "n"))),)},
            "method wilson y does not exist",
        ),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        register(declaration(**changes))


class Laws:
    wrong: ClassVar = [((0.5, 1.0),), ((0.5,),), ((0.2, 0.3, 0.5),), ((float("nan"), 0.5),), ((0.5, 0.5), (0.5, 0.5))]


@pytest.mark.parametrize("law", Laws.wrong)
def test_a_law_that_is_none_is_refused(law: Any) -> None:
    register(declaration(law=lambda self, values: law))
    with pytest.raises(RequestError, match="law of coin"):
        power_curve("coin", n=20, p=0.5)
