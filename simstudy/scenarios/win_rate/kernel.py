"""Simulation of ``win_rate``: a judge reads pairs of answers of A and B in both orders.

One call of Philox belongs to a pair. In DATA, words 0 and 1 are the advantage of B in this pair, and words 2 and 3 the
verdicts of pass 1, which shows A first, and of pass 2, which shows B first. A small word picks B, a large one A, and
words between the two thresholds are ties: a larger advantage turns verdicts toward B only, and a larger bias toward
the first position turns those of pass 1 toward A and those of pass 2 toward B.

Words are held against odds, at one exponential for a pair. The odds of both thresholds are the same without a tie
band, to the bit: no tie occurs then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel
from simstudy.kernels.maths import exp, normal_quantile
from simstudy.kernels.philox import LOW_32, Words, below_odds, draw_words, uniform53
from simstudy.kernels.streams import DATA

LANES = 256
STREAM = np.uint64(DATA)
DRAW = np.uint64(0)
# picks, and how many there are: the class of a pair is 3 · pick of pass 1 + pick of pass 2
B, A, TIE, PICKS = 0, 1, 2, 3

Factors = tuple[float, float, float, float]


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_pairs: int,
    strength: float,
    strength_sd: float,
    beta: float,
    tie_band: float,
    skipped: int = 0,
) -> None:
    """Count the pairs of picks (pass 1, pass 2) of each replication: BB, BA, B tie, AB, ..., tie tie."""
    # Addresses have the low 32 bits of replication and pair. |strength| + 8.3 strength_sd + |beta| + tie_band is at
    # most 700, beyond which an exponential overflows.
    key64, factors = np.uint64(key), _factors(beta, tie_band)
    odds = exp(-strength)
    advantages = np.empty(LANES)
    words_1, words_2 = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    classes, counts = np.empty(LANES, np.int64), np.empty((LANES, PICKS * PICKS), np.int64)
    for start in range(0, out.shape[0], LANES):
        first, lanes = first_replication + start, min(LANES, out.shape[0] - start)
        counts[:] = 0
        for unit in range(skipped, n_pairs):
            if strength_sd > 0.0:
                # two loops, at seven tenths of the time of one
                for lane in range(lanes):
                    w0, w1, words_1[lane], words_2[lane] = _words(key64, first + lane, unit)
                    advantages[lane] = _advantage(w0, w1, strength, strength_sd)
                for lane in range(lanes):
                    classes[lane] = _class(words_1[lane], words_2[lane], exp(-advantages[lane]), factors)
            else:
                for lane in range(lanes):
                    _, _, word_1, word_2 = _words(key64, first + lane, unit)
                    classes[lane] = _class(word_1, word_2, odds, factors)
            for lane in range(lanes):
                counts[lane, classes[lane]] += 1
        out[start : start + lanes] = counts[:lanes]


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_pairs: int,
    strength: float,
    strength_sd: float,
    beta: float,
    tie_band: float,
) -> None:
    """Fill a replication's pairs: advantage of B in logits, verdicts of pass 1 and of pass 2 (1 B, −1 A, 0 a tie)."""
    factors = _factors(beta, tie_band)
    for unit in range(n_pairs):
        w0, w1, word_1, word_2 = _words(np.uint64(key), replication, unit)
        x = _advantage(w0, w1, strength, strength_sd) if strength_sd > 0.0 else strength
        verdicts = _class(word_1, word_2, exp(-x), factors)
        out[unit, 0] = x
        out[unit, 1] = _sign(verdicts // PICKS)
        out[unit, 2] = _sign(verdicts % PICKS)


@helper
def _sign(pick: np.int64) -> float:
    return 1.0 if pick == B else (-1.0 if pick == A else 0.0)


@helper
def _words(key: np.uint64, replication: int, unit: int) -> Words:
    return draw_words(key, np.uint64(replication) & LOW_32, np.uint64(unit), DRAW, STREAM)


@helper
def _advantage(high: np.uint64, low: np.uint64, strength: float, strength_sd: float) -> float:
    return strength + strength_sd * normal_quantile(uniform53(high, low))


@helper
def _class(word_1: np.uint64, word_2: np.uint64, odds: float, factors: Factors) -> np.int64:
    """Return the class of a pair; `odds` are those against B by the answers alone."""
    against_b_1, for_a_1, against_b_2, for_a_2 = factors
    return PICKS * _pick(word_1, odds * against_b_1, odds * for_a_1) + _pick(word_2, odds * against_b_2, odds * for_a_2)


@helper
def _pick(word: np.uint64, against_b: float, for_a: float) -> np.int64:
    """Return B below the threshold at the odds against B, A from the one at the odds for A on, TIE between them."""
    other = np.int64(TIE) if below_odds(word, for_a) else np.int64(A)
    return np.int64(B) if below_odds(word, against_b) else other


@helper
def _factors(beta: float, tie_band: float) -> Factors:
    """Return by what bias and ties multiply the odds against B and those for A, in pass 1 and in pass 2."""
    return exp(beta + tie_band), exp(beta - tie_band), exp(tie_band - beta), exp(-tie_band - beta)
