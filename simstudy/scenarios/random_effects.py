"""Integrals over a normal difficulty: marginal accuracies, joint outcomes, and their inverses.

The trapezoid rule on ±8.5 standard deviations has a step of at most half a standard deviation and half a logit. The
integrand is analytic in a strip of half-width π logits, and the rule's error falls like exp(−2π·strip/step) (Trefethen
& Weideman 2014, doi:10.1137/130932132). It is largest near sd 1, where both steps meet: below 5e-15 for one logistic
and below 5e-14 for products of two. Far from there rounding, some 3e-16, is larger.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

REACH = 8.5
STEP = 0.5
SD_MAX = 10.0


@lru_cache(maxsize=256)
def normal_nodes(sd: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return nodes in logits, and weights that sum to one, for expectations over N(0, sd²)."""
    if sd == 0.0:
        return np.zeros(1), np.ones(1)
    step = STEP / max(1.0, sd)
    half = math.ceil(REACH / step)
    z = np.arange(-half, half + 1, dtype=np.float64) * step
    weights = np.exp(-0.5 * z * z)
    total = float(weights.sum())
    return sd * z, weights / total


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1.0 / (1.0 + np.exp(-x))


@lru_cache(maxsize=4096)
def marginal_accuracy(logit: float, sd: float) -> float:
    """Return E[σ(logit − d)] for d ~ N(0, sd²)."""
    d, w = normal_nodes(sd)
    return float(w @ _logistic(logit - d))


@lru_cache(maxsize=4096)
def conditional_logit(accuracy: float, sd: float) -> float:
    """Return the logit whose marginal accuracy is given, to 1e-13 in accuracy."""
    d, w = normal_nodes(sd)
    # the probit–logit approximation is a close start; Newton's method converges from it because E[σ] is monotone
    logit = math.log(accuracy / (1.0 - accuracy)) * math.sqrt(1.0 + sd * sd * 0.346)
    # far beyond any solution, and no exponential overflows there
    low, high = -600.0, 600.0
    for _ in range(100):
        p = _logistic(logit - d)
        miss = float(w @ p) - accuracy
        low, high = (logit, high) if miss < 0 else (low, logit)
        slope = float(w @ (p * (1.0 - p)))
        step = logit - miss / slope if slope > 0 else math.inf
        following = step if low < step < high else 0.5 * (low + high)
        if abs(following - logit) <= 1e-14 * max(1.0, abs(logit)):
            return following
        logit = following
    return logit


@lru_cache(maxsize=4096)
def joint_cells(logit_a: float, logit_b: float, sd: float) -> tuple[float, float, float, float]:
    """Return (p10, p01, p11, p00) of two systems on one case: only A right, only B right, both, neither."""
    d, w = normal_nodes(sd)
    a, b = _logistic(logit_a - d), _logistic(logit_b - d)
    not_a, not_b = _logistic(d - logit_a), _logistic(d - logit_b)
    return float(w @ (a * not_b)), float(w @ (not_a * b)), float(w @ (a * b)), float(w @ (not_a * not_b))


@lru_cache(maxsize=1024)
def difficulty_from_discordance(accuracy_a: float, accuracy_b: float, discordance: float) -> float:
    """Return the difficulty_sd that gives a discordance at given accuracies; NaN where none in [0, 10] does."""

    def discordance_at(sd: float) -> float:
        cells = joint_cells(conditional_logit(accuracy_a, sd), conditional_logit(accuracy_b, sd), sd)
        return cells[0] + cells[1]

    low, high = 0.0, SD_MAX
    slack = 1e-12
    if discordance > discordance_at(low) + slack or discordance < discordance_at(high) - slack:
        return math.nan
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if discordance_at(middle) > discordance else (low, middle)
    return 0.5 * (low + high)
