"""What every kappa is made of: observed and chance agreement, and the large-sample variance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError, UnknownNameError
from simstudy.stats._arrays import FloatArray, counts, ratio

WEIGHTS = ("none", "linear", "quadratic")
# Shares carry rounding errors of some 1e-16; an influence function that varies by less than this is constant.
CONSTANT = 1e-13


def agreement_weights(size: int, weights: str) -> FloatArray:
    """Return how much two ratings agree: 1 on the diagonal, down to 0.

    Parameters
    ----------
    size : int
        Number of categories, at least 2.
    weights : {"none", "linear", "quadratic"}
        ``"none"``: 1 where equal, else 0; otherwise 1 − (|i − j|/(size − 1))^d with d = 1 or 2.

    Returns
    -------
    ndarray, shape (size, size)

    Raises
    ------
    UnknownNameError
        Where there are no such weights.
    """
    if weights not in WEIGHTS:
        raise UnknownNameError("weights", str(weights), WEIGHTS)
    if weights == "none":
        return np.eye(size)
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) / (size - 1)
    agreement: FloatArray = 1.0 - steps ** (1 if weights == "linear" else 2)
    return agreement


def leading_cells(table: ArrayLike) -> FloatArray:
    """Return a checked table of counts with its rows and columns in front: fast sums over few cells.

    Parameters
    ----------
    table : array_like of int, shape (..., k, k)

    Returns
    -------
    ndarray, shape (k, k, ...)

    Raises
    ------
    ParameterError
        Where the table is not square, has one category, or holds what are no counts.
    """
    (cells,) = counts(table=table)
    if cells.ndim < 2 or cells.shape[-1] != cells.shape[-2] or cells.shape[-1] < 2:
        raise ParameterError(
            f"table has the shape {cells.shape}; it must be square, with a row and a column for each of two or more "
            "categories."
        )
    return np.moveaxis(cells, (-2, -1), (0, 1))


def kappa_parts(cells: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return kappa and the variance of one unit's influence on it.

    Parameters
    ----------
    cells : ndarray, shape (k, k, ...)
        Counts, or counts with something added.
    weights : ndarray, shape (k, k)
        Agreement of two ratings.

    Returns
    -------
    kappa, variance : ndarray, shape (...)
        NaN without units and where chance agreement is complete. Kappa has the standard error √(variance/n), which
        is exactly 0 where no unit moves kappa.

    References
    ----------
    Fleiss, Cohen & Everitt (1969), equation 13, doi:10.1037/h0028106, written as a variance about the mean: the
    printed difference of squares loses all digits where the standard error is small.
    """
    kappa, shares, influence = kappa_influence(cells, weights)
    return kappa, (shares * influence**2).sum(axis=(0, 1)) + 0.0 * kappa


def kappa_influence(cells: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return kappa, the shares of the cells, and how far a unit of each cell moves kappa.

    Parameters
    ----------
    cells : ndarray, shape (k, k, ...)
        Counts, or counts with something added.
    weights : ndarray, shape (k, k)
        Agreement of two ratings.

    Returns
    -------
    kappa : ndarray, shape (...)
        NaN without units and where chance agreement is complete.
    shares, influence : ndarray, shape (k, k, ...)
        The influence has the mean 0 over the shares; it is 0 in empty cells, and exactly 0 everywhere where it would
        vary by rounding alone.
    """
    shares = ratio(cells, np.broadcast_to(cells.sum(axis=(0, 1)), cells.shape))
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    of_rows, of_columns = np.tensordot(weights, columns, 1), np.tensordot(weights.T, rows, 1)
    each = weights.reshape(*weights.shape, *(1,) * (cells.ndim - 2))
    observed, chance = (shares * each).sum(axis=(0, 1)), (rows * of_rows).sum(axis=0)
    rest = np.where(_one_category(cells), np.nan, 1.0 - chance)
    influence = (each * rest - (of_rows[:, None] + of_columns[None, :]) * (1.0 - observed)) / rest**2
    gap = np.where(shares > 0, influence - (shares * influence).sum(axis=(0, 1)), 0.0)
    return (
        (observed - chance) / rest,
        shares,
        np.where(np.abs(gap) < CONSTANT * np.abs(influence).max(axis=(0, 1)), 0.0, gap),
    )


def _one_category(cells: FloatArray) -> NDArray[np.bool_]:
    """Return where both raters use one and the same category alone, so that chance agreement is complete."""
    diagonal = np.moveaxis(np.diagonal(cells, axis1=0, axis2=1), -1, 0)
    only: NDArray[np.bool_] = (diagonal == cells.sum(axis=(0, 1))).any(axis=0)
    return only
