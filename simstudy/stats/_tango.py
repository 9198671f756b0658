"""Tango's score statistic of the paired difference, and its inversion into a confidence interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

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
from simstudy.stats._roots import Indices, bracketed_roots

# Limits are iterated until their bracket, which lies in [−1, 1], is this narrow.
LIMIT_TOLERANCE = 1e-13
# Among more cases than these limits may lie as near to each other as the inverse of their number: finer brackets.
MANY = 1e8


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
    """Return the variance n(2q + δ(1 − δ)) of n01 − n10 under H0, q the restricted estimate of p10."""
    # q solves 2n·q² + B·q + C = 0 (Tango 1998). The table is mirrored so that δ ≤ 0: then B is never positive, the
    # larger root adds two terms of one sign, and no digits are lost.
    worse = np.where(delta > 0, only_b, only_a)
    either = only_a + only_b
    delta = -np.abs(delta)
    rest = 1.0 - delta
    linear = (2.0 * (size + worse) - either) * delta - either
    constant = -worse * delta * rest
    root = np.sqrt(np.maximum(linear * linear - 8.0 * size * constant, 0.0))
    return np.maximum(0.5 * (root - linear) + size * delta * rest, 0.0)


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
        Limits of B − A in [−1, 1], to about 1e-13, and to 1e-5/n beyond 1e8 cases; NaN at n = 0.

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
    # Swapping the systems mirrors the interval: one solver serves both limits, at once.
    low, high = _lower(np.stack([only_a, only_b]), np.stack([only_b, only_a]), np.stack([size, size]), z)
    return finish_interval(low, -high)


def _lower(only_a: FloatArray, only_b: FloatArray, size: FloatArray, z: float) -> FloatArray:
    """Return the lower limit: closed forms at the corners of the table, the root of the score elsewhere."""
    limit = np.select(
        [size == 0, only_a + only_b == 0, only_a == size, only_b == size],
        [np.nan, -z * z / (size + z * z), -1.0, (size - z * z) / (size + z * z)],
    )
    inner = (only_a + only_b > 0) & (only_a < size) & (only_b < size)
    for rows in (inner & (size <= MANY), inner & (size > MANY)):
        limit[rows] = _score_roots(only_a[rows], only_b[rows], size[rows], z)
    return limit


def _score_roots(only_a: FloatArray, only_b: FloatArray, size: FloatArray, z: float) -> FloatArray:
    """Return the difference below the observed one at which the score statistic is z."""
    excess = only_b - only_a

    def score(delta: FloatArray, _: Indices, a: FloatArray, b: FloatArray, n: FloatArray, e: FloatArray) -> FloatArray:
        return e - n * delta - z * np.sqrt(_variance(a, b, n, delta))

    low = np.full(size.shape, -1.0)
    tolerance = min(LIMIT_TOLERANCE, LIMIT_TOLERANCE * MANY / size.max(initial=1.0))
    return bracketed_roots(score, low, excess / size, tolerance, only_a, only_b, size, excess)
