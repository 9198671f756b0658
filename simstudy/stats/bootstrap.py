"""The ideal percentile bootstrap of the paired difference: infinitely many resamples, none drawn.

Resampling n cases with replacement gives (N10*, N01*, rest) ~ Multinomial(n, observed shares). The bootstrap
distribution of D* = N01* − N10* follows from its characteristic function φ(θ)ⁿ, where
φ(θ) = 1 − m/n + (n10/n)·e^{−iθ} + (n01/n)·e^{iθ}, by a discrete Fourier transform on a window that holds
all but 1e-16 of it. Nothing depends on a seed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    check_level,
    discordant,
    finish,
    finish_interval,
    grouped,
)

# The mass of D* outside the window, and the size of a frequency that is left out, as logarithms.
LOG_OUTSIDE = 37.5
LOG_NEGLIGIBLE = 42.0
# A quantile is the smallest value whose cdf reaches q. Where the cdf equals q, as it can at small n, the
# rounding of the transform (1e-14) must not decide: a cdf this share below q counts as having reached it.
TIE_SLACK = 1e-11
# Numbers held at once: rows of a chunk times lattice points.
CHUNK = 1 << 18
# The longest lattice, of 1e12 cases or more: half a gigabyte while its row is computed.
LONGEST = 1 << 24


def bootstrap_percentile(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the ideal paired percentile bootstrap interval of the difference B − A.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Quantiles (1 − level)/2 and 1 − (1 − level)/2 of D*/n, multiples of 1/n in [−1, 1]; a quantile is the
        smallest value whose cdf is at least q. NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    Without any discordant case the limits are [0, 0]: the bootstrap takes what it has not seen for
    impossible. It covers about its level with some 14 expected discordant cases of 36, and far less with few
    and one-sided ones. The cdf is exact to about 1e-14, enough for levels up to 1 − 1e-9; where it falls
    short of q by less than 1e-11·q, it counts as having reached q.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 4 (the ideal bootstrap) and 13.
    """
    only_a, only_b, size = discordant(n10, n01, n)
    tail = 0.5 * (1.0 - check_level(level))
    low, high = np.zeros(size.shape), np.zeros(size.shape)
    moving = (only_a + only_b > 0) & (np.maximum(only_a, only_b) < size)
    # No case varies: none is discordant, or all are and in one direction.
    fixed = np.where(size > 0, (only_b - only_a) / np.maximum(size, 1.0), np.nan)
    low[~moving] = high[~moving] = fixed[~moving]
    below, above = _quantiles(only_a[moving], only_b[moving], size[moving], (tail, 1.0 - tail))
    low[moving], high[moving] = below / size[moving], above / size[moving]
    return finish_interval(low, high)


def bootstrap_reject(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, level: float = 0.95) -> FloatArray:
    """Return the side of 0 on which the ideal percentile bootstrap interval lies.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    ndarray or float64
        1 where the interval lies above 0 (B better), −1 where it lies below, 0 where it holds 0; NaN at
        n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.
    """
    low, high = bootstrap_percentile(n10, n01, n, level)
    return finish(np.select([np.isnan(low), low > 0, high < 0], [np.nan, 1.0, -1.0], 0.0))


def _quantiles(
    only_a: FloatArray, only_b: FloatArray, size: FloatArray, shares: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Return both quantiles of D*, rows gathered by the length of their window."""
    below, above = np.empty(size.shape), np.empty(size.shape)
    start, lattice, kept = _windows(only_a, only_b, size)
    if lattice.max(initial=0) > LONGEST:
        raise ParameterError(
            f"bootstrap_percentile lists the differences that can occur, too many with {size.max():g} cases; paired_z "
            "does as well there."
        )
    # Rows whose spectrum reaches the highest frequency are kept apart: the others need about thirty of them.
    keys, inverse = np.unique(2 * lattice + (2 * kept >= lattice), return_inverse=True)
    for group, rows in grouped(inverse):
        length = int(keys[group]) // 2
        # one row at a time where a single lattice is longer than a chunk
        for chunk in np.array_split(rows, min(rows.size, 1 + rows.size * length // CHUNK)):
            frequencies = np.arange(1.0 + kept[chunk].max()) * (2.0 * np.pi / length)
            spectrum = _spectrum(only_a[chunk], only_b[chunk], size[chunk], start[chunk], frequencies)
            cdf = np.cumsum(np.fft.irfft(spectrum, length, axis=1), axis=1)
            below[chunk], above[chunk] = (start[chunk] + (cdf < q * (1.0 - TIE_SLACK)).sum(axis=1) for q in shares)
    return below, above


def _moments(only_a: FloatArray, only_b: FloatArray, size: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean e and the mean square s of one resampled case difference."""
    return (only_b - only_a) / size, (only_a + only_b) / size


def _windows(
    only_a: FloatArray, only_b: FloatArray, size: FloatArray
) -> tuple[FloatArray, NDArray[np.int64], NDArray[np.int64]]:
    """Return the first value, the length of the window and the highest frequency that matters."""
    # The half width follows from Bernstein's inequality, an exact bound of both tails; the frequency from the modulus,
    # |φ|² = 1 − v·(2(s − e²) − v·(s² − e²)) with v = 1 − cos θ, which is convex in v.
    e, s = _moments(only_a, only_b, size)
    slack = LOG_OUTSIDE * (1.0 + np.abs(e)) / 3.0
    half = np.ceil(slack + np.sqrt(slack * slack + 2.0 * LOG_OUTSIDE * size * (s - e * e)))
    start = np.maximum(np.floor(size * e) - half, -size)
    lattice = _transform_length(np.minimum(2.0 * half + 2.0, 2.0 * size + 1.0))
    reach = -np.expm1(-2.0 * LOG_NEGLIGIBLE / size)
    discriminant = (s - e * e) ** 2 - (s * s - e * e) * reach
    v = reach / (s - e * e + np.sqrt(np.maximum(discriminant, 0.0)))
    # |φ| is negligible beyond v only if it is so at θ = π too, where it may rise again: |φ| = |1 − 2s|.
    falls = (discriminant >= 0) & (v < 2.0) & (1.0 - (1.0 - 2.0 * s) ** 2 >= reach)
    theta = 2.0 * np.arcsin(np.sqrt(np.where(falls, 0.5 * v, 1.0)))
    kept = np.minimum(np.floor(theta * lattice / (2.0 * np.pi)) + 1.0, lattice // 2)
    return start, lattice, kept.astype(np.int64)


def _transform_length(least: FloatArray) -> NDArray[np.int64]:
    """Return the next 2^k, 3·2^k or 5·2^k: few distinct lengths, all of them fast."""
    powers = 2 ** np.arange(2, 40, dtype=np.int64)
    lengths = np.unique(np.concatenate([powers, 3 * powers, 5 * powers]))
    return lengths[np.searchsorted(lengths, least)]


def _spectrum(
    only_a: FloatArray, only_b: FloatArray, size: FloatArray, start: FloatArray, theta: FloatArray
) -> NDArray[np.complex128]:
    """Return the conjugate of φ(θ)ⁿ·e^{−iθ·start}: one row per table, one column per frequency."""
    e, s, size, start = (array[:, None] for array in (*_moments(only_a, only_b, size), size, start))
    v = 2.0 * np.sin(0.5 * theta) ** 2
    # 1 − |φ|² without cancellation, so that the power n loses no digits.
    drop = v * (2.0 * (s - e * e) - v * (s * s - e * e))
    with np.errstate(divide="ignore"):
        modulus = np.exp(0.5 * size * np.log1p(-np.minimum(drop, 1.0)))
    phase = size * np.arctan2(e * np.sin(theta), 1.0 - s * v) - start * theta
    spectrum = np.empty(phase.shape, dtype=np.complex128)
    spectrum.real, spectrum.imag = modulus * np.cos(phase), -modulus * np.sin(phase)
    return spectrum
