"""Kappa of two raters with any number of categories, ordered or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, Interval, finish, labels, ratio, shown
from simstudy.stats._kappa_moments import agreement_weights, kappa_parts, leading_cells
from simstudy.stats.agreement import wald_limits

# kinds of arrays that hold words
WORDS = "SU"
# a table of more would fill the memory
MOST_CATEGORIES = 2000
# categories that a message lists
MOST_NAMED = 20


def agreement_table(first: ArrayLike, second: ArrayLike, categories: Sequence[Any] | None = None) -> NDArray[np.int64]:
    """Count how often two raters give each pair of ratings.

    Parameters
    ----------
    first, second : array_like, shape (n_units,)
        Ratings of the same units: numbers or words.
    categories : sequence, optional
        The categories in their order; those that occur, sorted, where not given.

    Returns
    -------
    ndarray of int64, shape (k, k)
        Ratings of the first in rows, of the second in columns.

    Raises
    ------
    ParameterError
        Where the lengths differ, or a rating is none of the categories.
    """
    rows, columns, known = places(first, second, categories)
    table = np.zeros((len(known), len(known)), np.int64)
    np.add.at(table, (rows, columns), 1)
    return table


def places(
    first: ArrayLike, second: ArrayLike, categories: Sequence[Any] | None
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[Any]]:
    """Return the category numbers of both ratings of each unit, and the categories."""
    one, two = labels("first", first), labels("second", second)
    if one.ndim != 1 or one.shape != two.shape:
        raise ParameterError(
            f"first has the shape {one.shape} and second {two.shape}; both must be lists of one length."
        )
    if one.size and (one.dtype.kind in WORDS) != (two.dtype.kind in WORDS):
        raise ParameterError("first and second must both hold words or both hold numbers.")
    try:
        both = np.concatenate([one, two])
    except TypeError:
        raise ParameterError("first and second hold ratings of different kinds.") from None
    known = np.unique(both) if categories is None else labels("categories", categories)
    if known.ndim != 1 or (both.size and not known.size):
        raise ParameterError(f"categories has the shape {known.shape}; it must be a list of one category or more.")
    if len(known) > MOST_CATEGORIES:
        raise ParameterError(
            f"There are {len(known)} categories; kappa takes at most {MOST_CATEGORIES}: for ratings on a fine scale "
            "take krippendorff_alpha."
        )
    order = np.argsort(known)
    try:
        place = np.minimum(np.searchsorted(known, both, sorter=order), len(known) - 1)
    except TypeError:
        raise ParameterError("categories must be of the kind of the ratings: words, numbers or dates.") from None
    index = order[place]
    strange = known[index] != both
    if strange.any():
        names = ", ".join(shown(name) for name in known[:MOST_NAMED]) + (", ..." if len(known) > MOST_NAMED else "")
        raise ParameterError(f"The rating {shown(both[strange][0])} is none of the categories {names}.")
    return index[: len(one)], index[len(one) :], known


def cohen_kappa(table: ArrayLike, weights: str = "none") -> FloatArray:
    """Return Cohen's kappa, plain or weighted, of two raters.

    Parameters
    ----------
    table : array_like of int, shape (..., k, k)
        Units by both ratings, at least two categories, ordered where weights are used.
    weights : {"none", "linear", "quadratic"}
        Agreement of categories i and j: 1 where equal, else 0; or 1 − (|i − j|/(k − 1))^d with d = 1 or 2.

    Returns
    -------
    ndarray or float64, shape (...)
        (p_o − p_e)/(1 − p_e) of the weighted agreement; NaN in an empty table, and where both raters use one and the
        same category alone.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the table holds no counts or is not square; where there are no such weights.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104; Cohen (1968), doi:10.1037/h0026256.
    """
    cells = leading_cells(table)
    return finish(kappa_parts(cells, agreement_weights(len(cells), weights))[0])


def cohen_kappa_standard_error(table: ArrayLike, weights: str = "none") -> FloatArray:
    """Return the large-sample standard error of Cohen's kappa.

    Parameters
    ----------
    table : array_like of int, shape (..., k, k)
        As in :func:`cohen_kappa`.
    weights : {"none", "linear", "quadratic"}
        As in :func:`cohen_kappa`.

    Returns
    -------
    ndarray or float64, shape (...)
        NaN where kappa is undefined; 0 where no unit moves it, for example without any disagreement.

    Raises
    ------
    ParameterError, UnknownNameError
        As in :func:`cohen_kappa`.

    References
    ----------
    Fleiss, Cohen & Everitt (1969), equation 13, doi:10.1037/h0028106.
    """
    cells = leading_cells(table)
    variance = kappa_parts(cells, agreement_weights(len(cells), weights))[1]
    return finish(np.sqrt(variance / np.maximum(cells.sum(axis=(0, 1)), 1.0)))


def cohen_kappa_interval(table: ArrayLike, weights: str = "none", level: float = 0.95) -> Interval:
    """Return the large-sample interval of Cohen's kappa, cut to [−1, 1].

    Parameters
    ----------
    table : array_like of int, shape (..., k, k)
        As in :func:`cohen_kappa`.
    weights : {"none", "linear", "quadratic"}
        As in :func:`cohen_kappa`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64, shape (...)
        κ ± z·SE; NaN where kappa is undefined or its standard error is 0.

    Raises
    ------
    ParameterError, UnknownNameError
        As in :func:`cohen_kappa`; where the level is impossible.

    References
    ----------
    Fleiss, Cohen & Everitt (1969), equation 13, doi:10.1037/h0028106.
    """
    cells = leading_cells(table)
    return wald_limits(cells, agreement_weights(len(cells), weights), level)


def pabak(table: ArrayLike) -> FloatArray:
    """Return the prevalence-adjusted and bias-adjusted kappa.

    Parameters
    ----------
    table : array_like of int, shape (..., k, k)
        Units by both ratings.

    Returns
    -------
    ndarray or float64, shape (...)
        (k·p_o − 1)/(k − 1), with two categories 2p_o − 1: kappa as it would be were every category equally frequent
        with both raters. NaN in an empty table.

    Raises
    ------
    ParameterError
        Where the table holds no counts or is not square.

    Notes
    -----
    It is the observed agreement on another scale: a judge that always says "correct" has a high one where nearly all
    answers are right. Report it beside kappa, not in its place.

    References
    ----------
    Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V.
    """
    cells = leading_cells(table)
    k = len(cells)
    observed = ratio(np.einsum("ii...->...", cells), cells.sum(axis=(0, 1)))
    return finish((k * observed - 1.0) / (k - 1.0))
