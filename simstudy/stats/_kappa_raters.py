"""Krippendorff's alpha: agreement of several raters, not all of whom rate every unit."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, check_choice, finish, finite_or_missing

Indices = NDArray[np.intp]

METRICS = ("nominal", "ordinal", "interval")


def krippendorff_alpha(ratings: ArrayLike, metric: str = "nominal") -> FloatArray:
    """Return Krippendorff's alpha.

    Parameters
    ----------
    ratings : array_like of float, shape (n_units, n_raters)
        Ratings as numbers; NaN where a rater did not rate a unit. Units with fewer than two ratings do not count.
    metric : {"nominal", "ordinal", "interval"}
        Whether ratings are mere names, an order, or numbers whose differences mean something.

    Returns
    -------
    float64
        1 − observed/expected disagreement: 1 is full agreement, 0 what chance gives. NaN where no unit has two
        ratings, or all ratings that count are equal.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the ratings are no table of numbers; where there is no such metric.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability, University of Pennsylvania: coincidences in
    section D, metrics in section E.
    """
    table = finite_or_missing("ratings", ratings)
    if table.ndim != 2:
        raise ParameterError(
            f"ratings has the shape {table.shape}; it must be a table of numbers, units in rows and raters in columns, "
            "NaN where a rating is missing."
        )
    check_choice("metric", metric, METRICS)
    table = table[(~np.isnan(table)).sum(axis=1) > 1]
    unit, _ = np.nonzero(~np.isnan(table))
    values, which, totals = np.unique(table[~np.isnan(table)], return_inverse=True, return_counts=True)
    if values.size < 2:
        return finish(np.nan)
    rated = np.bincount(unit)
    if metric == "nominal":
        within, overall = _unequal_pairs(unit, which), _unequal_pairs(np.zeros_like(unit), which)
    else:
        # ordinal: how many ratings lie between two values, the outer ones counted half
        places = np.cumsum(totals) - 0.5 * totals if metric == "ordinal" else values
        within, overall = _squared_pairs(unit, places[which]), _squared_pairs(np.zeros_like(unit), places[which])
    return finish(1.0 - (unit.size - 1.0) * (within / (rated - 1.0)).sum() / overall[0])


def _unequal_pairs(group: Indices, value: Indices) -> FloatArray:
    """Return how many ordered pairs of ratings in each group differ."""
    cells, often = np.unique(np.stack([group, value]), axis=1, return_counts=True)
    return np.asarray(np.bincount(group) ** 2.0 - np.bincount(cells[0], weights=often**2.0), np.float64)


def _squared_pairs(group: Indices, place: FloatArray) -> FloatArray:
    """Return the sum of squared differences over all ordered pairs in each group: 2m·Σ(a − ā)²."""
    often = np.bincount(group)
    mean = np.bincount(group, weights=place) / often
    return np.asarray(2.0 * often * np.bincount(group, weights=(place - mean[group]) ** 2), np.float64)
