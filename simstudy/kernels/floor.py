"""The least that a simulation of every unit can cost: its random words and nothing else. For benchmarks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, kernel
from simstudy.kernels.philox import LOW_32, draw_words
from simstudy.kernels.streams import DATA

LANES = 256
STREAM = np.uint64(DATA)
DRAW = np.uint64(0)


@kernel
def philox_floor(key: Key, first_replication: int, out: NDArray[np.uint64], n_cases: int) -> None:
    """Draw the words of the kernel of ``paired``; `out` gets a checksum, so that no draw can be optimised away."""
    key64 = np.uint64(key)
    sums = np.empty(LANES, np.uint64)
    for start in range(0, out.shape[0], LANES):
        lanes = min(LANES, out.shape[0] - start)
        for lane in range(lanes):
            sums[lane] = 0
        for unit in range(n_cases):
            for lane in range(lanes):
                replication = np.uint64(first_replication + start + lane) & LOW_32
                w0, w1, w2, w3 = draw_words(key64, replication, np.uint64(unit), DRAW, STREAM)
                sums[lane] += w0 ^ w1 ^ w2 ^ w3
        for lane in range(lanes):
            out[start + lane] = sums[lane]
