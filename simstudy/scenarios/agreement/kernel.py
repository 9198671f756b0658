"""Simulation of ``agreement``: a judge's verdicts on labelled answers.

One word says whether an answer is right (stream DATA), one what the judge makes of it (stream JUDGE): below the
probability of "correct" it says so, below that of a readable verdict it says "wrong", above it nothing readable. Four
answers share a call of Philox in each stream: answer i is word i mod 4 of unit i div 4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel
from simstudy.kernels.philox import LOW_32, draw_words, threshold32
from simstudy.kernels.streams import DATA, JUDGE

LANES = 256
ANSWER_STREAM = np.uint64(DATA)
VERDICT_STREAM = np.uint64(JUDGE)
DRAW = np.uint64(0)
# columns of a row
TP, FN, FP, TN, UNREADABLE = range(5)


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_labels: int,
    prevalence: float,
    sensitivity: float,
    specificity: float,
    unreadable: float,
    skipped: int = 0,
) -> None:
    """Count tp, fn, fp, tn and unreadable of each replication; probabilities are met within 2**-32, 0 and 1 exactly."""
    key64 = np.uint64(key)
    t_right = threshold32(prevalence)
    t_readable, t_hit, t_alarm = _thresholds(sensitivity, specificity, unreadable)
    kept = np.empty((4, LANES), np.int64)
    for start in range(0, out.shape[0], LANES):
        lanes = min(LANES, out.shape[0] - start)
        kept[:] = 0
        for four in range(skipped // 4, (n_labels + 3) // 4):
            unit = np.uint64(four)
            begun, present = skipped - 4 * four, n_labels - 4 * four
            for lane in range(lanes):
                replication = np.uint64(first_replication + start + lane) & LOW_32
                answers = draw_words(key64, replication, unit, DRAW, ANSWER_STREAM)
                verdicts = draw_words(key64, replication, unit, DRAW, VERDICT_STREAM)
                for word in range(4):
                    there = np.int64(begun <= word) & np.int64(word < present)
                    right = np.int64(answers[word] < t_right)
                    said = np.int64(verdicts[word] < (t_hit if right else t_alarm)) & there
                    denied = np.int64(verdicts[word] < t_readable) & there & (1 - said)
                    kept[TP, lane] += right & said
                    kept[FN, lane] += right & denied
                    kept[FP, lane] += (1 - right) & said
                    kept[TN, lane] += (1 - right) & denied
        for lane in range(lanes):
            row = out[start + lane]
            readable = np.int64(0)
            for cell in range(4):
                row[cell] = kept[cell, lane]
                readable += kept[cell, lane]
            row[UNREADABLE] = n_labels - skipped - readable


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_labels: int,
    prevalence: float,
    sensitivity: float,
    specificity: float,
    unreadable: float,
) -> None:
    """Replay one replication; a row is an answer: label (1 right), and verdict (1 correct, 0 wrong, NaN unreadable)."""
    key64, address = np.uint64(key), np.uint64(replication) & LOW_32
    t_right = threshold32(prevalence)
    t_readable, t_hit, t_alarm = _thresholds(sensitivity, specificity, unreadable)
    for answer in range(n_labels):
        unit, word = np.uint64(answer // 4), answer % 4
        right = draw_words(key64, address, unit, DRAW, ANSWER_STREAM)[word] < t_right
        verdict = draw_words(key64, address, unit, DRAW, VERDICT_STREAM)[word]
        out[answer, 0] = np.float64(right)
        out[answer, 1] = np.float64(verdict < (t_hit if right else t_alarm))
        if verdict >= t_readable:
            out[answer, 1] = np.nan


@helper
def _thresholds(sensitivity: float, specificity: float, unreadable: float) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the words below which a verdict is readable, and "correct" on a right and on a wrong answer."""
    readable = 1.0 - unreadable
    return threshold32(readable), threshold32(readable * sensitivity), threshold32(readable * (1.0 - specificity))
