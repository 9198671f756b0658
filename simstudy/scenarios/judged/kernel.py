"""Simulation of ``judged``: two systems answer the same cases and a judge reads both answers.

Two calls of Philox belong to a case. In stream DATA words 0 and 1 give its difficulty, words 2 and 3 the answers of A
and B, as in ``paired``: at the same seed and the same systems the answers are the same. In stream JUDGE words 0 and 1
give the verdicts on A and on B, words 2 and 3 whether the answers are reworded.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel, part
from simstudy.kernels.maths import exp, normal_quantile
from simstudy.kernels.philox import LOW_32, Words, below_odds, draw_words, threshold32, uniform53
from simstudy.kernels.streams import DATA, JUDGE

LANES = 256
DATA_STREAM = np.uint64(DATA)
JUDGE_STREAM = np.uint64(JUDGE)
DRAW = np.uint64(0)
# classes of a pair in the order 10, 01, 11, 00, by 2·(A) + (B)
PAIR = (3, 1, 0, 2)
LABELLED_CLASSES = 16


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
) -> None:
    """Count the cases of each class in each replication; the first `n_labelled` are labelled.

    Columns: labelled cases by truth and verdict (4·truth + verdict), then the others by verdict (16 + verdict). A pair
    of truths, or of verdicts, is 0 where only A is right (accepted), 1 where only B is, 2 where both are, 3 where
    neither is. `extra_fn` adds to `p_fn`, the probability that a right answer is rejected, where it is reworded.
    """
    key64 = np.uint64(key)
    odds_a, odds_b = exp(-logit_a), exp(-logit_b)
    limits = _thresholds(reworded_a, reworded_b, p_fn, extra_fn, p_fp)
    classes = np.empty(LANES, np.int64)
    for start in range(0, out.shape[0], LANES):
        lanes = min(LANES, out.shape[0] - start)
        for lane in range(lanes):
            for column in range(out.shape[1]):
                out[start + lane, column] = 0
        for unit in range(n_cases):
            labelled = unit < n_labelled
            for lane in range(lanes):
                replication = first_replication + start + lane
                _, a, b = _answers(key64, replication, unit, odds_a, odds_b, difficulty_sd)
                _, _, accepted_a, accepted_b = _verdicts(key64, replication, unit, a, b, limits)
                verdict = _pair(accepted_a, accepted_b)
                classes[lane] = 4 * _pair(a, b) + verdict if labelled else LABELLED_CLASSES + verdict
            for lane in range(lanes):
                out[start + lane, classes[lane]] += 1


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
    """Replay one replication; a row is a case: difficulty, right, reworded and accepted of A and B, labelled.

    Only a right answer counts as reworded.
    """
    key64 = np.uint64(key)
    odds_a, odds_b = exp(-logit_a), exp(-logit_b)
    limits = _thresholds(reworded_a, reworded_b, p_fn, extra_fn, p_fp)
    for unit in range(n_cases):
        difficulty, a, b = _answers(key64, replication, unit, odds_a, odds_b, difficulty_sd)
        out[unit, 0] = difficulty
        out[unit, 1] = a
        out[unit, 2] = b
        other_a, other_b, accepted_a, accepted_b = _verdicts(key64, replication, unit, a, b, limits)
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
def _answers(
    key: np.uint64, replication: int, unit: int, odds_a: float, odds_b: float, difficulty_sd: float
) -> tuple[float, bool, bool]:
    """Return difficulty, right_a and right_b of a case; the odds are those against, at difficulty 0."""
    four = draw_words(key, np.uint64(replication) & LOW_32, np.uint64(unit), DRAW, DATA_STREAM)
    difficulty = difficulty_sd * normal_quantile(uniform53(four[0], four[1]))
    factor = exp(difficulty)
    return difficulty, below_odds(four[2], factor * odds_a), below_odds(four[3], factor * odds_b)


@helper
def _verdicts(
    key: np.uint64,
    replication: int,
    unit: int,
    right_a: bool,
    right_b: bool,
    limits: tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64],
) -> tuple[bool, bool, bool, bool]:
    """Return whether A and B are right in other words, and whether they are accepted."""
    four: Words = draw_words(key, np.uint64(replication) & LOW_32, np.uint64(unit), DRAW, JUDGE_STREAM)
    reworded_a = bool(right_a & (four[2] < limits[0]))
    reworded_b = bool(right_b & (four[3] < limits[1]))
    return (
        reworded_a,
        reworded_b,
        _accepted(four[0], right_a, reworded_a, limits),
        _accepted(four[1], right_b, reworded_b, limits),
    )


@helper
def _accepted(
    word: np.uint64,
    right: bool,
    reworded: bool,
    limits: tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64],
) -> bool:
    of_right = limits[3] if reworded else limits[2]
    return bool(word < (of_right if right else limits[4]))


@helper
def _pair(a: bool, b: bool) -> int:
    return PAIR[2 * a + b]
