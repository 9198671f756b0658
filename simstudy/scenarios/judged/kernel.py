"""Simulation of ``judged``: two systems answer the same cases and a judge reads both answers.

Two calls of Philox belong to a case. In stream DATA words 0 and 1 give its difficulty, words 2 and 3 the answers of A
and B, as in ``paired``: at the same seed and the same systems the answers are the same, and `simulate` finds them in
the same way. In stream JUDGE words 0 and 1 give the verdicts on A and on B, words 2 and 3 whether the answers are
reworded.

A case is counted by adding a one to a field of a 64-bit number, one field for each class: 16 of 4 bits for labelled
cases, 4 of 16 bits for the others. Before a field can overflow all are added to the totals.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel, part
from simstudy.kernels.maths import exp
from simstudy.kernels.philox import LOW_32, SHIFT_32, draw_words, threshold32
from simstudy.kernels.streams import JUDGE
from simstudy.scenarios.paired.kernel import (
    DRAW,
    GROUP,
    LANES,
    NONE,
    answer_bounds,
    case_answers,
    case_words,
    draw_fields,
    in_doubt,
    surely_right,
    table_bits,
)

Limits = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]

JUDGE_STREAM = np.uint64(JUDGE)
LABELLED_CLASSES, OTHER_CLASSES = 16, 4
# cases that a field of 4 bits, and one of 16, can hold
MOST_LABELLED, MOST_OTHERS = 15, 65535
ONE, TWOS, FOURS, EIGHTS = np.uint64(1), np.uint64(1), np.uint64(2), np.uint64(3)
LABELLED_SHIFT, OTHER_SHIFT = np.uint64(2), np.uint64(4)
# fields are numbered by 2·(A) + (B), columns in the order 10, 01, 11, 00
PAIR = (2, 1, 3, 0)
COLUMNS = (*(4 * truth + verdict for truth in PAIR for verdict in PAIR), *(16 + verdict for verdict in PAIR))


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_cases: int,
    n_labelled: int,
    logit_a: float,
    logit_b: float,
    difficulty_sd: float,
    reworded_a: float,
    reworded_b: float,
    p_fn: float,
    extra_fn: float,
    p_fp: float,
    skipped: int = 0,
) -> None:
    """Count the cases of each class in each replication; the first `n_labelled` are labelled."""
    # Columns: labelled cases by truth and verdict (4·truth + verdict), then the others by verdict (16 + verdict). A
    # pair of truths, or of verdicts, is 0 where only A is right (accepted), 1 where only B is, 2 where both are, 3
    # where neither is. `extra_fn` adds to `p_fn`, the probability that a right answer is rejected, where it is
    # reworded.
    key64 = np.uint64(key)
    odds_a, odds_b = exp(-logit_a), exp(-logit_b)
    limits = _thresholds(reworded_a, reworded_b, p_fn, extra_fn, p_fp)
    bits = table_bits(out.shape[0] * (n_cases - skipped))
    table = answer_bounds(bits, odds_a, odds_b, difficulty_sd)
    bins, fields = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    answers, packed = np.empty(LANES, np.uint64), np.zeros(LANES, np.uint64)
    totals = np.empty((len(COLUMNS), LANES), np.int64)
    for start in range(0, out.shape[0], LANES):
        first = first_replication + start
        lanes = min(LANES, out.shape[0] - start)
        padded = (lanes + GROUP - 1) // GROUP * GROUP
        totals[:] = 0
        for unit in range(skipped, n_cases):
            draw_fields(bins, fields, padded, key64, first, unit, np.uint64(32 - bits))
            for lane in range(padded):
                fields[lane] = table[bins[lane]] - fields[lane]
            _settle(answers, fields, padded, key64, first, unit, odds_a, odds_b, difficulty_sd)
            _count_verdicts(packed, answers, padded, key64, first, unit, limits, unit < n_labelled)
            _flush_full(packed, totals, padded, unit + 1, n_labelled, n_cases)
        for lane in range(lanes):
            for column in range(len(COLUMNS)):
                out[start + lane, column] = totals[COLUMNS[column], lane]


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_cases: int,
    n_labelled: int,
    logit_a: float,
    logit_b: float,
    difficulty_sd: float,
    reworded_a: float,
    reworded_b: float,
    p_fn: float,
    extra_fn: float,
    p_fp: float,
) -> None:
    """Replay one replication; a row is a case: difficulty, right, reworded and accepted of A and B, labelled."""
    # Only a right answer counts as reworded.
    key64 = np.uint64(key)
    odds_a, odds_b = exp(-logit_a), exp(-logit_b)
    limits = _thresholds(reworded_a, reworded_b, p_fn, extra_fn, p_fp)
    for unit in range(n_cases):
        four = case_words(key64, replication, unit)
        difficulty, right_a, right_b = case_answers(four, odds_a, odds_b, difficulty_sd)
        other_a, other_b, accepted_a, accepted_b = _verdicts(key64, replication, unit, right_a, right_b, limits)
        out[unit, 0] = difficulty
        out[unit, 1] = right_a
        out[unit, 2] = right_b
        out[unit, 3] = other_a
        out[unit, 4] = other_b
        out[unit, 5] = accepted_a
        out[unit, 6] = accepted_b
        out[unit, 7] = unit < n_labelled


@part
def _thresholds(
    reworded_a: float, reworded_b: float, p_fn: float, extra_fn: float, p_fp: float
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the words below which A is reworded, B is, and an answer is accepted: right, reworded, wrong."""
    return (
        threshold32(reworded_a),
        threshold32(reworded_b),
        threshold32(1.0 - p_fn),
        threshold32(max(1.0 - p_fn - extra_fn, 0.0)),
        threshold32(p_fp),
    )


@helper
def _settle(
    answers: NDArray[np.uint64],
    fields: NDArray[np.uint64],
    lanes: int,
    key: np.uint64,
    first: int,
    unit: int,
    odds_a: float,
    odds_b: float,
    difficulty_sd: float,
) -> None:
    """Note whether A (low half) and B (high half) are right in each lane; compute what the table leaves open."""
    for group in range(0, lanes, GROUP):
        if _take_sure(answers, fields, group):
            for lane in range(group, group + GROUP):
                if in_doubt(fields[lane]):
                    four = case_words(key, first + lane, unit)
                    _, a, b = case_answers(four, odds_a, odds_b, difficulty_sd)
                    answers[lane] = a | (b << SHIFT_32)


@helper
def _take_sure(answers: NDArray[np.uint64], fields: NDArray[np.uint64], group: int) -> np.uint64:
    """Note the surely right answers of a group of lanes; return whether any is open."""
    doubts = NONE
    for lane in range(group, group + GROUP):
        answers[lane] = surely_right(fields[lane])
        doubts |= in_doubt(fields[lane])
    return doubts


@helper
def _verdicts(
    key: np.uint64, replication: int, unit: int, right_a: np.uint64, right_b: np.uint64, limits: Limits
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return whether A and B are right in other words, and whether they are accepted: 0 or 1."""
    w0, w1, w2, w3 = draw_words(key, np.uint64(replication) & LOW_32, np.uint64(unit), DRAW, JUDGE_STREAM)
    reworded_a = right_a & np.uint64(w2 < limits[0])
    reworded_b = right_b & np.uint64(w3 < limits[1])
    limit_a = (limits[3] if reworded_a else limits[2]) if right_a else limits[4]
    limit_b = (limits[3] if reworded_b else limits[2]) if right_b else limits[4]
    return reworded_a, reworded_b, np.uint64(w0 < limit_a), np.uint64(w1 < limit_b)


@helper
def _count_verdicts(
    packed: NDArray[np.uint64],
    answers: NDArray[np.uint64],
    lanes: int,
    key: np.uint64,
    first: int,
    unit: int,
    limits: Limits,
    labelled: bool,
) -> None:
    """Draw the verdicts on a case in each lane, and add a one to the field of its class."""
    for lane in range(lanes):
        a, b = answers[lane] & LOW_32, answers[lane] >> SHIFT_32
        _, _, accepted_a, accepted_b = _verdicts(key, first + lane, unit, a, b, limits)
        if labelled:
            field = (a << EIGHTS) | (b << FOURS) | (accepted_a << TWOS) | accepted_b
            packed[lane] += ONE << (field << LABELLED_SHIFT)
        else:
            packed[lane] += ONE << (((accepted_a << ONE) | accepted_b) << OTHER_SHIFT)


@helper
def _flush_full(
    packed: NDArray[np.uint64], totals: NDArray[np.int64], lanes: int, done: int, n_labelled: int, n_cases: int
) -> None:
    """Flush where the next case could make a field overflow, or is counted in other fields, or is none."""
    if done <= n_labelled:
        if done % MOST_LABELLED == 0 or done == n_labelled:
            _flush(packed, totals, lanes, 0, LABELLED_CLASSES)
    elif (done - n_labelled) % MOST_OTHERS == 0 or done == n_cases:
        _flush(packed, totals, lanes, LABELLED_CLASSES, OTHER_CLASSES)


@helper
def _flush(packed: NDArray[np.uint64], totals: NDArray[np.int64], lanes: int, first: int, classes: int) -> None:
    """Add the fields of the packed counts to the totals, from row ``first`` on, and clear them."""
    width = np.uint64(64 // classes)
    mask = (ONE << width) - ONE
    for field in range(classes):
        shift = width * np.uint64(field)
        for lane in range(lanes):
            totals[first + field, lane] += np.int64((packed[lane] >> shift) & mask)
    for lane in range(lanes):
        packed[lane] = NONE
