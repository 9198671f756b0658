"""Simulation of ``paired``: two systems answer the same cases, whose difficulty they share.

One call of Philox belongs to a case: words 0 and 1 give its difficulty, words 2 and 3 the answers of A and B.
A system with the logit l answers right where its uniform u lies below the logistic function of l - d, written
u (1 + e**d e**-l) < 1: one exponential serves both systems.

`simulate` seldom computes that exponential. At given parameters the probability of a right answer only falls
with the leading bits of word 0, so a table holds, per bin of word 0, bounds of the probabilities at its two
ends, 15 bits each. A word above or below both bounds decides the answer; in about one case of a thousand it
lies between them, and that case is computed as `cases` does. Both functions therefore agree in every answer,
at less than a quarter of the time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel, part
from simstudy.kernels.maths import exp, normal_quantile
from simstudy.kernels.philox import LOW_32, SHIFT_32, Words, below_odds, draw_words, uniform53
from simstudy.kernels.streams import DATA

LANES = 256
GROUP = 16
STREAM = np.uint64(DATA)
DRAW = np.uint64(0)

# A table entry is four fields of 16 bits: bounds of A (sure, possible), bounds of B (sure, possible). A bound
# of f words of 15 bits is stored as f + 0x7fff: minus the word, bit 15 is left exactly where the word is
# below f, and fields never borrow.
FIELD_ONE = 32768.0
MARGIN = 1e-3
BELOW_GUARD = np.uint64(0x7FFF)
SURE = np.uint64(15)
SURE_BITS = np.uint64(0x0000000100000001)
DOUBT_BITS = np.uint64(0x0000800000008000)
TO_15_BITS = np.uint64(17)
FIELD = np.uint64(16)
FIELD_3 = np.uint64(48)
NONE = np.uint64(0)

MIN_BITS = 6
MAX_BITS = 11


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_cases: int,
    logit_a: float,
    logit_b: float,
    difficulty_sd: float,
    skipped: int = 0,
) -> None:
    """Count n10 (only A right), n01 (only B right) and n11 of each replication; logits hold at difficulty 0."""
    odds_a, odds_b = exp(-logit_a), exp(-logit_b)
    bits = table_bits(out.shape[0] * (n_cases - skipped))
    table = answer_bounds(bits, odds_a, odds_b, difficulty_sd)
    bins, fields = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    right, both = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    for start in range(0, out.shape[0], LANES):
        first = first_replication + start
        lanes = min(LANES, out.shape[0] - start)
        padded = (lanes + GROUP - 1) // GROUP * GROUP
        _clear(right, both, padded)
        for unit in range(skipped, n_cases):
            draw_fields(bins, fields, padded, np.uint64(key), first, unit, np.uint64(32 - bits))
            for lane in range(padded):
                fields[lane] = table[bins[lane]] - fields[lane]
            for group in range(0, padded, GROUP):
                if _count_sure(right, both, fields, group):
                    for lane in range(group, group + GROUP):
                        if in_doubt(fields[lane]):
                            four = case_words(np.uint64(key), first + lane, unit)
                            _, a, b = case_answers(four, odds_a, odds_b, difficulty_sd)
                            _count_settled(right, both, fields, lane, a, b)
        for lane in range(lanes):
            n11 = np.int64(both[lane])
            out[start + lane, 0] = np.int64(right[lane] & LOW_32) - n11
            out[start + lane, 1] = np.int64(right[lane] >> SHIFT_32) - n11
            out[start + lane, 2] = n11


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_cases: int,
    logit_a: float,
    logit_b: float,
    difficulty_sd: float,
) -> None:
    """Replay one replication; a row is a case: its difficulty in logits, right_a and right_b."""
    odds_a, odds_b = exp(-logit_a), exp(-logit_b)
    for unit in range(n_cases):
        four = case_words(np.uint64(key), replication, unit)
        difficulty, right_a, right_b = case_answers(four, odds_a, odds_b, difficulty_sd)
        out[unit, 0] = difficulty
        out[unit, 1] = right_a
        out[unit, 2] = right_b


@helper
def case_words(key: np.uint64, replication: int, unit: int) -> Words:
    """Return the words of a case; ``judged`` has the same cases."""
    return draw_words(key, np.uint64(replication) & LOW_32, np.uint64(unit), DRAW, STREAM)


@part
def case_answers(four: Words, odds_a: float, odds_b: float, difficulty_sd: float) -> tuple[float, np.uint64, np.uint64]:
    """Return difficulty, right_a and right_b of a case; the odds are those against, at difficulty 0."""
    difficulty = difficulty_sd * normal_quantile(uniform53(four[0], four[1]))
    factor = exp(difficulty)
    right_a = np.uint64(below_odds(four[2], factor * odds_a))
    right_b = np.uint64(below_odds(four[3], factor * odds_b))
    return difficulty, right_a, right_b


@helper
def _clear(right: NDArray[np.uint64], both: NDArray[np.uint64], lanes: int) -> None:
    for lane in range(lanes):
        right[lane] = NONE
        both[lane] = NONE


@helper
def draw_fields(
    bins: NDArray[np.uint64],
    fields: NDArray[np.uint64],
    lanes: int,
    key: np.uint64,
    first: int,
    unit: int,
    to_bin: np.uint64,
) -> None:
    """Draw a case for each lane: the bin of its difficulty, and its words cut to 15 bits, twice each."""
    for lane in range(lanes):
        w0, _, w2, w3 = case_words(key, first + lane, unit)
        bins[lane] = w0 >> to_bin
        a, b = w2 >> TO_15_BITS, w3 >> TO_15_BITS
        fields[lane] = a | (a << FIELD) | (b << SHIFT_32) | (b << FIELD_3)


@helper
def _count_sure(
    right: NDArray[np.uint64], both: NDArray[np.uint64], fields: NDArray[np.uint64], group: int
) -> np.uint64:
    """Count the surely right answers of a group of lanes, A in the low half; return whether any is open."""
    doubts = NONE
    for lane in range(group, group + GROUP):
        sure = surely_right(fields[lane])
        right[lane] += sure
        both[lane] += sure & (sure >> SHIFT_32)
        doubts |= in_doubt(fields[lane])
    return doubts


@helper
def _count_settled(
    right: NDArray[np.uint64],
    both: NDArray[np.uint64],
    fields: NDArray[np.uint64],
    lane: int,
    right_a: np.uint64,
    right_b: np.uint64,
) -> None:
    """Replace what was counted for a lane by its answers."""
    sure = surely_right(fields[lane])
    right[lane] = right[lane] + (right_a | (right_b << SHIFT_32)) - sure
    both[lane] = both[lane] + (right_a & right_b) - (sure & (sure >> SHIFT_32))


@helper
def surely_right(fields: np.uint64) -> np.uint64:
    """Bit 0: A is surely right; bit 32: B is."""
    return (fields >> SURE) & SURE_BITS


@helper
def in_doubt(fields: np.uint64) -> np.uint64:
    """Not 0 where an answer is possibly but not surely right."""
    return (fields ^ (fields >> FIELD)) & DOUBT_BITS


@helper
def table_bits(n_answers: int) -> int:
    """Choose a table whose making costs about as much as the cases that it leaves in doubt."""
    bits = MIN_BITS
    while bits < MAX_BITS and (1 << (2 * bits)) < 6 * n_answers:
        bits += 1
    return bits


@part
def answer_bounds(bits: int, odds_a: float, odds_b: float, difficulty_sd: float) -> NDArray[np.uint64]:
    """Return per bin of word 0 below which words the answers of A and of B are surely, or possibly, right."""
    # The margin, 3e-8 in probability, is far above the rounding errors of the probabilities (1e-14).
    size = 1 << bits
    p_a, p_b = np.empty(size + 1), np.empty(size + 1)
    for edge in range(size + 1):
        u = min(max(edge / size, 2.0**-53), 1.0 - 2.0**-53)
        factor = exp(difficulty_sd * normal_quantile(u))
        p_a[edge] = 1.0 / (1.0 + factor * odds_a)
        p_b[edge] = 1.0 / (1.0 + factor * odds_b)
    table = np.empty(size, np.uint64)
    for index in range(size):
        of_a = _field(p_a[index + 1], -MARGIN) | (_field(p_a[index], 1.0 + MARGIN) << FIELD)
        of_b = _field(p_b[index + 1], -MARGIN) | (_field(p_b[index], 1.0 + MARGIN) << FIELD)
        table[index] = of_a | (of_b << SHIFT_32)
    return table


@helper
def _field(probability: float, shift: float) -> np.uint64:
    bound = min(max(FIELD_ONE * probability + shift, 0.0), FIELD_ONE)
    return np.uint64(bound) + BELOW_GUARD
