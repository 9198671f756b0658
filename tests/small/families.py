"""A gate over two families of cases, with a number of runs that decides how many classes a case can fall into."""

import math

import numpy as np

from simstudy import Block, Call, Measure, Method, Outcome, Parameter, Part, Rule, Scenario
from simstudy.stats import clopper_pearson


def lost(counts):
    """Return how many cases are right in a minority of their runs; the columns count cases by their right runs."""
    runs = counts.shape[-1] - 1
    return counts[..., : (runs + 1) // 2].sum(axis=-1)


def kept_share(critical, other, level=0.95):
    cases = critical.sum(axis=-1) + other.sum(axis=-1)
    return clopper_pearson(cases - lost(critical) - lost(other), cases, level)


class Families(Scenario):
    """A case is lost with probability loss; a run of a lost case is right with flip_noise, of another with 1 − that."""

    name = "families"
    title = "does the new version pass?"
    unit = "case"
    aims = "How often a gate over critical and other cases passes a version that is as good, and one that is worse"
    mechanism = "independent cases, all right before, lost with probability loss; every run errs with flip_noise"
    estimand_words = "share of cases that are lost"
    parameters = (
        Parameter("n_other", "cases that are not critical", "cases", "integer", 1, 10_000, required=True, role="size"),
        Parameter("n_critical", "critical cases", "cases", "integer", 1, 10_000, default=4),
        Parameter("runs", "runs of each case, an odd number", "runs", "integer", 1, 9, default=1),
        Parameter(
            "loss", "share of cases that are lost", "proportion", low=0, high=1, required=True, role="effect", null=0.0
        ),
        Parameter("flip_noise", "probability that a run errs", "proportion", low=0, high=0.5, default=0.05),
        Parameter("margin", "largest loss that passes", "proportion", low=0, high=1, open_low=True, default=0.4),
    )
    methods = (
        Method(
            name="gate",
            label="no critical case lost, and few others",
            source="a rule of two parts; limits of Clopper & Pearson 1934",
            claim=Rule(
                parts=(
                    Part("critical", "no critical case is lost", Call(lost, ("critical",)), at_most=0),
                    Part(
                        "bound",
                        "the lower limit of the share kept is at least 1 − margin",
                        Call(kept_share, ("critical", "other")),
                        at_least=lambda values: 1.0 - values["margin"],
                        interval=True,
                    ),
                ),
                passes="pass",
                fails="fail",
                otherwise="undecided",
                power_is="fail",
                claim="that the new version is no worse",
                holds=lambda values: values["loss"] <= 0.0,
            ),
        ),
    )
    default_methods = ("gate",)
    measures = (
        Measure(
            "pass_same",
            "probability that a version without loss passes",
            of=Outcome("pass"),
            at={"loss": 0.0},
            better="more",
        ),
        Measure("pass_worse", "probability that the version with this loss passes", of=Outcome("pass"), better="less"),
    )
    shows = ("pass_same", "pass_worse")

    def blocks_at(self, values):
        outcomes = range(values["runs"] + 1)
        return tuple(
            Block(f"n_{family}", tuple(f"{family}_{right}" for right in outcomes), family)
            for family in ("critical", "other")
        )

    def estimand(self, values):
        return values["loss"]

    def law(self, values):
        runs, loss, noise = values["runs"], values["loss"], values["flip_noise"]

        def right(k, p):
            return math.comb(runs, k) * p**k * (1.0 - p) ** (runs - k)

        one = tuple(loss * right(k, noise) + (1.0 - loss) * right(k, 1.0 - noise) for k in range(runs + 1))
        return one, tuple(np.array(one) / sum(one))
