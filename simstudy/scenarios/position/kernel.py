"""Simulation of ``position``: a judge reads each pair of answers in both orders.

Two calls of Philox belong to a pair. In DATA, word 0 says whether the answers are equally good, word 1 which one is
better, and words 2 and 3 how far the ability of the pair lies from the mean; in JUDGE, words 0 and 1 are the verdicts
of pass AB and pass BA. A small word picks the answer shown first, a large one the answer shown second, and words
between the two thresholds are ties: a larger bias toward the first position turns verdicts that way only.

With one ability for all pairs the thresholds are computed once. Where each pair has its own, words are held against
odds, at one exponential and one division for a pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel
from simstudy.kernels.maths import exp, normal_quantile
from simstudy.kernels.philox import LOW_32, below_odds, draw_words, threshold32, uniform53
from simstudy.kernels.streams import DATA, JUDGE

LANES = 256
TRUTH_STREAM = np.uint64(DATA)
JUDGE_STREAM = np.uint64(JUDGE)
DRAW = np.uint64(0)
# letters, and how many there are: the class of a pair is 3 · letter in pass AB + letter in pass BA
FIRST, SECOND, TIE, LETTERS = 0, 1, 2, 3

Threshold = tuple[np.uint64, np.uint64]
Bounds = tuple[Threshold, Threshold, Threshold]
Factors = tuple[float, float]


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_pairs: int,
    beta: float,
    ability: float,
    x_better: float,
    tied: float,
    tie_band: float,
    ability_sd: float,
    skipped: int = 0,
) -> None:
    """Count the pairs of letters (pass AB, pass BA) of each replication: AA, AB, A tie, BA, BB, B tie, tie A, ..."""
    # |beta| + ability + tie_band + 8.3 ability_sd is at most 700; both passes of a pair share its ability.
    key64 = np.uint64(key)
    equal, better = threshold32(tied), threshold32(x_better)
    bounds = _bounds(beta, ability, tie_band)
    factors = _factors(beta, tie_band)
    abilities, classes = np.empty(LANES), np.empty(LANES, np.int64)
    counts = np.empty((LANES, LETTERS * LETTERS), np.int64)
    for start in range(0, out.shape[0], LANES):
        lanes = min(LANES, out.shape[0] - start)
        counts[:] = 0
        for unit in range(skipped, n_pairs):
            if ability_sd > 0.0:
                for lane in range(lanes):
                    replication = np.uint64(first_replication + start + lane) & LOW_32
                    abilities[lane] = ability + ability_sd * _deviate(key64, replication, np.uint64(unit))
                for lane in range(lanes):
                    replication = np.uint64(first_replication + start + lane) & LOW_32
                    _, letter_ab, letter_ba = _pair_at(
                        key64, replication, np.uint64(unit), equal, better, abilities[lane], factors
                    )
                    classes[lane] = LETTERS * letter_ab + letter_ba
            else:
                for lane in range(lanes):
                    replication = np.uint64(first_replication + start + lane) & LOW_32
                    _, letter_ab, letter_ba = _pair(key64, replication, np.uint64(unit), equal, better, bounds)
                    classes[lane] = LETTERS * letter_ab + letter_ba
            for lane in range(lanes):
                counts[lane, classes[lane]] += 1
        out[start : start + lanes] = counts[:lanes]


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_pairs: int,
    beta: float,
    ability: float,
    x_better: float,
    tied: float,
    tie_band: float,
    ability_sd: float,
) -> None:
    """Replay one replication; a row is a pair: its truth, its ability and the verdicts of both passes."""
    # Truth: 1 X better, −1 Y better, 0 equally good; ability counts where they are not. Verdicts: 1 the answer shown
    # first, −1 the one shown second, 0 a tie.
    key64, address = np.uint64(key), np.uint64(replication) & LOW_32
    equal, better = threshold32(tied), threshold32(x_better)
    bounds, factors = _bounds(beta, ability, tie_band), _factors(beta, tie_band)
    for unit in range(n_pairs):
        own = ability
        if ability_sd > 0.0:
            own += ability_sd * _deviate(key64, address, np.uint64(unit))
            truth, ab, ba = _pair_at(key64, address, np.uint64(unit), equal, better, own, factors)
        else:
            truth, ab, ba = _pair(key64, address, np.uint64(unit), equal, better, bounds)
        out[unit, 0] = truth
        out[unit, 1] = own
        out[unit, 2] = _sign(ab)
        out[unit, 3] = _sign(ba)


@helper
def _sign(letter: np.int64) -> float:
    return 1.0 if letter == FIRST else (-1.0 if letter == SECOND else 0.0)


@helper
def _truth(key: np.uint64, replication: np.uint64, unit: np.uint64, equal: np.uint64, better: np.uint64) -> np.int64:
    w0, w1, _, _ = draw_words(key, replication, unit, DRAW, TRUTH_STREAM)
    return np.int64(w0 >= equal) * (2 * np.int64(w1 < better) - 1)


@helper
def _pair(
    key: np.uint64, replication: np.uint64, unit: np.uint64, equal: np.uint64, better: np.uint64, bounds: Bounds
) -> tuple[np.int64, np.int64, np.int64]:
    """Return the truth of a pair and the letters of its two passes, at one ability for all pairs."""
    truth = _truth(key, replication, unit, equal, better)
    w0, w1, _, _ = draw_words(key, replication, unit, DRAW, JUDGE_STREAM)
    return truth, _letter(w0, truth, bounds), _letter(w1, -truth, bounds)


@helper
def _letter(word: np.uint64, truth: np.int64, bounds: Bounds) -> np.int64:
    """Return FIRST below the first threshold, SECOND from the second one, TIE between them."""
    # Selects between numbers, not entries of an array, let LLVM fill vector units.
    worse, middle, better = bounds
    until = better[0] if truth > 0 else (worse[0] if truth < 0 else middle[0])
    since = better[1] if truth > 0 else (worse[1] if truth < 0 else middle[1])
    return np.int64(TIE) - 2 * np.int64(word < until) - np.int64(word >= since)


@helper
def _bounds(beta: float, ability: float, tie_band: float) -> Bounds:
    """Return the thresholds where the worse answer is shown first, where none is better, where the better one is."""
    return _threshold(beta - ability, tie_band), _threshold(beta, tie_band), _threshold(beta + ability, tie_band)


@helper
def _threshold(pull: float, tie_band: float) -> Threshold:
    """Return below which word a pass picks the first shown, and from which word on the second shown."""
    until = threshold32(1.0 / (1.0 + exp(tie_band - pull)))
    # 1 − P(second shown), so that without ties the two thresholds are one
    since = threshold32(1.0 / (1.0 + exp(-tie_band - pull)))
    return until, since


@helper
def _deviate(key: np.uint64, replication: np.uint64, unit: np.uint64) -> float:
    """Return how far the ability of a pair lies from the mean, in standard deviations."""
    _, _, w2, w3 = draw_words(key, replication, unit, DRAW, TRUTH_STREAM)
    return normal_quantile(uniform53(w2, w3))


@helper
def _pair_at(
    key: np.uint64,
    replication: np.uint64,
    unit: np.uint64,
    equal: np.uint64,
    better: np.uint64,
    ability: float,
    factors: Factors,
) -> tuple[np.int64, np.int64, np.int64]:
    """Return the truth of a pair and the letters of its two passes, at the ability of this pair."""
    truth = _truth(key, replication, unit, equal, better)
    w0, w1, _, _ = draw_words(key, replication, unit, DRAW, JUDGE_STREAM)
    odds = exp(-ability * truth)
    return truth, _letter_at(w0, odds, factors), _letter_at(w1, 1.0 / odds, factors)


@helper
def _letter_at(word: np.uint64, odds: float, factors: Factors) -> np.int64:
    """Return FIRST, SECOND or TIE as `_letter` does; `odds` are those against the first shown by its quality alone."""
    until, since = factors
    return np.int64(SECOND) - 2 * np.int64(below_odds(word, odds * until)) + np.int64(below_odds(word, odds * since))


@helper
def _factors(beta: float, tie_band: float) -> Factors:
    """Return what bias and ties make of the odds against the first shown, and of those for the second shown."""
    return exp(tie_band - beta), exp(-tie_band - beta)
