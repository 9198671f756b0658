"""Cases needed at one truth: solved case by case, or to a thousandth from a normal approximation."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from simstudy.records.planning import EDGE, Plan, design_point, power_at

LARGEST_N = 100_000
"""Largest n that is looked for where one posterior draw is the truth."""

FloatArray = NDArray[np.float64]


def size_answer(difference: float, point: tuple[float, float], plan: Plan) -> float:
    """Return n at an accuracy of A and a discordance; NaN where there is none."""
    from simstudy.solve.questions import size

    moved = design_point(*point, difference)
    if moved is None or difference == 0:
        return math.nan
    inside, psi = moved
    solved = size(
        "paired",
        accuracy_a=inside,
        discordance=psi,
        difference=difference,
        target=plan.target,
        method=plan.method,
        alpha=plan.alpha,
    ).isel(method=0)
    return float(solved["answer"])


def normal_size(psi: FloatArray | np.float64, difference: FloatArray | np.float64, plan: Plan) -> FloatArray:
    """Return the normal approximation of n, to sort and to bracket (Connor 1987, doi:10.2307/2531961)."""
    from scipy import special

    z_alpha, z_power = special.ndtri(1 - plan.alpha / 2), special.ndtri(plan.target)
    with np.errstate(divide="ignore"):
        root = z_alpha * np.sqrt(psi) + z_power * np.sqrt(np.maximum(psi - difference**2, 0.0))
        return np.asarray((root / np.abs(difference)) ** 2, dtype=np.float64)


def exact_size(psi: float, difference: float, guess: float, plan: Plan) -> float:
    """Return an n with the target power while a thousandth less (or one case) has less; inf above `LARGEST_N`."""

    def reached(n: int) -> bool:
        return bool(power_at(n, psi, difference, plan) >= plan.target)

    # At such sizes the approximation is within a percent, so this cuts off nothing that would be found.
    if not guess < 1.1 * LARGEST_N:
        return math.inf
    low, high = int(0.9 * guess), min(int(1.1 * guess) + 8, LARGEST_N)
    while low > 0 and reached(low):
        low = int(0.8 * low)
    while not reached(high):
        if high == LARGEST_N:
            return math.inf
        low, high = high, min(2 * high, LARGEST_N)
    while high - low > max(1, low // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return float(high)


def normal_power(n: int, psi: FloatArray, difference: FloatArray, alpha: float) -> FloatArray:
    """Return the normal approximation of power, used as a control variate only; `psi` is above 0."""
    from scipy import special

    spread = np.sqrt(np.maximum(psi - difference**2, EDGE))
    edge = special.ndtri(1 - alpha / 2) * np.sqrt(psi)
    shift = difference * math.sqrt(n)
    tails = special.ndtr((shift - edge) / spread) + special.ndtr((-shift - edge) / spread)
    return np.asarray(tails, dtype=np.float64)
