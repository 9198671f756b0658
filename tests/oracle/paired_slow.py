"""Slow twins of scenario paired: adaptive quadrature for the cells, full enumeration of tables for the methods.

Nothing is shared with the package: integrals by SciPy's adaptive quadrature where the package has the trapezoid rule,
probabilities of whole tables where it has chains, lattices and sums over the discordant total; the kernel's draws one
by one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy import integrate, stats

from tests.oracle import stats_intervals, stats_paired
from tests.oracle.kernels import DATA, fine_uniform, normal, uniform, words

Table = tuple[int, int, int, int]
Verdict = Callable[[int, int, int, int], float]
Limits = tuple[float, float]


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def over_difficulty(function: Callable[[float], float], sd: float) -> float:
    """E[function(d)] for d ~ N(0, sd²), by adaptive quadrature in pieces that follow the kinks of the logistic."""
    if sd == 0:
        return function(0.0)
    edges = np.linspace(-9 * sd, 9 * sd, 19)
    pieces = [
        integrate.quad(lambda d: function(d) * stats.norm.pdf(d, scale=sd), a, b, epsabs=1e-15, epsrel=1e-12)[0]
        for a, b in itertools.pairwise(edges)
    ]
    return math.fsum(pieces)


def accuracy(logit: float, sd: float) -> float:
    return over_difficulty(lambda d: logistic(logit - d), sd)


def cells(logit_a: float, logit_b: float, sd: float) -> tuple[float, float, float, float]:
    """(p10, p01, p11, p00)."""
    both = over_difficulty(lambda d: logistic(logit_a - d) * logistic(logit_b - d), sd)
    a, b = accuracy(logit_a, sd), accuracy(logit_b, sd)
    return a - both, b - both, both, 1 - a - b + both


@lru_cache(maxsize=8)
def tables(n: int) -> tuple[Table, ...]:
    return tuple(
        (n10, n01, n11, n - n10 - n01 - n11)
        for n10 in range(n + 1)
        for n01 in range(n + 1 - n10)
        for n11 in range(n + 1 - n10 - n01)
    )


def probabilities(n: int, law: tuple[float, float, float, float]) -> np.ndarray:
    shares = np.maximum(law, 0) / np.sum(np.maximum(law, 0))
    return stats.multinomial.pmf(np.array(tables(n)), n, shares)


def _conditional(name: str, alternative: str) -> Verdict:
    def p_value(n10: int, n01: int, n11: int, n00: int) -> float:
        return getattr(stats_paired, name)(n10, n01, alternative)

    return p_value


def binomtest_p(n10: int, n01: int, n11: int = 0, n00: int = 0) -> float:
    """The exact McNemar p-value by SciPy."""
    return stats.binomtest(n01, n10 + n01, 0.5).pvalue if n10 + n01 else 1.0


def p_value(method: str, alternative: str = "two-sided") -> Verdict:
    """The p-value of a method as a function of the whole table."""
    if method == "paired_z":
        return lambda n10, n01, n11, n00: stats_paired.mean_z(
            stats_paired.expand(n10, n01, n10 + n01 + n11 + n00), alternative
        )
    if method == "unpaired_z":
        return lambda n10, n01, n11, n00: stats_paired.unpaired_z(
            n10 + n11, n01 + n11, n10 + n01 + n11 + n00, alternative
        )
    if method == "sign_flip_exact":
        return lambda n10, n01, n11, n00: stats_paired.sign_flip([-1] * n10 + [1] * n01, alternative)
    return _conditional({"tango": "mcnemar_chi2"}.get(method, method), alternative)


@lru_cache(maxsize=20_000)
def interval(method: str, table: Table, level: float) -> Limits:
    n10, n01, n11, n00 = table
    n = n10 + n01 + n11 + n00
    if method == "newcombe":
        return stats_intervals.newcombe(n10, n01, n11, n, level)
    if method == "paired_z":
        differences = stats_paired.expand(n10, n01, n)
        half = stats_intervals.z_of(level) * np.std(differences, ddof=1) / math.sqrt(n)
        return float(np.mean(differences) - half), float(np.mean(differences) + half)
    twin = getattr(stats_intervals, method)
    return twin(n10, n01, n, level)


TESTS = (
    "mcnemar_exact",
    "mcnemar_midp",
    "mcnemar_chi2",
    "mcnemar_cc",
    "paired_z",
    "tango",
    "sign_flip_exact",
    "unpaired_z",
)
INTERVALS = ("newcombe", "tango", "bonett_price", "bootstrap_percentile")


@lru_cache(maxsize=64)
def decisions(method: str, n: int, alpha: float, alternative: str = "two-sided") -> np.ndarray:
    """+1, −1 or 0 for each table; NaN where the method is undefined."""
    return np.array([_decide(method, table, alpha, alternative) for table in tables(n)])


def _decide(method: str, table: Table, alpha: float, alternative: str) -> float:
    if method in TESTS:
        p = p_value(method, alternative)(*table)
        if math.isnan(p):
            return math.nan
        # a p-value that equals the level but for rounding rejects
        rejects = p <= alpha * (1 + 1e-12)
        sign = {"greater": 1, "less": -1}.get(alternative, 1 if table[1] > table[0] else -1)
        return sign if rejects else 0
    level = 1 - alpha if alternative == "two-sided" else 1 - 2 * alpha
    low, high = interval(method, table, level)
    if low > 0 and alternative != "less":
        return 1
    return -1 if high < 0 and alternative != "greater" else 0


def operating(
    method: str, n: int, law: tuple[float, float, float, float], alpha: float, alternative: str = "two-sided"
) -> dict[str, float]:
    """Power in each direction, the probability of being undefined, and mean |estimate| among rejections."""
    weights, verdicts = probabilities(n, law), decisions(method, n, alpha, alternative)
    estimates = np.array([(n01 - n10) / n for n10, n01, *_ in tables(n)])
    rejected = np.abs(np.nan_to_num(verdicts))
    power = weights @ rejected
    return {
        "up": weights @ (verdicts == 1),
        "down": weights @ (verdicts == -1),
        "power": power,
        "undefined": weights @ np.isnan(verdicts),
        "size_rejected": weights @ (rejected * np.abs(estimates)) / power if power > 0 else math.nan,
    }


def coverage(method: str, n: int, law: tuple[float, float, float, float], level: float = 0.95) -> tuple[float, float]:
    """Coverage of the difference, and mean width."""
    weights = probabilities(n, law)
    limits = np.array([interval(method, table, level) for table in tables(n)])
    truth = law[1] - law[0]
    # a limit that equals the true value but for rounding covers it
    covers = (limits[:, 0] <= truth + 1e-12) & (limits[:, 1] >= truth - 1e-12)
    return float(weights @ covers), float(weights @ (limits[:, 1] - limits[:, 0]))


def smallest_sizes(reached: Callable[[int], bool], largest: int) -> tuple[int, int]:
    """The first size that reaches a target, and the one from which it is never lost, by looking at every size."""
    verdicts = [reached(n) for n in range(1, largest + 1)]
    first = verdicts.index(True) + 1
    last_lost = max((n for n, ok in enumerate(verdicts, 1) if not ok), default=0)
    return first, last_lost + 1


@lru_cache(maxsize=4096)
def _rejected(m: int, alpha: float, midp: bool) -> np.ndarray:
    """Which n01 the two-sided (mid-p) exact test rejects at a discordant total."""
    k = np.arange(m + 1)
    least = np.minimum(k, m - k)
    p = np.minimum(1, 2 * stats.binom.cdf(least, m, 0.5))
    if midp:
        p = np.where(2 * k == m, 1.0, p - stats.binom.pmf(least, m, 0.5))
    return k[p <= alpha * (1 + 1e-12)]


@lru_cache(maxsize=4096)
def _rejection(m: int, share: float, alpha: float, midp: bool) -> float:
    return float(stats.binom.pmf(_rejected(m, alpha, midp), m, share).sum())


def mcnemar_power(n: int, p10: float, p01: float, alpha: float = 0.05, midp: bool = False) -> float:
    """Power of the (mid-p) exact test: binomial weights of the discordant total, then of n01, by SciPy."""
    weight = stats.binom.pmf(np.arange(n + 1), n, p10 + p01)
    seen = np.flatnonzero(weight > 1e-17).tolist()
    return math.fsum(weight[m] * _rejection(m, p01 / (p10 + p01), alpha, midp) for m in seen)


def paired_cases(
    seed: int, replication: int, n_cases: int, logit_a: float, logit_b: float, difficulty_sd: float
) -> list[tuple[float, bool, bool]]:
    rows = []
    for case in range(n_cases):
        w0, w1, w2, w3 = words(seed, replication, case, 0, DATA)
        difficulty = difficulty_sd * normal(fine_uniform(w0, w1))
        right_a = uniform(w2) < logistic(logit_a - difficulty)
        right_b = uniform(w3) < logistic(logit_b - difficulty)
        rows.append((difficulty, right_a, right_b))
    return rows


def paired_counts(seed: int, replication: int, n_cases: int, *parameters: float) -> list[int]:
    answers = [(a, b) for _, a, b in paired_cases(seed, replication, n_cases, *parameters)]
    return [answers.count(kind) for kind in ((True, False), (False, True), (True, True))]
