"""Accuracies of two independent samples at a given difference, and the score statistic made of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.stats._arrays import FloatArray

# Steps end where they change an accuracy by no more than this share of it.
CONVERGED = 4.0 * np.finfo(np.float64).eps
# Halving alone needs fewer steps to reach any double.
MOST_STEPS = 200


def score_z(x_a: FloatArray, n_a: FloatArray, x_b: FloatArray, n_b: FloatArray, margin: FloatArray) -> FloatArray:
    """Return Farrington & Manning's statistic of H0: B − A = −margin; positive above, NaN for an empty sample."""
    rate_a, wrong_a, rate_b, wrong_b = restricted_rates(x_a, n_a, x_b, n_b, margin)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = rate_a * wrong_a / n_a + rate_b * wrong_b / n_b
        z = ((x_b * n_a - x_a * n_b) / (n_a * n_b) + margin) / np.sqrt(variance)
    return np.where((n_a > 0) & (n_b > 0), z, np.nan)


def restricted_rates(
    x_a: FloatArray, n_a: FloatArray, x_b: FloatArray, n_b: FloatArray, margin: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return p_a, 1 − p_a, p_b and 1 − p_b that maximise the likelihood where p_b = p_a − margin."""
    # Counts may be any numbers (of a sample's expectation, say); the margin lies in (0, 1). The unknown is u = p_b, or
    # u = 1 − p_a where that is smaller: then neither u nor u + margin nor a complement loses digits.
    shape = np.broadcast_shapes(*(np.shape(array) for array in (x_a, n_a, x_b, n_b, margin)))
    x_a, n_a, x_b, n_b, m = (np.broadcast_to(array, shape).reshape(-1) for array in (x_a, n_a, x_b, n_b, margin))
    y_a, y_b = n_a - x_a, n_b - x_b
    mirrored = _score(0.5 * (1.0 - m), x_b, y_b, x_a, y_a, m)[0] > 0
    low = _rates_near_zero(
        np.where(mirrored, y_a, x_b),
        np.where(mirrored, x_a, y_b),
        np.where(mirrored, y_b, x_a),
        np.where(mirrored, x_b, y_a),
        m,
    )
    high = low + m
    far = 1.0 - high
    of_a = np.where(mirrored, 1.0 - low, high), np.where(mirrored, low, far)
    of_b = np.where(mirrored, far, low), np.where(mirrored, high, 1.0 - low)
    p_a, q_a, p_b, q_b = (array.reshape(shape) for array in (*of_a, *of_b))
    return p_a, q_a, p_b, q_b


def _score(
    u: FloatArray, x: FloatArray, y: FloatArray, more_x: FloatArray, more_y: FloatArray, m: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the derivative of the log-likelihood, and its slope, at rates u (x right, y wrong) and u + m (more_…)."""
    v, w, up = 1.0 - u, 1.0 - m - u, u + m
    # u may be 0, and u + m a margin whose square is
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        at_low = np.where(x > 0, x / u, 0.0)
        slope_low = np.where(x > 0, x / u**2, 0.0)
        score = at_low - y / v + more_x / up - more_y / w
        return score, -(slope_low + y / v**2 + more_x / up**2 + more_y / w**2)


def _rates_near_zero(x: FloatArray, y: FloatArray, more_x: FloatArray, more_y: FloatArray, m: FloatArray) -> FloatArray:
    """Return the root u of the score in [0, (1 − m)/2], where it falls; 0 where it is nowhere positive."""
    # Newton's steps, each within the bracket that the signs so far leave, else its middle.
    root = np.zeros(m.shape)
    rows = np.flatnonzero((x > 0) | (_score(np.zeros(m.shape), x, y, more_x, more_y, m)[0] > 0))
    low, high = np.zeros(rows.size), 0.5 * (1.0 - m[rows])
    total = x[rows] + y[rows] + more_x[rows] + more_y[rows]
    pooled = (x[rows] + more_x[rows] - (more_x[rows] + more_y[rows]) * m[rows]) / total
    u = np.where((pooled > 0) & (pooled < high), pooled, 0.5 * high)
    for _ in range(MOST_STEPS):
        if not rows.size:
            break
        score, slope = _score(u, x[rows], y[rows], more_x[rows], more_y[rows], m[rows])
        low, high = np.where(score >= 0, u, low), np.where(score <= 0, u, high)
        newton = u - score / slope
        following = np.where((newton >= low) & (newton <= high), newton, 0.5 * (low + high))
        root[rows] = following
        open_: NDArray[np.bool_] = np.abs(following - u) > CONVERGED * following
        rows, u, low, high = rows[open_], following[open_], low[open_], high[open_]
    return root
