"""Does a judge reward length? Slopes of scores on the logarithm of the length, in points per doubling.

A table has one row per case and one column per version of its answer: words and scores, shape (..., n, k). Scores may
be missing (NaN), so that cases may have fewer versions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, any_numbers, finish, finite_or_missing, labels, ratio, together

EQUAL = 1e-12
"""Slopes that differ by less, as a share of the largest, are equal: logarithms of lengths leave such differences."""


class Slope(NamedTuple):
    """A slope, its standard error and the number of cases behind them.

    Attributes
    ----------
    estimate, standard_error : float or array of float64
        Points per doubling of the length; NaN where undefined.
    n : float or array of float64
        Cases that say something of the slope.
    """

    estimate: FloatArray
    standard_error: FloatArray
    n: FloatArray


def length_table(case: ArrayLike, words: ArrayLike, score: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the tables of words and scores from a list of single scores.

    Parameters
    ----------
    case : array_like, shape (m,)
        Which case each score belongs to: names or numbers.
    words, score : array_like of float, shape (m,)
        Length of the answer, and its score.

    Returns
    -------
    words, scores : ndarray of float64, shape (n, k)
        One row per case in sorted order, its versions in the order given, NaN behind the last one; k is the largest
        number of versions.

    Raises
    ------
    ParameterError
        Where the three are not lists of one length.
    """
    names, lengths, scores = labels("case", case), any_numbers("words", words), any_numbers("score", score)
    if names.ndim != 1 or names.shape != lengths.shape or names.shape != scores.shape:
        raise ParameterError(
            f"case, words and score must be lists of one length; their shapes are {names.shape}, {lengths.shape} and "
            f"{scores.shape}."
        )
    found, row, size = np.unique(names, return_inverse=True, return_counts=True)
    order = np.argsort(row, kind="stable")
    column = np.empty(row.size, np.int64)
    column[order] = np.arange(row.size) - np.repeat(np.cumsum(size) - size, size)
    tables = np.full((2, found.size, size.max(initial=0)), np.nan)
    tables[0, row, column], tables[1, row, column] = lengths, scores
    return tables[0], tables[1]


def _products(words: ArrayLike, scores: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return Σ(x − x̄)(y − ȳ) and Σ(x − x̄)² of each case, x = log2 of the words."""
    # Scores enter as differences from the lowest of their case: equal scores give exactly 0.
    lengths, given = together(
        [finite_or_missing("words", words), finite_or_missing("scores", scores)], ["words", "scores"]
    )
    if given.ndim < 2:
        raise ParameterError("words and scores must have an axis of cases and one of versions, shape (..., n, k).")
    known = np.isfinite(given) & np.isfinite(lengths)
    if (lengths[known] <= 0).any():
        raise ParameterError(f"words must be positive; they hold {lengths[known].min():g}.")
    x = np.log2(np.where(known, lengths, 1.0))
    size = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    centred = np.where(known, x - np.where(known, x, 0.0).sum(axis=-1, keepdims=True) / size, 0.0)
    lowest = np.where(known, given, np.inf).min(axis=-1, keepdims=True, initial=np.inf)
    rise = np.where(known, given - np.where(np.isfinite(lowest), lowest, 0.0), 0.0)
    longest = np.where(known, lengths, -np.inf).max(axis=-1, initial=-np.inf)
    varied = longest > np.where(known, lengths, np.inf).min(axis=-1, initial=np.inf)
    return (centred * rise).sum(axis=-1), np.where(varied, (centred**2).sum(axis=-1), 0.0)


def case_slopes(words: ArrayLike, scores: ArrayLike) -> FloatArray:
    """Return the least-squares slope of the scores on log2(words) within each case.

    Parameters
    ----------
    words, scores : array_like of float, shape (..., n, k)
        Length and score of each version of each case; NaN where there is none.

    Returns
    -------
    ndarray of float64, shape (..., n)
        Points per doubling of the length; NaN for a case whose scored versions have one length.

    Raises
    ------
    ParameterError
        Where the shapes do not fit, or a length is not positive.
    """
    products, squares = _products(words, scores)
    return ratio(products, squares)


def mean_slope(slopes: ArrayLike) -> Slope:
    """Return the unweighted mean of the slopes of cases.

    Parameters
    ----------
    slopes : array_like of float, shape (..., n)
        As `case_slopes` has them; a NaN does not count.

    Returns
    -------
    estimate, standard_error, n : ndarray or float64, shape (...)
        Mean slope, its standard error (standard deviation over √n) and the number of slopes; the error is NaN where
        the slopes are all equal, but for rounding, or fewer than two, the mean where there is none.
    """
    given = finite_or_missing("slopes", slopes)
    known = np.isfinite(given)
    n = known.sum(axis=-1).astype(np.float64)
    # differences from the lowest slope lose no digits
    lowest = np.where(known, given, np.inf).min(axis=-1, initial=np.inf)
    rise = np.where(known, given - np.where(n > 0, lowest, 0.0)[..., None], 0.0)
    mean = ratio(rise.sum(axis=-1), n)
    with np.errstate(over="ignore"):
        squares = np.where(known, (rise - mean[..., None]) ** 2, 0.0).sum(axis=-1)
    variance = ratio(squares, n * (n - 1.0))
    size = np.abs(np.where(known, given, 0.0)).max(axis=-1, initial=0.0)
    return Slope(finish(np.where(n > 0, lowest, np.nan) + mean), finish(_error(variance, size)), finish(n))


def _error(variance: FloatArray, size: FloatArray) -> FloatArray:
    """Return a standard error, NaN where it is nothing but the rounding of slopes of this size."""
    with np.errstate(over="ignore"):
        least = (EQUAL * np.maximum(size, np.finfo(np.float64).tiny)) ** 2
    return np.sqrt(np.where(variance > least, variance, np.nan))


def pooled_slope(words: ArrayLike, scores: ArrayLike) -> Slope:
    """Return the slope within cases, pooled, with a cluster-robust standard error.

    Parameters
    ----------
    words, scores : array_like of float, shape (..., n, k)
        Length and score of each version of each case; NaN where there is none.

    Returns
    -------
    estimate, standard_error, n : ndarray or float64, shape (...)
        b = ΣS_xy/ΣS_xx over the cases, √(n/(n − 1)·Σ(S_xy − b·S_xx)²)/ΣS_xx, and the number of cases whose lengths
        vary. The error is NaN where it would be 0, but for rounding, or n < 2.

    Raises
    ------
    ParameterError
        As in `case_slopes`.

    Notes
    -----
    The slope of a regression with an effect of each case. Cases weigh by S_xx: those with a short first version, whose
    length is doubled more often, weigh more.

    References
    ----------
    Liang & Zeger (1986), doi:10.1093/biomet/73.1.13; Arellano (1987), doi:10.1111/j.1468-0084.1987.mp49004006.x, with
    the factor n/(n − 1) as the only correction.
    """
    products, squares = _products(words, scores)
    n = (squares > 0).sum(axis=-1).astype(np.float64)
    total = squares.sum(axis=-1)
    slope = ratio(products.sum(axis=-1), total)
    left = (products - np.where(total > 0, slope, 0.0)[..., None] * squares) ** 2
    variance = ratio(n * left.sum(axis=-1), (n - 1.0) * total**2)
    return Slope(finish(slope), finish(_error(variance, np.abs(slope))), finish(n))
