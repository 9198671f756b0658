"""The difference of two systems from a judge's verdicts, corrected with labels of some of the cases.

The judge reads both systems' answers to every case; on some cases, a random subset, people label both answers too.
Tables hold numbers of cases. `labelled` has the shape (..., 4, 4), truth by verdict, and `unlabelled` (..., 4), verdict
alone. A truth or a verdict is one of four pairs, in this order: only A right, only B, both, neither.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, Interval, check_flag, counts, finish, finish_interval, ratio
from simstudy.stats.prediction_powered import Moments, normal_limits, ppi_estimate

# whether A, and B, is right (or accepted) in each of the four pairs
RIGHT = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0]])
# difference B − A of each pair
STEP = RIGHT[1] - RIGHT[0]


def rogan_gladen_difference(labelled: ArrayLike, unlabelled: ArrayLike, pooled: bool = False) -> FloatArray:
    """Return the difference of accuracies, each corrected for the judge's errors on the labelled cases.

    Parameters
    ----------
    labelled, unlabelled : array_like of int, shapes (..., 4, 4) and (..., 4)
        Cases by truth and verdict; cases by verdict.
    pooled : bool
        Whether both systems share one sensitivity and one specificity, estimated on all labelled answers. Wrong where
        the judge errs more on one system than on the other.

    Returns
    -------
    ndarray or float64, shape (...)
        Difference B − A of the corrected accuracies, each cut to [0, 1]; NaN where Se + Sp ≤ 1, or a system has no
        right or no wrong labelled answer (with `pooled`: where both have none).

    Raises
    ------
    ParameterError
        Where a table has another shape, or a count is negative or not whole.

    Notes
    -----
    The cut bounds what can be reported and pulls the mean of the estimates inward where an accuracy lies near 0 or 1.

    References
    ----------
    Rogan & Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510.
    """
    check_flag("pooled", pooled)
    accuracy, _, _ = _corrected(*_tables(labelled, unlabelled), pooled)
    return finish(_difference(accuracy))


def rogan_gladen_difference_interval(
    labelled: ArrayLike, unlabelled: ArrayLike, level: float = 0.95, pooled: bool = False
) -> Interval:
    """Return the delta-method interval of the corrected difference.

    Parameters
    ----------
    labelled, unlabelled, pooled
        As in `rogan_gladen_difference`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64, shape (...)
        Limits, cut to [−1, 1]; NaN where the estimate is, or no variance is seen.

    Raises
    ------
    ParameterError
        Where the tables or the level are impossible.

    Notes
    -----
    Each case has an influence on the difference through the share accepted and, where it is labelled, through the
    sensitivity and the specificity. The sum of the squared influences estimates the variance: it holds the covariances
    between the systems and between verdicts and labels of the same cases.
    """
    check_flag("pooled", pooled)
    with_labels, without = _tables(labelled, unlabelled)
    accuracy, of_labelled, of_unlabelled = _corrected(with_labels, without, pooled)
    squares = (with_labels * of_labelled**2).sum((-2, -1)) + (without * of_unlabelled**2).sum(-1)
    error = np.sqrt(np.where(squares > 0, squares, np.nan))
    low, high = normal_limits((_difference(accuracy), error), level)
    return finish_interval(np.maximum(low, -1.0), np.minimum(high, 1.0))


def ppi_difference(labelled: ArrayLike, unlabelled: ArrayLike, tuned: bool = False) -> FloatArray:
    """Return the prediction-powered difference of accuracies.

    Parameters
    ----------
    labelled, unlabelled : array_like of int, shapes (..., 4, 4) and (..., 4)
        Cases by truth and verdict; cases by verdict.
    tuned : bool
        Whether the verdicts are weighted by how well they follow the labels (`ppi_pp_mean`).

    Returns
    -------
    ndarray or float64, shape (...)
        `ppi_mean` of the case differences B − A; NaN where it is.

    Raises
    ------
    ParameterError
        Where a table has another shape, or a count is negative or not whole.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic (2023), doi:10.1126/science.adi6000; Angelopoulos, Duchi & Zrnic
    (2024), arXiv:2311.01453.
    """
    check_flag("tuned", tuned)
    return finish(ppi_estimate(_moments(*_tables(labelled, unlabelled)), tuned)[0])


def ppi_difference_interval(
    labelled: ArrayLike, unlabelled: ArrayLike, level: float = 0.95, tuned: bool = False
) -> Interval:
    """Return the normal interval of the prediction-powered difference.

    Parameters
    ----------
    labelled, unlabelled, tuned
        As in `ppi_difference`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64, shape (...)
        Limits, cut to [−1, 1]; NaN where `ppi_mean_interval` (or `ppi_pp_mean_interval`) of the case differences is.

    Raises
    ------
    ParameterError
        Where the tables or the level are impossible.

    Notes
    -----
    Variances have the divisor n − 1, as in `ppi_mean_interval`.
    """
    check_flag("tuned", tuned)
    low, high = normal_limits(ppi_estimate(_moments(*_tables(labelled, unlabelled)), tuned), level)
    return finish_interval(np.maximum(low, -1.0), np.minimum(high, 1.0))


def _tables(labelled: ArrayLike, unlabelled: ArrayLike) -> tuple[FloatArray, FloatArray]:
    (with_labels,), (without,) = counts(labelled=labelled), counts(unlabelled=unlabelled)
    if with_labels.shape[-2:] != (4, 4) or without.shape[-1:] != (4,) or with_labels.shape[:-2] != without.shape[:-1]:
        raise ParameterError(
            f"labelled has the shape {with_labels.shape} and unlabelled {without.shape}; they must be (..., 4, 4) and "
            "(..., 4), with the same dimensions in front."
        )
    return with_labels, without


def _difference(accuracy: FloatArray) -> FloatArray:
    cut = np.clip(accuracy, 0.0, 1.0)
    return cut[..., 1] - cut[..., 0]


def _corrected(labelled: FloatArray, unlabelled: FloatArray, pooled: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the accuracies (..., 2), not cut, and the influence on their difference of a case of each class."""
    # With q accepted, θ = (q + Sp − 1)/J and J = Se + Sp − 1, the derivatives of θ are 1/J in q, −θ/J in Se and (1 −
    # θ)/J in Sp.
    by_verdict = labelled.sum(-2) + unlabelled
    judged = by_verdict.sum(-1)[..., None]
    accepted = ratio(by_verdict @ RIGHT.T, judged)
    sensitivity, per_right = _rate(labelled, RIGHT, RIGHT, pooled)
    specificity, per_wrong = _rate(labelled, 1.0 - RIGHT, 1.0 - RIGHT, pooled)
    youden = sensitivity + specificity - 1.0
    accuracy = ratio(accepted + specificity - 1.0, youden)
    slope = ratio(np.array([-1.0, 1.0]), youden)
    of_unlabelled = slope[..., None] * (RIGHT - accepted[..., None]) / np.where(judged > 0, judged, np.nan)[..., None]
    through_right = (slope * -accuracy)[..., None, None] * per_right
    through_wrong = (slope * (1.0 - accuracy))[..., None, None] * per_wrong
    of_verdict = of_unlabelled.sum(-2)
    return accuracy, of_verdict[..., None, :] + (through_right + through_wrong).sum(-3), of_verdict


def _rate(labelled: FloatArray, among: FloatArray, agreed: FloatArray, pooled: bool) -> tuple[FloatArray, FloatArray]:
    """Return each system's rate (..., 2) and the influence on it of a case of each class (..., 2, 4, 4)."""
    # among and agreed (2, 4): whether an answer belongs to the rate, by its truth, and counts for it, by its verdict
    members = np.broadcast_to(among[:, :, None], (2, 4, 4))
    hits = among[:, :, None] * agreed[:, None, :]
    if pooled:
        members, hits = (np.broadcast_to(part.sum(0), (2, 4, 4)) for part in (members, hits))
    total = (labelled[..., None, :, :] * members).sum((-2, -1))
    rate = ratio((labelled[..., None, :, :] * hits).sum((-2, -1)), total)
    size = np.where(total > 0, total, np.nan)[..., None, None]
    return rate, (hits - rate[..., None, None] * members) / size


def _moments(labelled: FloatArray, unlabelled: FloatArray) -> Moments:
    """Return the moments of the case differences of labels and of verdicts."""
    n, others = labelled.sum((-2, -1)), unlabelled.sum(-1)
    by_truth, by_verdict = labelled.sum(-1), labelled.sum(-2)
    label, verdict, other = ratio(by_truth @ STEP, n), ratio(by_verdict @ STEP, n), ratio(unlabelled @ STEP, others)
    return Moments(
        n,
        others,
        label,
        verdict,
        other,
        ratio(by_truth @ STEP**2, n) - label**2,
        ratio(by_verdict @ STEP**2, n) - verdict**2,
        ratio((labelled @ STEP) @ STEP, n) - label * verdict,
        ratio(unlabelled @ STEP**2, others) - other**2,
    )
