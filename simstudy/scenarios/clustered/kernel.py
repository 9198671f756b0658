"""Simulation of ``clustered``: cases that share a source, answered in repeated runs.

The logit of system s on case i of cluster c is logit_s - g_c - h_sc - d_i - e_si. What is subtracted is
called the hardness here.

Addresses: the unit is the cluster. Its effects are words 0 to 2 of stream CLUSTER (g, h of A, h of B); those
of its case j are words 0 to 2 of stream DATA at draw j (d, e of A, e of B); two runs share a call of stream
RUNS at draw j + 2**20 (run div 2), with words 0 and 1 for the answers of A and B in even runs, 2 and 3 in odd
ones. So more clusters, more cases per cluster or more runs change none of those that are there already.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel, part
from simstudy.kernels.flip_levels import flip_level
from simstudy.kernels.maths import exp, normal_quantile
from simstudy.kernels.philox import LOW_32, below_odds, draw_words, uniform32
from simstudy.kernels.streams import CLUSTER, DATA, RUNS

LANES = 256
CLUSTER_STREAM = np.uint64(CLUSTER)
CASE_STREAM = np.uint64(DATA)
RUN_STREAM = np.uint64(RUNS)
RUN_PAIR_SHIFT = 20
COLUMNS_WITH_LOGITS = 7
# columns of a row, before the level of the sign-flip test
TOTAL, SQUARES, CLUSTER_SQUARES, N10, N01 = range(5)


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_clusters: int,
    cluster_size: int,
    runs: int,
    logit_a: float,
    logit_b: float,
    difficulty_sd: float,
    cluster_sd: float,
    cluster_interaction_sd: float,
    interaction_sd: float,
    alphas: NDArray[np.float64],
    alternative_code: int,
) -> None:
    """Simulate replications and keep what the paired and cluster methods read."""
    # With D_i = right answers of B - those of A over the runs of case i the columns are total, the sum of D_i; squares,
    # that of D_i**2; cluster_squares, that of the squared cluster sums; n10 and n01, cases that only A or only B
    # answers right in run 0; flip_level, the index of the smallest of the ascending `alphas` that is not below the
    # exact sign-flip p-value, or their number (:func:`simstudy.kernels.flip_levels.flip_level`). n_clusters *
    # (cluster_size * runs)**2 is below 2**63.
    key64 = np.uint64(key)
    uniforms = np.empty((3, LANES))
    of_cluster, of_case = np.empty((2, LANES)), np.empty((2, LANES))
    kept = np.empty((5, LANES), np.int64)
    sums = np.empty((n_clusters, LANES), np.int64)
    one_lane = np.empty(n_clusters, np.int64)
    now = np.empty(n_clusters * cluster_size * runs // 2 + 1)
    then = np.empty_like(now)
    for start in range(0, out.shape[0], LANES):
        first = first_replication + start
        lanes = min(LANES, out.shape[0] - start)
        _clear(kept, sums, lanes)
        for cluster in range(n_clusters):
            _start_cluster(of_cluster, lanes, logit_a, logit_b)
            address = first, cluster, 0, CLUSTER_STREAM
            _add_effects(of_cluster, uniforms, lanes, key64, *address, cluster_sd, cluster_interaction_sd)
            for case in range(cluster_size):
                _start_case(of_case, of_cluster, lanes)
                address = first, cluster, case, CASE_STREAM
                _add_effects(of_case, uniforms, lanes, key64, *address, difficulty_sd, interaction_sd)
                _exponentials(of_case, lanes)
                _answer(kept, sums, of_case, lanes, key64, first, cluster, case, runs)
        for lane in range(lanes):
            _close(out[start + lane], kept, sums, one_lane, lane)
            out[start + lane, 5] = flip_level(one_lane, alphas, alternative_code, now, then)


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_clusters: int,
    cluster_size: int,
    runs: int,
    logit_a: float,
    logit_b: float,
    difficulty_sd: float,
    cluster_sd: float,
    cluster_interaction_sd: float,
    interaction_sd: float,
) -> None:
    """Replay one replication; a row is an answer: cluster, case within it, run, right_a and right_b."""
    # An array of seven columns also gets the logits of A and of B on the case, all effects included.
    key64 = np.uint64(key)
    uniforms = np.empty((3, 1))
    of_cluster, of_case = np.empty((2, 1)), np.empty((2, 1))
    row = 0
    for cluster in range(n_clusters):
        _start_cluster(of_cluster, 1, logit_a, logit_b)
        address = replication, cluster, 0, CLUSTER_STREAM
        _add_effects(of_cluster, uniforms, 1, key64, *address, cluster_sd, cluster_interaction_sd)
        for case in range(cluster_size):
            _start_case(of_case, of_cluster, 1)
            address = replication, cluster, case, CASE_STREAM
            _add_effects(of_case, uniforms, 1, key64, *address, difficulty_sd, interaction_sd)
            hardness_a, hardness_b = of_case[0, 0], of_case[1, 0]
            _exponentials(of_case, 1)
            for run in range(runs):
                a, b = _answers(key64, replication, cluster, case, run, of_case[0, 0], of_case[1, 0])
                out[row, 0] = cluster
                out[row, 1] = case
                out[row, 2] = run
                out[row, 3] = a
                out[row, 4] = b
                if out.shape[1] >= COLUMNS_WITH_LOGITS:
                    out[row, 5] = -hardness_a
                    out[row, 6] = -hardness_b
                row += 1


@part
def _add_effects(
    hardness: NDArray[np.float64],
    uniforms: NDArray[np.float64],
    lanes: int,
    key: np.uint64,
    first: int,
    unit: int,
    draw: int,
    stream: np.uint64,
    shared_sd: float,
    own_sd: float,
) -> None:
    """Draw the effects of a cluster or a case; add the shared one to both rows of `hardness`, then each its own."""
    # An effect without spread is skipped: to add it would change nothing.
    if shared_sd == 0.0 and own_sd == 0.0:
        return
    for lane in range(lanes):
        replication = np.uint64(first + lane) & LOW_32
        w0, w1, w2, _ = draw_words(key, replication, np.uint64(unit), np.uint64(draw), stream)
        uniforms[0, lane] = uniform32(w0)
        uniforms[1, lane] = uniform32(w1)
        uniforms[2, lane] = uniform32(w2)
    if shared_sd != 0.0:
        for lane in range(lanes):
            shared = shared_sd * normal_quantile(uniforms[0, lane])
            hardness[0, lane] += shared
            hardness[1, lane] += shared
    if own_sd != 0.0:
        for system in range(2):
            for lane in range(lanes):
                hardness[system, lane] += own_sd * normal_quantile(uniforms[1 + system, lane])


@helper
def _clear(kept: NDArray[np.int64], sums: NDArray[np.int64], lanes: int) -> None:
    for table in (kept, sums):
        for row in range(table.shape[0]):
            for lane in range(lanes):
                table[row, lane] = 0


@helper
def _start_cluster(hardness: NDArray[np.float64], lanes: int, logit_a: float, logit_b: float) -> None:
    for lane in range(lanes):
        hardness[0, lane] = -logit_a
        hardness[1, lane] = -logit_b


@helper
def _start_case(hardness: NDArray[np.float64], of_cluster: NDArray[np.float64], lanes: int) -> None:
    for lane in range(lanes):
        hardness[0, lane] = of_cluster[0, lane]
        hardness[1, lane] = of_cluster[1, lane]


@helper
def _exponentials(hardness: NDArray[np.float64], lanes: int) -> None:
    for system in range(2):
        for lane in range(lanes):
            hardness[system, lane] = exp(hardness[system, lane])


@helper
def _answer(
    kept: NDArray[np.int64],
    sums: NDArray[np.int64],
    odds: NDArray[np.float64],
    lanes: int,
    key: np.uint64,
    first: int,
    cluster: int,
    case: int,
    runs: int,
) -> None:
    """Answer a case in all runs; add it to its cluster sum, to the squares and, for run 0, to n10 and n01."""
    difference = np.empty(LANES, np.int64)
    for lane in range(lanes):
        a, b = _answers(key, first + lane, cluster, case, 0, odds[0, lane], odds[1, lane])
        difference[lane] = b - a
        kept[N10, lane] += a & ~b
        kept[N01, lane] += b & ~a
    for run in range(1, runs):
        for lane in range(lanes):
            a, b = _answers(key, first + lane, cluster, case, run, odds[0, lane], odds[1, lane])
            difference[lane] += b - a
    for lane in range(lanes):
        sums[cluster, lane] += difference[lane]
        kept[SQUARES, lane] += difference[lane] * difference[lane]


@helper
def _close(
    row: NDArray[np.int64],
    kept: NDArray[np.int64],
    sums: NDArray[np.int64],
    one_lane: NDArray[np.int64],
    lane: int,
) -> None:
    """Write what was kept of a replication, and copy its cluster sums to `one_lane`."""
    for cluster in range(sums.shape[0]):
        cluster_sum = sums[cluster, lane]
        one_lane[cluster] = cluster_sum
        kept[TOTAL, lane] += cluster_sum
        kept[CLUSTER_SQUARES, lane] += cluster_sum * cluster_sum
    for column in range(kept.shape[0]):
        row[column] = kept[column, lane]


@helper
def _answers(
    key: np.uint64, replication: int, cluster: int, case: int, run: int, odds_a: float, odds_b: float
) -> tuple[np.int64, np.int64]:
    """Return right_a and right_b of a run, at the odds against a right answer of each system."""
    draw = np.uint64(case + ((run >> 1) << RUN_PAIR_SHIFT))
    four = draw_words(key, np.uint64(replication) & LOW_32, np.uint64(cluster), draw, RUN_STREAM)
    word_a, word_b = (four[2], four[3]) if run & 1 else (four[0], four[1])
    return np.int64(below_odds(word_a, odds_a)), np.int64(below_odds(word_b, odds_b))
