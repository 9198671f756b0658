"""Tango's score statistic of the paired difference, and its inversion into a confidence interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    bounded,
    critical_z,
    discordant,
    finish,
    finish_interval,
    together,
)
from simstudy.stats._roots import bracketed_roots

# Limits are iterated until their bracket, which lies in [−1, 1], is this narrow.
LIMIT_TOLERANCE = 1e-13


def tango_z(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, delta: ArrayLike) -> FloatArray:
    """Return Tango's score statistic of H0: B − A = delta.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    delta : array_like of float in [−1, 1]
        The hypothetical difference.

    Returns
    -------
    ndarray or float64
        The statistic, standard normal under H0 in large samples, positive where B − A lies above delta;
        NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts are impossible or delta lies outside [−1, 1].

    Notes
    -----
    At delta = 0 it is the signed root of McNemar's χ². It is 0 where delta is the observed difference, also
    where the variance is 0 there; at delta = ±1 it is infinite for every other table, which that hypothesis
    excludes.

    References
    ----------
    Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    """
    only_a, only_b, size = discordant(n10, n01, n)
    (hypothesis,) = bounded(-1.0, 1.0, delta=delta)
    only_a, only_b, size, hypothesis = together([only_a, only_b, size, hypothesis], ["n10", "n01", "n", "delta"])
    excess = only_b - only_a - size * hypothesis
    variance = _variance(only_a, only_b, size, hypothesis)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(excess == 0, 0.0, excess / np.sqrt(variance))
    return finish(np.where(size > 0, z, np.nan))


def _variance(only_a: FloatArray, only_b: FloatArray, size: FloatArray, delta: FloatArray) -> FloatArray:
    """Return the variance n(2q + δ(1 − δ)) of n01 − n10 under H0, q the restricted estimate of p10.

    q solves 2n·q² + B·q + C = 0 (Tango 1998). The table is mirrored so that δ ≤ 0: then B is never
    positive, the larger root adds two terms of one sign, and no digits are lost.
    """
    swap = delta > 0
    worse, better = np.where(swap, only_b, only_a), np.where(swap, only_a, only_b)
    delta = -np.abs(delta)
    linear = -(worse + better) + (2.0 * size - better + worse) * delta
    constant = -worse * delta * (1.0 - delta)
    root = np.sqrt(np.maximum(linear * linear - 8.0 * size * constant, 0.0))
    return np.maximum(0.5 * (root - linear) + size * delta * (1.0 - delta), 0.0)


def tango(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return Tango's score interval of the paired difference.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits of B − A in [−1, 1], to about 1e-13; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    The interval holds the differences that the score test does not reject, so that it leaves out 0 exactly
    where :func:`~simstudy.stats.paired.mcnemar_chi2` rejects. Without a discordant case it is
    ±z²/(n + z²): nothing seen in n cases does not mean no difference.

    References
    ----------
    Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    """
    only_a, only_b, size = discordant(n10, n01, n)
    z = critical_z(level)
    # Swapping the systems mirrors the interval: one solver serves both limits.
    return finish_interval(_lower(only_a, only_b, size, z), -_lower(only_b, only_a, size, z))


def _lower(only_a: FloatArray, only_b: FloatArray, size: FloatArray, z: float) -> FloatArray:
    """Return the lower limit: closed forms at the corners of the table, the root of the score elsewhere."""
    limit = np.select(
        [size == 0, only_a + only_b == 0, only_a == size, only_b == size],
        [np.nan, -z * z / (size + z * z), -1.0, (size - z * z) / (size + z * z)],
    )
    inner = (only_a + only_b > 0) & (only_a < size) & (only_b < size)
    limit[inner] = _score_roots(only_a[inner], only_b[inner], size[inner], z)
    return limit


def _score_roots(only_a: FloatArray, only_b: FloatArray, size: FloatArray, z: float) -> FloatArray:
    """Return the difference below the observed one at which the score statistic is z."""
    excess = only_b - only_a

    def score(delta: FloatArray, rows: NDArray[np.intp]) -> FloatArray:
        variance = _variance(only_a[rows], only_b[rows], size[rows], delta)
        return excess[rows] - size[rows] * delta - z * np.sqrt(variance)

    return bracketed_roots(score, np.full(size.shape, -1.0), excess / size, LIMIT_TOLERANCE)
