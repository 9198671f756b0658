"""Tests, intervals and bootstraps of a slope."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    any_numbers,
    check_alternative,
    check_level,
    check_part,
    counts,
    critical_t,
    critical_z,
    finish,
    finish_interval,
    finite_or_missing,
    normal_p,
    ratio,
    student_p,
    together,
    whole_number,
)
from simstudy.stats.length import EQUAL

# (1 - alpha/2) * resamples may exceed a whole number by rounding
RANK_SLACK = 1e-9
# a hundred times what settles the last digit of a limit that is printed
MOST_RESAMPLES = 10**8
# numbers held at once: resamples of a chunk times cases
CHUNK = 1 << 20


def _statistic(estimate: ArrayLike, standard_error: ArrayLike) -> FloatArray:
    arrays = [any_numbers("estimate", estimate), any_numbers("standard_error", standard_error)]
    slope, error = together(arrays, ["estimate", "standard_error"])
    return ratio(slope, np.where(np.isnan(error), 0.0, error))


def slope_t(estimate: ArrayLike, standard_error: ArrayLike, n: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the t test that a slope is 0.

    Parameters
    ----------
    estimate, standard_error : array_like of float
        Slope and its standard error.
    n : array_like of int
        Cases; the test has n − 1 degrees of freedom.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: longer answers score higher.

    Returns
    -------
    ndarray or float64
        The p-value; NaN where the standard error is NaN or not positive, or n < 2.

    Raises
    ------
    ParameterError, UnknownNameError
        Where n is no count; where the alternative does not exist.
    """
    (size,) = counts(n=n)
    statistic, size = together([_statistic(estimate, standard_error), size], ["estimate", "n"])
    return student_p(np.where(size > 1, statistic, np.nan), np.maximum(size - 1.0, 1.0), alternative)


def slope_t_interval(estimate: ArrayLike, standard_error: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the t interval of a slope.

    Parameters
    ----------
    estimate, standard_error : array_like of float
        Slope and its standard error.
    n : array_like of int
        Cases; n − 1 degrees of freedom.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits; NaN where the standard error is NaN or not positive, or n < 2.

    Raises
    ------
    ParameterError
        Where n is no count or the level is impossible.
    """
    (size,) = counts(n=n)
    quantile = critical_t(np.maximum(size - 1.0, 1.0), level)
    return _limits(estimate, standard_error, np.where(size > 1, quantile, np.nan))


def slope_z(estimate: ArrayLike, standard_error: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the normal test that a slope is 0.

    Parameters
    ----------
    estimate, standard_error : array_like of float
        Slope and its standard error.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: longer answers score higher.

    Returns
    -------
    ndarray or float64
        The p-value; NaN where the standard error is NaN or not positive.

    Raises
    ------
    UnknownNameError
        Where the alternative does not exist.
    """
    return normal_p(_statistic(estimate, standard_error), alternative)


def slope_z_interval(estimate: ArrayLike, standard_error: ArrayLike, level: float = 0.95) -> Interval:
    """Return the normal interval of a slope.

    Parameters
    ----------
    estimate, standard_error : array_like of float
        Slope and its standard error.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits; NaN where the standard error is NaN or not positive.

    Raises
    ------
    ParameterError
        Where the level is impossible.
    """
    return _limits(estimate, standard_error, np.asarray(critical_z(level)))


def _limits(estimate: ArrayLike, standard_error: ArrayLike, quantile: FloatArray) -> Interval:
    arrays = [any_numbers("estimate", estimate), any_numbers("standard_error", standard_error), quantile]
    slope, error, factor = together(arrays, ["estimate", "standard_error", "n"])
    margin = factor * np.where(error > 0, error, np.nan)
    return finish_interval(slope - margin, slope + margin)


def percentile_p(
    below: ArrayLike, above: ArrayLike, resamples: ArrayLike, alternative: str = "two-sided"
) -> FloatArray:
    """Return the smallest level at which a percentile bootstrap interval leaves 0 out.

    Parameters
    ----------
    below, above : array_like of float
        Resampled values that are not positive, and not negative; NaN where there are none.
    resamples : array_like of int
        Number of resamples.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the value is positive.

    Returns
    -------
    ndarray or float64
        below/resamples for "greater", above/resamples for "less", twice the smaller for "two-sided", at most 1.

    Raises
    ------
    ParameterError, UnknownNameError
        Where there is no resample, or a number is negative or exceeds that of the resamples; where the alternative does
        not exist.

    Notes
    -----
    A quantile is the smallest value whose distribution function reaches it. So the lower limit at level 1 − alpha is
    positive where 2·below/resamples < alpha, the upper one negative where 2·above/resamples ≤ alpha: one billionth is
    added to below/resamples, since at that level itself the interval still holds 0.
    """
    check_alternative(alternative)
    (size,) = counts(resamples=resamples)
    if (size < 1).any():
        raise ParameterError("resamples must be at least 1.")
    arrays = [any_numbers("below", below), any_numbers("above", above), size]
    under, over, size = together(arrays, ["below", "above", "resamples"])
    for name, values in (("below", under), ("above", over)):
        if (values < 0).any():
            raise ParameterError(f"{name} must not be negative; it holds {np.nanmin(values):g}.")
        check_part(values, size, name, "resamples")
    upward, downward = under / size + RANK_SLACK, over / size
    one_sided = {"greater": upward, "less": downward}
    return finish(np.minimum(one_sided.get(alternative, 2.0 * np.minimum(upward, downward)), 1.0))


def cluster_bootstrap_slope(slopes: ArrayLike, level: float = 0.95, resamples: int = 10_000, seed: int = 1) -> Interval:
    """Return the percentile bootstrap interval of the mean slope: cases drawn with multiplicity.

    Parameters
    ----------
    slopes : array_like of float, shape (n,)
        As :func:`~simstudy.stats.length.case_slopes` has them; a NaN does not count.
    level : float in (0, 1)
        Confidence level.
    resamples : int
        Number of resamples, at least 1.
    seed : int
        Seed: the same slopes and seed give the same bits.

    Returns
    -------
    low, high : float64
        Quantiles of the resampled means, the smallest values whose distribution functions reach (1 − level)/2 and
        1 − (1 − level)/2. NaN where the slopes are all equal, but for rounding, or fewer than two.

    Raises
    ------
    ParameterError
        Where there is more than one axis, or the level or the number of resamples is impossible.

    Notes
    -----
    With few cases it covers too little, about .91 at 14 cases: prefer the t interval.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    return _bootstrap(slopes, level, resamples, seed, sets=False)


def set_bootstrap_slope(slopes: ArrayLike, level: float = 0.95, resamples: int = 10_000, seed: int = 1) -> Interval:
    """Return a mistaken bootstrap interval of the mean slope: each resample reduced to a set of cases.

    Parameters
    ----------
    slopes, level, resamples, seed
        As in `cluster_bootstrap_slope`.

    Returns
    -------
    low, high : float64
        As in `cluster_bootstrap_slope`.

    Raises
    ------
    ParameterError
        As in `cluster_bootstrap_slope`.

    Notes
    -----
    To show what it does. A case picked twice counts once, so that a resample is a sample without replacement of some
    .63·n cases. Means of m of n cases drawn that way vary as σ²/m·(1 − m/n), which at m = .63·n is .58·σ²/n: the
    interval is √.58 = .76 times as wide as it should be.
    """
    return _bootstrap(slopes, level, resamples, seed, sets=True)


def _bootstrap(slopes: ArrayLike, level: float, resamples: int, seed: int, sets: bool) -> Interval:
    given = finite_or_missing("slopes", slopes)
    if given.ndim != 1:
        raise ParameterError(f"slopes must be a list, one slope per case; its shape is {given.shape}.")
    tail = 0.5 * (1.0 - check_level(level))
    often = whole_number("resamples", resamples, 1, MOST_RESAMPLES)
    key = whole_number("seed", seed, 0, 2**128 - 1)
    values = given[np.isfinite(given)]
    if values.size < 2 or np.ptp(values) <= EQUAL * np.abs(values).max():
        return finish_interval(np.nan, np.nan)
    means = np.sort(_resampled(values, often, key, sets))
    first = max(math.ceil(tail * often - RANK_SLACK), 1)
    last = min(math.ceil((1.0 - tail) * often - RANK_SLACK), often)
    return finish_interval(means[first - 1], means[last - 1])


def _resampled(values: FloatArray, resamples: int, seed: int, sets: bool) -> FloatArray:
    generator = np.random.Generator(np.random.Philox(seed))
    rows, means = max(1, CHUNK // values.size), []
    for start in range(0, resamples, rows):
        picks = generator.integers(0, values.size, (min(rows, resamples - start), values.size))
        if sets:
            picked = np.zeros(picks.shape, np.bool_)
            np.put_along_axis(picked, picks, True, axis=1)
            means.append((picked * values).sum(axis=1) / picked.sum(axis=1))
        else:
            means.append(values[picks].mean(axis=1))
    return np.concatenate(means)
