"""A judge reads every pair of answers in both orders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RefusedError
from simstudy.scenarios.declaration import MOST_UNITS, Block, Call, Kernel, Method, Parameter, Scenario, Values
from simstudy.scenarios.random_effects import SD_MAX, normal_nodes

STATS = "simstudy.stats.position"
CLASSES = ("aa", "ab", "a_tie", "ba", "bb", "b_tie", "tie_a", "tie_b", "tie_tie")
# rounding of a win rate of one half
NO_LEAD = 1e-12
RATIO = "their odds are e^(2·beta) in every pair, whatever its truth, the ability and the tie band"


def _contradictions(name: str, label: str, source: str, test: str, limits: str, nanoseconds: float) -> Method:
    return Method(
        name=name,
        label=label,
        source=source,
        p_value=Call(f"simstudy.stats.mcnemar:{test}", ("n2", "n1")),
        interval=Call(f"{STATS}:{limits}", ("n1", "n2")),
        estimate=Call(f"{STATS}:position_bias", ("n1", "n2")),
        discordant=("n2", "n1"),
        nanoseconds=nanoseconds,
    )


METHODS = (
    _contradictions(
        "contradiction_exact",
        "contradictions, exact",
        f"sign test of N1 against N2; {RATIO}. Limits: Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404",
        "mcnemar_exact",
        "position_bias_exact",
        4000.0,
    ),
    _contradictions(
        "contradiction_midp",
        "contradictions, mid-p",
        f"mid-p sign test of N1 against N2; {RATIO}. Limits: Berry & Armitage 1995, doi:10.2307/2348891",
        "mcnemar_midp",
        "position_bias_midp",
        30000.0,
    ),
    _contradictions(
        "contradiction_z",
        "contradictions, z",
        f"normal test of N1 against N2; {RATIO}. Limits: Wilson 1927, doi:10.1080/01621459.1927.10502953",
        "mcnemar_chi2",
        "position_bias_score",
        300.0,
    ),
    Method(
        name="contradiction_strict",
        label="same letter twice (biased by ties)",
        source="mid-p sign test of (A, A) against (B, B)",
        p_value=Call("simstudy.stats.mcnemar:mcnemar_midp", ("bb", "aa")),
        interval=Call(f"{STATS}:position_bias_midp", ("aa", "bb")),
        estimate=Call(f"{STATS}:position_bias", ("aa", "bb")),
        discordant=("bb", "aa"),
        own_target="beta_strict",
        nanoseconds=30000.0,
        misuse=True,
        note="without ties it is contradiction_midp; with ties its odds depend on ability and tie band",
    ),
    Method(
        name="first_share_z",
        label="share of the first position (a mistake)",
        source="normal test of all verdicts that are no tie, as if the two on a pair were independent",
        p_value=Call("simstudy.stats.mcnemar:mcnemar_chi2", ("second", "first")),
        interval=Call(f"{STATS}:first_share_limits", ("first", "second")),
        estimate=Call(f"{STATS}:first_share_log_odds", ("first", "second")),
        own_target="beta_share",
        misuse=True,
        note="seldom rejects: the two verdicts on a pair oppose each other; its log odds shrink with ability",
    ),
)


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1/(1 + e^−x); the exponents that occur are far from overflow."""
    return 1.0 / (1.0 + np.exp(-x))


def _letters(pull: NDArray[np.float64], tie_band: float) -> NDArray[np.float64]:
    """Return the probabilities of A, B and tie, a row each, at pulls toward the answer shown first."""
    # P(tie) = 1 − P(A) − P(B) is written as a product, which is exactly 0 without a tie band.
    first, second = _logistic(pull - tie_band), _logistic(-pull - tie_band)
    tie = -math.expm1(-2.0 * tie_band) * _logistic(tie_band - pull) * _logistic(tie_band + pull)
    return np.stack((first, second, tie))


class Position(Scenario):
    """P(first shown) = σ(±a_i·t + beta − tie_band), P(second shown) = σ(∓a_i·t − beta − tie_band), else tie."""

    name = "position"
    title = "a pairwise judge reads every pair in both orders"
    unit = "pair"
    aims = "How often a judge that leans toward a position contradicts itself, and how many pairs show that it leans"
    mechanism = (
        "t = 1, −1 or 0 where X is better, Y is better, or neither; pass AB shows X first and pass BA shows Y first; "
        "with u = a·t in pass AB and −a·t in pass BA, a ~ N(ability, ability_sd²) for each pair, the judge picks the "
        "first shown with σ(u + beta − tie_band), the second with σ(−u − beta − tie_band), else says tie; the passes "
        "are independent given t and a"
    )
    estimand_words = "bias toward the first position, in logits"
    parameters = (
        Parameter(
            "n_pairs",
            "pairs that are read in both orders",
            "pairs",
            "integer",
            1,
            MOST_UNITS,
            required=True,
            role="size",
        ),
        Parameter(
            "beta",
            "bias toward the answer shown first",
            "logits",
            low=-10,
            high=10,
            required=True,
            role="effect",
            null=0.0,
        ),
        Parameter(
            "ability",
            "pull toward the better answer; negative: toward the worse one",
            "logits",
            low=-20,
            high=20,
            default=2.5,
        ),
        Parameter(
            "x_better",
            "share of pairs, of those not equally good, in which X is better",
            "proportion",
            low=0,
            high=1,
            default=0.5,
        ),
        Parameter("tied", "share of pairs whose answers are equally good", "proportion", low=0, high=1, default=0.0),
        Parameter("tie_band", "how readily the judge says tie; 0 = never", "logits", low=0, high=10, default=0.0),
        Parameter(
            "ability_sd",
            "standard deviation of the ability over pairs, the same in both orders",
            "logits",
            low=0,
            high=SD_MAX,
            default=0.0,
        ),
    )
    blocks = (Block("n_pairs", CLASSES),)
    projections: ClassVar = {
        "n1": {"aa": 1, "a_tie": 1},
        "n2": {"bb": 1, "tie_b": 1},
        "first": {"aa": 2, "ab": 1, "a_tie": 1, "ba": 1, "tie_a": 1},
        "second": {"bb": 2, "ab": 1, "b_tie": 1, "ba": 1, "tie_b": 1},
    }
    kernel = Kernel(
        "simstudy.scenarios.position.kernel:simulate",
        CLASSES,
        "simstudy.scenarios.position.kernel:cases",
        ("truth", "ability", "verdict_ab", "verdict_ba"),
        unit_arguments=1,
    )
    methods = METHODS
    reports = (
        "flip_rate",
        "flip_rate_floor",
        "first_position_share",
        "win_rate_one_order",
        "win_rate_both",
        "win_rate_true",
    )
    example: ClassVar = {
        "n_pairs": 8,
        "beta": 0.7,
        "ability": 1.5,
        "x_better": 0.6,
        "tied": 0.2,
        "tie_band": 0.5,
        "ability_sd": 0.5,
    }
    default_methods = ("contradiction_exact", "contradiction_midp", "contradiction_z")
    directions: ClassVar = ("second shown preferred", "first shown preferred")
    estimate_unit = "logits"
    units: ClassVar = {
        "flip_rate": ("share of pairs with the same letter in both passes: contradictions", "proportion"),
        "flip_rate_floor": ("flip rate of the same judge without position bias", "proportion"),
        "disagreement": ("share of pairs whose passes disagree, a tie in one of them included", "proportion"),
        "first_position_share": ("share of the first shown among verdicts that are no tie", "proportion"),
        "win_rate_one_order": ("win rate of X where X is shown first, ties half", "proportion"),
        "win_rate_both": ("win rate of X over both orders, ties half", "proportion"),
        "win_rate_true": ("win rate of X by the truth, ties half", "proportion"),
        "lead_from_position": ("share of X's lead in pass AB that position made (NaN: no lead)", "ratio"),
        "beta_strict": ("limit of the estimate from (A, A) against (B, B)", "logits"),
        "beta_share": ("log odds of the first position among verdicts that are no tie", "logits"),
        "judge_calls": ("readings, two per pair", "calls"),
    }

    def refuse_at(self, said: Sequence[str], values: Values) -> None:
        """Refuse what describes the better answer where no pair has one."""
        names = ("ability", "x_better", "ability_sd") if values["ability_sd"] > 0 else ("ability", "x_better")
        idle = [name for name in names if name in said]
        if idle and values["tied"] == 1:
            raise RefusedError(
                f"{idle[0]} means nothing at tied 1, where no pair has a better answer: leave it out, or give a "
                "smaller tied."
            )

    def estimand(self, values: Values) -> float:
        """Return the bias toward the first position."""
        return float(values["beta"])

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the probabilities of the nine verdict pairs."""
        return (_verdict_pairs(values, values["beta"]),)

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return n_pairs and the six parameters of the mechanism."""
        names = ("beta", "ability", "x_better", "tied", "tie_band", "ability_sd")
        return (int(values["n_pairs"]), *(float(values[name]) for name in names))

    def truth(self, values: Values) -> dict[str, float]:
        """Return flips, shares, win rates, what the naive estimates aim at, and the cost."""
        aa, ab, a_tie, ba, bb, b_tie, tie_a, tie_b, tie_tie = _verdict_pairs(values, values["beta"])
        floor = _verdict_pairs(values, 0.0)
        first, second = 2 * aa + ab + a_tie + ba + tie_a, 2 * bb + ab + b_tie + ba + tie_b
        one_order = aa + ab + a_tie + 0.5 * (tie_a + tie_b + tie_tie)
        other_order = ab + bb + tie_b + 0.5 * (a_tie + b_tie + tie_tie)
        both, tied = 0.5 * (one_order + other_order), values["tied"]
        lead = one_order - 0.5
        return {
            "flip_rate": aa + bb,
            "flip_rate_floor": floor[0] + floor[4],
            "disagreement": aa + bb + a_tie + b_tie + tie_a + tie_b,
            "first_position_share": first / (first + second),
            "win_rate_one_order": one_order,
            "win_rate_both": both,
            "win_rate_true": values["x_better"] * (1.0 - tied) + 0.5 * tied,
            "lead_from_position": (one_order - both) / lead if abs(lead) > NO_LEAD else math.nan,
            "beta_strict": 0.5 * math.log(aa / bb),
            "beta_share": math.log(first / second),
            "judge_calls": 2.0 * values["n_pairs"],
        }


def _verdict_pairs(values: Values, beta: float) -> tuple[float, ...]:
    """Return the probabilities of `CLASSES`, averaged over truths and abilities."""
    deviations, weights = normal_nodes(values["ability_sd"])
    abilities, tie_band = values["ability"] + deviations, values["tie_band"]
    better, worse, equal = (_letters(pull + beta, tie_band) for pull in (abilities, -abilities, np.zeros(1)))
    # where Y is better, the passes change places
    x_better = (weights * better) @ worse.T
    decided, x_share, tied = 1.0 - values["tied"], values["x_better"], values["tied"]
    law = decided * x_share * x_better + decided * (1.0 - x_share) * x_better.T + tied * (equal @ equal.T)
    return tuple(law.ravel().tolist())
