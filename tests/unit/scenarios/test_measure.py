"""What is said of each measure, once."""

from __future__ import annotations

import pytest

from simstudy.scenarios.measure import BY_NAME, MEASURES, Measure


def test_names_are_given_once_and_conditions_exist():
    assert len(BY_NAME) == len(MEASURES)
    assert {measure.among for measure in MEASURES} <= {"", *BY_NAME}
    assert all(measure.words and measure.unit for measure in MEASURES)


def test_places_in_a_table_are_given_once():
    for places in (
        [m.behind_power for m in MEASURES if m.behind_power],
        [m.without_power for m in MEASURES if m.without_power],
    ):
        assert len(set(places)) == len(places)


def test_a_measure_is_a_target_where_it_is_better_in_one_direction():
    assert BY_NAME["power"].targets == {"power": 1}
    assert BY_NAME["type_m"].targets == {}
    # half of a width is asked for by another name
    assert BY_NAME["interval_width"].targets == {"width": 1.0, "half_width": 0.5}
    assert all(measure.better for measure in MEASURES if measure.targets)


@pytest.mark.parametrize(
    ("measure", "variables"),
    [
        (Measure("cost", "calls", "calls", error="none"), ["cost"]),
        (Measure("delay", "days", "days", error="mean"), ["delay", "delay_mcse"]),
        (Measure("adopt", "share", limits=True), ["adopt", "adopt_mcse", "adopt_low", "adopt_high"]),
    ],
)
def test_variables_of_a_dataset(measure, variables):
    assert list(measure.variables) == variables
    assert {unit for _, unit in measure.variables.values()} == {measure.unit}
