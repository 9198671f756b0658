"""The law of ``win_rate``: verdict pairs of a judge that reads in both orders, and what each protocol makes of them.

Pass 1 shows A first, pass 2 shows B first. Names of verdict pairs are the picks of pass 1 and pass 2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simstudy.scenarios.random_effects import normal_nodes

FloatArray = NDArray[np.float64]

VERDICT_PAIRS = ("b_b", "b_a", "b_tie", "a_b", "a_a", "a_tie", "tie_b", "tie_a", "tie_tie")
"""Picks of (pass 1, pass 2), in the order of the kernel's columns."""


@dataclass(frozen=True)
class Protocol:
    """How many wins and losses of B a verdict pair counts for, how many trials a pair, and the judge calls it costs."""

    wins: Mapping[str, int]
    losses: Mapping[str, int]
    trials: int
    readings: int


PROTOCOLS: Mapping[str, Protocol] = {
    "one_order": Protocol({"b_b": 1, "b_a": 1, "b_tie": 1}, {"a_b": 1, "a_a": 1, "a_tie": 1}, 1, 1),
    "consistent": Protocol({"b_b": 1}, {"a_a": 1}, 1, 2),
    "averaged": Protocol({"b_b": 1, "b_tie": 1, "tie_b": 1}, {"a_a": 1, "a_tie": 1, "tie_a": 1}, 1, 2),
    "averaged_passes": Protocol(
        {"b_b": 2, "b_a": 1, "b_tie": 1, "a_b": 1, "tie_b": 1},
        {"a_a": 2, "b_a": 1, "a_tie": 1, "a_b": 1, "tie_a": 1},
        2,
        2,
    ),
}
"""one_order reads pass 1 alone; averaged_passes takes every reading as a trial of its own, which it is not."""


@dataclass(frozen=True)
class Outcome:
    """What one trial of a protocol comes to: probabilities, and win/decisive, NaN where nothing can be decisive."""

    win: float
    loss: float
    decisive: float
    win_rate: float


def verdict_pairs(strength: float, strength_sd: float, beta: float, tie_band: float) -> FloatArray:
    """Return the probabilities of `VERDICT_PAIRS`, averaged over the advantages of pairs."""
    # Against adaptive quadrature at |strength|, strength_sd, beta and tie_band up to 10, probabilities err by less than
    # 2e-13: most at strength_sd 1, where the two logistic functions of a product have their poles closest to the nodes'
    # step, and by less than 5e-15 below .9 and above 1.7. Relative errors are below 1e-10 where a probability is above
    # 1e-7, and win rates among decisive trials err by less than 1e-11.
    deviations, weights = normal_nodes(strength_sd)
    x = strength + deviations
    joint = (weights * _picks(x - beta, tie_band)) @ _picks(x + beta, tie_band).T
    answer: FloatArray = joint.ravel()
    return answer


def outcome(law: Sequence[float] | FloatArray, protocol: Protocol) -> Outcome:
    """Return what one trial comes to, at a law of `VERDICT_PAIRS`: a reading, where passes are averaged as trials."""
    win, loss = (_mean(law, score) / protocol.trials for score in (protocol.wins, protocol.losses))
    decisive = win + loss
    return Outcome(win, loss, decisive, win / decisive if decisive > 0.0 else math.nan)


def _mean(law: Sequence[float] | FloatArray, score: Mapping[str, int]) -> float:
    return math.fsum(p * score.get(name, 0) for name, p in zip(VERDICT_PAIRS, law, strict=True))


def _logistic(x: FloatArray) -> FloatArray:
    return 1.0 / (1.0 + np.exp(-x))


def _picks(pull: FloatArray, tie_band: float) -> FloatArray:
    """Return the probabilities of B, A and tie, a row each, at pulls toward B."""
    # P(tie) = 1 − P(B) − P(A) is written as a product, which is exactly 0 without a tie band.
    b, a = _logistic(pull - tie_band), _logistic(-pull - tie_band)
    tie = -math.expm1(-2.0 * tie_band) * _logistic(tie_band - pull) * _logistic(tie_band + pull)
    return np.stack((b, a, tie))
