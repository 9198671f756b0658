"""The error that simulation leaves in a performance measure (Morris, White & Crowther 2019, table 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    any_numbers,
    bounded,
    critical_z,
    finish,
    finish_interval,
    ratio,
    together,
)
from simstudy.stats.proportions import wilson_limits


def rate_mcse(rate: ArrayLike, replications: ArrayLike) -> FloatArray:
    """Return the Monte Carlo standard error of a rate: power, type I error, coverage.

    Parameters
    ----------
    rate : array_like of float in [0, 1]
        Observed rate.
    replications : array_like of int
        Replications, R.

    Returns
    -------
    ndarray or float64
        √(r(1 − r)/R); NaN at R = 0 or an undefined rate.

    Raises
    ------
    ParameterError
        Where a rate lies outside [0, 1] or R is negative.

    Notes
    -----
    It is 0 at rates of 0 and 1, which are not known exactly: stopping rules use :func:`wilson_half_width`.

    References
    ----------
    Morris, White & Crowther (2019), doi:10.1002/sim.8086, table 6.
    """
    share, runs = _rates(rate, replications)
    return finish(np.sqrt(ratio(share * (1.0 - share), runs)))


def _rates(rate: ArrayLike, replications: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return rates (NaN allowed) and replications (NaN where there is none)."""
    share = _bounded_or_missing("rate", rate, 1.0)
    (runs,) = bounded(0.0, np.inf, replications=replications)
    # less than one replication is none
    return share, np.where(runs >= 1, runs, np.nan)


def _bounded_or_missing(name: str, value: ArrayLike, most: float) -> FloatArray:
    """Return numbers from 0 to a bound, NaN among them."""
    array = any_numbers(name, value, truth_values=False)
    bad = (array < 0) | (array > most)
    if bad.any():
        raise ParameterError(f"{name} must lie between 0 and {most:g}; it holds {array[bad].flat[0]:g}.")
    return array


def wilson_rate(rate: ArrayLike, replications: ArrayLike, level: float = 0.95) -> Interval:
    """Return Wilson's interval of a simulated rate.

    Parameters
    ----------
    rate : array_like of float in [0, 1]
        Observed rate; it may be a weighted share that is no multiple of 1/R.
    replications : array_like of int
        Replications, R.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits in [0, 1]; NaN at R = 0 or an undefined rate.

    Raises
    ------
    ParameterError
        Where an argument lies outside its range.

    References
    ----------
    Wilson (1927), doi:10.1080/01621459.1927.10502953.
    """
    share, runs = _rates(rate, replications)
    return finish_interval(*wilson_limits(share, runs, critical_z(level)))


def wilson_half_width(rate: ArrayLike, replications: ArrayLike, level: float = 0.95) -> FloatArray:
    """Return half the width of Wilson's interval of a simulated rate: the precision that stops a simulation.

    Parameters
    ----------
    rate : array_like of float in [0, 1]
        Observed rate.
    replications : array_like of int
        Replications, R.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    ndarray or float64
        Half-width, positive also at rates of 0 and 1; NaN at R = 0 or an undefined rate.

    Raises
    ------
    ParameterError
        Where an argument lies outside its range.
    """
    low, high = wilson_rate(rate, replications, level)
    return finish(0.5 * (high - low))


def mean_mcse(sd: ArrayLike, replications: ArrayLike) -> FloatArray:
    """Return the Monte Carlo standard error of a mean over replications, for example of the bias.

    Parameters
    ----------
    sd : array_like of float, at least 0
        Standard deviation over replications.
    replications : array_like of int
        Replications, R.

    Returns
    -------
    ndarray or float64
        SD/√R; NaN at R = 0.

    Raises
    ------
    ParameterError
        Where the standard deviation or R is negative.

    References
    ----------
    Morris, White & Crowther (2019), doi:10.1002/sim.8086, table 6.
    """
    spread = _bounded_or_missing("sd", sd, np.inf)
    (runs,) = bounded(0.0, np.inf, replications=replications)
    return finish(ratio(spread, np.sqrt(runs)))


def empirical_se_mcse(se: ArrayLike, replications: ArrayLike) -> FloatArray:
    """Return the Monte Carlo standard error of an empirical standard error.

    Parameters
    ----------
    se : array_like of float, at least 0
        Standard deviation of the estimates over replications.
    replications : array_like of int
        Replications, R.

    Returns
    -------
    ndarray or float64
        SE/√(2(R − 1)); NaN at R < 2.

    Raises
    ------
    ParameterError
        Where the standard deviation or R is negative.

    References
    ----------
    Morris, White & Crowther (2019), doi:10.1002/sim.8086, table 6.
    """
    spread = _bounded_or_missing("se", se, np.inf)
    (runs,) = bounded(0.0, np.inf, replications=replications)
    return finish(ratio(spread, np.sqrt(np.maximum(2.0 * (runs - 1.0), 0.0))))


def relative_precision(
    se_a: ArrayLike, se_b: ArrayLike, correlation: ArrayLike, replications: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return by how many per cent estimator B is more precise than A, with its Monte Carlo standard error.

    Parameters
    ----------
    se_a, se_b : array_like of float, at least 0
        Empirical standard errors over the same replications.
    correlation : array_like of float in [−1, 1]
        Correlation of the two estimates over replications.
    replications : array_like of int
        Replications, R.

    Returns
    -------
    gain, mcse : ndarray or float64
        100·((SE_A/SE_B)² − 1) and 200·(SE_A/SE_B)²·√((1 − ρ²)/(R − 1)), both in per cent; NaN where SE_B is 0
        or, for the second, R < 2.

    Raises
    ------
    ParameterError
        Where an argument lies outside its range.

    References
    ----------
    Morris, White & Crowther (2019), doi:10.1002/sim.8086, table 6.
    """
    (rho,) = bounded(-1.0, 1.0, correlation=correlation)
    error_a, error_b, runs = bounded(0.0, np.inf, se_a=se_a, se_b=se_b, replications=replications)
    names = ["se_a", "se_b", "correlation", "replications"]
    error_a, error_b, rho, runs = together([error_a, error_b, rho, runs], names)
    with np.errstate(over="ignore", invalid="ignore"):
        squared = ratio(error_a, error_b) ** 2
        mcse = 200.0 * squared * np.sqrt(ratio(1.0 - rho * rho, runs - 1.0))
    return finish(100.0 * (squared - 1.0)), finish(mcse)
