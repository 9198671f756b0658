"""Non-inferiority and equivalence of B to A on the same cases, within a margin of accuracy.

Every function returns a p-value and broadcasts; the margin is a difference of proportions in (0, 1), 0.05 for
five percentage points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.stats._arrays import FloatArray, bounded, finish, normal_p
from simstudy.stats._tango import tango_z
from simstudy.stats.paired_intervals import paired_standard_error


def noninferiority_tango(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, margin: ArrayLike) -> FloatArray:
    """Return the one-sided p-value of H0: B − A ≤ −margin by Tango's score test.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    margin : array_like of float in (0, 1)
        The loss that would still be accepted.

    Returns
    -------
    ndarray or float64
        The p-value; small where B is worse by less than the margin, or better. NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the margin are impossible.

    Notes
    -----
    Defined without any discordant case: the variance is that of the hypothesis. It is below alpha exactly
    where Tango's lower limit at level 1 − 2·alpha lies above −margin.

    References
    ----------
    Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    """
    (accepted,) = bounded(0.0, 1.0, open_ends=True, margin=margin)
    return normal_p(tango_z(n10, n01, n, -accepted), "greater")


def noninferiority_wald(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, margin: ArrayLike) -> FloatArray:
    """Return the one-sided p-value of H0: B − A ≤ −margin by the Wald test.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    margin : array_like of float in (0, 1)
        The loss that would still be accepted.

    Returns
    -------
    ndarray or float64
        The p-value of (d + margin)/SE with the standard error of the paired z test; NaN where that is 0 (no
        discordant case, or all of them and in one direction) or n < 2.

    Raises
    ------
    ParameterError
        Where the counts or the margin are impossible.
    """
    (accepted,) = bounded(0.0, 1.0, open_ends=True, margin=margin)
    estimate, error = paired_standard_error(n10, n01, n)
    return normal_p((estimate + accepted) / error, "greater")


def equivalence_tango(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, margin: ArrayLike) -> FloatArray:
    """Return the p-value of H0: abs(B − A) ≥ margin by two one-sided Tango score tests.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    margin : array_like of float in (0, 1)
        The difference that would still count as none.

    Returns
    -------
    ndarray or float64
        The larger of the two one-sided p-values; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the margin are impossible.

    Notes
    -----
    Defined without any discordant case, as :func:`noninferiority_tango`.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419; Tango (1998), as above.
    """
    # "Not better by the margin" is "A not worse by the margin": the same test of the mirrored table.
    return finish(np.maximum(noninferiority_tango(n10, n01, n, margin), noninferiority_tango(n01, n10, n, margin)))


def equivalence_wald(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, margin: ArrayLike) -> FloatArray:
    """Return the p-value of H0: abs(B − A) ≥ margin by two one-sided Wald tests.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    margin : array_like of float in (0, 1)
        The difference that would still count as none.

    Returns
    -------
    ndarray or float64
        The larger of the two one-sided p-values; NaN where the standard error is 0 or n < 2.

    Raises
    ------
    ParameterError
        Where the counts or the margin are impossible.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419.
    """
    return finish(np.maximum(noninferiority_wald(n10, n01, n, margin), noninferiority_wald(n01, n10, n, margin)))
