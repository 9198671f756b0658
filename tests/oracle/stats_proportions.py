"""Slow twins for one and two proportions, clusters and sample sizes: fractions, bisection, counting upward."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

from tests.oracle.stats_intervals import bisect, wilson, z_of


def binomial_cdf(k: int, n: int, p: float) -> float:
    return math.fsum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1))


def clopper_pearson(x: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The shares at which a tail of the binomial, summed term by term, is (1 − level)/2."""
    tail = (1 - level) / 2
    low = 0.0 if x == 0 else bisect(lambda p: binomial_cdf(x - 1, n, p) - (1 - tail), 0.0, 1.0)
    high = 1.0 if x == n else bisect(lambda p: binomial_cdf(x, n, p) - tail, 0.0, 1.0)
    return low, high


def fisher_exact(x_a: int, n_a: int, x_b: int, n_b: int, alternative: str = "two-sided") -> float:
    """Every table with these margins, in whole numbers: ties are exact."""
    total = x_a + x_b
    ways = {x: math.comb(n_b, x) * math.comb(n_a, total - x) for x in range(max(0, total - n_a), min(n_b, total) + 1)}
    if alternative == "greater":
        kept = [w for x, w in ways.items() if x >= x_b]
    elif alternative == "less":
        kept = [w for x, w in ways.items() if x <= x_b]
    else:
        kept = [w for w in ways.values() if w <= ways[x_b]]
    return float(Fraction(sum(kept), sum(ways.values())))


def newcombe_independent(x_a: int, n_a: int, x_b: int, n_b: int, level: float = 0.95) -> tuple[float, float]:
    (l_a, u_a), (l_b, u_b) = wilson(x_a, n_a, level), wilson(x_b, n_b, level)
    p_a, p_b = x_a / n_a, x_b / n_b
    low = p_b - p_a - math.sqrt((p_b - l_b) ** 2 + (u_a - p_a) ** 2)
    return low, p_b - p_a + math.sqrt((u_b - p_b) ** 2 + (p_a - l_a) ** 2)


def cluster_variance(sums: list[int], sizes: list[int]) -> Fraction:
    """V = C/(C − 1)·Σ(S_c − n_c·d)²/N² in fractions."""
    cases, clusters = sum(sizes), len(sums)
    mean = Fraction(sum(sums), cases)
    squares = sum((s - n * mean) ** 2 for s, n in zip(sums, sizes, strict=True))
    return Fraction(clusters, clusters - 1) * squares / cases**2


def n_two_proportions(p_a: float, p_b: float, alpha: float, power: float, corrected: bool) -> int:
    """Counts n upward until the normal approximation of the (corrected) test has the power."""
    law, mean, effect = statistics.NormalDist(), (p_a + p_b) / 2, abs(p_b - p_a)
    null = z_of(1 - alpha) * math.sqrt(2 * mean * (1 - mean))
    spread = math.sqrt(p_a * (1 - p_a) + p_b * (1 - p_b))
    n = 1
    while law.cdf(((effect - (1 / n if corrected else 0)) * math.sqrt(n) - null) / spread) < power:
        n += 1
    return n
