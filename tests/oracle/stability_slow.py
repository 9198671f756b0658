"""Slow twins of scenario stability: adaptive quadrature, binomial sums, single verdicts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from scipy import integrate

from tests.oracle.kernels import DATA, fine_uniform, logistic, normal, uniform, words

JUDGE = 6


def over_prompts(function: Callable[[float], float], mean: float, sd: float) -> float:
    """E[function(q)] by adaptive quadrature on both sides of logit 0."""
    if sd == 0:
        return function(logistic(mean))

    def integrand(logit: float) -> float:
        return function(logistic(logit)) * math.exp(-(((logit - mean) / sd) ** 2) / 2)

    low, high = mean - 9 * sd, mean + 9 * sd
    cuts = sorted({low, high, *(c for c in (-4.0, -1.0, -0.1, 0.0, 0.1, 1.0, 4.0, mean) if low < c < high)})
    parts = (
        integrate.quad(integrand, a, b, epsabs=1e-14, epsrel=1e-12, limit=200) for a, b in itertools.pairwise(cuts)
    )
    return math.fsum(part for part, _ in parts) / (sd * math.sqrt(2 * math.pi))


def binomial(k: int, x: int, q: float) -> float:
    return math.comb(k, x) * q**x * (1 - q) ** (k - x)


def unstable(k: int, q: float) -> float:
    return math.fsum(binomial(k, x, q) for x in range(1, k))


def minority_share(k: int, q: float) -> float:
    return math.fsum(min(x, k - x) * binomial(k, x, q) for x in range(k + 1)) / k


def majority_error(k: int, q: float) -> float:
    """P(fewer than half the verdicts are the likelier one) + half of P(an even split)."""
    likelier = max(q, 1 - q)
    below = math.fsum(binomial(k, x, likelier) for x in range(k + 1) if 2 * x < k)
    return below + (binomial(k, k // 2, likelier) / 2 if k % 2 == 0 else 0.0)


def prompts(
    seed: int, replication: int, n_prompts: int, repetitions: int, mean: float, sd: float
) -> list[tuple[float, list[bool]]]:
    """Logit and verdicts of each prompt."""
    rows = []
    for prompt in range(n_prompts):
        w0, w1, _, _ = words(seed, replication, prompt, 0, DATA)
        logit = mean + sd * normal(fine_uniform(w0, w1))
        drawn = [words(seed, replication, prompt, k // 4, JUDGE)[k % 4] for k in range(repetitions)]
        rows.append((logit, [uniform(word) < logistic(logit) for word in drawn]))
    return rows


def unstable_prompts(rows: Sequence[tuple[float, list[bool]]]) -> int:
    return sum(len(set(verdicts)) == 2 for _, verdicts in rows)
