"""Kappa of ratings that come in clusters: several answers to one question, several verdicts on one answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, Interval, check_level, critical_t, finish, finish_interval, labels
from simstudy.stats._kappa_moments import agreement_weights, kappa_influence, leading_cells
from simstudy.stats._kappa_tables import places


def cohen_kappa_clustered(
    first: ArrayLike,
    second: ArrayLike,
    cluster: ArrayLike,
    categories: Sequence[Any] | None = None,
    weights: str = "none",
) -> tuple[FloatArray, FloatArray]:
    """Return Cohen's kappa and its cluster-robust standard error.

    Parameters
    ----------
    first, second : array_like, shape (n_units,)
        Ratings of the same units: numbers or words.
    cluster : array_like, shape (n_units,)
        Name of the cluster of each unit, for example its question.
    categories : sequence, optional
        The categories in their order; those that occur, sorted, where not given.
    weights : {"none", "linear", "quadratic"}
        As in `cohen_kappa`.

    Returns
    -------
    kappa, standard_error : float64
        The standard error is √(C/(C − 1)·ΣT_c²)/n with T_c the sum of the influences of the units in cluster c; NaN
        with one cluster, and where kappa is undefined or no unit moves it.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the lengths differ, a rating is none of the categories, or there are fewer than two of these; where
        there are no such weights.

    Notes
    -----
    With one unit in each cluster it is the large-sample standard error times √(n/(n − 1)).

    References
    ----------
    The influence: Fleiss, Cohen & Everitt (1969), doi:10.1037/h0028106. Sums over clusters: Liang & Zeger (1986),
    doi:10.1093/biomet/73.1.13.
    """
    rows, columns, known = places(first, second, categories)
    names, member = np.unique(labels("cluster", cluster), return_inverse=True)
    if member.shape != rows.shape:
        raise ParameterError(f"There are {rows.size} ratings and {member.size} names of clusters; give one for each.")
    cells = np.zeros((len(known), len(known)))
    np.add.at(cells, (rows, columns), 1.0)
    kappa, _, influence = kappa_influence(leading_cells(cells), agreement_weights(len(known), weights))
    sums = np.bincount(member, weights=influence[rows, columns], minlength=len(names))
    if len(names) < 2 or np.isnan(kappa) or not influence.any():
        return finish(kappa), finish(np.nan)
    variance = len(names) / (len(names) - 1.0) * float((sums**2).sum())
    return finish(kappa), finish(np.sqrt(variance) / rows.size)


def cohen_kappa_clustered_interval(
    first: ArrayLike,
    second: ArrayLike,
    cluster: ArrayLike,
    categories: Sequence[Any] | None = None,
    weights: str = "none",
    level: float = 0.95,
) -> Interval:
    """Return the cluster-robust interval of Cohen's kappa, cut to [−1, 1].

    Parameters
    ----------
    first, second, cluster, categories, weights
        As in :func:`cohen_kappa_clustered`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : float64
        κ ± t·SE, t with one degree of freedom less than there are clusters; NaN where the standard error is.

    Raises
    ------
    ParameterError, UnknownNameError
        As in :func:`cohen_kappa_clustered`; where the level is impossible.
    """
    check_level(level)
    kappa, error = cohen_kappa_clustered(first, second, cluster, categories, weights)
    df = np.asarray(max(1, np.unique(np.asarray(cluster)).size - 1), np.float64)
    margin = critical_t(df, level) * error
    return finish_interval(np.maximum(kappa - margin, -1.0), np.minimum(kappa + margin, 1.0))
