"""Slow twins of the pilot analysis: plain loops over tables, another route than the code."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence


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


def sign_flips(sums: Sequence[int]) -> float:
    """Share of all sign patterns whose total is at least as far from 0."""
    observed = abs(sum(sums))
    patterns = list(itertools.product((1, -1), repeat=len(sums)))
    hits = sum(abs(sum(s * v for s, v in zip(signs, sums, strict=True))) >= observed for signs in patterns)
    return hits / len(patterns)


def wilson(x: int, n: int, z: float) -> tuple[float, float]:
    """Roots of (x/n - p)^2 = z^2 p (1 - p)/n, by bisection on each side."""

    def outside(p: float) -> bool:
        return (x / n - p) ** 2 > z * z * p * (1 - p) / n

    def edge(inside: float, out: float) -> float:
        if not outside(out):
            return out
        for _ in range(80):
            middle = 0.5 * (inside + out)
            inside, out = (inside, middle) if outside(middle) else (middle, out)
        return inside

    return edge(x / n, 0.0), edge(x / n, 1.0)
