"""Krippendorff's alpha: agreement of several raters, not all of whom rate every unit."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, any_numbers, check_choice, finish

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
    table = any_numbers("ratings", ratings)
    if table.ndim != 2 or np.isinf(table).any():
        raise ParameterError(
            f"ratings has the shape {table.shape}; it must be a table of finite numbers, units in rows and raters in "
            "columns, NaN where a rating is missing."
        )
    check_choice("metric", metric, METRICS)
    rated = (~np.isnan(table)).sum(axis=1)
    table, rated = table[rated > 1], rated[rated > 1]
    values = np.unique(table[~np.isnan(table)])
    # unit × value: how many raters gave it
    given = (table[:, :, None] == values).sum(axis=1).astype(np.float64)
    totals = given.sum(axis=0)
    distance = _squared_distances(values, totals, metric)
    # a rating is no pair with itself, which adds nothing: its distance is 0
    observed = (given / (rated[:, None] - 1.0)).T @ given
    expected = float(totals @ distance @ totals)
    if expected == 0.0:
        return finish(np.nan)
    return finish(1.0 - (totals.sum() - 1.0) * float((observed * distance).sum()) / expected)


def _squared_distances(values: FloatArray, totals: FloatArray, metric: str) -> FloatArray:
    if metric == "nominal":
        return 1.0 - np.eye(len(values))
    # ordinal: how many ratings lie between two values, the outer ones counted half
    places = np.cumsum(totals) - 0.5 * totals if metric == "ordinal" else values
    squared: FloatArray = np.subtract.outer(places, places) ** 2
    return squared
