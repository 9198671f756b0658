"""A coin whose declaration can be changed in every way, and registered."""

from __future__ import annotations

import dataclasses
from typing import Any

from simstudy import Block, Call, Kernel, Method, Parameter, Scenario

SIZE = Parameter("n", "tosses", "tosses", "integer", 1, required=True, role="size")
SHARE = Parameter("p", "heads", "proportion", low=0, high=1, required=True)
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
