"""Slow twins of the planning of paired sets: plain loops over tables, another route than the code."""

from __future__ import annotations

import math
from collections.abc import Callable


def exact_p(n10: int, n01: int) -> float:
    """Two-sided binomial sign test, by adding up coefficients."""
    m, k = n10 + n01, min(n10, n01)
    return min(1.0, 2 * sum(math.comb(m, i) for i in range(k + 1)) / 2**m)


def midp(n10: int, n01: int) -> float:
    """Exact p less the probability of the observed split; 1 where both sides are equal."""
    m, k = n10 + n01, min(n10, n01)
    return 1.0 if n10 == n01 else exact_p(n10, n01) - math.comb(m, k) / 2**m


def power(n: int, p10: float, p01: float, p_value: Callable[[int, int], float], alpha: float) -> float:
    """P(p <= alpha), by visiting every table."""
    rest = 1 - p10 - p01
    total = 0.0
    for n10 in range(n + 1):
        for n01 in range(n - n10 + 1):
            if p_value(n10, n01) <= alpha:
                ways = math.comb(n, n10) * math.comb(n - n10, n01)
                total += ways * p10**n10 * p01**n01 * max(rest, 0.0) ** (n - n10 - n01)
    return total
