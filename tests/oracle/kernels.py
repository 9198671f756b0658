"""Slow, readable twins of the compiled kernels.

They follow the addresses of the draws and the definition of each scenario, and share nothing with the kernels:
Python's big integers for Philox, the standard library for exp and the normal quantile, exact fractions for the
sign flips.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist

MASK = 0xFFFFFFFF
DATA, CLUSTER, RUNS = 0, 1, 2


def philox(counter: Sequence[int], key: Sequence[int]) -> tuple[int, int, int, int]:
    """Ten rounds of Philox4x32: L and R halves, permuted between rounds (Salmon et al. 2011, figure 2)."""
    left_0, right_0, left_1, right_1 = counter
    key_0, key_1 = key
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * left_0, 2**32)
        high_1, low_1 = divmod(0xCD9E8D57 * left_1, 2**32)
        left_0, right_0, left_1, right_1 = high_1 ^ right_0 ^ key_0, low_1, high_0 ^ right_1 ^ key_1, low_0
        key_0, key_1 = (key_0 + 0x9E3779B9) % 2**32, (key_1 + 0xBB67AE85) % 2**32
    return left_0, right_0, left_1, right_1


def words(seed: int, replication: int, unit: int, draw: int, stream: int) -> tuple[int, int, int, int]:
    return philox((unit, replication & MASK, draw, stream), (seed & MASK, seed >> 32))


def uniform(word: int) -> float:
    return (word + 0.5) / 2**32


def fine_uniform(high: int, low: int) -> float:
    return float(Fraction(2 * ((high * 2**32 + low) // 2**12) + 1, 2**53))


def normal(u: float) -> float:
    return NormalDist().inv_cdf(u)


def logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))


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


def own_answers(seed: int, replication: int, n_cases: int, accuracy: float, draw: int) -> list[bool]:
    """Answers of one system to cases of its own, four to a call of Philox."""
    found = (words(seed, replication, case // 4, draw, DATA)[case % 4] for case in range(n_cases))
    return [uniform(word) < accuracy for word in found]


def clustered_rows(
    seed: int,
    replication: int,
    n_clusters: int,
    cluster_size: int,
    runs: int,
    logit_a: float,
    logit_b: float,
    difficulty_sd: float,
    cluster_sd: float,
    cluster_interaction_sd: float,
    interaction_sd: float,
) -> list[tuple[int, int, int, bool, bool]]:
    rows = []
    for cluster, case, run in itertools.product(range(n_clusters), range(cluster_size), range(runs)):
        g, h_a, h_b = (normal(uniform(w)) for w in words(seed, replication, cluster, 0, CLUSTER)[:3])
        d, e_a, e_b = (normal(uniform(w)) for w in words(seed, replication, cluster, case, DATA)[:3])
        common = cluster_sd * g + difficulty_sd * d
        eta_a = logit_a - common - cluster_interaction_sd * h_a - interaction_sd * e_a
        eta_b = logit_b - common - cluster_interaction_sd * h_b - interaction_sd * e_b
        four = words(seed, replication, cluster, case + 2**20 * (run // 2), RUNS)
        word_a, word_b = four[2 * (run % 2) : 2 * (run % 2) + 2]
        answers = uniform(word_a) < logistic(eta_a), uniform(word_b) < logistic(eta_b)
        rows.append((cluster, case, run, *answers))
    return rows


def clustered_row(rows: Sequence[tuple[int, int, int, bool, bool]]) -> tuple[list[int], list[int]]:
    """Return the columns before the level of the sign-flip test, and the cluster sums."""
    by_case: dict[tuple[int, int], int] = {}
    by_cluster: dict[int, int] = {}
    for cluster, case, _, right_a, right_b in rows:
        by_case[cluster, case] = by_case.get((cluster, case), 0) + right_b - right_a
        by_cluster[cluster] = by_cluster.get(cluster, 0) + right_b - right_a
    n10 = sum(a and not b for _, _, run, a, b in rows if run == 0)
    n01 = sum(b and not a for _, _, run, a, b in rows if run == 0)
    sums = list(by_cluster.values())
    return [sum(sums), sum(d * d for d in by_case.values()), sum(s * s for s in sums), n10, n01], sums


def flip_p_value(sums: Sequence[int], alternative: int) -> Fraction:
    """P-value of all sign flips, every one listed."""
    observed = sum(sums)
    flipped = [
        sum(sign * s for sign, s in zip(signs, sums, strict=True))
        for signs in itertools.product((-1, 1), repeat=len(sums))
    ]
    extreme = {
        0: [abs(t) >= abs(observed) for t in flipped],
        1: [t >= observed for t in flipped],
        2: [t <= observed for t in flipped],
    }[alternative]
    return Fraction(sum(extreme), len(flipped))


def level_of(p_value: Fraction, alphas: Sequence[float]) -> int:
    return sum(Fraction(alpha) < p_value for alpha in alphas)
