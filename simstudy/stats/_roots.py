"""Roots of many functions at once, each in its own bracket."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from simstudy.stats._arrays import FloatArray

Indices = NDArray[np.intp]
# Smooth functions take some ten steps. After so many the bracket is halved, which no function can spoil; as often as
# the second number says, and neighbouring floats are left of a bracket as long as the line of floats.
FREE_STEPS, MOST_STEPS = 60, 1200


def bracketed_roots(
    function: Callable[[FloatArray, Indices], FloatArray],
    low: FloatArray,
    high: FloatArray,
    tolerance: float,
) -> FloatArray:
    """Return one root per bracket by Chandrupatla's method: inverse quadratic steps, halving where they fail.

    ``function(x, rows)`` gives the values at x of the functions numbered ``rows``; their signs differ at the ends of a
    bracket, and a root is taken where it is no wider than the tolerance. Where the signs agree, as rounding may leave
    them at a root, the end nearer to 0 is taken. Chandrupatla (1997), doi:10.1016/S0965-9978(96)00051-8.
    """
    roots = np.empty(low.shape)
    rows = np.arange(low.size)
    x1, x2 = high.copy(), low.copy()
    f1, f2 = function(x1, rows), function(x2, rows)
    crossed = (f1 > 0) != (f2 > 0)
    roots[~crossed] = np.where(np.abs(f1) <= np.abs(f2), x1, x2)[~crossed]
    rows, x1, x2, f1, f2 = (array[crossed] for array in (rows, x1, x2, f1, f2))
    t, steps = np.full(rows.shape, 0.5), 0
    while rows.size:
        steps += 1
        x = x1 + t * (x2 - x1)
        f = function(x, rows)
        same = (f > 0) == (f1 > 0)
        x3, f3 = np.where(same, x1, x2), np.where(same, f1, f2)
        x2, f2 = np.where(same, x2, x1), np.where(same, f2, f1)
        x1, f1 = x, f
        width = np.abs(x2 - x1)
        done = (width <= tolerance) | (f1 == 0) | (steps > MOST_STEPS)
        roots[rows[done]] = np.where(np.abs(f1) <= np.abs(f2), x1, x2)[done]
        keep = ~done
        rows, width = rows[keep], width[keep]
        x1, x2, x3, f1, f2, f3 = (array[keep] for array in (x1, x2, x3, f1, f2, f3))
        # A step shorter than a quarter of the tolerance could never close the bracket.
        least = np.minimum(0.5, 0.25 * tolerance / width)
        t = (
            np.clip(_step(x1, x2, x3, f1, f2, f3), least, 1.0 - least)
            if steps < FREE_STEPS
            else np.full(rows.shape, 0.5)
        )
    return roots


def _step(x1: FloatArray, x2: FloatArray, x3: FloatArray, f1: FloatArray, f2: FloatArray, f3: FloatArray) -> FloatArray:
    """Return the next share of the way from x1 to x2: Chandrupatla's criterion, else one half."""
    with np.errstate(divide="ignore", invalid="ignore"):
        xi = (x1 - x2) / (x3 - x2)
        phi = (f1 - f2) / (f3 - f2)
        alpha = (x3 - x1) / (x2 - x1)
        t = f1 / (f1 - f2) * f3 / (f3 - f2) - alpha * f1 / (f3 - f1) * f2 / (f2 - f3)
    quadratic = (phi * phi < xi) & ((1.0 - phi) ** 2 < 1.0 - xi) & np.isfinite(t)
    return np.where(quadratic, t, 0.5)
