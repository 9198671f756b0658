"""Does a judge agree with itself: each prompt is judged several times."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simstudy.scenarios.declaration import MOST_UNITS, Block, Call, Kernel, Method, Parameter, Scenario, Values
from simstudy.scenarios.random_effects import REACH, SD_MAX

Floats = NDArray[np.float64]
# an odd number of repetitions beyond these is no answer
MOST_REPETITIONS = 1000
# panels of the integral meet at logit 0, where the likelier verdict changes, and narrow towards it
NARROWEST = 2.0**-9
PANEL_NODES = 12

METHODS = (
    Method(
        name="unstable_share",
        label="share of unstable prompts, Wilson",
        source="Wilson 1927, doi:10.1080/01621459.1927.10502953",
        interval=Call("simstudy.stats.proportions:wilson", ("unstable", "n_prompts")),
        estimate=Call("simstudy.scenarios.proportion:share", ("unstable", "n_prompts")),
        claim="exceeds",
        note="says that more than the threshold of the prompts get both verdicts",
    ),
)


@lru_cache(maxsize=64)
def _prompts(mean: float, sd: float) -> tuple[Floats, Floats]:
    """Return probabilities of the verdict "correct" over prompts, and their weights."""
    # Gauss–Legendre panels, no wider than a logit and half a standard deviation: q^K and the density are smooth at that
    # scale. The error of a majority has a corner at logit 0 and turns within about 2/√K of it, hence the narrow panels.
    if sd == 0.0:
        return _logistic(np.array([mean])), np.ones(1)
    low, high = mean - REACH * sd, mean + REACH * sd
    even = np.linspace(low, high, math.ceil((high - low) / min(1.0, 0.5 * sd)) + 1)
    narrow = NARROWEST * 2.0 ** np.arange(10)
    edges = np.unique(np.concatenate([even, -narrow, [0.0], narrow]).clip(low, high))
    nodes, weights = np.polynomial.legendre.leggauss(PANEL_NODES)
    half = 0.5 * np.diff(edges)[:, None]
    logits = (edges[:-1, None] + half * (1.0 + nodes)).ravel()
    density = (half * weights).ravel() * np.exp(-0.5 * ((logits - mean) / sd) ** 2)
    return _logistic(logits), density / density.sum()


def _logistic(logits: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-logits))


def unstable_probability(repetitions: int, mean: float, sd: float) -> float:
    """Return E[1 − q^K − (1 − q)^K], the probability that a prompt gets both verdicts in K repetitions."""
    q, weights = _prompts(mean, sd)
    return float(weights @ np.maximum(0.0, 1.0 - q**repetitions - (1.0 - q) ** repetitions))


def repetitions_needed(largest_error: float, mean: float, sd: float) -> float:
    """Return the smallest odd number of repetitions, up to 999, whose majority errs seldom enough, else NaN."""
    # The error of an odd number falls with it, so halving finds the least.
    low, high = -1, MOST_REPETITIONS // 2 - 1
    if _majority_error(2 * high + 1, mean, sd) > largest_error:
        return math.nan
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _majority_error(2 * middle + 1, mean, sd) <= largest_error else (middle, high)
    return 2.0 * high + 1.0


def _majority_error(repetitions: int, mean: float, sd: float) -> float:
    from simstudy.stats.stability import majority_error  # late: scipy.special

    q, weights = _prompts(mean, sd)
    return float(weights @ majority_error(repetitions, q))


def _minority_share(repetitions: int, mean: float, sd: float) -> float:
    from simstudy.stats.stability import minority_law  # late: scipy.special

    law = minority_law(repetitions, *_prompts(mean, sd))
    return float(law @ np.arange(len(law))) / repetitions


class Stability(Scenario):
    """Prompt i gets "correct" with probability q_i in each repetition; logit q_i ~ N(mean_logit, prompt_sd²)."""

    name = "stability"
    title = "does the judge agree with itself?"
    unit = "prompt"
    aims = "How many prompts and repetitions show that a judge contradicts itself, and what a majority of them cures"
    mechanism = (
        'each of n_prompts prompts gets repetitions independent verdicts, "correct" with probability q_i each time; '
        "logit q_i is normal with mean mean_logit and standard deviation prompt_sd"
    )
    estimand_words = "share of prompts that get both verdicts in their repetitions"
    parameters = (
        Parameter(
            "n_prompts", "prompts that are judged", "prompts", "integer", 1, MOST_UNITS, required=True, role="size"
        ),
        Parameter(
            "repetitions",
            "verdicts of each prompt; one alone cannot disagree",
            "repetitions",
            "integer",
            2,
            MOST_REPETITIONS,
            required=True,
        ),
        Parameter("mean_logit", 'mean logit of the verdict "correct"', "logits", low=-30, high=30, default=1.5),
        Parameter(
            "prompt_sd", "standard deviation of the logit over prompts", "logits", low=0, high=SD_MAX, default=2.0
        ),
        Parameter(
            "threshold",
            "share of unstable prompts that the claim must exceed: more than this share of the prompts",
            "proportion",
            low=0,
            high=1,
            open_high=True,
            default=0.5,
        ),
        Parameter(
            "max_majority_error",
            "majority error that repetitions_needed must not exceed",
            "proportion",
            low=0,
            high=0.5,
            open_low=True,
            open_high=True,
            default=0.05,
        ),
    )
    blocks = (Block("n_prompts", ("unstable", "stable")),)
    kernel = Kernel(
        "simstudy.scenarios.stability.kernel:simulate",
        ("unstable", "stable"),
        "simstudy.scenarios.stability.kernel:cases",
        ("logit", "q", "correct", "minority"),
        unit_arguments=1,
    )
    methods = METHODS
    reports = ("unstable_share", "minority_share", "pair_disagreement", "majority_error", "repetitions_needed")
    example: ClassVar = {
        "n_prompts": 8,
        "repetitions": 3,
        "mean_logit": 1.0,
        "prompt_sd": 1.0,
        "threshold": 0.4,
        "max_majority_error": 0.05,
    }
    default_methods = ("unstable_share",)
    directions = ("fewer unstable prompts than the threshold", "more unstable prompts than the threshold")
    units: ClassVar = {
        "unstable_share": ("share of prompts that get both verdicts", "proportion"),
        "minority_share": ("expected share of a prompt's verdicts that differ from its majority", "proportion"),
        "pair_disagreement": ("probability that two verdicts on one prompt differ", "proportion"),
        "majority_error": ("probability that a prompt's majority is not its likelier verdict, ties half", "proportion"),
        "repetitions_needed": ("smallest odd number of repetitions with max_majority_error", "repetitions"),
        "judge_calls": ("verdicts, one per prompt and repetition", "calls"),
    }

    def null(self, values: Values) -> float:
        """Return the threshold: no parameter is the effect, and decisions are about the share of unstable prompts."""
        return float(values["threshold"])

    def estimand(self, values: Values) -> float:
        """Return the share of prompts that get both verdicts."""
        return unstable_probability(values["repetitions"], values["mean_logit"], values["prompt_sd"])

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of an unstable and a stable prompt."""
        p = self.estimand(values)
        return ((p, 1.0 - p),)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return (n_prompts, repetitions, mean_logit, prompt_sd)."""
        return tuple(values[name] for name in ("n_prompts", "repetitions", "mean_logit", "prompt_sd"))

    def truth(self, values: Values) -> dict[str, float]:
        """Return what repetitions show and cure, and the cost."""
        k, law = values["repetitions"], (values["mean_logit"], values["prompt_sd"])
        return {
            "unstable_share": self.estimand(values),
            "minority_share": _minority_share(k, *law),
            "pair_disagreement": unstable_probability(2, *law),
            "majority_error": _majority_error(k, *law),
            "repetitions_needed": repetitions_needed(values["max_majority_error"], *law),
            "judge_calls": float(values["n_prompts"] * k),
        }

    def replay_units(self, values: Values) -> int:
        """Return the number of prompts."""
        return int(values["n_prompts"])
