"""Scales, ticks and lines."""

from __future__ import annotations

import numpy as np

from simstudy.pages.plotting import figure_of
from tests.unit.pages import factory


def test_panels_share_limits_and_label_the_values_asked_for() -> None:
    axes = figure_of(factory.mde()).axes
    assert len({(*ax.get_xlim(), *ax.get_ylim()) for ax in axes}) == 1
    assert [label.get_text() for label in axes[0].get_xticklabels()] == ["5", "36", "100", "400", "1251"]


def test_of_many_sizes_the_ends_and_some_between_are_labelled() -> None:
    sizes = (20, 36, 60, 100, 150, 200, 300, 400, 700, 1251)
    (axes,) = figure_of(factory.power({"n_cases": sizes})).axes
    shown = [int(label.get_text()) for label in axes.get_xticklabels()]
    assert shown[0] == 20
    assert shown[-1] == 1251
    assert set(shown) < set(sizes)


def test_signs_for_what_has_no_answer_stand_above_the_scale() -> None:
    axes = figure_of(factory.mde()).axes[0]
    _, end = axes.spines["left"].get_bounds()
    assert end < axes.get_ylim()[1]
    assert max(axes.get_yticks()) <= end


def test_equal_values_have_limits_of_some_width() -> None:
    dataset = factory.mde()
    for name in ("answer", "low", "high"):
        dataset[name][:] = 0.1
    low, high = figure_of(dataset).axes[0].get_ylim()
    assert low < 0.1 < high


def test_nothing_found_is_drawn_all_the_same() -> None:
    dataset = factory.mde()
    for name in ("answer", "low", "high"):
        dataset[name][:] = np.nan
    dataset["status"][:] = "unreachable"
    assert len(figure_of(dataset).axes) == 3


def test_lines_differ_in_colour_dash_and_marker() -> None:
    methods = tuple("abcdefgh")
    lines = figure_of(factory.power(methods=methods)).axes[0].get_lines()
    looks = {(line.get_color(), line.get_marker()) for line in lines if line.get_label() in methods}
    assert len({colour for colour, _ in looks}) == len({marker for _, marker in looks}) == 8
