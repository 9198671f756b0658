"""Cells: methods by what they read, and measures that are taken at another point."""

from __future__ import annotations

import pytest

from simstudy.scenarios import built_in, get_scenario
from simstudy.study.found_at_points import Cell, by_reading, elsewhere, take_over
from tests.small.families import Families
from tests.small.weeks import Weeks

OWN = [Families(), Weeks()]
SCENARIOS = [get_scenario(name) for name in built_in()]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=built_in())
def test_every_method_stands_once_with_those_that_read_the_same(scenario):
    point = scenario.point(scenario.example)
    grouped = by_reading(point, scenario.methods)
    assert sorted(m.name for group in grouped.values() for m in group) == sorted(m.name for m in scenario.methods)
    assert all(point.reading(method) == names for names, group in grouped.items() for method in group)


def test_measures_of_another_point_come_from_there():
    """The lesson of weeks at no decline, say: the variables named at a point replace those of the point itself."""
    for scenario in OWN:
        point = scenario.point(scenario.example)
        found = {name: dict(there.values) for there, names in elsewhere(point) for name in names}
        wanted = {v: {**point.values, **m.at} for m in scenario.measures if m.at for v in m.variables}
        assert found == wanted
    assert any(measure.at for scenario in OWN for measure in scenario.measures)


def test_only_what_was_found_elsewhere_is_taken_over():
    cells = {"a": Cell("exact", 0, [{"power": 0.5, "bias": 0.1}, {"power": 0.4}])}
    others = {"a": Cell("exact", 0, [{"power": 0.9, "bias": 0.2}, {"power": 0.8}])}
    take_over(cells, others, ["bias", "width"])
    assert cells["a"].by_level == [{"power": 0.5, "bias": 0.2}, {"power": 0.4}]
