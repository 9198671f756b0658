"""Many design points, many sizes, many distinct rows: in one pass against one after another, in processor time."""

from __future__ import annotations

import time

from benchmarks.timing import Line, side_by_side
from simstudy.study.power_curve import power_curve

DIFFERENCES = [round(0.005 + 0.01 * k, 3) for k in range(20)]


def grid_lines() -> list[Line]:
    """Time 60 exact points of one size, with the default methods of paired, against the same points alone."""
    grid = {"n_cases": 800, "accuracy_a": 0.7}
    few = DIFFERENCES[::5]

    def together() -> object:
        return power_curve("paired", **grid, difference=DIFFERENCES, difficulty_sd=[0, 1, 2])

    def alone() -> list[object]:
        return [power_curve("paired", **grid, difference=d, difficulty_sd=sd) for d in few for sd in (0, 1, 2)]

    times = side_by_side({"together": together, "alone": alone}, 3, time.process_time)
    ratio = times["alone"] / (3 * len(few)) * 60 / times["together"]
    return [Line("60 exact points × 3 methods of paired at one size: alone / together", ratio, "×", 4.0, False)]


def scale_lines() -> list[Line]:
    """Return what this module times."""
    return grid_lines()
