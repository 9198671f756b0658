"""Percentile bootstrap of a mean over cases: with multiplicity, or (wrongly) as a set.

Addresses: the unit is the resample. Its picks 4j to 4j + 3 are the four words of stream RESAMPLING at draw j: word w
picks case w * n div 2**32, each of n cases with a probability within 2**-32 of 1/n.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import part
from simstudy.kernels.philox import LOW_32, SHIFT_32, draw_words
from simstudy.kernels.streams import RESAMPLING

Floats = NDArray[np.float64]

LANES = 256
STREAM = np.uint64(RESAMPLING)
NOTHING, ONE = np.uint64(0), np.uint64(1)
WORD_BITS = 64
LOW_6, SHIFT_6 = np.uint64(63), np.uint64(6)
# (1 - alpha / 2) * resamples may exceed a whole number by rounding
RANK_SLACK = 1e-9


@part
def resample(key: np.uint64, replication: int, values: Floats, means: Floats, set_means: Floats, sets: bool) -> None:
    """Fill the means over the picks of each resample, and, if `sets`, those over the distinct cases among them."""
    # Values are multiples of one power of two, so that sums do not depend on the order of the picks.
    n = values.shape[0]
    picks = np.empty((4, LANES), np.uint64)
    total, set_total, set_size = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    seen = np.empty(((n + WORD_BITS - 1) // WORD_BITS, LANES), np.uint64)
    for start in range(0, means.shape[0], LANES):
        lanes = min(LANES, means.shape[0] - start)
        _clear(total, set_total, set_size, seen)
        for draw in range((n + 3) // 4):
            _pick(picks, lanes, key, replication, start, draw, n)
            for word in range(min(4, n - 4 * draw)):
                for lane in range(lanes):
                    total[lane] += values[picks[word, lane]]
                if sets:
                    _add_new(set_total, set_size, seen, picks[word], lanes, values)
        for lane in range(lanes):
            means[start + lane] = total[lane] / n
        if sets:
            for lane in range(lanes):
                set_means[start + lane] = set_total[lane] / set_size[lane]


@part
def _clear(total: Floats, set_total: Floats, set_size: Floats, seen: NDArray[np.uint64]) -> None:
    for lane in range(LANES):
        total[lane], set_total[lane], set_size[lane] = 0.0, 0.0, 0.0
        for block in range(seen.shape[0]):
            seen[block, lane] = NOTHING


@part
def _pick(
    picks: NDArray[np.uint64], lanes: int, key: np.uint64, replication: int, first: int, draw: int, n: int
) -> None:
    address, cases = np.uint64(replication) & LOW_32, np.uint64(n)
    for lane in range(lanes):
        w0, w1, w2, w3 = draw_words(key, address, np.uint64(first + lane), np.uint64(draw), STREAM)
        picks[0, lane] = w0 * cases >> SHIFT_32
        picks[1, lane] = w1 * cases >> SHIFT_32
        picks[2, lane] = w2 * cases >> SHIFT_32
        picks[3, lane] = w3 * cases >> SHIFT_32


@part
def _add_new(
    total: Floats, size: Floats, seen: NDArray[np.uint64], picks: NDArray[np.uint64], lanes: int, values: Floats
) -> None:
    """Add the picked case of each lane where it was not picked before; a bit of `seen` per case tells."""
    for lane in range(lanes):
        case = picks[lane]
        mask = ONE << (case & LOW_6)
        marks = seen[case >> SHIFT_6, lane]
        new = 1.0 if marks & mask == NOTHING else 0.0
        seen[case >> SHIFT_6, lane] = marks | mask
        total[lane] += new * values[case]
        size[lane] += new


@part
def percentiles(means: Floats, alpha: float) -> tuple[float, float, int, int]:
    """Return the percentile limits at 1 - alpha, and how many means are not positive, not negative; reorders them."""
    # A quantile is the smallest value whose distribution function reaches it.
    resamples = means.shape[0]
    below, above = 0, 0
    for mean in means:
        below += mean <= 0.0
        above += mean >= 0.0
    first = max(math.ceil(0.5 * alpha * resamples - RANK_SLACK), 1) - 1
    last = min(math.ceil((1.0 - 0.5 * alpha) * resamples - RANK_SLACK), resamples) - 1
    low = select(means, 0, first)
    return low, select(means, first, last), below, above


@part
def select(values: Floats, left: int, rank: int) -> float:
    """Return the value of a rank, counted from 0, among values of which those before `left` are the smallest."""
    # Values before `rank` are not larger afterwards, those behind it not smaller: Hoare, C. A. R. (1961). Algorithm 65:
    # FIND. Communications of the ACM 4, 321-322.
    right = values.shape[0] - 1
    while left < right:
        pivot = values[rank]
        i, j = left, right
        while i <= j:
            while values[i] < pivot:
                i += 1
            while pivot < values[j]:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if j < rank:
            left = i
        if rank < i:
            right = j
    return float(values[rank])
