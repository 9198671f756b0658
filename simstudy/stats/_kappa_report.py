"""What to report of a judge that was held against labels, as a whole and for each group of answers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, Interval, any_numbers, counts, finish, labels, ratio
from simstudy.stats.agreement import kappa
from simstudy.stats.kappa_few_labels import kappa_few
from simstudy.stats.proportions import wilson


@dataclass(frozen=True)
class JudgeAgreement:
    """A judge against labels; every field has the shape of the counts.

    Attributes
    ----------
    n : ndarray or float64
        Readable verdicts; all shares but `unreadable` refer to them.
    unreadable : ndarray or float64
        Share of all verdicts that were unreadable.
    prevalence, said_correct : ndarray or float64
        Share of answers labelled right, and share that the judge calls correct.
    accuracy : ndarray or float64
        Share of verdicts equal to the label.
    false_negatives, false_positives : ndarray or float64
        Share of answers labelled right and called wrong, and labelled wrong and called correct.
    sensitivity, specificity : ndarray or float64
        Share called correct of those labelled right; share called wrong of those labelled wrong.
    sensitivity_interval, specificity_interval : tuple of (ndarray or float64)
        Wilson's limits of both.
    kappa : ndarray or float64
        Cohen's kappa.
    kappa_interval : tuple of (ndarray or float64)
        Its limits by `kappa_few`.
    kappa_unreadable : ndarray or float64
        Cohen's kappa with unreadable verdicts as a third verdict, which never agrees with a label.
    pabak : ndarray or float64
        2·accuracy − 1, the prevalence-adjusted and bias-adjusted kappa.
    """

    n: FloatArray
    unreadable: FloatArray
    prevalence: FloatArray
    said_correct: FloatArray
    accuracy: FloatArray
    false_negatives: FloatArray
    false_positives: FloatArray
    sensitivity: FloatArray
    specificity: FloatArray
    sensitivity_interval: Interval
    specificity_interval: Interval
    kappa: FloatArray
    kappa_interval: Interval
    kappa_unreadable: FloatArray
    pabak: FloatArray


def judge_agreement(
    tp: ArrayLike,
    fn: ArrayLike,
    fp: ArrayLike,
    tn: ArrayLike,
    unreadable_right: ArrayLike = 0,
    unreadable_wrong: ArrayLike = 0,
    level: float = 0.95,
) -> JudgeAgreement:
    """Return everything that is reported of a judge against labels.

    Parameters
    ----------
    tp, fn, fp, tn : array_like of int
        Right answers called correct and wrong; wrong answers called correct and wrong.
    unreadable_right, unreadable_wrong : array_like of int
        Unreadable verdicts on right and on wrong answers.
    level : float in (0, 1)
        Confidence level of the intervals.

    Returns
    -------
    JudgeAgreement
        NaN where nothing was counted.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.
    """
    cells = counts(tp=tp, fn=fn, fp=fp, tn=tn, unreadable_right=unreadable_right, unreadable_wrong=unreadable_wrong)
    tp, fn, fp, tn, lost_right, lost_wrong = cells
    n, lost = tp + fn + fp + tn, lost_right + lost_wrong
    accuracy = ratio(tp + tn, n)
    return JudgeAgreement(
        n=finish(n),
        unreadable=finish(ratio(lost, n + lost)),
        prevalence=finish(ratio(tp + fn, n)),
        said_correct=finish(ratio(tp + fp, n)),
        accuracy=finish(accuracy),
        false_negatives=finish(ratio(fn, n)),
        false_positives=finish(ratio(fp, n)),
        sensitivity=finish(ratio(tp, tp + fn)),
        specificity=finish(ratio(tn, tn + fp)),
        sensitivity_interval=wilson(tp, tp + fn, level),
        specificity_interval=wilson(tn, tn + fp, level),
        kappa=kappa(tp, fn, fp, tn),
        kappa_interval=kappa_few(tp, fn, fp, tn, level),
        kappa_unreadable=finish(_with_unreadable(tp, fn, fp, tn, lost_right, lost_wrong)),
        pabak=finish(2.0 * accuracy - 1.0),
    )


def _with_unreadable(
    tp: FloatArray, fn: FloatArray, fp: FloatArray, tn: FloatArray, lost_right: FloatArray, lost_wrong: FloatArray
) -> FloatArray:
    """Return kappa of the table with three verdicts; chance agreement needs one of the two that labels know."""
    right, wrong = tp + fn + lost_right, fp + tn + lost_wrong
    n = right + wrong
    chance = right * (tp + fp) + wrong * (fn + tn)
    return ratio(n * (tp + tn) - chance, n * n - chance)


def judge_agreement_by_group(
    label: ArrayLike, verdict: ArrayLike, group: ArrayLike, level: float = 0.95
) -> dict[Hashable, JudgeAgreement]:
    """Return what is reported of a judge for each group of answers: each system, each family of cases.

    Parameters
    ----------
    label : array_like of {0, 1}, shape (n,)
        1 where the answer is right.
    verdict : array_like of float, shape (n,)
        1 where the judge calls it correct, 0 where wrong, NaN where the verdict is unreadable.
    group : array_like, shape (n,)
        Name of each answer's group.
    level : float in (0, 1)
        Confidence level of the intervals.

    Returns
    -------
    dict
        Group → its `JudgeAgreement`, groups sorted.

    Raises
    ------
    ParameterError
        Where lengths differ or there are other labels or verdicts.

    Notes
    -----
    Errors that fall on one system move the comparison of systems although the judge's accuracy over all answers looks
    fine; so look at the groups first. Several verdicts on one answer are not independent: see `distinct_answers`.
    """
    truths, verdicts, groups = _checked(label, verdict, group)
    names, which = np.unique(groups, return_inverse=True)
    # column of the table: wrong, correct, unreadable
    column = np.where(np.isnan(verdicts), 2.0, verdicts).astype(np.int64)
    table = np.zeros((len(names), 2, 3), np.int64)
    np.add.at(table, (which, truths.astype(np.int64), column), 1)
    return {
        name: judge_agreement(
            tp=t[1, 1],
            fn=t[1, 0],
            fp=t[0, 1],
            tn=t[0, 0],
            unreadable_right=t[1, 2],
            unreadable_wrong=t[0, 2],
            level=level,
        )
        for name, t in zip(names.tolist(), table, strict=True)
    }


def _checked(label: ArrayLike, verdict: ArrayLike, group: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    truths, verdicts = any_numbers("label", label), any_numbers("verdict", verdict)
    groups = labels("group", group)
    if truths.ndim != 1 or not truths.shape == verdicts.shape == groups.shape:
        raise ParameterError(
            f"label, verdict and group have the shapes {truths.shape}, {verdicts.shape} and {groups.shape}; they must "
            "be lists of one length."
        )
    if not np.isin(truths, (0.0, 1.0)).all():
        raise ParameterError("label must hold 1 (right) and 0 (wrong) alone: leave out answers without a label.")
    if not (np.isin(verdicts, (0.0, 1.0)) | np.isnan(verdicts)).all():
        raise ParameterError("verdict must hold 1 (correct), 0 (wrong) and NaN (unreadable) alone.")
    return truths, verdicts, groups


def distinct_answers(case: ArrayLike, answer: ArrayLike) -> int:
    """Count the distinct pairs of a case and an answer to it.

    Parameters
    ----------
    case, answer : array_like, shape (n,)
        Name of the case and the answer's text (or its hash) of each verdict.

    Returns
    -------
    int
        In [0, n]. Where it is smaller than n some answers were judged more than once: their verdicts are not
        independent, and intervals that count n labels are too narrow.

    Raises
    ------
    ParameterError
        Where the lengths differ.
    """
    cases, answers = labels("case", case).ravel(), labels("answer", answer).ravel()
    if len(cases) != len(answers):
        raise ParameterError(
            f"There are {len(cases)} cases and {len(answers)} answers; one of each is needed per verdict."
        )
    return len(set(zip(cases.tolist(), answers.tolist(), strict=True)))
