"""A share of accepted answers corrected for the errors of the judge that accepted them.

A judge accepts a right answer with probability Se (sensitivity) and rejects a wrong one with probability Sp
(specificity). Both are estimated on labelled answers; the share that the judge accepts, on judged ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    check_part,
    counts,
    critical_z,
    finish,
    finish_interval,
    ratio,
)


def rogan_gladen(
    accepted: ArrayLike,
    judged: ArrayLike,
    right_accepted: ArrayLike,
    right: ArrayLike,
    wrong_rejected: ArrayLike,
    wrong: ArrayLike,
) -> FloatArray:
    """Return the share of right answers, corrected for the judge's errors.

    Parameters
    ----------
    accepted, judged : array_like of int
        Answers that the judge accepts, of those that it judges.
    right_accepted, right : array_like of int
        Answers that the judge accepts, of those labelled right.
    wrong_rejected, wrong : array_like of int
        Answers that the judge rejects, of those labelled wrong.

    Returns
    -------
    ndarray or float64
        (share accepted + Sp − 1)/(Se + Sp − 1), cut to [0, 1]; NaN where Se + Sp ≤ 1, nothing was judged, or no right
        or no wrong answer is labelled.

    Raises
    ------
    ParameterError
        Where a count is negative, not whole, or larger than its whole.

    Notes
    -----
    The estimator of the paper may leave [0, 1]; it is cut here. The cut bounds what can be reported and pulls the mean
    of the estimates inward where the share lies near 0 or 1.

    References
    ----------
    Rogan & Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510.
    """
    share, sensitivity, specificity, _ = _shares(accepted, judged, right_accepted, right, wrong_rejected, wrong)
    return finish(np.clip(ratio(share + specificity - 1.0, sensitivity + specificity - 1.0), 0.0, 1.0))


def rogan_gladen_interval(
    accepted: ArrayLike,
    judged: ArrayLike,
    right_accepted: ArrayLike,
    right: ArrayLike,
    wrong_rejected: ArrayLike,
    wrong: ArrayLike,
    level: float = 0.95,
) -> Interval:
    """Return the interval of the corrected share, for labelled answers apart from the judged ones.

    Parameters
    ----------
    accepted, judged, right_accepted, right, wrong_rejected, wrong : array_like of int
        As in `rogan_gladen`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits, cut to [0, 1]; NaN where `rogan_gladen` is, and where one more label of each kind, as the
        method adds it, gives Se + Sp ≤ 1.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    All three shares are estimated, so the sampling of the judged answers *and* of the labels enters. Each share is
    first drawn toward 1/2: z²/2 is added to the accepted and to the other judged answers, 1 to each count of labels.
    The centre is then shifted by 2z²(θ·Var(Se) − (1 − θ)·Var(Sp)).

    References
    ----------
    Lang & Reiczigel (2014), doi:10.1016/j.prevetmed.2013.09.015.
    """
    z = critical_z(level)
    *raw, sizes = _shares(accepted, judged, right_accepted, right, wrong_rejected, wrong)
    added = (z * z, 2.0, 2.0)
    share, sensitivity, specificity = (
        (p * n + extra / 2.0) / (n + extra) for p, n, extra in zip(raw, sizes, added, strict=True)
    )
    of_share, of_sensitivity, of_specificity = (
        p * (1.0 - p) / (n + extra) for p, n, extra in zip((share, sensitivity, specificity), sizes, added, strict=True)
    )
    youden = np.where(raw[1] + raw[2] > 1.0, sensitivity + specificity - 1.0, np.nan)
    theta = ratio(share + specificity - 1.0, youden)
    variance = of_share + theta**2 * of_sensitivity + (1.0 - theta) ** 2 * of_specificity
    margin = ratio(z * np.sqrt(variance), youden)
    centre = theta + 2.0 * z * z * (theta * of_sensitivity - (1.0 - theta) * of_specificity)
    return finish_interval(np.clip(centre - margin, 0.0, 1.0), np.clip(centre + margin, 0.0, 1.0))


def _shares(
    accepted: ArrayLike,
    judged: ArrayLike,
    right_accepted: ArrayLike,
    right: ArrayLike,
    wrong_rejected: ArrayLike,
    wrong: ArrayLike,
) -> tuple[FloatArray, FloatArray, FloatArray, tuple[FloatArray, FloatArray, FloatArray]]:
    """Return the share accepted, sensitivity and specificity, and their three sample sizes."""
    given = counts(
        accepted=accepted,
        judged=judged,
        right_accepted=right_accepted,
        right=right,
        wrong_rejected=wrong_rejected,
        wrong=wrong,
    )
    check_part(given[0], given[1], "accepted", "judged")
    check_part(given[2], given[3], "right_accepted", "right")
    check_part(given[4], given[5], "wrong_rejected", "wrong")
    sizes = (given[1], given[3], given[5])
    share, sensitivity, specificity = (ratio(given[2 * i], sizes[i]) for i in range(3))
    return share, sensitivity, specificity, sizes
