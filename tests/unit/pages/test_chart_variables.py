"""What is drawn where it is not power: measures by name, and several truths as lines of one picture."""

import numpy as np
import pytest

import simstudy
from simstudy.errors import UnknownNameError
from simstudy.pages.chart import LINES, chart_of

GRID = simstudy.power_curve("paired", n_cases=[20, 60], accuracy_a=0.7, difference=[0, 0.1, 0.2], method="mcnemar_midp")


def test_truths_without_methods_are_lines():
    chart = chart_of(GRID, ("accuracy_b", "discordance"))
    lines = {line.method: line for line in chart.panels[0].lines}
    assert list(lines) == ["accuracy_b", "discordance"]
    np.testing.assert_allclose(lines["accuracy_b"].y, [0.7, 0.8, 0.9])
    assert chart.y.label == "proportion"
    assert LINES not in GRID


def test_a_measure_by_name():
    chart = chart_of(GRID, ("bias",))
    assert chart.y.label.startswith("mean estimate minus true value")
    assert len(chart.panels) == 2


def test_wrong_rejections_are_drawn_against_the_size():
    chart = chart_of(GRID, ("power_wrong",))
    assert chart.x.values == (20, 60)
    assert len(chart.panels) == 3


def test_an_unknown_variable_is_named():
    with pytest.raises(UnknownNameError, match="Did you mean power_wrong"):
        chart_of(GRID, ("powerwrong",))
