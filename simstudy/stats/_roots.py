"""Roots of many functions at once, each in its own bracket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.stats._arrays import FloatArray

Indices = NDArray[np.intp]
# Smooth functions take some ten steps. After so many the bracket is halved, which no function can spoil; as often as
# the second number says, and neighbouring floats are left of a bracket as long as the line of floats.
FREE_STEPS, MOST_STEPS = 60, 1200
# functions followed at once: what they need stays in the cache of a processor
CHUNK = 16384


def bracketed_roots(
    function: Callable[..., FloatArray], low: FloatArray, high: FloatArray, tolerance: float, *columns: FloatArray
) -> FloatArray:
    """Return one root per bracket by Chandrupatla's method: inverse quadratic steps, halving where they fail."""
    # ``function(x, rows, *columns)`` gives the values at x of the functions numbered ``rows``; columns are numbers of
    # each function, handed on for those rows. The signs at the ends of a bracket differ, and a root is taken where it
    # is no wider than the tolerance. Where they agree, as rounding may leave them at a root, the end nearer to 0 is
    # taken. Chandrupatla (1997), doi:10.1016/S0965-9978(96)00051-8.
    roots = np.empty(low.shape)
    for start in range(0, low.size, CHUNK):
        rows = np.arange(start, min(start + CHUNK, low.size))
        parts = [column[rows] for column in columns]
        roots[rows] = _roots_of_chunk(function, low[rows], high[rows], tolerance, rows, parts)
    return roots


def _roots_of_chunk(
    function: Callable[..., FloatArray],
    low: FloatArray,
    high: FloatArray,
    tolerance: float,
    rows: Indices,
    columns: list[FloatArray],
) -> FloatArray:
    """Return the roots of as many functions as are followed at once."""
    left = np.arange(rows.size)
    x1, x2 = high, low
    f1, f2 = function(x1, rows, *columns), function(x2, rows, *columns)
    roots = np.where(np.abs(f1) <= np.abs(f2), x1, x2)
    crossed = (f1 > 0) != (f2 > 0)
    if not crossed.all():
        left, rows, x1, x2, f1, f2, *columns = _kept(crossed, left, rows, x1, x2, f1, f2, *columns)
    t, steps = np.full(left.shape, 0.5), 0
    while left.size:
        steps += 1
        x = x1 + t * (x2 - x1)
        f = function(x, rows, *columns)
        same = (f > 0) == (f1 > 0)
        x3, f3 = np.where(same, x1, x2), np.where(same, f1, f2)
        x2, f2 = np.where(same, x2, x1), np.where(same, f2, f1)
        x1, f1 = x, f
        width = np.abs(x2 - x1)
        done = (width <= tolerance) | (f1 == 0) | (steps > MOST_STEPS)
        if done.any():
            roots[left[done]] = np.where(np.abs(f1) <= np.abs(f2), x1, x2)[done]
            left, rows, width, x1, x2, x3, f1, f2, f3, *columns = _kept(
                ~done, left, rows, width, x1, x2, x3, f1, f2, f3, *columns
            )
        if steps < FREE_STEPS:
            # A step shorter than a quarter of the tolerance could never close the bracket.
            least = np.minimum(0.5, 0.25 * tolerance / width)
            t = np.clip(_step(x1, x2, x3, f1, f2, f3), least, 1.0 - least)
        else:
            t = np.full(left.shape, 0.5)
    return roots


def _kept(keep: NDArray[np.bool_], *arrays: NDArray[Any]) -> list[NDArray[Any]]:
    return [array[keep] for array in arrays]


def _step(x1: FloatArray, x2: FloatArray, x3: FloatArray, f1: FloatArray, f2: FloatArray, f3: FloatArray) -> FloatArray:
    """Return the next share of the way from x1 to x2: Chandrupatla's criterion, else one half."""
    x12, f12, f32 = x1 - x2, f1 - f2, f3 - f2
    with np.errstate(divide="ignore", invalid="ignore"):
        xi = x12 / (x3 - x2)
        phi = f12 / f32
        t = f1 / f12 * f3 / f32 - (x1 - x3) / x12 * f1 / (f1 - f3) * f2 / f32
    quadratic = (phi * phi < xi) & ((1.0 - phi) ** 2 < 1.0 - xi) & np.isfinite(t)
    return np.where(quadratic, t, 0.5)
