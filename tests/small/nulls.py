"""Coins with every kind of null and of decision, for tests of what commands make of them.

Each replication is a number of heads; everything about it follows from sums over a binomial law.
"""

import math
from typing import ClassVar

import numpy as np

from simstudy import Block, Call, Difference, Exceeds, Kernel, Method, Parameter, Part, Rule, Scenario
from simstudy.stats import clopper_pearson, wilson


def share(heads, n):
    return heads / n


def tail(heads, n, null):
    """Return P(X ≥ heads) under the null, by the incomplete beta function."""
    from scipy.special import bdtrc

    return np.where(heads <= 0, 1.0, bdtrc(np.maximum(heads - 1.0, 0.0), n, null))


def one_sided(heads, n, null, alternative="greater"):
    upper, lower = tail(heads, n, null), tail(n - heads, n, 1.0 - null)
    return {"greater": upper, "less": lower, "two-sided": np.minimum(1.0, 2.0 * np.minimum(upper, lower))}[alternative]


def majority(heads, n, alternative="two-sided"):
    """Decide wherever one side has more: the rule of somebody who does not test."""
    return np.where(2 * heads != n, 0.0, 1.0)


SIZE = Parameter("n", "tosses", "tosses", "integer", 1, 10_000, required=True, role="size")


def methods(null, name, own=None):
    """Return one method of each kind about a null, held by what has this name; ``own`` where it is no scenario's."""
    counts = ("heads", "n", name)
    estimate, difference = Call(share, ("heads", "n")), Difference(null=own)
    return (
        Method(
            "test",
            "two-sided test",
            "Arbuthnot 1710",
            p_value=Call(one_sided, counts),
            estimate=estimate,
            claim=difference,
        ),
        Method(
            "limits",
            "Wilson interval",
            "Wilson 1927",
            interval=Call(wilson, ("heads", "n")),
            estimate=estimate,
            claim=difference,
        ),
        Method(
            "above",
            "exceeds by a p-value",
            "one-sided",
            p_value=Call(tail, counts, sided=False),
            estimate=estimate,
            claim=Exceeds(null=own),
        ),
        Method(
            "above_by_limit",
            "exceeds by an interval",
            "Clopper & Pearson 1934",
            interval=Call(clopper_pearson, ("heads", "n")),
            estimate=estimate,
            claim=Exceeds(null=own),
        ),
        Method(
            "rule",
            "test and share",
            "a rule",
            estimate=estimate,
            claim=Rule(
                null=null,
                parts=(
                    Part(
                        "test",
                        "the one-sided test has p ≤ alpha",
                        Call(tail, counts),
                        at_most="alpha",
                        opens=True,
                    ),
                    Part("share", "the share of heads is at least .6", Call(share, ("heads", "n")), at_least=0.6),
                ),
                passes="take it",
                otherwise="leave it",
            ),
        ),
        Method(
            "careless",
            "majority (a mistake)",
            "no test",
            p_value=Call(majority, ("heads", "n")),
            estimate=estimate,
            claim=difference,
            test=False,
            misuse=True,
        ),
    )


class Coin(Scenario):
    """What the coins share: n tosses with some probability of heads."""

    title = "a coin is tossed"
    unit = "toss"
    aims = "What is found out about a coin"
    mechanism = "independent tosses"
    estimand_words = "probability of heads"
    blocks = (Block("n", ("heads", "tails")),)
    kernel = Kernel(
        "simstudy.scenarios.proportion.kernel:simulate",
        ("heads",),
        "simstudy.scenarios.proportion.kernel:cases",
        ("right",),
    )
    default_methods = ("test", "limits")
    directions = ("fewer heads", "more heads")

    def heads(self, values):
        return float(values["p"])

    def estimand(self, values):
        return self.heads(values)

    def law(self, values):
        p = self.heads(values)
        return ((p, 1.0 - p),)

    def kernel_arguments(self, values, alphas, alternative):
        return values["n"], self.heads(values)


class Half(Coin):
    """The null is ½."""

    name = "coin_half"
    parameters = (SIZE, Parameter("p", "heads", "proportion", low=0, high=1, required=True, role="effect", null=0.5))
    methods = methods(0.5, "half")

    def derived(self, values):
        return {"half": 0.5}


class Held(Coin):
    """The null is held by a parameter."""

    name = "coin_held"
    parameters = (
        SIZE,
        Parameter("p", "heads", "proportion", low=0, high=1, required=True, role="effect", null="bar"),
        Parameter("bar", "share that heads have to exceed", "proportion", low=0.01, high=0.99, required=True),
    )
    methods = methods("bar", "bar")


class Strength(Coin):
    """The effect is a strength in logits with null 0; what is estimated is a share with null ½."""

    name = "coin_strength"
    parameters = (
        SIZE,
        Parameter("strength", "log odds", "logits", low=-5, high=5, required=True, role="effect", null=0.0),
    )
    methods = methods(0.5, "half")
    units: ClassVar = {"heads_share": ("probability of heads", "proportion")}

    def heads(self, values):
        return 1.0 / (1.0 + math.exp(-values["strength"]))

    def null(self, values):
        return 0.5

    def derived(self, values):
        return {"half": 0.5}

    def truth(self, values):
        return {"heads_share": self.heads(values)}


class Below(Coin):
    """All effects lie below the null: a coin that can only be biased toward tails."""

    name = "coin_below"
    parameters = (SIZE, Parameter("p", "heads", "proportion", low=0, high=0.5, required=True, role="effect", null=0.5))
    methods = methods(0.5, "half")

    def derived(self, values):
        return {"half": 0.5}

    def effect_range(self, values):
        return 0.0, 0.5


class Own(Coin):
    """The scenario's null is ½; every decision has one of its own, which a parameter holds."""

    name = "coin_own"
    parameters = (
        SIZE,
        Parameter("p", "heads", "proportion", low=0, high=1, required=True, role="effect", null=0.5),
        Parameter("bar", "share that heads have to exceed", "proportion", low=0.01, high=0.99, required=True),
    )
    methods = methods("bar", "bar", "bar")


COINS = (Half, Held, Strength, Below, Own)
