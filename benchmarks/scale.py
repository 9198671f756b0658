"""Many design points, many sizes, many distinct rows: in one pass against one after another, in processor time."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.timing import Line, side_by_side
from simstudy.engines import growing
from simstudy.engines.growing import growing_blocks
from simstudy.engines.tally import tally
from simstudy.options import make_options
from simstudy.scenarios import get_scenario
from simstudy.scenarios.declaration import DesignPoint
from simstudy.solve.questions import size
from simstudy.study.power_curve import power_curve
from simstudy.study.simulated_points import Job

Reading = list[tuple[str, ...]]
SETTING = {"n_cases": 100, "accuracy_a": 0.7, "difference": 0.1, "difficulty_sd": 1.0}
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


def merging_lines() -> list[Line]:
    """Time the histogram of blocks of 20,000 rows of two real numbers, all distinct, against sorting one column."""
    generator = np.random.default_rng(1)
    blocks = [generator.integers(0, 2**60, (20_000, 2)) for _ in range(16)]

    def merged() -> None:
        job = Job(0, get_scenario("paired").point(SETTING), "full", [], [("low", "high")])
        for block in blocks:
            job.add([tally(block)])
        job.merge()

    times = side_by_side(
        {"merged": merged, "sorted": lambda: [np.sort(block[:, 0]) for block in blocks]}, 7, time.process_time
    )
    return [
        Line("20,000 × 2 distinct rows: histogram, with merging", times["merged"] / len(blocks) * 1e3, "ms", 5.0),
        Line("the same / sorting one column", times["merged"] / times["sorted"], "×"),
    ]


def curve_lines() -> list[Line]:
    """Time 100 sizes of the full engine in one pass against a pass for each, with their histograms."""
    options, lines = make_options(threads=1), []
    for name in ("paired", "judged", "position", "stability"):
        scenario = get_scenario(name)
        points = [scenario.point({**scenario.example, scenario.size.name: n}) for n in range(20, 2020, 20)]
        reading = [points[0].reading(scenario.method(scenario.default_methods[0]))]

        def one_pass(points: list[DesignPoint] = points, reading: Reading = reading) -> object:
            return growing_blocks(points, [reading] * len(points), options, 0, 1000)

        def each(points: list[DesignPoint] = points, reading: Reading = reading) -> object:
            return [growing_blocks([point], [reading], options, 0, 1000) for point in points]

        times = side_by_side({"one": one_pass, "each": each}, 3, time.process_time)
        lines.append(
            Line(f"{name}, 100 sizes: a pass for each / one pass", times["each"] / times["one"], "×", 20.0, False)
        )
    return lines


def size_lines() -> list[Line]:
    """Time a simulated sample size with the rows of former evaluations kept, and without."""

    def solved(kept: int) -> None:
        usual, growing.KEPT = growing.KEPT, kept
        try:
            size("stability", repetitions=5, engine="full", target="half_width=.05", replications=2000)
        finally:
            growing.KEPT = usual

    times = side_by_side({"kept": lambda: solved(growing.KEPT), "each anew": lambda: solved(0)}, 3, time.process_time)
    return [
        Line("stability, a simulated size: each anew / rows kept", times["each anew"] / times["kept"], "×", 4.0, False)
    ]


def scale_lines() -> list[Line]:
    """Return what this module times."""
    return grid_lines() + merging_lines() + curve_lines() + size_lines()
