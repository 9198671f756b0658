"""Confidence intervals of one proportion: x of n. Every function returns ``(low, high)`` and broadcasts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    check_level,
    check_part,
    counts,
    critical_z,
    finish_interval,
)
from simstudy.stats._beta_quantiles import TRUSTED, beta_quantile, midp_roots


def _share(x: ArrayLike, n: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return checked successes and trials, trials NaN where there is none."""
    successes, trials = counts(x=x, n=n)
    check_part(successes, trials, "x", "n")
    return successes, np.where(trials > 0, trials, np.nan)


def _clipped(centre: FloatArray, margin: FloatArray) -> Interval:
    """Return centre ± margin, cut to [0, 1]."""
    return finish_interval(np.maximum(centre - margin, 0.0), np.minimum(centre + margin, 1.0))


def wald(x: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the Wald interval, cut to [0, 1].

    Parameters
    ----------
    x, n : array_like of int
        Successes and trials.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        p ± z·√(p(1 − p)/n); NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    It has no width at x = 0 and x = n, and covers less than its level at every n met in evaluations.

    References
    ----------
    Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286.
    """
    successes, trials = _share(x, n)
    p = successes / trials
    return _clipped(p, critical_z(level) * np.sqrt(p * (1.0 - p) / trials))


def agresti_coull(x: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the Agresti–Coull interval, cut to [0, 1].

    Parameters
    ----------
    x, n : array_like of int
        Successes and trials.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        The Wald interval after adding z²/2 successes and z²/2 failures; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    References
    ----------
    Agresti & Coull (1998), doi:10.1080/00031305.1998.10480550.
    """
    successes, trials = _share(x, n)
    z = critical_z(level)
    trials = trials + z * z
    p = (successes + 0.5 * z * z) / trials
    return _clipped(p, z * np.sqrt(p * (1.0 - p) / trials))


def wilson_limits(p: FloatArray, trials: FloatArray, z: float) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's limits for observed shares in [0, 1], which need not be multiples of 1/n; NaN trials give NaN."""
    scale = 1.0 + z * z / trials
    centre = (p + 0.5 * z * z / trials) / scale
    margin = z * np.sqrt(p * (1.0 - p) / trials + 0.25 * (z / trials) ** 2) / scale
    # At the ends the two terms are equal, and their difference would leave a rounding error.
    low = np.where((p == 0) & (trials > 0), 0.0, np.maximum(centre - margin, 0.0))
    high = np.where((p == 1) & (trials > 0), 1.0, np.minimum(centre + margin, 1.0))
    return low, high


def wilson(x: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return Wilson's score interval.

    Parameters
    ----------
    x, n : array_like of int
        Successes and trials.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        The shares that the score test does not reject, in [0, 1]; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    References
    ----------
    Wilson (1927), doi:10.1080/01621459.1927.10502953.
    """
    successes, trials = _share(x, n)
    return finish_interval(*wilson_limits(successes / trials, trials, critical_z(level)))


def clopper_pearson(x: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the exact interval of Clopper and Pearson.

    Parameters
    ----------
    x, n : array_like of int
        Successes and trials.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        The shares at which neither tail of the binomial falls below (1 − level)/2; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    It never covers less than its level, and often more.

    References
    ----------
    Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.
    """
    successes, trials = _share(x, n)
    return _beta_limits(successes, trials, level, 0.0)


def jeffreys(x: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the Jeffreys interval: the equal-tailed posterior interval under a Beta(½, ½) prior.

    Parameters
    ----------
    x, n : array_like of int
        Successes and trials.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Posterior quantiles, with the lower limit 0 at x = 0 and the upper limit 1 at x = n; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    References
    ----------
    Brown, Cai & DasGupta (2001), section 4.1.2, doi:10.1214/ss/1009213286.
    """
    successes, trials = _share(x, n)
    return _beta_limits(successes, trials, level, 0.5)


def _beta_limits(successes: FloatArray, trials: FloatArray, level: float, prior: float) -> Interval:
    """Return beta quantiles: Clopper–Pearson's at prior 0, Jeffreys' at prior ½."""
    tail = 0.5 * (1.0 - check_level(level))
    failures = trials - successes
    # Clopper–Pearson counts the observed success (or failure) itself in the tail: one more on the other side.
    other = 1.0 - prior
    low = beta_quantile(np.where(successes > 0, successes + prior, 1.0), failures + other, tail)
    high = beta_quantile(successes + other, np.where(failures > 0, failures + prior, 1.0), tail, upper=True)
    empty = np.isnan(trials)
    return finish_interval(
        np.select([empty, successes == 0], [np.nan, 0.0], low),
        np.select([empty, failures == 0], [np.nan, 1.0], high),
    )


def midp_proportion(x: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the mid-p interval: the exact one, with the observed count in each tail by half.

    Parameters
    ----------
    x, n : array_like of int
        Successes and trials.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        The shares π at which P(X > x) + ½·P(X = x), and P(X < x) + ½·P(X = x), are (1 − level)/2; exactly 0 at x = 0
        and 1 at x = n; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    It lies inside Clopper and Pearson's interval, covers about its level on average and less at some shares. It
    leaves out one half where :func:`~simstudy.stats.mcnemar.mcnemar_midp` of the two counts rejects; where p equals the
    level, one half is the limit itself.

    References
    ----------
    Berry & Armitage (1995), doi:10.2307/2348891.
    """
    successes, trials = _share(x, n)
    tail = 0.5 * (1.0 - check_level(level))
    low, high = _midp_low(successes, trials, tail), np.asarray(1.0 - _midp_low(trials - successes, trials, tail))
    # among very many trials the complement would lose the digits of an upper limit near 0
    many = (trials > TRUSTED) & (successes > 0) & (successes < trials)
    high[many] = midp_roots(successes[many], trials[many], tail, upper=True)
    return finish_interval(low, high)


def _midp_low(successes: FloatArray, trials: FloatArray, tail: float) -> FloatArray:
    """Return the lower limit: closed forms at the ends, elsewhere the root."""
    # NaN trials fail every comparison and stay NaN
    limit: FloatArray = np.select(
        [successes == trials, trials > 0], [(2.0 * tail) ** (1.0 / trials), np.zeros_like(trials)], np.nan
    )
    inner = (successes > 0) & (successes < trials)
    limit[inner] = midp_roots(successes[inner], trials[inner], tail)
    return limit
