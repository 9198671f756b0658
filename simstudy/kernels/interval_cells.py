"""Cells of an interval regression: the scores that came up, and whether their likelihood has a maximum.

Equal scores at equal x are one *cell*, a column of a table: x, limits, whether there are limits, how often it came up;
further rows are filled in :mod:`simstudy.kernels.interval_likelihood`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import part

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SCORES = 5
X, LOW, HIGH, HAS_LOW, HAS_HIGH, COUNT = range(6)
# a gap below this share of the numbers that it is a difference of counts as none: rounding
ROUNDING = 1e-12


@part
def fill_cells(cells: Floats, counts: Ints, x: Floats) -> int:
    """Fill the first six rows of the cells that came up from counts by base, version and score; return their number."""
    n_cells = 0
    for base in range(counts.shape[0]):
        for version in range(counts.shape[1]):
            for score in range(SCORES):
                count = counts[base, version, score]
                if count > 0:
                    cells[X, n_cells] = x[base, version]
                    cells[LOW, n_cells] = score + 0.5
                    cells[HIGH, n_cells] = score + 1.5
                    cells[HAS_LOW, n_cells] = 1.0 if score > 0 else 0.0
                    cells[HAS_HIGH, n_cells] = 1.0 if score < SCORES - 1 else 0.0
                    cells[COUNT, n_cells] = count
                    n_cells += 1
    return n_cells


@part
def has_maximum(cells: Floats, n_cells: int) -> bool:
    """Tell whether the likelihood of an interval regression has a maximum, and only one."""
    # It has none where some direction (da, db, dt) != 0 with dt >= 0 in (alpha, beta, precision) keeps low * dt <= da +
    # db x <= high * dt for the limits of every score: along it no score gets less likely. Without such a direction the
    # concave likelihood falls on all sides. Directions with dt = 0 (the slope runs away at a fixed sigma) and with dt =
    # 1 (sigma shrinks to 0) are found exactly but for rounding. Where 1 and 5 alone occur sigma grows without bound,
    # whatever the directions. Separation: Albert & Anderson (1984), doi:10.1093/biomet/71.1.1. Directions of recession:
    # Rockafellar (1970), Convex Analysis, theorem 27.1.
    return not _slope_unbounded(cells, n_cells) and not _separated(cells, n_cells)


@part
def _slope_unbounded(cells: Floats, n_cells: int) -> bool:
    """Tell whether the slope may grow at a fixed sigma, or sigma grow: a direction with dt = 0, or no inner score."""
    # Inner scores demand da + db x = 0 where they are. So with inner scores at two x there is no such direction; with
    # inner scores at one x the line may turn about them, if it lifts no 1 and lowers no 5.
    # without inner scores no comparison with the pivot holds, and both ways stay open
    pivot, upward, downward = np.nan, True, True
    for cell in range(n_cells):
        if cells[HAS_LOW, cell] > 0.0 and cells[HAS_HIGH, cell] > 0.0:
            if np.isnan(pivot):
                pivot = cells[X, cell]
            elif cells[X, cell] != pivot:
                return False
    for cell in range(n_cells):
        # 1 at the upper end of the scale, -1 at the lower one, 0 between
        end = cells[HAS_LOW, cell] - cells[HAS_HIGH, cell]
        side = end * (cells[X, cell] - pivot)
        upward, downward = upward and not side < 0.0, downward and not side > 0.0
    return upward or downward


@part
def _separated(cells: Floats, n_cells: int) -> bool:
    """Tell whether a line passes through the limits of all scores: a direction with dt = 1."""
    # A line of a given slope does where the highest lower limit, seen along it, does not exceed the lowest upper one.
    # If it does, at x1 and x2, the slope must change by that gap over x1 - x2 at least. Each step does just that, so a
    # step that would go back shows that there is no such line.
    slope, towards = 0.0, 0.0
    while True:
        bottom, top, x_bottom, x_top, size = -np.inf, np.inf, 0.0, 0.0, 0.0
        for cell in range(n_cells):
            fall = slope * cells[X, cell]
            size = max(size, abs(fall))
            if cells[HAS_LOW, cell] > 0.0 and cells[LOW, cell] - fall > bottom:
                bottom, x_bottom = cells[LOW, cell] - fall, cells[X, cell]
            if cells[HAS_HIGH, cell] > 0.0 and cells[HIGH, cell] - fall < top:
                top, x_top = cells[HIGH, cell] - fall, cells[X, cell]
        gap, run = bottom - top, x_bottom - x_top
        if gap <= ROUNDING * (SCORES + size):
            return True
        if run == 0.0 or run * towards < 0.0:
            return False
        slope, towards = slope + gap / run, run
