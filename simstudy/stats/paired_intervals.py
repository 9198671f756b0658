"""Confidence intervals of the paired difference of accuracies, B − A.

Counts are those of :mod:`simstudy.stats.paired`. Every function returns ``(low, high)`` and broadcasts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    check_part,
    counts,
    critical_t,
    critical_z,
    discordant,
    finish,
    finish_interval,
    ratio,
)
from simstudy.stats._tango import tango, tango_z
from simstudy.stats.proportions import wilson

__all__ = ["bonett_price", "newcombe", "paired_t_interval", "paired_wald", "tango", "tango_z"]


def paired_standard_error(n10: ArrayLike, n01: ArrayLike, n: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the paired difference and its standard error from the sample variance of the case differences.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.

    Returns
    -------
    difference, standard_error : ndarray or float64
        d and √((m/n − d²)/(n − 1)); the standard error is NaN where it would be 0 or n < 2.

    Raises
    ------
    ParameterError
        Where the counts are impossible.
    """
    only_a, only_b, size = discordant(n10, n01, n)
    discordant_cases, excess = only_a + only_b, only_b - only_a
    # n·m − (n01 − n10)², without a difference of large products
    spread = discordant_cases * (size - discordant_cases) + 4.0 * only_a * only_b
    spread = np.where(spread > 0, spread, np.nan)
    error = np.sqrt(ratio(spread, size * size * (size - 1.0)))
    return finish(ratio(excess, size)), finish(error)


def _around(centre: FloatArray, margin: FloatArray) -> Interval:
    """Return centre ± margin, cut to the differences that can exist."""
    return finish_interval(np.maximum(centre - margin, -1.0), np.minimum(centre + margin, 1.0))


def paired_wald(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the Wald interval of the paired difference.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits of B − A, cut to [−1, 1]; NaN where the variance is 0 or n < 2.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    The standard error has n − 1, as in :func:`~simstudy.stats.paired.paired_z`, so that test and interval
    never contradict each other; textbooks divide by n, which is narrower by the factor √((n − 1)/n). Limits outside
    [−1, 1], where no difference lies, are cut: that changes the width and never what the interval covers.
    """
    estimate, error = paired_standard_error(n10, n01, n)
    return _around(estimate, critical_z(level) * error)


def paired_t_interval(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the t interval of the paired difference, n − 1 degrees of freedom.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits of B − A, cut to [−1, 1]; NaN where the variance is 0 or n < 2.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.
    """
    estimate, error = paired_standard_error(n10, n01, n)
    (size,) = counts(n=n)
    df = np.where(np.isnan(error), np.nan, size - 1.0)
    return _around(estimate, critical_t(df, level) * error)


def bonett_price(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the adjusted Wald interval of Bonett and Price.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits of B − A, cut to [−1, 1]; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    One case is added to each discordant cell and two to n; the interval is centred at that adjusted
    difference.

    References
    ----------
    Bonett & Price (2012), doi:10.3102/1076998611411915.
    """
    only_a, only_b, size = discordant(n10, n01, n)
    size = np.where(size > 0, size + 2.0, np.nan)
    p10, p01 = (only_a + 1.0) / size, (only_b + 1.0) / size
    centre = p01 - p10
    return _around(centre, critical_z(level) * np.sqrt((p10 + p01 - centre * centre) / size))


def newcombe(n10: ArrayLike, n01: ArrayLike, n11: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return Newcombe's score interval of the paired difference (method 10).

    Parameters
    ----------
    n10, n01, n11, n : array_like of int
        Cases that only A, only B, both got right, and all cases.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits of B − A in [−1, 1]; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    The Wilson intervals of both accuracies are combined by squares, less the covariance that the corrected
    correlation implies: the numerator n11·n00 − n10·n01 loses n/2 where it is positive, but not more than
    itself; the correlation is 0 where a margin is empty.

    References
    ----------
    Newcombe (1998), doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
    """
    only_a, only_b, both, size = counts(n10=n10, n01=n01, n11=n11, n=n)
    check_part(only_a + only_b + both, size, "n10 + n01 + n11", "n")
    correlation = _corrected_phi(only_a, only_b, both, size)
    p_a, p_b = ratio(both + only_a, size), ratio(both + only_b, size)
    low_a, high_a = wilson(both + only_a, size, level)
    low_b, high_b = wilson(both + only_b, size, level)
    below = _combined(p_b - low_b, high_a - p_a, correlation)
    above = _combined(high_b - p_b, p_a - low_a, correlation)
    return _around_sides(p_b - p_a, below, above)


def _corrected_phi(only_a: FloatArray, only_b: FloatArray, both: FloatArray, size: FloatArray) -> FloatArray:
    """Return the correlation with Newcombe's continuity correction (method 10)."""
    neither = size - only_a - only_b - both
    numerator = both * neither - only_a * only_b
    numerator = np.where(numerator > 0, np.maximum(numerator - 0.5 * size, 0.0), numerator)
    margins = (both + only_a) * (neither + only_b) * (both + only_b) * (neither + only_a)
    return np.where(margins > 0, ratio(numerator, np.sqrt(margins)), 0.0)


def _combined(side_b: FloatArray, side_a: FloatArray, correlation: FloatArray) -> FloatArray:
    """Return the root of the summed squares less the covariance, never below 0 by rounding."""
    squared = side_b * side_b - 2.0 * correlation * side_b * side_a + side_a * side_a
    return np.sqrt(np.maximum(squared, 0.0))


def _around_sides(centre: FloatArray, below: FloatArray, above: FloatArray) -> Interval:
    """Return the interval with different arms below and above its centre."""
    return finish_interval(np.maximum(centre - below, -1.0), np.minimum(centre + above, 1.0))
