"""Interval regression of scores from 1 to 5: maximum likelihood where the limits of rounding are known.

A score is a normal variable with mean a + slope * x and standard deviation sigma, rounded to a whole number and
clipped. With alpha = a / sigma, beta = slope / sigma and precision = 1 / sigma a score between the limits l and u
has the probability Phi(u * precision - alpha - beta x) - Phi(l * precision - alpha - beta x). Its logarithm is
concave in these three (Burridge, J. (1981). Journal of the Royal Statistical Society B 43, 41-45), so Newton's
method with halved steps finds the only maximum, if there is one: :mod:`simstudy.kernels.interval_cells` decides that
first.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import helper, part
from simstudy.kernels.interval_cells import COUNT, HAS_HIGH, HAS_LOW, HIGH, LOW, SCORES, X, fill_cells, has_maximum
from simstudy.kernels.maths import log, normal_tail

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# per observation: probability, derivatives by alpha (score) and by precision, and the negative second derivatives
PROBABILITY, BY_MEAN, BY_PRECISION, MEAN_MEAN, MEAN_PRECISION, PRECISION_PRECISION = range(6, 12)
ROWS = 12
MOST_STEPS = 60
MOST_HALVINGS = 40
# squared distance from the maximum in standard errors, and the last step of the precision as a share of it
DECREMENT, SETTLED = 1e-18, 1e-6
SINGULAR = 1e-13
LEAST_PROBABILITY = 1e-300
# accepted loss of the log-likelihood per unit of its size: rounding
ROUNDING = 1e-13


@part
def regress(scores: Ints, x: Floats, counts: Ints, cells: Floats) -> tuple[float, float, float]:
    """Return the slope of an interval regression, its variance and its robust one; overwrites `counts` and `cells`."""
    # The variance comes from the observed information, the robust one from the derivatives of whole cases, with the
    # factor n / (n - 1). All are NaN where the likelihood has no maximum, the robust one also where no case moves the
    # slope, as with a single one. Case i has the lengths x[i mod bases].
    _count(counts, scores)
    n_cells = fill_cells(cells, counts, x)
    theta, information, weights = np.empty(3), np.empty((3, 3)), np.empty(3)
    if not fit(cells, n_cells, theta, information):
        return np.nan, np.nan, np.nan
    slope = theta[1] / theta[2]
    # the slope is beta over precision: its derivatives, and what they become through the inverse information
    derivatives = np.zeros(3)
    derivatives[1], derivatives[2] = 1.0 / theta[2], -slope / theta[2]
    if not solve(information, derivatives, weights):
        return np.nan, np.nan, np.nan
    variance = derivatives[1] * weights[1] + derivatives[2] * weights[2]
    robust_variance = _robust_variance(scores, counts, cells, weights)
    # cases that do not move the slope (all alike, say) have influences of 0 but for what the iteration leaves
    return slope, variance, robust_variance if robust_variance > SETTLED * SETTLED * variance else np.nan


@part
def _count(counts: Ints, scores: Ints) -> None:
    counts[...] = 0
    for case in range(scores.shape[0]):
        for version in range(scores.shape[1]):
            counts[case % counts.shape[0], version, scores[case, version] - 1] += 1


@part
def _robust_variance(scores: Ints, counts: Ints, cells: Floats, weights: Floats) -> float:
    """Return the sum of the squared influences of the cases, the weighted derivatives of their log-likelihoods."""
    number = 0
    for base in range(counts.shape[0]):
        for version in range(counts.shape[1]):
            for score in range(SCORES):
                # cells lie in this order; from here on a count gives way to the number of its cell
                counts[base, version, score], number = number, number + (counts[base, version, score] > 0)
    n, squares = scores.shape[0], 0.0
    for case in range(n):
        influence = 0.0
        for version in range(scores.shape[1]):
            cell = counts[case % counts.shape[0], version, scores[case, version] - 1]
            by_mean = cells[BY_MEAN, cell] * (weights[0] + weights[1] * cells[X, cell])
            influence += by_mean + cells[BY_PRECISION, cell] * weights[2]
        squares += influence * influence
    return n / (n - 1.0) * squares if n > 1 else np.nan


@part
def fit(cells: Floats, n_cells: int, theta: Floats, information: Floats) -> bool:
    """Maximise the likelihood; fill theta (alpha, beta, precision) and the lower half of the observed information."""
    # Return whether there is a maximum and it was found: one so flat that the information is singular within rounding
    # is not. The rows of the cells behind the first six are left with what holds at the maximum.
    if not has_maximum(cells, n_cells):
        return False
    _start(cells, n_cells, theta)
    gradient, step, trial = np.empty(3), np.empty(3), np.empty(3)
    value = evaluate(cells, n_cells, theta, gradient, information)
    for _ in range(MOST_STEPS):
        if not solve(information, gradient, step):
            return False
        rise = gradient[0] * step[0] + gradient[1] * step[1] + gradient[2] * step[2]
        if rise < DECREMENT and abs(step[2]) < SETTLED * theta[2]:
            return True
        size = 1.0
        for _ in range(MOST_HALVINGS):
            for index in range(3):
                trial[index] = theta[index] + size * step[index]
            if trial[2] > 0.0:
                found = evaluate(cells, n_cells, trial, gradient, information)
                if found >= value + 1e-4 * size * rise - ROUNDING * abs(value):
                    break
            size *= 0.5
        else:
            return False
        value = found
        for index in range(3):
            theta[index] = trial[index]
    return False


@part
def evaluate(cells: Floats, n_cells: int, theta: Floats, gradient: Floats, information: Floats) -> float:
    """Return the log-likelihood; fill its gradient and its negative second derivatives."""
    for cell in range(n_cells):
        _differentiate(cells, cell, theta[0] + theta[1] * cells[X, cell], theta[2])
    value = 0.0
    g0, g1, g2, i00, i01, i11, i02, i12, i22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for cell in range(n_cells):
        count, x = cells[COUNT, cell], cells[X, cell]
        value += count * log(cells[PROBABILITY, cell])
        by_mean = count * cells[BY_MEAN, cell]
        g0 += by_mean
        g1 += by_mean * x
        g2 += count * cells[BY_PRECISION, cell]
        mean_mean, mean_precision = count * cells[MEAN_MEAN, cell], count * cells[MEAN_PRECISION, cell]
        i00 += mean_mean
        i01 += mean_mean * x
        i11 += mean_mean * x * x
        i02 += mean_precision
        i12 += mean_precision * x
        i22 += count * cells[PRECISION_PRECISION, cell]
    gradient[0], gradient[1], gradient[2] = g0, g1, g2
    information[0, 0], information[1, 1], information[2, 2] = i00, i11, i22
    information[1, 0], information[2, 0], information[2, 1] = i01, i02, i12
    return value


@helper
def _differentiate(cells: Floats, cell: int, mean: float, precision: float) -> None:
    """Fill the last six rows of a cell."""
    # A limit that does not exist counts as one infinitely far away: no tail and no density beyond it. Where both limits
    # lie above the mean the ones of both distribution functions cancel exactly, and the difference is one of tails.
    low, high = cells[LOW, cell], cells[HIGH, cell]
    has_low, has_high = cells[HAS_LOW, cell], cells[HAS_HIGH, cell]
    z_low, z_high = low * precision - mean, high * precision - mean
    above_low = 1.0 if z_low > 0.0 and has_low > 0.0 else 0.0
    above_high = 1.0 if z_high > 0.0 or has_high == 0.0 else 0.0
    tail_low, density_low = normal_tail(abs(z_low))
    tail_high, density_high = normal_tail(abs(z_high))
    tail_low = has_low * tail_low * (2.0 * above_low - 1.0)
    tail_high = has_high * tail_high * (2.0 * above_high - 1.0)
    probability = max((tail_low - tail_high) + (above_high - above_low), LEAST_PROBABILITY)
    low_rate = has_low * density_low / probability
    high_rate = has_high * density_high / probability
    by_mean, by_precision = low_rate - high_rate, high * high_rate - low * low_rate
    low_bend, high_bend = z_low * low_rate, z_high * high_rate
    cells[PROBABILITY, cell] = probability
    cells[BY_MEAN, cell] = by_mean
    cells[BY_PRECISION, cell] = by_precision
    cells[MEAN_MEAN, cell] = by_mean * by_mean + (high_bend - low_bend)
    cells[MEAN_PRECISION, cell] = by_mean * by_precision - (high * high_bend - low * low_bend)
    cells[PRECISION_PRECISION, cell] = by_precision * by_precision + (high * high * high_bend - low * low * low_bend)


@part
def _start(cells: Floats, n_cells: int, theta: Floats) -> None:
    """Begin at the least-squares line of the scores."""
    n, sum_x, sum_y, sum_xx, sum_xy, sum_yy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for cell in range(n_cells):
        count, x, y = cells[COUNT, cell], cells[X, cell], cells[LOW, cell] + 0.5
        n += count
        sum_x += count * x
        sum_y += count * y
        sum_xx += count * x * x
        sum_xy += count * x * y
        sum_yy += count * y * y
    spread_x, spread_xy = sum_xx - sum_x * sum_x / n, sum_xy - sum_x * sum_y / n
    slope = spread_xy / spread_x if spread_x > 0.0 else 0.0
    left = (sum_yy - sum_y * sum_y / n - slope * spread_xy) / n
    precision = 1.0 / math.sqrt(max(left, 0.0625))
    theta[0], theta[1], theta[2] = (sum_y - slope * sum_x) / n * precision, slope * precision, precision


@part
def solve(matrix: Floats, right: Floats, solution: Floats) -> bool:
    """Solve three symmetric equations (lower half) by LDL; False where not positive definite beyond rounding."""
    d0 = matrix[0, 0]
    if not d0 > 0.0:
        return False
    l10, l20 = matrix[1, 0] / d0, matrix[2, 0] / d0
    d1 = matrix[1, 1] - l10 * matrix[1, 0]
    if not d1 > SINGULAR * matrix[1, 1]:
        return False
    l21 = (matrix[2, 1] - l20 * matrix[1, 0]) / d1
    d2 = matrix[2, 2] - l20 * matrix[2, 0] - l21 * l21 * d1
    if not d2 > SINGULAR * matrix[2, 2]:
        return False
    y1 = right[1] - l10 * right[0]
    y2 = right[2] - l20 * right[0] - l21 * y1
    solution[2] = y2 / d2
    solution[1] = y1 / d1 - l21 * solution[2]
    solution[0] = right[0] / d0 - l10 * solution[1] - l20 * solution[2]
    return True
