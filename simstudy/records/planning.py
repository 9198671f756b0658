"""The smallest difference that a set would have seen, at a pilot's accuracy and discordance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

EDGE = 1e-9
"""Keeps an accuracy off 0 and 1, which the scenario excludes; it changes no digit that is printed."""
NOTHING = 2.0**-54
"""A probability of missing so small that the power is 1 to the last bit."""

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """How planning was asked for.

    Parameters
    ----------
    target : float
        Power wanted, in (0, 1).
    method : str
        The McNemar test that will be used.
    alpha : float
        Two-sided level, in (0, 1).
    seed : int
        Seed of the posterior draws.
    draws : int
        Number of posterior draws.
    """

    target: float = 0.8
    method: str = "mcnemar_midp"
    alpha: float = 0.05
    seed: int = 1
    draws: int = 2000


def admissible_discordance(accuracy_a: Any, difference: Any, discordance: Any) -> Any:
    """Move discordances into [|difference|, min(2a + difference, 2 - 2a - difference)]; NaN where B leaves [0, 1]."""
    # A pilot without discordant cases has discordance 0, yet a true difference brings as much discordance as it is
    # large. So the smallest difference seen is never 0.
    a, d = np.asarray(accuracy_a, dtype=np.float64), np.asarray(difference, dtype=np.float64)
    possible = (a + d >= 0) & (a + d <= 1)
    high = np.maximum(np.minimum(2 * a + d, 2 - 2 * a - d), np.abs(d))
    return np.where(possible, np.clip(discordance, np.abs(d), high), np.nan)


def design_point(accuracy_a: float, discordance: float, difference: float) -> tuple[float, float] | None:
    """Return the nearest accuracy of A and discordance that scenario paired allows at a named difference."""
    # The accuracy keeps off 0 and 1 by a hair. None where B's would leave [0, 1], or accuracies of 0 and 1 are needed.
    if math.isnan(float(admissible_discordance(accuracy_a, difference, discordance))):
        return None
    low, high = max(EDGE, EDGE - difference), min(1 - EDGE, 1 - EDGE - difference)
    if low >= high:
        return None
    inside = min(max(accuracy_a, low), high)
    return inside, float(admissible_discordance(inside, difference, discordance))


def power_at(n: Any, discordance: Any, difference: Any, plan: Plan) -> FloatArray:
    """Return the exact power, in either direction, at arrays of discordances and differences; NaN where impossible."""
    from simstudy.engines.conditional import mcnemar_power

    psi, d, sizes = np.broadcast_arrays(
        np.asarray(discordance, dtype=np.float64),
        np.asarray(difference, dtype=np.float64),
        np.asarray(n, dtype=np.int64),
    )
    power = np.where(np.isnan(psi), np.nan, 1.0)
    for place in np.argwhere(~np.isnan(psi) & (missed_at_most(sizes, psi, d, plan.alpha) > NOTHING)):
        at = tuple(place)
        p10, p01 = (max(0.0, float(psi[at] + sign * d[at]) / 2) for sign in (-1, 1))
        power[at] = mcnemar_power(int(sizes[at]), p10, p01, plan.method, plan.alpha)[0]
    return power


def missed_at_most(n: Any, discordance: Any, difference: Any, alpha: float) -> FloatArray:
    """Return a bound above the probability that a McNemar test of n cases misses a difference; no sum over outcomes."""
    # By Hoeffding (1963, doi:10.2307/2282952) every such test finds B better once n01 - n10 ≥ √(2 n ln(2/alpha)) + 3.
    # n01 - n10 is a sum of n terms in {-1, 0, 1} with mean d and variance at most psi, so by Bernstein it falls t below
    # its mean with probability at most exp(-t²/(2 (n psi + (1 + d) t/3))).
    d = np.abs(difference)
    below = np.maximum(n * d - np.sqrt(2 * n * math.log(2 / alpha)) - 3, 0.0)
    with np.errstate(invalid="ignore"):
        bound = np.exp(-(below**2) / (2 * (n * discordance + (1 + d) * below / 3)))
    return np.asarray(np.where(below > 0, bound, 1.0), dtype=np.float64)


def smallest_seen(n: int, accuracy_a: float, discordance: float, plan: Plan) -> tuple[float, float]:
    """Return the smallest differences, B better and B worse, that n independent cases would have seen; NaN for none."""
    # exact power grows with the size of the difference, so bisection finds it; no normal formula, which would promise a
    # difference where no result can be significant (5 cases, for example)
    set_ = n, accuracy_a, discordance
    return _smallest(1, 1 - accuracy_a, set_, plan), _smallest(-1, accuracy_a, set_, plan)


def _smallest(sign: int, limit: float, set_: tuple[int, float, float], plan: Plan) -> float:
    n, accuracy_a, discordance = set_

    def reached(size: float) -> bool:
        psi = admissible_discordance(accuracy_a, sign * size, discordance)
        return bool(power_at(n, psi, sign * size, plan) >= plan.target)

    # A hair inside the limit: rounding must not put B's accuracy above 1.
    low, high = 0.0, limit * (1 - EDGE)
    if limit <= 0 or not reached(high):
        return math.nan
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if reached(middle) else (middle, high)
    return sign * high
