"""Slow, readable twin of the scenario clustered: every run of every case, and sign flips listed as exact fractions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from tests.oracle.kernels import DATA, logistic, normal, uniform, words

CLUSTER, RUNS = 1, 2


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
