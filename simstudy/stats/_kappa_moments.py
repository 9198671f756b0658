"""What every kappa is made of: observed and chance agreement, and the large-sample variance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, check_choice, counts, ratio

WEIGHTS = ("none", "linear", "quadratic")
# Shares carry rounding errors of some 1e-16; an influence function that varies by less than this is constant.
CONSTANT = 1e-13


def agreement_weights(size: int, weights: str) -> FloatArray:
    """Return how much two ratings agree: 1 on the diagonal; else 0, or 1 − (|i − j|/(size − 1))^d with d = 1 or 2."""
    check_choice("kind of weights", weights, WEIGHTS)
    if weights == "none":
        return np.eye(size)
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) / (size - 1)
    agreement: FloatArray = 1.0 - steps ** (1 if weights == "linear" else 2)
    return agreement


def leading_cells(table: ArrayLike) -> FloatArray:
    """Return a checked table of counts (..., k, k) as (k, k, ...): fast sums over few cells."""
    (cells,) = counts(table=table)
    if cells.ndim < 2 or cells.shape[-1] != cells.shape[-2] or cells.shape[-1] < 2:
        raise ParameterError(
            f"table has the shape {cells.shape}; it must be square, with a row and a column for each of two or more "
            "categories."
        )
    return np.moveaxis(cells, (-2, -1), (0, 1))


def kappa_parts(cells: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return kappa, and the variance of one unit's influence on it, of cells (k, k, ...)."""
    # NaN without units and where chance agreement is complete. Kappa has the standard error √(variance/n), which is
    # exactly 0 where no unit moves kappa. Fleiss, Cohen & Everitt (1969), equation 13, doi:10.1037/h0028106, written as
    # a variance about the mean: the printed difference of squares loses all digits where the standard error is small.
    kappa, shares, influence = kappa_influence(cells, weights)
    return kappa, (shares * influence**2).sum(axis=(0, 1)) + 0.0 * kappa


def kappa_influence(cells: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return kappa, the shares of the cells, and how far a unit of each cell moves kappa."""
    # The influence has the mean 0 over the shares; it is 0 in empty cells, and exactly 0 everywhere where it would vary
    # by rounding alone. Kappa is NaN without units and where chance agreement is complete.
    shares = ratio(cells, np.broadcast_to(cells.sum(axis=(0, 1)), cells.shape))
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    # in disagreements: where one category is nearly all there is, 1 − p_e would be a difference of nearly equal numbers
    apart = 1.0 - weights
    of_rows, of_columns = np.tensordot(apart, columns, 1), np.tensordot(apart.T, rows, 1)
    each = apart.reshape(*apart.shape, *(1,) * (cells.ndim - 2))
    observed, chance = (shares * each).sum(axis=(0, 1)), (rows * of_rows).sum(axis=0)
    chance = np.where(_one_category(cells), np.nan, chance)
    # but for a constant
    influence = ((of_rows[:, None] + of_columns[None, :]) * observed - each * chance) / chance**2
    gap = np.where(shares > 0, influence - (shares * influence).sum(axis=(0, 1)), 0.0)
    return (
        (chance - observed) / chance,
        shares,
        np.where(np.abs(gap) < CONSTANT * np.abs(influence).max(axis=(0, 1)), 0.0, gap),
    )


def _one_category(cells: FloatArray) -> NDArray[np.bool_]:
    """Return where both raters use one and the same category alone, so that chance agreement is complete."""
    diagonal = np.moveaxis(np.diagonal(cells, axis1=0, axis2=1), -1, 0)
    only: NDArray[np.bool_] = (diagonal == cells.sum(axis=(0, 1))).any(axis=0)
    return only
