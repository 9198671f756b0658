"""Simulation of ``self_preference``: two judges read every pair in both orders; one of them has a stake in it.

Addresses: the unit is the pair. Stream DATA, draw 0, word 0 says whether its answers are equally good, word 1 which of
them is better otherwise. Stream JUDGE, draw 0, has the verdicts: words 0 and 1 those of the own judge where the own
system is shown first and second, words 2 and 3 those of the third-party judge; words 0 and 1 of draw 1 have what the
own judge adds to the pair as a whole. A verdict is for the own system where its uniform lies below the probability of
that, so a larger bonus turns verdicts toward it and none away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel
from simstudy.kernels.maths import exp, normal_quantile
from simstudy.kernels.philox import LOW_32, Words, below_odds, draw_words, threshold32, uniform53
from simstudy.kernels.streams import DATA, JUDGE

LANES = 256
N_CLASSES = 8
DATA_STREAM = np.uint64(DATA)
JUDGE_STREAM = np.uint64(JUDGE)
DRAW = np.uint64(0)
OF_THE_PAIR = np.uint64(1)
FAIR = np.uint64(2**31)

HALF_UP_SEEN, HALF_UP_HIDDEN, WHOLE_UP, HALF_DOWN_SEEN, HALF_DOWN_HIDDEN, WHOLE_DOWN, CROSS, AGREE = range(N_CLASSES)
# class of a pair by its verdicts, read as a binary number: own judge first, second, third-party judge first, second
CLASSES = (
    *(AGREE, HALF_DOWN_SEEN, HALF_DOWN_SEEN, WHOLE_DOWN),
    *(HALF_UP_SEEN, AGREE, CROSS, HALF_DOWN_HIDDEN),
    *(HALF_UP_SEEN, CROSS, AGREE, HALF_DOWN_HIDDEN),
    *(WHOLE_UP, HALF_UP_HIDDEN, HALF_UP_HIDDEN, AGREE),
)


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_pairs: int,
    bonus: float,
    ability: float,
    beta: float,
    tied: float,
    judge_pair_sd: float,
    skipped: int = 0,
) -> None:
    """Count the pairs of each class in each replication."""
    # Half and whole are the size of the gap of win rates; up is toward the own system. Seen: the judges differ in
    # whether they pick the own system in any order; hidden: both do. cross: each judge alone picks it in one order.
    # Pairs on which the judges agree in both orders are left out. |bonus| + ability + |beta| + 8.3 judge_pair_sd is at
    # most 300.
    threshold, shift, pull = threshold32(tied), exp(-bonus), exp(-beta)
    odds, shifts, codes = np.empty(LANES), np.empty(LANES), np.empty(LANES, np.int64)
    counts = np.empty((LANES, N_CLASSES), np.int64)
    for start in range(0, out.shape[0], LANES):
        first = first_replication + start
        lanes = min(LANES, out.shape[0] - start)
        _start(counts, shifts, lanes, shift)
        for unit in range(skipped, n_pairs):
            for lane in range(lanes):
                odds[lane] = exp(-ability * _truth(np.uint64(key), first + lane, unit, threshold))
            if judge_pair_sd > 0.0:
                for lane in range(lanes):
                    shifts[lane] = shift * exp(-_added(np.uint64(key), first + lane, unit, judge_pair_sd))
            for lane in range(lanes):
                a, b, c, d = _verdicts(np.uint64(key), first + lane, unit, odds[lane], shifts[lane], pull)
                codes[lane] = 8 * a + 4 * b + 2 * c + d
            for lane in range(lanes):
                counts[lane, CLASSES[codes[lane]]] += 1
        for lane in range(lanes):
            for column in range(out.shape[1]):
                out[start + lane, column] = counts[lane, column]


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_pairs: int,
    bonus: float,
    ability: float,
    beta: float,
    tied: float,
    judge_pair_sd: float,
) -> None:
    """Replay one replication; a row is a pair: truth, what the own judge adds to its own system, four verdicts."""
    # Truth: 1 where the own system's answer is better, -1 where the other's is, 0 where neither. Verdicts, 1 for the
    # own system: own judge with the own system shown first and second, third-party judge with it first and second.
    threshold, shift, pull = threshold32(tied), exp(-bonus), exp(-beta)
    for unit in range(n_pairs):
        truth = _truth(np.uint64(key), replication, unit, threshold)
        added = _added(np.uint64(key), replication, unit, judge_pair_sd) if judge_pair_sd > 0.0 else 0.0
        four = _verdicts(np.uint64(key), replication, unit, exp(-ability * truth), shift * exp(-added), pull)
        out[unit, 0] = truth
        out[unit, 1] = bonus + added
        for column in range(4):
            out[unit, 2 + column] = four[column]


@helper
def _start(counts: NDArray[np.int64], shifts: NDArray[np.float64], lanes: int, shift: float) -> None:
    for lane in range(lanes):
        shifts[lane] = shift
        for column in range(N_CLASSES):
            counts[lane, column] = 0


@helper
def _words(key: np.uint64, replication: int, unit: int, draw: np.uint64, stream: np.uint64) -> Words:
    return draw_words(key, np.uint64(replication) & LOW_32, np.uint64(unit), draw, stream)


@helper
def _truth(key: np.uint64, replication: int, unit: int, threshold: np.uint64) -> float:
    """Return which answer of a pair is better: 1 the own system's, -1 the other one, 0 neither."""
    w0, w1, _, _ = _words(key, replication, unit, DRAW, DATA_STREAM)
    decided = w0 >= threshold
    return np.float64(decided & (w1 < FAIR)) - np.float64(decided & (w1 >= FAIR))


@helper
def _added(key: np.uint64, replication: int, unit: int, judge_pair_sd: float) -> float:
    """Return the logits that the own judge adds to a pair in both orders, beside the bonus."""
    w0, w1, _, _ = _words(key, replication, unit, OF_THE_PAIR, JUDGE_STREAM)
    return judge_pair_sd * normal_quantile(uniform53(w0, w1))


@helper
def _verdicts(
    key: np.uint64, replication: int, unit: int, odds: float, shift: float, pull: float
) -> tuple[int, int, int, int]:
    """Return the four verdicts; `odds` are those against the own system, and the factors change them."""
    w0, w1, w2, w3 = _words(key, replication, unit, DRAW, JUDGE_STREAM)
    own = odds * shift
    return (
        int(below_odds(w0, own * pull)),
        int(below_odds(w1, own / pull)),
        int(below_odds(w2, odds * pull)),
        int(below_odds(w3, odds / pull)),
    )
