"""Engines, exact tables and solving, through the public functions."""

from __future__ import annotations

from benchmarks.timing import Line, best, side_by_side
from simstudy.engines.growing import growing_blocks
from simstudy.engines.simulate import counts_block
from simstudy.options import make_options
from simstudy.scenarios import get_scenario
from simstudy.solve.questions import mde, size
from simstudy.study.exact_points import exact_cells
from simstudy.study.methods_on_rows import Evaluator
from simstudy.study.power_curve import power_curve

SETTING = {"logit_a": 0.847, "logit_b": 1.386}
TESTS = ["mcnemar_exact", "mcnemar_midp"]


def engine_lines() -> list[Line]:
    """Time blocks of the counts engine against blocks of the full engine, with their histograms."""
    lines = []
    options = make_options(threads=1)
    for n, target in ((100, None), (1000, 20.0), (10_000, None)):
        point = get_scenario("paired").point({**SETTING, "n_cases": n, "difficulty_sd": 1.5})
        readings = [("n10", "n01")]
        full = max(200, 400_000 // n)
        times = side_by_side(
            {
                "counts": lambda point=point, readings=readings: counts_block(point, readings, options, 0, 0, 10_000),
                "full": lambda point=point, readings=readings, full=full: growing_blocks(
                    [point], [readings], options, 0, full
                ),
            }
        )
        ratio = (times["full"] / full) / (times["counts"] / 10_000)
        lines.append(Line(f"full / counts, per replication, n = {n}", ratio, "×", target, False))
    return lines


def exact_lines() -> list[Line]:
    """Time the exact table: 3 settings × 2 tests, n = 100."""
    scenario = get_scenario("paired")
    points = [scenario.point({**SETTING, "n_cases": 100, "difficulty_sd": sd}) for sd in (0.0, 1.5, 3.0)]
    methods = [scenario.method(name) for name in TESTS]
    evaluator = Evaluator(make_options())

    def cells() -> None:
        for point in points:
            exact_cells(point, methods, evaluator)

    def table() -> object:
        return power_curve("paired", n_cases=100, difficulty_sd=[0, 1.5, 3], method=TESTS, **SETTING)

    def both_sizes() -> object:
        return size("paired", difficulty_sd=[0, 1.5, 3], method="mcnemar_exact", **SETTING)

    def effects() -> object:
        return mde("paired", accuracy_a=0.7, n_cases=[36, 100, 400, 1251], difficulty_sd=[0, 1.5, 3], method=TESTS)

    return [
        Line("exact table, 3 settings × 2 tests, n = 100: all measures", best(cells, 30) * 1e3, "ms", 4.0),
        Line("the same as a labelled Dataset (power_curve)", best(table, 30) * 1e3, "ms"),
        Line("three sample sizes (313, 375, 534)", best(both_sizes), "s", 0.3),
        Line("24 minimum detectable effects", best(effects), "s", 0.3),
    ]
