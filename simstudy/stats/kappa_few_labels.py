"""Intervals of kappa that hold with few labels, and where labels and verdicts never disagree."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.stats._arrays import FloatArray, Interval, counts, critical_z, finish_interval, ratio
from simstudy.stats.agreement import kappa_adjusted
from simstudy.stats.proportions import wilson


def kappa_few(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, level: float = 0.95) -> Interval:
    """Return an interval of kappa that is right for few labels and for no disagreement at all.

    Parameters
    ----------
    tp, fn, fp, tn : array_like of int
        As in :func:`~simstudy.stats.kappa`. Of two raters without a truth: both yes, the first alone, the second alone,
        both no.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits in [−1, 1]; NaN where kappa is undefined: without verdicts, and where labels and verdicts hold one and
        the same category alone (p_e = 1).

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    The limits of :func:`~simstudy.stats.kappa_adjusted`. Where no verdict differs from its label and both categories
    occur, the lower one is replaced by the score limit if that is lower: the κ that solves n(1 − κ) =
    z²[(1 − κ)(1 − 2κ) + h·κ(2 − κ)] with h = n²/(2·tp·tn), at which the large-sample variance of kappa of two raters
    with equal margins just allows the estimate 1. With tp = tn it is (n − z²)/(n + z²).

    By enumeration over κ .02 to .98 in steps of .04, prevalence .5, .7 and .9 and three kinds of judges, the 95%
    interval covers .966 on average at 10 labels and .951 at 100, .911 at least; the lower limit lies above kappa in
    .059 at most (15 labels; .037 with 100), nominal .025. Who must not certify wrongly takes :func:`kappa_wilson_po`.

    References
    ----------
    The variance: Bloch & Kraemer (1989), doi:10.2307/2532006; the adjusted limits: Fleiss, Cohen & Everitt (1969),
    doi:10.1037/h0028106.

    Examples
    --------
    >>> from simstudy.stats import kappa_few
    >>> low, high = kappa_few(8, 0, 0, 7)
    >>> print(f"{low:.4f} {high:.4f}")
    0.5907 1.0000
    """
    both, first, second, neither = counts(tp=tp, fn=fn, fp=fp, tn=tn)
    low, high = kappa_adjusted(both, first, second, neither, level)
    # where all lie in one cell both limits are NaN
    agreed = first + second == 0
    return finish_interval(np.where(agreed, np.minimum(low, _score_limit(both, neither, critical_z(level))), low), high)


def _score_limit(both: FloatArray, neither: FloatArray, z: float) -> FloatArray:
    """Return the smaller root of t(h − 2)κ² − (1 + t(2h − 3))κ + 1 − t = 0, t = z²/n, without cancellation."""
    n = both + neither
    t = ratio(z * z, n)
    # h − 2, which is 0 in a table with equal cells; the discriminant is a sum of squares in it
    skew = ratio((both - neither) ** 2, 2.0 * both * neither)
    root = np.sqrt((1.0 + t) ** 2 + 4.0 * t * t * skew * (2.0 + skew))
    return 2.0 * (1.0 - t) / (1.0 + t + 2.0 * t * skew + root)


def kappa_wilson_po(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, level: float = 0.95) -> Interval:
    """Return Wilson's interval of the observed agreement on kappa's scale, the chance agreement taken as known.

    Parameters
    ----------
    tp, fn, fp, tn : array_like of int
        As in :func:`kappa_few`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        (L − p_e)/(1 − p_e) with Wilson's limits L of p_o, cut to [−1, 1]; NaN where kappa is undefined.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    The cautious one: in the enumeration of :func:`kappa_few` its lower limit lies above kappa in .0253 at most, nominal
    .025, at a price in power.

    References
    ----------
    Wilson (1927), doi:10.1080/01621459.1927.10502953; Cohen (1960), doi:10.1177/001316446002000104.
    """
    both, first, second, neither = counts(tp=tp, fn=fn, fp=fp, tn=tn)
    n = both + first + second + neither
    # n²(1 − p_e)
    unlike = (both + first) * (first + neither) + (second + neither) * (both + second)
    share = ratio(n * n, unlike)
    low, high = (1.0 - (1.0 - limit) * share for limit in wilson(both + neither, n, level))
    return finish_interval(np.maximum(low, -1.0), np.minimum(high, 1.0))
