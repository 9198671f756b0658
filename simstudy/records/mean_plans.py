"""Planning of a t test of a mean difference: power, the smallest difference seen, cases needed."""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy import special

LARGEST_N = 100_000_000
QUANTILES = (0.05, 0.5, 0.95)
"""Of the cases needed: hardly any of the possible truths needs no more, half of them, and nearly all."""


def t_power(difference: float, sd: float, n: float, alpha: float) -> float:
    """Return the power, in either direction, of a two-sided t test of n units with this standard deviation."""
    # the noncentral t law; NaN with fewer than two units or without spread
    df = n - 1.0
    if not (df >= 1 and sd > 0):
        return math.nan
    shift, edge = abs(difference) * math.sqrt(n) / sd, float(special.stdtrit(df, 1 - alpha / 2))
    return min(1.0, float(1 - special.nctdtr(df, shift, edge) + special.nctdtr(df, shift, -edge)))


def smallest_mean(sd: float, n: float, alpha: float, power: float) -> float:
    """Return the smallest difference that is found with this power; NaN where the test is undefined."""
    if not (n >= 2 and sd > 0):
        return math.nan
    high = sd
    while t_power(high, sd, n, alpha) < power:
        high *= 2
    return _bisected(0.0, high, lambda size: t_power(size, sd, n, alpha) >= power)


def _bisected(low: float, high: float, reached: Callable[[float], bool]) -> float:
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def cases_for_mean(difference: float, sd: float, alpha: float, power: float) -> float:
    """Return the fewest units that give this power; inf beyond `LARGEST_N`, NaN without difference or spread."""
    if difference == 0 or not sd > 0:
        return math.nan
    low, high = 1, 2
    while t_power(difference, sd, high, alpha) < power:
        low, high = high, 2 * high
        if high > LARGEST_N:
            return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if t_power(difference, sd, middle, alpha) >= power else (middle, high)
    return float(high)


def cases_with_doubt(difference: float, sd: float, df: float, alpha: float, power: float) -> tuple[float, ...]:
    """Return 5%, 50% and 95% points of the cases needed, over what the standard deviation may be."""
    # df·s²/σ² is χ² with df degrees of freedom (the reference prior of a normal spread); cases grow with σ, so that
    # quantiles of σ give quantiles of the cases
    found = []
    for quantile in QUANTILES:
        possible = sd * math.sqrt(df / float(special.chdtri(df, quantile))) if df >= 1 else math.nan
        found.append(cases_for_mean(difference, possible, alpha, power))
    return tuple(found)
