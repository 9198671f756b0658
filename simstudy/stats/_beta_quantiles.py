"""Quantiles of beta laws for any number of trials: SciPy's inverse where it is right, expansions where it is not.

The inverse of the incomplete beta function loses digits from some 1e6 trials on: with 1e8 single limits are wrong, with
1e16 they lie a fifth of their distance off. The function itself keeps its digits to 1e12, so that a quantile can be
checked with it and mended. Beyond, the law is normal but for small corrections, or a gamma law on the side of a rare
outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from simstudy.stats._arrays import FloatArray
from simstudy.stats._roots import Indices, bracketed_roots

# trials up to which quantiles are taken unseen, and up to which the incomplete beta function is right
TRUSTED, CHECKED = 1e6, 1e12
# share of the tail by which a quantile may miss it
WRONG = 1e-8
# outcomes that are many: what the normal expansion leaves out is of the order of their number to the power −3/2
MANY = 1e6
# standard deviations around the mean that hold every quantile a level can ask for, also of a single success
FARTHEST, TOLERANCE = 100.0, 1e-12


def beta_quantile(a: FloatArray, b: FloatArray, tail: float, upper: bool = False) -> FloatArray:
    """Return the points that cut a tail off beta laws (a, b), below or above."""
    inverse, part = (special.betainccinv, special.betaincc) if upper else (special.betaincinv, special.betainc)
    quantile = np.asarray(inverse(a, b, tail), np.float64)
    checked, far = (a + b > TRUSTED) & (a + b <= CHECKED), np.asarray(a + b > CHECKED)
    missed = np.asarray(checked)
    missed[checked] = ~(np.abs(part(a[checked], b[checked], quantile[checked]) - tail) <= WRONG * tail)
    quantile[missed] = _roots(a[missed], b[missed], tail, part)
    quantile[far] = _expanded(a[far], b[far], tail, upper)
    return quantile


def _roots(a: FloatArray, b: FloatArray, tail: float, part: Callable[..., Any]) -> FloatArray:
    """Return the points at which a part of beta laws is the tail, found in standard deviations from the mean."""
    mean, deviation, _, _ = _moments(a, b)

    def at(t: FloatArray, rows: Indices) -> FloatArray:
        return np.clip(mean[rows] + t * deviation[rows], 0.0, 1.0)

    def excess(t: FloatArray, rows: Indices) -> FloatArray:
        return np.asarray(part(a[rows], b[rows], at(t, rows)), np.float64) - tail

    end = np.full(a.shape, FARTHEST)
    return at(bracketed_roots(excess, -end, end, TOLERANCE), np.arange(a.size))


def _moments(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return mean, standard deviation, skewness and excess kurtosis."""
    total = a + b
    mean = a / total
    deviation = np.sqrt(mean * (b / total) / (total + 1.0))
    skewness = 2.0 * (b - a) / (total + 2.0) * np.sqrt((total + 1.0) / a / b)
    kurtosis = 6.0 * ((a - b) ** 2 * (total + 1.0) / a / b - (total + 2.0)) / (total + 2.0) / (total + 3.0)
    return mean, deviation, skewness, kurtosis


def _expanded(a: FloatArray, b: FloatArray, tail: float, upper: bool) -> FloatArray:
    """Return quantiles where a + b is very large."""
    # the law of 1 − X is that of (b, a), with its tails exchanged
    few_left, few_right = a < MANY, b < MANY
    of_few = np.where(few_left, a, b)
    inverses = (special.gammaincinv, special.gammainccinv)
    drawn = np.where(few_left, inverses[upper](of_few, tail), inverses[not upper](of_few, tail)).astype(np.float64)
    few = near_zero(drawn, of_few, np.where(few_left, b, a))
    return np.where(few_left, few, np.where(few_right, 1.0 - few, _normal(a, b, tail, upper)))


def near_zero(drawn: FloatArray, few: FloatArray, many: FloatArray) -> FloatArray:
    """Return quantiles of beta laws (few, many) from those of gamma laws: −(b + (a − 1)/2)·log(1 − X) is nearly one."""
    quantiles: FloatArray = -np.expm1(-drawn / (many + 0.5 * (few - 1.0)))
    return quantiles


def _normal(a: FloatArray, b: FloatArray, tail: float, upper: bool) -> FloatArray:
    """Return quantiles by the expansion of Cornish & Fisher (1938), doi:10.2307/1400905, to the fourth moment."""
    mean, deviation, skewness, kurtosis = _moments(a, b)
    z = -float(special.ndtri(tail)) if upper else float(special.ndtri(tail))
    bent = skewness * (z * z - 1.0) / 6.0 + kurtosis * (z**3 - 3.0 * z) / 24.0
    return mean + deviation * (z + bent - skewness * skewness * (2.0 * z**3 - 5.0 * z) / 36.0)


def midp_roots(k: FloatArray, m: FloatArray, tail: float, upper: bool = False) -> FloatArray:
    """Return the shares at which k of m, counted by half, leave the tail: roots between two beta quantiles."""
    # the tail with the observed count in it lies above the wanted one and the tail without it below: a bracket
    low, high = beta_quantile(k, m - k + 1.0, tail, upper), beta_quantile(k + 1.0, m - k, tail, upper)
    part = special.betaincc if upper else special.betainc

    def excess(t: FloatArray, rows: Indices) -> FloatArray:
        share, a, b = low[rows] + t * (high[rows] - low[rows]), k[rows], m[rows] - k[rows]
        return np.asarray(0.5 * (part(a, b + 1.0, share) + part(a + 1.0, b, share)) - tail, np.float64)

    roots = np.empty(k.shape)
    near = np.asarray(m <= CHECKED)
    rows = np.flatnonzero(near)
    found = bracketed_roots(lambda t, i: excess(t, rows[i]), np.zeros(rows.size), np.ones(rows.size), TOLERANCE)
    roots[near] = low[near] + found * (high[near] - low[near])
    roots[~near] = _midp_expanded(k[~near], m[~near], tail, upper, 0.5 * (low[~near] + high[~near]))
    return roots


def _midp_expanded(k: FloatArray, m: FloatArray, tail: float, upper: bool, middle: FloatArray) -> FloatArray:
    """Return the shares where m is very large: the middle of the bracket unless one outcome is rare."""
    roots = middle.copy()
    for rare, other in ((k < MANY, False), (m - k < MANY, True)):
        few, many = (m - k, k) if other else (k, m - k)
        share = near_zero(_gamma_midp(few[rare], tail, upper != other), few[rare], many[rare])
        roots[rare] = 1.0 - share if other else share
    return roots


def _gamma_midp(few: FloatArray, tail: float, upper: bool) -> FloatArray:
    """Return the means of a Poisson count at which the observed one, counted by half, leaves the tail."""
    part, inverse = (special.gammaincc, special.gammainccinv) if upper else (special.gammainc, special.gammaincinv)
    low, high = (np.asarray(inverse(count, tail), np.float64) for count in (few, few + 1.0))

    def excess(t: FloatArray, rows: NDArray[np.intp]) -> FloatArray:
        mean, count = low[rows] + t * (high[rows] - low[rows]), few[rows]
        return np.asarray(0.5 * (part(count, mean) + part(count + 1.0, mean)) - tail, np.float64)

    t = bracketed_roots(excess, np.zeros(few.shape), np.ones(few.shape), TOLERANCE)
    means: FloatArray = low + t * (high - low)
    return means
