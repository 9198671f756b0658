"""Slow twins of scenarios independent and proportion: every outcome, with SciPy's binomial law."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import stats

Limits = tuple[float, float]


def wald(x: int, n: int, z: float = 1.959963984540054) -> Limits:
    p = x / n
    half = z * math.sqrt(p * (1 - p) / n)
    return max(0.0, p - half), min(1.0, p + half)


def wilson(x: int, n: int, z: float = 1.959963984540054) -> Limits:
    centre = (x + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(x * (n - x) / n + z * z / 4)
    return centre - half, centre + half


def agresti_coull(x: int, n: int, z: float = 1.959963984540054) -> Limits:
    trials = n + z * z
    p = (x + z * z / 2) / trials
    half = z * math.sqrt(p * (1 - p) / trials)
    return max(0.0, p - half), min(1.0, p + half)


def clopper_pearson(x: int, n: int) -> Limits:
    found = stats.binomtest(x, n).proportion_ci(0.95, "exact")
    return float(found.low), float(found.high)


def jeffreys(x: int, n: int) -> Limits:
    law = stats.beta(x + 0.5, n - x + 0.5)
    return (0.0 if x == 0 else float(law.ppf(0.025))), (1.0 if x == n else float(law.ppf(0.975)))


INTERVALS: dict[str, Callable[[int, int], Limits]] = {
    "wald": wald,
    "wilson": wilson,
    "clopper_pearson": clopper_pearson,
    "agresti_coull": agresti_coull,
    "jeffreys": jeffreys,
}


def coverage(method: str, n: int, p: float) -> tuple[float, float]:
    """Coverage and mean width."""
    x = np.arange(n + 1)
    weight = stats.binom.pmf(x, n, p)
    limits = np.array([INTERVALS[method](int(k), n) for k in x])
    covers = (limits[:, 0] <= p + 1e-12) & (limits[:, 1] >= p - 1e-12)
    return float(weight @ covers), float(weight @ (limits[:, 1] - limits[:, 0]))


def z_test(x_a: int, x_b: int, n: int, pooled: bool) -> float:
    a, b = x_a / n, x_b / n
    middle = (a + b) / 2
    variance = 2 * middle * (1 - middle) / n if pooled else (a * (1 - a) + b * (1 - b)) / n
    return 2 * stats.norm.sf(abs(b - a) / math.sqrt(variance)) if variance > 0 else math.nan


def fisher(x_a: int, x_b: int, n: int) -> float:
    return float(stats.fisher_exact([[x_a, n - x_a], [x_b, n - x_b]]).pvalue)


TESTS: dict[str, Callable[[int, int, int], float]] = {
    "z_pooled": lambda x_a, x_b, n: z_test(x_a, x_b, n, True),
    "z_unpooled": lambda x_a, x_b, n: z_test(x_a, x_b, n, False),
    "fisher_exact": fisher,
}


def power(method: str, n: int, p_a: float, p_b: float, alpha: float = 0.05) -> tuple[float, float]:
    """Power in either direction, and the probability of being undefined."""
    x = np.arange(n + 1)
    weight = np.outer(stats.binom.pmf(x, n, p_a), stats.binom.pmf(x, n, p_b))
    p = np.array([[TESTS[method](int(i), int(j), n) for j in x] for i in x])
    return float(weight[p <= alpha * (1 + 1e-12)].sum()), float(weight[np.isnan(p)].sum())
