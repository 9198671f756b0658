"""One pass over the units serves many sizes, with the bits of a pass for each."""

import numpy as np
import pytest

import simstudy
from simstudy.engines import growing
from simstudy.engines.growing import KeptRows, families, growing_blocks
from simstudy.engines.simulate import full_rows, histograms
from simstudy.options import make_options
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.study.simulated_points import Job, _series

SCENARIOS = [get_scenario(name) for name in scenario_names()]
GROWING = [scenario for scenario in SCENARIOS if scenario.kernel.unit_arguments]
OPTIONS = make_options(seed=3)
# neighbours, and sizes on both sides of what shares a call of Philox or a field of packed counts
BEYOND = (0, 1, 2, 3, 7, 8, 21, 60)


def points_of(scenario, beyond=BEYOND):
    size = scenario.size.name
    return [scenario.point({**scenario.example, size: scenario.example[size] + more}) for more in beyond]


@pytest.mark.parametrize("scenario", GROWING, ids=lambda scenario: scenario.name)
def test_sizes_in_one_pass_are_each_in_its_own_to_the_bit(scenario):
    points = points_of(scenario)
    reading = [tuple(scenario.kernel.columns)]
    together = growing_blocks(points, [reading] * len(points), OPTIONS, 5, 70)
    for point, (found,) in zip(points, together, strict=True):
        (alone,) = histograms(point, reading, full_rows(point, reading, OPTIONS, 5, 70))
        assert (found.rows == alone.rows).all()
        assert (found.counts == alone.counts).all()


def test_which_scenarios_grow():
    assert {scenario.name for scenario in SCENARIOS} - {scenario.name for scenario in GROWING} == {
        "clustered",
        "verbosity",
    }


def test_families_differ_in_their_size_alone():
    paired = get_scenario("paired")
    values = {"accuracy_a": 0.6, "difference": 0.1, "difficulty_sd": 1.0}
    points = [
        paired.point({**values, "n_cases": 30}),
        paired.point({**values, "n_cases": 10}),
        paired.point({**values, "n_cases": 20, "difference": 0.2}),
    ]
    assert families(points, OPTIONS) == [[1, 0], [2]]
    assert families(points, make_options(common_random_numbers=False)) == [[0], [1], [2]]
    clustered = get_scenario("clustered")
    assert families(points_of(clustered, (0, 1)), OPTIONS) == [[0], [1]]


def test_labels_that_follow_the_size_make_other_families():
    judged = get_scenario("judged")
    values = {**judged.example, "n_labels": 5}
    points = [judged.point({**values, "n_cases": n, "n_labels": labels}) for n, labels in ((10, 5), (20, 5), (30, 6))]
    assert families(points, OPTIONS) == [[0, 1], [2]]


@pytest.mark.parametrize("asked", [{"replications": 1500}, {"mcse": 0.03}])
def test_a_curve_is_its_points(asked):
    setting = {"accuracy_a": 0.7, "difference": 0.1, "engine": "full", **asked}
    curve = simstudy.power_curve("paired", n_cases=[40, 10, 25], **setting)
    for n in (40, 10, 25):
        alone = simstudy.power_curve("paired", n_cases=n, **setting)
        for name, variable in alone.data_vars.items():
            assert np.array_equal(curve[name].sel(n_cases=n).values, variable.values, equal_nan=name != "engine"), name


def test_a_curve_takes_one_pass():
    points = points_of(get_scenario("paired"))
    jobs = [Job(i, point, "full", [], [("n10",)]) for i, point in enumerate(points)]
    counts = Job(9, points[0], "counts", [], [("n10",)])
    assert [len(series) for series in _series([*jobs, counts], OPTIONS)] == [1, len(points)]


@pytest.mark.parametrize("name", ["paired", "independent", "verbosity"])
def test_kept_rows_are_those_of_a_pass(name):
    scenario = get_scenario(name)
    options = make_options(replications=90, seed=3, threads=2)
    readings, kept = [tuple(scenario.kernel.columns)], KeptRows(options)
    for point in points_of(scenario, (8, 3, 20, 3, 9)):
        rows = kept.of(point, readings)
        assert (rows == full_rows(point, readings, options, 0, 90)).all()


def test_larger_sizes_begin_with_what_is_kept(monkeypatch):
    passes = []
    monkeypatch.setattr(growing, "full_rows", lambda point, *rest: passes.append(point) or full_rows(point, *rest))
    kept = KeptRows(make_options(replications=50))
    for point in points_of(get_scenario("paired"), (5, 9, 30, 9, 2)):
        kept.of(point, [("n10",)])
    # the smallest size of the first, and one that is smaller still
    assert len(passes) == 2


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(growing, "KEPT", 2 * 3 * 50)
    kept = KeptRows(make_options(replications=50))
    points = points_of(get_scenario("paired"), range(5))
    for point in points:
        kept.of(point, [("n10",)])
    assert sum(rows.size for rows in kept._kept.values()) <= growing.KEPT
    assert KeptRows(make_options(replications=51)).of(points[0], [("n10",)]) is None


def test_a_simulated_size_is_the_same_whatever_is_kept(monkeypatch):
    asked = {"accuracy_a": 0.7, "difference": 0.15, "engine": "full", "replications": 400, "method": "mcnemar_midp"}
    found = simstudy.size("paired", **asked)
    monkeypatch.setattr(growing, "KEPT", 0)
    again = simstudy.size("paired", **asked)
    assert found.drop_attrs().identical(again.drop_attrs())
