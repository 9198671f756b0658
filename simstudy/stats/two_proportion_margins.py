"""Non-inferiority and equivalence of B to A where each answered its own cases, within a margin of accuracy.

Every function returns a p-value and broadcasts; the margin is a difference of proportions in (0, 1), 0.05 for
five percentage points. :mod:`simstudy.stats.paired_margins` holds the same for cases that both answered.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.stats._arrays import FloatArray, bounded, finish, normal_p, ratio, together
from simstudy.stats._farrington_manning import score_z
from simstudy.stats.two_proportions import checked_samples, difference_and_error


def noninferiority_farrington_manning(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, margin: ArrayLike
) -> FloatArray:
    """Return the one-sided p-value of H0: B − A ≤ −margin by Farrington & Manning's score test.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    margin : array_like of float in (0, 1)
        The loss that would still be accepted.

    Returns
    -------
    ndarray or float64
        The p-value; small where B is worse by less than the margin, or better. NaN where a sample is empty.

    Raises
    ------
    ParameterError
        Where the counts or the margin are impossible.

    Notes
    -----
    The variance is taken at the accuracies that are most likely among those with B − A = −margin, without a factor
    N/(N − 1); it is never 0. They solve a cubic equation, here by Newton's method on the likelihood itself: the closed
    form loses half of the digits where its roots meet.

    References
    ----------
    Farrington & Manning (1990), doi:10.1002/sim.4780091208.
    """
    return normal_p(score_z(*_with_margin(x_a, n_a, x_b, n_b, margin)), "greater")


def noninferiority_wald_independent(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, margin: ArrayLike
) -> FloatArray:
    """Return the one-sided p-value of H0: B − A ≤ −margin by the Wald test with separate variances.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    margin : array_like of float in (0, 1)
        The loss that would still be accepted.

    Returns
    -------
    ndarray or float64
        The p-value of (d + margin)/SE; NaN where both variances are 0 or a sample is empty.

    Raises
    ------
    ParameterError
        Where the counts or the margin are impossible.
    """
    *samples, accepted = _with_margin(x_a, n_a, x_b, n_b, margin)
    estimate, error = difference_and_error(*samples)
    return normal_p(ratio(estimate + accepted, error), "greater")


def equivalence_farrington_manning(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, margin: ArrayLike
) -> FloatArray:
    """Return the p-value of H0: abs(B − A) ≥ margin by two one-sided score tests of Farrington & Manning.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    margin : array_like of float in (0, 1)
        The difference that would still count as none.

    Returns
    -------
    ndarray or float64
        The larger of the two one-sided p-values; NaN where a sample is empty.

    Raises
    ------
    ParameterError
        Where the counts or the margin are impossible.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419; Farrington & Manning (1990), as above.
    """
    # "Not better by the margin" is "A not worse by the margin": the same test with the samples exchanged.
    not_worse = noninferiority_farrington_manning(x_a, n_a, x_b, n_b, margin)
    return finish(np.maximum(not_worse, noninferiority_farrington_manning(x_b, n_b, x_a, n_a, margin)))


def equivalence_wald_independent(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, margin: ArrayLike
) -> FloatArray:
    """Return the p-value of H0: abs(B − A) ≥ margin by two one-sided Wald tests with separate variances.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    margin : array_like of float in (0, 1)
        The difference that would still count as none.

    Returns
    -------
    ndarray or float64
        The larger of the two one-sided p-values; NaN where both variances are 0 or a sample is empty.

    Raises
    ------
    ParameterError
        Where the counts or the margin are impossible.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419.
    """
    not_worse = noninferiority_wald_independent(x_a, n_a, x_b, n_b, margin)
    return finish(np.maximum(not_worse, noninferiority_wald_independent(x_b, n_b, x_a, n_a, margin)))


def _with_margin(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, margin: ArrayLike
) -> tuple[FloatArray, ...]:
    """Return the checked counts of both systems and the margin."""
    samples = checked_samples(x_a, n_a, x_b, n_b)
    return together(
        [*samples, *bounded(0.0, 1.0, open_ends=True, margin=margin)], ["x_a", "n_a", "x_b", "n_b", "margin"]
    )
