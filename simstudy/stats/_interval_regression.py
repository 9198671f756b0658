"""Interval regression: the slope of a latent score whose rounding and clipping are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, finite_or_missing, together, whole_number

MOST_STEPS = 100
MOST_HALVINGS = 40
# squared distance from the maximum in standard errors, and the last step of the precision as a share of it
DECREMENT, SETTLED = 1e-18, 1e-6
SINGULAR = 1e-13
FARTHEST_SCORE = 10**6
ROUNDING = 1e-13
LEAST_PROBABILITY = 1e-300
# a gap below this share of the numbers that it is a difference of counts as none
NO_GAP = 1e-12


class LatentSlope(NamedTuple):
    """An interval regression.

    Attributes
    ----------
    estimate : float
        Points per doubling of the length, on the latent scale.
    standard_error : float
        From the observed information: right where the scores are independent.
    robust_error : float
        From the case-clustered scores, with the factor n/(n − 1).
    n : float
        Cases.
    level : float
        Latent score at the geometric mean of the lengths.
    sigma : float
        Standard deviation of the latent score.
    """

    estimate: float
    standard_error: float
    robust_error: float
    n: float
    level: float
    sigma: float


def interval_regression(words: ArrayLike, scores: ArrayLike, lowest: int = 1, highest: int = 5) -> LatentSlope:
    """Return the maximum likelihood fit of scores that are a rounded and clipped normal variable.

    Parameters
    ----------
    words, scores : array_like of float, shape (n, k)
        Length and score of each version of each case; NaN where there is none. Scores are whole numbers.
    lowest, highest : int
        Ends of the scale: a score of `lowest` stands for everything below lowest + ½, and so on.

    Returns
    -------
    LatentSlope
        Slope on log2(words), its standard errors, the number of scored cases, level and standard deviation. All but n
        are NaN where the likelihood has no maximum; `robust_error` also at n < 2 and where it would be 0, since no
        case moves the slope (as where all cases are alike).

    Raises
    ------
    ParameterError
        Where the shapes do not fit, a length is not positive, or a score is none of the scale.

    Notes
    -----
    The likelihood is concave in (level, slope, 1)/sigma. Its maximum is the only one, and is missing exactly where

    - some line passes through the limits of every score, as with equal scores or two neighbours alone: sigma shrinks
      to 0, and in these two cases the slope with it;
    - inner scores come up at a single length, and the scores at the ends elsewhere do not oppose a line that turns
      about that length: the slope grows without bound at a fixed sigma. So also where the lengths do not vary;
    - no inner score comes up: sigma grows without bound, and the slope with it.

    A maximum so flat that rounding hides it (the smallest eigenvalue of the scaled information is below 1e-13) counts
    as missing.

    References
    ----------
    Stewart (1983), doi:10.2307/2297773; Burridge (1981), Journal of the Royal Statistical Society B 43, 41–45; Albert
    & Anderson (1984), doi:10.1093/biomet/71.1.1, for separation.
    """
    x, low, high, case = _observations(words, scores, lowest, highest)
    n = float(np.unique(case).size)
    nothing = LatentSlope(np.nan, np.nan, np.nan, n, np.nan, np.nan)
    if _slope_unbounded(x, low, high):
        return nothing
    x = x - x.mean()
    theta = None if _separated(x, low, high) else _maximum(x, low, high)
    if theta is None:
        return nothing
    _, scores_of, information = _derivatives(theta, x, low, high)
    slope, sigma = theta[1] / theta[2], 1.0 / theta[2]
    weights = np.linalg.solve(information, np.array([0.0, sigma, -slope * sigma]))
    variance = np.array([0.0, sigma, -slope * sigma]) @ weights
    influence = np.bincount(np.unique(case, return_inverse=True)[1], scores_of @ weights)
    robust = np.sqrt(n / (n - 1.0) * influence @ influence) if n > 1 else 0.0
    # cases that do not move the slope (all alike, say) have influences of 0 but for what the iteration leaves
    robust = robust if robust > SETTLED * np.sqrt(variance) else np.nan
    return LatentSlope(float(slope), float(np.sqrt(variance)), float(robust), n, float(theta[0] * sigma), float(sigma))


def _observations(
    words: ArrayLike, scores: ArrayLike, lowest: int, highest: int
) -> tuple[FloatArray, FloatArray, FloatArray, NDArray[np.intp]]:
    """Return log2(words), the limits and the case of each score."""
    lengths, given = together(
        [finite_or_missing("words", words), finite_or_missing("scores", scores)], ["words", "scores"]
    )
    if given.ndim != 2:
        raise ParameterError("words and scores must have one row per case and one column per version.")
    lowest = whole_number("lowest", lowest, -FARTHEST_SCORE, FARTHEST_SCORE)
    highest = whole_number("highest", highest, lowest + 1, FARTHEST_SCORE)
    known = np.isfinite(lengths) & np.isfinite(given)
    lengths, y = lengths[known], given[known]
    if (lengths <= 0).any():
        raise ParameterError(f"words must be positive; they hold {lengths.min():g}.")
    bad = (y != np.floor(y)) | (y < lowest) | (y > highest)
    if bad.any():
        raise ParameterError(f"scores must be whole numbers from {lowest} to {highest}; they hold {y[bad][0]:g}.")
    low = np.where(y > lowest, y - 0.5, -np.inf)
    high = np.where(y < highest, y + 0.5, np.inf)
    return np.log2(lengths), low, high, np.nonzero(known)[0]


def _slope_unbounded(x: FloatArray, low: FloatArray, high: FloatArray) -> bool:
    """Tell whether the slope may grow at a fixed sigma, or sigma grow."""
    # A line may turn about the only length with inner scores, if it lifts no score at the lower end and lowers none at
    # the upper one.
    end = np.isfinite(low).astype(np.float64) - np.isfinite(high)
    pivots = np.unique(x[end == 0])
    if pivots.size != 1:
        return pivots.size == 0
    sides = end * (x - pivots[0])
    return not (sides.min() < 0 < sides.max())


def _separated(x: FloatArray, low: FloatArray, high: FloatArray) -> bool:
    """Tell whether a line passes through the limits of all scores."""
    # One of a given slope does where the highest lower limit, seen along it, does not exceed the lowest upper one. If
    # it does, the slope must change by that gap over the distance between the two, at least; a change of direction then
    # shows that there is no such line.
    scale = max(np.abs(low[np.isfinite(low)]).max(), np.abs(high[np.isfinite(high)]).max())
    slope = towards = 0.0
    while True:
        fall = slope * x
        bottom, top = np.argmax(low - fall), np.argmin(high - fall)
        gap = (low - fall)[bottom] - (high - fall)[top]
        run = x[bottom] - x[top]
        if gap <= NO_GAP * (scale + np.abs(fall).max()):
            return True
        if run == 0 or run * towards < 0:
            return False
        slope, towards = slope + gap / run, run


def _maximum(x: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray | None:
    """Return (level, slope, 1)/sigma at the maximum by Newton's method, or None where there is none."""
    y = np.where(np.isfinite(low), low + 0.5, high - 0.5)
    spread = x @ x
    line = (x @ y) / spread if spread > 0 else 0.0
    precision = 1.0 / max(float(np.std(y - line * x)), 0.25)
    theta = np.array([y.mean(), line, 1.0]) * precision
    value, scores, information = _derivatives(theta, x, low, high)
    for _ in range(MOST_STEPS):
        scale = 1.0 / np.sqrt(np.maximum(np.diag(information), np.finfo(np.float64).tiny))
        if np.linalg.eigvalsh(information * np.outer(scale, scale))[0] < SINGULAR:
            return None
        gradient = scores.sum(axis=0)
        step = np.linalg.solve(information, gradient)
        rise = float(gradient @ step)
        if rise < DECREMENT and abs(step[2]) < SETTLED * theta[2]:
            return theta
        for halving in range(MOST_HALVINGS):
            trial = theta + step * 0.5**halving
            if trial[2] <= 0:
                continue
            found, scores, information = _derivatives(trial, x, low, high)
            if found >= value + 1e-4 * 0.5**halving * rise - ROUNDING * abs(value):
                break
        else:
            return None
        theta, value = trial, found
    return None


def _derivatives(
    theta: FloatArray, x: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[float, FloatArray, FloatArray]:
    """Return the log-likelihood, the first derivatives per score, and the negative second derivatives."""
    mean = theta[0] + theta[1] * x
    z_low, z_high = low * theta[2] - mean, high * theta[2] - mean
    # Where both limits lie above the mean, the difference of the upper tails keeps its digits.
    flip = z_low > 0
    below, above = np.where(flip, -z_high, z_low), np.where(flip, -z_low, z_high)
    probability = np.maximum(special.ndtr(above) - special.ndtr(below), LEAST_PROBABILITY)
    rates, bends, directions = [], [], []
    for limit, z in ((low, z_low), (high, z_high)):
        there = np.isfinite(limit)
        rates.append(np.where(there, np.exp(-0.5 * np.square(z)) / np.sqrt(2 * np.pi), 0.0) / probability)
        bends.append(np.where(there, z, 0.0) * rates[-1])
        directions.append(np.stack([-np.ones_like(x), -x, np.where(there, limit, 0.0)], axis=-1))
    scores = rates[1][:, None] * directions[1] - rates[0][:, None] * directions[0]
    information = scores.T @ scores
    information += directions[1].T @ (bends[1][:, None] * directions[1])
    information -= directions[0].T @ (bends[0][:, None] * directions[0])
    return float(np.log(probability).sum()), scores, information
