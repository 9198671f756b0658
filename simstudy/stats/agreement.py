"""Cohen's kappa of a judge against labels, from the four cells of readable verdicts, and its intervals.

Cells: tp and fn are right answers that the judge calls correct and wrong, fp and tn wrong answers that it calls
correct and wrong. Tables of more categories, several raters and reports by group are in the neighbouring modules.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    check_level,
    counts,
    critical_z,
    finish,
    finish_interval,
    whole_number,
)
from simstudy.stats._kappa_moments import agreement_weights, kappa_parts

IntArray = NDArray[np.int64]
# stream of the registry simstudy.kernels.streams
RESAMPLING = 3
PLAIN = agreement_weights(2, "none")
# tables of which one holds a few hundred megabytes
MOST_RESAMPLES = 10**7
# bits of the second word of a key that hold a count; the stream stands above them
COUNT_BITS = 48
# 1 − .95 is a little more than .05: the rounding must not decide which of 1000 resamples is the 25th
TIE_SLACK = 1e-11


def _cells(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> FloatArray:
    """Return checked cells, labels in rows and verdicts in columns: shape (2, 2, ...)."""
    checked = np.stack(counts(tp=tp, fn=fn, fp=fp, tn=tn))
    return checked.reshape(2, 2, *checked.shape[1:])


def kappa(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> FloatArray:
    """Return Cohen's kappa of a judge's verdicts and the labels.

    Parameters
    ----------
    tp, fn, fp, tn : array_like of int
        Right answers called correct and wrong; wrong answers called correct and wrong.

    Returns
    -------
    ndarray or float64
        (p_o − p_e)/(1 − p_e), in [−1, 1]; NaN without verdicts, and where labels and verdicts hold one and the same
        category alone (p_e = 1).

    Raises
    ------
    ParameterError
        Where the counts are impossible.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104.
    """
    return finish(_kappa(np.stack(counts(tp=tp, fn=fn, fp=fp, tn=tn))))


def _kappa(four: FloatArray) -> FloatArray:
    """Return kappa of tables (4, ...) without a rounding error in p_o − p_e."""
    tp, fn, fp, tn = four
    chance = (tp + fn) * (fn + tn) + (fp + tn) * (tp + fp)
    return np.where(chance > 0, 2.0 * (tp * tn - fn * fp) / np.where(chance > 0, chance, 1.0), np.nan)


def kappa_standard_error(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> FloatArray:
    """Return the large-sample standard error of kappa.

    Parameters
    ----------
    tp, fn, fp, tn : array_like of int
        As in :func:`kappa`.

    Returns
    -------
    ndarray or float64
        NaN where kappa is undefined. It is 0 where no verdict moves kappa: no disagreement, labels or verdicts of one
        category, or nothing but disagreements, half of each kind.

    Raises
    ------
    ParameterError
        Where the counts are impossible.

    References
    ----------
    Fleiss, Cohen & Everitt (1969), equation 13, doi:10.1037/h0028106.
    """
    cells = _cells(tp, fn, fp, tn)
    return finish(np.sqrt(kappa_parts(cells, PLAIN)[1] / np.maximum(cells.sum(axis=(0, 1)), 1.0)))


def kappa_wald(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, level: float = 0.95) -> Interval:
    """Return the large-sample interval of kappa, cut to [−1, 1].

    Parameters
    ----------
    tp, fn, fp, tn : array_like of int
        As in :func:`kappa`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        κ ± z·SE; NaN where kappa is undefined or its standard error is 0: a table without a disagreement says that
        kappa is high, not that it is 1.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    Its lower limit lies above the true kappa too often with some hundred labels or fewer.

    References
    ----------
    Fleiss, Cohen & Everitt (1969), equation 13, doi:10.1037/h0028106.
    """
    return wald_limits(_cells(tp, fn, fp, tn), PLAIN, level)


def wald_limits(cells: FloatArray, weights: FloatArray, level: float) -> Interval:
    """Return kappa ± z standard errors of cells (k, k, ...), cut to [−1, 1]; NaN where it or its error is undefined."""
    centre, variance = kappa_parts(cells, weights)
    variance = np.where(variance > 0, variance, np.nan)
    margin = critical_z(level) * np.sqrt(variance / np.maximum(cells.sum(axis=(0, 1)), 1.0))
    return finish_interval(np.maximum(centre - margin, -1.0), np.minimum(centre + margin, 1.0))


def kappa_adjusted(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, level: float = 0.95) -> Interval:
    """Return the large-sample interval of kappa after adding one half to each cell, cut to [−1, 1].

    Parameters
    ----------
    tp, fn, fp, tn : array_like of int
        As in :func:`kappa`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        NaN where kappa is undefined: without verdicts, and where labels and verdicts hold one and the same category
        alone.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    Centre and standard error are those of the table with two verdicts more; the centre lies below kappa wherever
    kappa is high, which is what keeps the lower limit honest. Where nothing disagrees it is too high all the same, most
    so with few labels: :func:`kappa_few` takes the score limit there.

    References
    ----------
    One half in each cell: Haldane (1956), doi:10.1111/j.1469-1809.1955.tb01285.x, and Anscombe (1956),
    doi:10.1093/biomet/43.3-4.461, for the logit. The standard error: Fleiss, Cohen & Everitt (1969).
    """
    cells = _cells(tp, fn, fp, tn)
    undefined = np.isnan(_kappa(cells.reshape(4, *cells.shape[2:])))
    return wald_limits(np.where(undefined, np.nan, cells + 0.5), PLAIN, level)


def kappa_bootstrap(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, seed: int, resamples: int, level: float = 0.95
) -> Interval:
    """Return the percentile bootstrap interval of kappa.

    Parameters
    ----------
    tp, fn, fp, tn : array_like of int
        As in :func:`kappa`; each below 2**48.
    seed : int in [0, 2**64)
        Key of the draws.
    resamples : int
        Number of resampled tables, at least 1.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Quantiles (1 − level)/2 and 1 − (1 − level)/2 of the resampled kappas; a quantile is the smallest value whose
        cdf is at least q. NaN where kappa is undefined or no resample can differ from it.

    Raises
    ------
    ParameterError
        Where the counts, the number of resamples or the level are impossible.

    Notes
    -----
    The draws are addressed by the seed and the table itself, so a table has the same limits whatever other tables
    stand beside it. A resample whose kappa is undefined counts as −1 for the lower limit and as 1 for the upper one,
    so that it never narrows the interval.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13. The generator: numpy's Philox4x64.
    """
    key, often = whole_number("seed", seed, 0, 2**64 - 1), whole_number("resamples", resamples, 1, MOST_RESAMPLES)
    tail = 0.5 * (1.0 - check_level(level))
    cells = _cells(tp, fn, fp, tn)
    if cells.size and cells.max() >= 2**COUNT_BITS:
        raise ParameterError(
            f"A cell holds {cells.max():g}; kappa_bootstrap draws tables of counts below 2**{COUNT_BITS}."
        )
    moves = kappa_parts(cells, PLAIN)[1] > 0
    low, high = np.full(moves.shape, np.nan), np.full(moves.shape, np.nan)
    tables = cells[:, :, moves].reshape(4, -1).T.astype(np.int64)
    limits = [_percentiles(table, key, often, tail) for table in tables]
    low[moves], high[moves] = np.array(limits, np.float64).reshape(-1, 2).T
    return finish_interval(low, high)


def _percentiles(table: IntArray, seed: int, resamples: int, tail: float) -> tuple[float, float]:
    """Return both quantiles of the resampled kappas of one table."""
    key = np.array([seed, (RESAMPLING << COUNT_BITS) + table[3]], np.uint64)
    counter = np.array([0, *table[:3]], np.uint64)
    generator = np.random.Generator(np.random.Philox(key=key, counter=counter))
    drawn = _kappa(generator.multinomial(table.sum(), table / table.sum(), size=resamples).T.astype(np.float64))
    lost = np.isnan(drawn)
    low, high = (np.where(lost, worst, drawn) for worst in (-1.0, 1.0))
    first, last = (max(0, math.ceil(q * resamples * (1.0 - TIE_SLACK)) - 1) for q in (tail, 1.0 - tail))
    return float(np.partition(low, first)[first]), float(np.partition(high, last)[last])
