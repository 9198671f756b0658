"""Exact measures of many points: together they are what each is alone."""

import numpy as np
import pytest

import simstudy
from simstudy.options import make_options
from simstudy.scenarios import get_scenario
from simstudy.study import exact_points
from simstudy.study.exact_points import exact_cells, exact_grid
from simstudy.study.methods_on_rows import Evaluator
from tests.small.families import Families

PAIRED = get_scenario("paired")
# whole laws at 20 cases, windows at 150
GRID = [
    {"n_cases": n, "accuracy_a": 0.7, "difference": difference, "difficulty_sd": 1.0}
    for difference in (0.0, 0.05, 0.2)
    for n in (20, 150)
]
NAMES = ("mcnemar_midp", "tango", "paired_z", "unpaired_z")


def bits(cells):
    return {name: [list(map(repr, level.items())) for level in cell.by_level] for name, cell in cells.items()}


def test_points_together_are_each_alone_to_the_bit():
    methods = [PAIRED.method(name) for name in NAMES]
    points = [PAIRED.point(values) for values in GRID]
    options = make_options(alpha=[0.05, 0.2])
    together = dict(exact_grid(points, [methods] * len(points), Evaluator(options)))
    assert sorted(together) == list(range(len(points)))
    for index, point in enumerate(points):
        assert bits(together[index]) == bits(exact_cells(point, methods, Evaluator(options)))


@pytest.mark.parametrize("held", [1.0, 3000.0])
def test_how_many_rows_are_held_changes_nothing(monkeypatch, held):
    asked = {"n_cases": [120, 150], "accuracy_a": 0.7, "difference": [0.0, 0.1, 0.2]}
    whole = simstudy.power_curve("paired", **asked)
    monkeypatch.setattr(exact_points, "HELD", held)
    assert simstudy.power_curve("paired", **asked).drop_attrs().identical(whole.drop_attrs())


def test_a_method_is_asked_about_each_row_once():
    rows = []

    class Counting(Evaluator):
        def on_rows(self, point, method, names, given):
            rows.append(given)
            return super().on_rows(point, method, names, given)

    points = [PAIRED.point({**GRID[1], "difference": x}) for x in np.linspace(0.0, 0.2, 30)]
    found = dict(exact_grid(points, [[PAIRED.method("tango")]] * 30, Counting(make_options())))
    assert len(found) == 30
    (given,) = rows
    assert len(np.unique(given, axis=0)) == len(given)


def test_points_with_other_methods_and_margins_are_kept_apart():
    values = {**GRID[1], "margin": 0.1}
    points = [PAIRED.point({**values, "margin": margin}) for margin in (0.05, 0.1)] + [PAIRED.point(values)]
    margin, plain = PAIRED.method("noninferiority_tango"), PAIRED.method("mcnemar_exact")
    methods = [[margin], [margin], [margin, plain]]
    found = dict(exact_grid(points, methods, Evaluator(make_options())))
    assert list(found[2]) == ["noninferiority_tango", "mcnemar_exact"]
    for index, point in enumerate(points):
        assert bits(found[index]) == bits(exact_cells(point, methods[index], Evaluator(make_options())))


def test_measures_at_other_values_are_taken_there():
    scenario = Families()
    points = [
        scenario.point({"n_critical": 6, "n_other": 8, "runs": 1, "loss": loss, "flip_noise": 0.02, "margin": 0.6})
        for loss in (0.0, 0.2, 0.4)
    ]
    methods = [scenario.method("gate")]
    found = dict(exact_grid(points, [methods] * 3, Evaluator(make_options())))
    passes = [found[index]["gate"].by_level[0] for index in range(3)]
    assert passes[0]["pass_same"] == passes[1]["pass_same"] == passes[2]["pass_same"] == passes[0]["pass_worse"]
    assert passes[2]["pass_worse"] < passes[1]["pass_worse"] < passes[0]["pass_worse"]
