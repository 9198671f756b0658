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
) -> None:
    """Count the cells of readable verdicts, and the unreadable ones, of each replication.

    Parameters
    ----------
    key : int
        64-bit seed.
    first_replication : int
        Index of the first replication; the address has its low 32 bits, so indices below 2**32 are distinct.
    out : ndarray of int64, shape (replications, 5)
        Filled with tp and fn, right answers called correct and wrong, fp and tn, wrong answers called correct and
        wrong, and unreadable; the five sum to n_labels.
    n_labels : int
        Labelled answers, in [1, 2**34).
    prevalence : float
        Probability that an answer is right, in [0, 1].
    sensitivity, specificity : float
        Probability that a readable verdict on a right answer is "correct", on a wrong one "wrong", in [0, 1].
    unreadable : float
        Probability of an unreadable verdict, in [0, 1]. Probabilities are met within 2**-32; 0 and 1 are exact.
    """
    key64 = np.uint64(key)
    t_right = threshold32(prevalence)
    t_readable, t_hit, t_alarm = _thresholds(sensitivity, specificity, unreadable)
    kept = np.empty((4, LANES), np.int64)
    for start in range(0, out.shape[0], LANES):
        lanes = min(LANES, out.shape[0] - start)
        kept[:] = 0
        for four in range((n_labels + 3) // 4):
            unit = np.uint64(four)
            present = min(4, n_labels - 4 * four)
            for lane in range(lanes):
                replication = np.uint64(first_replication + start + lane) & LOW_32
                answers = draw_words(key64, replication, unit, DRAW, ANSWER_STREAM)
                verdicts = draw_words(key64, replication, unit, DRAW, VERDICT_STREAM)
                for word in range(4):
                    there = np.int64(word < present)
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
            row[UNREADABLE] = n_labels - readable


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
    """Replay the labelled answers of one replication.

    Parameters
    ----------
    key, replication : int
        64-bit seed and index of the replication.
    out : ndarray of float64, shape (n_labels, 2)
        Filled with label, 1 where the answer is right, else 0; and verdict, 1 for "correct", 0 for "wrong", NaN where
        it is unreadable.
    n_labels, prevalence, sensitivity, specificity, unreadable
        As in `simulate`.
    """
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
