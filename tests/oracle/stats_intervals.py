"""Slow twins of the paired intervals: likelihood maximised by bisection, scores inverted by bisection, convolution."""

from __future__ import annotations

import math
import statistics

import numpy as np

from tests.oracle.stats_paired import expand


def z_of(level: float) -> float:
    return statistics.NormalDist().inv_cdf(0.5 + level / 2)


def bisect(function, low: float, high: float, steps: int = 64) -> float:
    """The sign change of a function that is positive at ``low`` and negative at ``high``."""
    for _ in range(steps):
        middle = 0.5 * (low + high)
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def restricted_p10(n10: int, n01: int, n: int, delta: float) -> float:
    """p10 that maximises the likelihood of (n10, n01, rest) given p01 = p10 + delta, by its derivative."""
    rest = n - n10 - n01

    def slope(q: float) -> float:
        terms = [(n10, q, 1), (n01, q + delta, 1), (rest, 1 - 2 * q - delta, -2)]
        return sum(sign * count / max(p, 1e-300) for count, p, sign in terms if count)

    return bisect(slope, max(0.0, -delta), 0.5 * (1 - delta))


def tango_z(n10: int, n01: int, n: int, delta: float) -> float:
    p10 = restricted_p10(n10, n01, n, delta)
    variance = n * (p10 + (p10 + delta) - delta * delta)
    gap = n01 - n10 - n * delta
    if gap == 0:
        return 0.0
    return gap / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, gap)


def tango(n10: int, n01: int, n: int, level: float = 0.95) -> tuple[float, float]:
    z = z_of(level)
    # One point inside the ends: at δ = ±1 the statistic is infinite, or 0/0 where every case is discordant one way.
    edge, estimate = 1 - 1e-12, (n01 - n10) / n
    low = -1.0 if n10 == n else bisect(lambda d: tango_z(n10, n01, n, d) - z, -edge, min(estimate, edge), 44)
    high = 1.0 if n01 == n else bisect(lambda d: tango_z(n10, n01, n, d) + z, max(estimate, -edge), edge, 44)
    return low, high


def wilson(x: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Bisection of the score test itself."""
    z, p = z_of(level), x / n

    def score(share: float) -> float:
        return abs(p - share) - z * math.sqrt(share * (1 - share) / n)

    low = 0.0 if x == 0 else bisect(score, 0.0, p)
    high = 1.0 if x == n else bisect(lambda share: -score(share), p, 1.0)
    return low, high


def newcombe(n10: int, n01: int, n11: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Method 10 as printed: θ = p1 − p2 with cells e, f, g, h; here p1 is B."""
    e, f, g = n11, n01, n10
    h = n - e - f - g
    p1, p2 = (e + f) / n, (e + g) / n
    l1, u1 = wilson(e + f, n, level)
    l2, u2 = wilson(e + g, n, level)
    product = (e + f) * (g + h) * (e + g) * (f + h)
    excess = e * h - f * g
    if product == 0:
        correlation = 0.0
    elif excess > 0:
        correlation = max(excess - n / 2, 0) / math.sqrt(product)
    else:
        correlation = excess / math.sqrt(product)
    below = (p1 - l1) ** 2 - 2 * correlation * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2
    above = (u1 - p1) ** 2 - 2 * correlation * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2
    return p1 - p2 - math.sqrt(max(below, 0)), p1 - p2 + math.sqrt(max(above, 0))


def bonett_price(n10: int, n01: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The Wald interval (divisor n) of the list with one more case in each discordant cell, cut to [−1, 1]."""
    differences = expand(n10 + 1, n01 + 1, n + 2)
    centre = statistics.fmean(differences)
    margin = z_of(level) * math.sqrt(statistics.pvariance(differences) / len(differences))
    return max(-1.0, centre - margin), min(1.0, centre + margin)


def bootstrap_law(n10: int, n01: int, n: int) -> np.ndarray:
    """The law of D* on −n … n, by n convolutions of one resampled case."""
    step = np.array([n10, n - n10 - n01, n01]) / n
    law = np.ones(1)
    for _ in range(n):
        law = np.convolve(law, step)
    return law


def bootstrap_percentile(n10: int, n01: int, n: int, level: float = 0.95) -> tuple[float, float]:
    cdf = np.cumsum(bootstrap_law(n10, n01, n))
    tail = (1 - level) / 2
    # The same slack for ties as the statistic documents: 1e-11 of q.
    low, high = (int(np.argmax(cdf >= q * (1 - 1e-11))) - n for q in (tail, 1 - tail))
    return low / n, high / n
