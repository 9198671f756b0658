"""Slow twin of scenario independent with arms of unequal size and with margins: every pair of counts, one by one.

The accuracies at a margin are those at which the likelihood is largest, found by trying them: no cubic is solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import optimize, special, stats


def log_likelihood(p_a: float, x_a: float, n_a: float, x_b: float, n_b: float, margin: float) -> float:
    """Return it at accuracies p_a and p_a − margin."""
    p_b = p_a - margin
    return float(
        special.xlogy(x_a, p_a)
        + special.xlogy(n_a - x_a, 1 - p_a)
        + special.xlogy(x_b, p_b)
        + special.xlogy(n_b - x_b, 1 - p_b)
    )


def most_likely(x_a: float, n_a: float, x_b: float, n_b: float, margin: float) -> float:
    """Return the accuracy of A that maximises the likelihood where B is worse by the margin."""
    table = (x_a, n_a, x_b, n_b, margin)
    found = optimize.minimize_scalar(
        lambda p_a: -log_likelihood(p_a, *table), bounds=(margin, 1), method="bounded", options={"xatol": 1e-12}
    )
    return max((margin, 1.0, float(found.x)), key=lambda p_a: log_likelihood(p_a, *table))


def farrington_manning(x_a: int, n_a: int, x_b: int, n_b: int, margin: float) -> float:
    p_a = most_likely(x_a, n_a, x_b, n_b, margin)
    p_b = p_a - margin
    variance = p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b
    return float(stats.norm.sf((x_b / n_b - x_a / n_a + margin) / math.sqrt(variance)))


def wald(x_a: int, n_a: int, x_b: int, n_b: int, margin: float) -> float:
    a, b = x_a / n_a, x_b / n_b
    variance = a * (1 - a) / n_a + b * (1 - b) / n_b
    return float(stats.norm.sf((b - a + margin) / math.sqrt(variance))) if variance > 0 else math.nan


def both_ways(test: Callable[..., float]) -> Callable[..., float]:
    return lambda x_a, n_a, x_b, n_b, margin: max(test(x_a, n_a, x_b, n_b, margin), test(x_b, n_b, x_a, n_a, margin))


def z_pooled(x_a: int, n_a: int, x_b: int, n_b: int, margin: float = 0.0) -> float:
    pooled = (x_a + x_b) / (n_a + n_b)
    variance = pooled * (1 - pooled) * (1 / n_a + 1 / n_b)
    return float(2 * stats.norm.sf(abs(x_b / n_b - x_a / n_a) / math.sqrt(variance))) if variance > 0 else math.nan


def z_unpooled(x_a: int, n_a: int, x_b: int, n_b: int, margin: float = 0.0) -> float:
    a, b = x_a / n_a, x_b / n_b
    variance = a * (1 - a) / n_a + b * (1 - b) / n_b
    return float(2 * stats.norm.sf(abs(b - a) / math.sqrt(variance))) if variance > 0 else math.nan


def fisher_exact(x_a: int, n_a: int, x_b: int, n_b: int, margin: float = 0.0) -> float:
    return float(stats.fisher_exact([[x_a, n_a - x_a], [x_b, n_b - x_b]]).pvalue)


TESTS: dict[str, Callable[..., float]] = {
    "z_pooled": z_pooled,
    "z_unpooled": z_unpooled,
    "fisher_exact": fisher_exact,
    "noninferiority_farrington_manning": farrington_manning,
    "noninferiority_wald": wald,
    "equivalence_farrington_manning": both_ways(farrington_manning),
    "equivalence_wald": both_ways(wald),
}


def power(
    method: str, n_a: int, n_b: int, p_a: float, p_b: float, alpha: float = 0.05, margin: float = 0.0
) -> tuple[float, float]:
    """Return the probability of rejecting, and of being undefined."""
    weight = np.outer(stats.binom.pmf(np.arange(n_a + 1), n_a, p_a), stats.binom.pmf(np.arange(n_b + 1), n_b, p_b))
    p = np.array([[TESTS[method](i, n_a, j, n_b, margin) for j in range(n_b + 1)] for i in range(n_a + 1)])
    return float(weight[p <= alpha * (1 + 1e-12)].sum()), float(weight[np.isnan(p)].sum())


def size(p_a: float, p_b: float, alpha: float, power: float, ratio: float, margin: float = 0.0) -> float:
    """Return the cases of A in closed form, not rounded; without a margin the test is two-sided."""
    z_power = stats.norm.ppf(power)
    true = math.sqrt(p_a * (1 - p_a) + p_b * (1 - p_b) / ratio)
    if not margin:
        mean = (p_a + ratio * p_b) / (1 + ratio)
        null, z = math.sqrt(mean * (1 - mean) * (1 + 1 / ratio)), stats.norm.ppf(1 - alpha / 2)
    else:
        at = most_likely(p_a, 1.0, ratio * p_b, ratio, margin)
        null = math.sqrt(at * (1 - at) + (at - margin) * (1 - at + margin) / ratio)
        z = stats.norm.ppf(1 - alpha)
    return float((z * null + z_power * true) ** 2 / (p_b - p_a + margin) ** 2)
