"""Planning of a t test of a mean difference: power, the smallest difference seen, cases needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from scipy import special

LARGEST_N = 100_000_000
QUANTILES = (0.05, 0.5, 0.95)
"""Of the cases needed: hardly any of the possible truths needs no more, half of them, and nearly all."""
RANKS = 200
"""Equally likely standard deviations that an expected power is the mean over."""


def t_power(difference: float, sd: float, n: float, alpha: float, df: float | None = None) -> float:
    """Return the power, in either direction, of a two-sided t test of n units with this standard deviation."""
    # the noncentral t law; NaN with fewer than two units or without spread; strata have other degrees of freedom
    df = n - 1.0 if df is None else df
    if not (df >= 1 and 0 < sd < math.inf):
        return math.nan
    shift, edge = abs(difference) * math.sqrt(n) / sd, float(special.stdtrit(df, 1 - alpha / 2))
    return min(1.0, float(1 - special.nctdtr(df, shift, edge) + special.nctdtr(df, shift, -edge)))


def smallest_mean(sd: float, n: float, alpha: float, power: float, df: float | None = None) -> float:
    """Return the smallest difference that is found with this power; NaN where the test is undefined."""
    if math.isnan(t_power(sd, sd, n, alpha, df)):
        return math.nan
    high = sd
    while t_power(high, sd, n, alpha, df) < power:
        high *= 2
    return bisected(high, lambda size: t_power(size, sd, n, alpha, df) >= power)


def bisected(high: float, reached: Callable[[float], bool]) -> float:
    """Return the smallest size up to `high`, which reaches it, that does."""
    low = 0.0
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
    return tuple(cases_for_mean(difference, possible, alpha, power) for possible in _possible(sd, df, QUANTILES))


def expected_power(difference: float, sd: float, df: float, n: float, alpha: float) -> float:
    """Return the power expected of n units, over what the standard deviation may be."""
    ranks = [(rank + 0.5) / RANKS for rank in range(RANKS)]
    return sum(t_power(difference, possible, n, alpha) for possible in _possible(sd, df, ranks)) / RANKS


def _possible(sd: float, df: float, quantiles: Sequence[float]) -> list[float]:
    if not df >= 1:
        return [math.nan] * len(quantiles)
    return [sd * math.sqrt(df / float(special.chdtri(df, quantile))) for quantile in quantiles]
