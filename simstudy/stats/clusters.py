"""Differences B − A of cases that come in clusters: standard error, tests, interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    check_choice,
    counts,
    critical_t,
    critical_z,
    finish,
    finish_interval,
    ratio,
    together,
    whole_numbers,
)
from simstudy.stats.means import mean_t, mean_z

KINDS = ("t", "z")


def _cluster_moments(sums: ArrayLike, sizes: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean per case, its standard error (NaN where undefined) and the number of clusters."""
    (totals,) = whole_numbers(sums=sums)
    (often,) = counts(sizes=sizes)
    totals, often = together([totals, often], ["sums", "sizes"])
    if totals.ndim == 0:
        raise ParameterError("sums and sizes must have an axis of clusters, for example [3, -1, 0] and [5, 5, 5].")
    clusters = (often > 0).sum(axis=-1).astype(np.float64)
    cases, total = often.sum(axis=-1), totals.sum(axis=-1)
    # N·S_c − n_c·ΣS instead of S_c − n_c·d: whole numbers, so that a variance of 0 is exactly 0.
    residual = cases[..., None] * totals - often * total[..., None]
    spread = (residual * residual).sum(axis=-1)
    variance = ratio(clusters * np.where(spread > 0, spread, np.nan), (clusters - 1.0) * cases**4)
    return ratio(total, cases), np.sqrt(variance), clusters


def cluster_standard_error(sums: ArrayLike, sizes: ArrayLike) -> FloatArray:
    """Return the cluster-robust standard error of the mean difference per case.

    Parameters
    ----------
    sums : array_like of int, shape (..., C)
        S_c, the sum of the differences in each cluster.
    sizes : array_like of int, shape (..., C)
        n_c, the cases of each cluster; a cluster of size 0 does not count.

    Returns
    -------
    ndarray or float64, shape (...)
        √V with V = C/(C − 1)·Σ(S_c − n_c·d)²/N², d = ΣS_c/N; NaN at C < 2 or where V is 0.

    Raises
    ------
    ParameterError
        Where the numbers are not whole, a size is negative, or there is no axis of clusters.

    References
    ----------
    Liang & Zeger (1986), doi:10.1093/biomet/73.1.13; Miller (2024), arXiv:2411.00640 (without the factor
    C/(C − 1)).
    """
    return finish(_cluster_moments(sums, sizes)[1])


def cluster_interval(sums: ArrayLike, sizes: ArrayLike, level: float = 0.95, kind: str = "t") -> Interval:
    """Return a cluster-robust interval of the mean difference per case.

    Parameters
    ----------
    sums, sizes : array_like of int, shape (..., C)
        Sum of the differences and number of cases of each cluster.
    level : float in (0, 1)
        Confidence level.
    kind : {"t", "z"}
        Quantile: t with C − 1 degrees of freedom, or normal.

    Returns
    -------
    low, high : ndarray or float64, shape (...)
        Limits of the mean; NaN at C < 2 or where the variance is 0.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the numbers or the level are impossible; where the kind does not exist.
    """
    check_choice("kind of interval", kind, KINDS)
    estimate, error, clusters = _cluster_moments(sums, sizes)
    margin = critical_z(level) * error
    if kind == "t":
        df = np.maximum(clusters - 1.0, 1.0)
        margin = finish(critical_t(df, level) * error)
    return finish_interval(estimate - margin, estimate + margin)


def cluster_z(
    total: ArrayLike, squares: ArrayLike, n_clusters: ArrayLike, alternative: str = "two-sided"
) -> FloatArray:
    """Return the p-value of the cluster z test for clusters of equal size.

    Parameters
    ----------
    total, squares : array_like of int
        ΣS_c and ΣS_c² over the clusters, S_c the sum of the differences in cluster c; their scale cancels.
    n_clusters : array_like of int
        Clusters.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        The p-value of d/√V; NaN at C < 2 or where V is 0.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the sums are impossible; where the alternative does not exist.

    Notes
    -----
    With equal sizes d/√V is the one-sample statistic of the cluster sums. With few clusters the test exceeds
    its level: use :func:`cluster_t` or the sign-flip test.
    """
    return mean_z(total, squares, n_clusters, alternative)


def cluster_t(
    total: ArrayLike, squares: ArrayLike, n_clusters: ArrayLike, alternative: str = "two-sided"
) -> FloatArray:
    """Return the p-value of the cluster t test for clusters of equal size, C − 1 degrees of freedom.

    Parameters
    ----------
    total, squares : array_like of int
        ΣS_c and ΣS_c² over the clusters, S_c the sum of the differences in cluster c; their scale cancels.
    n_clusters : array_like of int
        Clusters.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        The p-value; NaN at C < 2 or where the variance is 0.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the sums are impossible; where the alternative does not exist.
    """
    return mean_t(total, squares, n_clusters, alternative)
