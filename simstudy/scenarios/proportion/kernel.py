"""Simulation of ``proportion``: one system answers each case right with one probability.

Four cases share a call of Philox: case i is word i mod 4 of unit i div 4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, kernel, part
from simstudy.kernels.philox import LOW_32, draw_words, threshold32
from simstudy.kernels.streams import DATA

LANES = 256
STREAM = np.uint64(DATA)
DRAW = np.uint64(0)
NEVER = np.uint64(0)


@kernel
def simulate(
    key: Key, first_replication: int, out: NDArray[np.int64], n_cases: int, accuracy: float, skipped: int = 0
) -> None:
    """Count the right answers of each replication; accuracies 0 and 1 are exact, others are met within 2**-33."""
    count_right(key, first_replication, out, 0, n_cases, accuracy, DRAW, skipped)


@kernel
def cases(key: Key, replication: int, out: NDArray[np.float64], n_cases: int, accuracy: float) -> None:
    """Replay one replication; a row is a case: 1 where the answer is right, else 0."""
    replay_right(key, replication, out, 0, n_cases, accuracy, DRAW)


@part
def count_right(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    column: int,
    n_cases: int,
    accuracy: float,
    draw: np.uint64,
    skipped: int,
) -> None:
    """Fill a column of `out` with the right answers of one system, whose words are those of `draw`."""
    # Replications are the inner loop: they are many, so that vector units are full however few the cases are.
    key64 = np.uint64(key)
    threshold = threshold32(accuracy)
    counts = np.empty(LANES, np.int64)
    for start in range(0, out.shape[0], LANES):
        lanes = min(LANES, out.shape[0] - start)
        for lane in range(lanes):
            counts[lane] = 0
        for unit in range(skipped // 4, (n_cases + 3) // 4):
            begun, left = skipped - 4 * unit, n_cases - 4 * unit
            t0 = threshold if begun <= 0 and left > 0 else NEVER
            t1 = threshold if begun <= 1 and left > 1 else NEVER
            t2 = threshold if begun <= 2 and left > 2 else NEVER
            t3 = threshold if begun <= 3 and left > 3 else NEVER
            for lane in range(lanes):
                replication = np.uint64(first_replication + start + lane) & LOW_32
                w0, w1, w2, w3 = draw_words(key64, replication, np.uint64(unit), draw, STREAM)
                counts[lane] += np.int64(w0 < t0) + np.int64(w1 < t1) + np.int64(w2 < t2) + np.int64(w3 < t3)
        for lane in range(lanes):
            out[start + lane, column] = counts[lane]


@part
def replay_right(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    column: int,
    n_cases: int,
    accuracy: float,
    draw: np.uint64,
) -> None:
    """Fill a column of `out`, one row per case, with the answers that `count_right` counts."""
    threshold = threshold32(accuracy)
    address = np.uint64(replication) & LOW_32
    for unit in range((n_cases + 3) // 4):
        four = draw_words(np.uint64(key), address, np.uint64(unit), draw, STREAM)
        for word in range(min(4, n_cases - 4 * unit)):
            out[4 * unit + word, column] = np.float64(four[word] < threshold)
