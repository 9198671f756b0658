"""Tests that a mean of integer-scaled differences is 0, from the sufficient sums Σd and Σd²."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    counts,
    normal_p,
    ratio,
    student_p,
    together,
    whole_numbers,
)


def _mean_statistic(total: ArrayLike, squares: ArrayLike, n: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return mean/standard error from Σd and Σd², and n − 1; exact zeros of the variance stay exact."""
    (sums,) = whole_numbers(total=total)
    (square_sums,) = whole_numbers(squares=squares)
    (size,) = counts(n=n)
    sums, square_sums, size = together([sums, square_sums, size], ["total", "squares", "n"])
    spread = size * square_sums - sums * sums
    if (spread < 0).any():
        raise ParameterError(
            "total² must not exceed n·squares (Cauchy–Schwarz): these are not the sums of n differences."
        )
    df = size - 1.0
    return ratio(sums * np.sqrt(np.maximum(df, 0.0)), np.sqrt(np.where(df > 0, spread, 0.0))), df


def mean_z(total: ArrayLike, squares: ArrayLike, n: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the z test that the mean of n integer-scaled differences is 0.

    Parameters
    ----------
    total : array_like of int
        Σd over the n units, B − A.
    squares : array_like of int
        Σd².
    n : array_like of int
        Units.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the mean is positive.

    Returns
    -------
    ndarray or float64
        The p-value of z = total·√(n − 1)/√(n·squares − total²); NaN where the variance is 0 or n < 2.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the numbers are not whole, or cannot be the sums of n differences; where the alternative does
        not exist.

    Notes
    -----
    The scale of d cancels, so differences in halves are given doubled.
    """
    z, _ = _mean_statistic(total, squares, n)
    return normal_p(z, alternative)


def mean_t(total: ArrayLike, squares: ArrayLike, n: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the one-sample t test that the mean of n integer-scaled differences is 0.

    Parameters
    ----------
    total, squares, n : array_like of int
        Σd, Σd² and the number of units.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the mean is positive.

    Returns
    -------
    ndarray or float64
        The p-value, t with n − 1 degrees of freedom; NaN where the variance is 0 or n < 2.

    Raises
    ------
    ParameterError, UnknownNameError
        As in :func:`mean_z`.

    References
    ----------
    Student (1908), doi:10.2307/2331554.
    """
    t, df = _mean_statistic(total, squares, n)
    return student_p(t, df, alternative)
