"""What a plot shows."""

from __future__ import annotations

import numpy as np
import pytest

import simstudy
from simstudy.errors import RefusedError, UnknownNameError
from simstudy.pages.chart import LINES, chart_of
from simstudy.study.plan import ask
from simstudy.study.power_curve import power_of
from tests.small.correlations import Correlations
from tests.unit.pages import factory


def test_power_against_the_effect_with_sizes_across_and_others_down() -> None:
    chart = chart_of(factory.power())
    assert chart.x.label == "accuracy of B minus accuracy of A (proportion)"
    assert not chart.x.log
    assert (chart.rows, chart.columns, len(chart.panels)) == (3, 4, 12)
    assert chart.panels[5].column_name == "n_cases = 100"
    assert chart.panels[5].row_name == "difficulty_sd = 1.5"
    assert [line.method for line in chart.panels[0].lines] == list(factory.METHODS)
    assert chart.y_is_rate


def test_every_panel_shows_the_values_of_its_point() -> None:
    dataset = factory.power()
    for panel in chart_of(dataset).panels:
        place = dict(part.split(" = ") for part in (panel.column_name, panel.row_name))
        here = dataset["power"].sel({name: float(value) for name, value in place.items()})
        for line in panel.lines:
            np.testing.assert_array_equal(line.y, here.sel({"method": line.method}))


def test_without_an_effect_power_against_the_size_on_a_logarithmic_axis() -> None:
    chart = chart_of(factory.power({"n_cases": (36, 100, 400), "difficulty_sd": (0.0, 1.5)}))
    assert chart.x.label == "cases that both systems answer"
    assert chart.x.log
    assert (chart.rows, chart.columns) == (1, 2)


def test_simulated_lines_have_wilson_limits_and_exact_ones_none() -> None:
    exact, _, drawn = chart_of(factory.power()).panels[0].lines
    assert (exact.low == exact.high).all()
    assert (drawn.low < drawn.y).all()
    assert (drawn.y < drawn.high).all()


def test_references_are_the_target_and_the_level() -> None:
    assert chart_of(factory.power()).references == ((0.8, "power .80"), (0.05, "α .05"))
    swept = factory.power({"alpha": (0.01, 0.05), "difference": (0.1, 0.2)}, fixed={"n_cases": 100})
    assert chart_of(swept).references == ((0.8, "power .80"),)


def test_coverage_against_the_accuracy_with_the_nominal_level() -> None:
    chart = chart_of(factory.coverage())
    assert chart.x.label == "accuracy (proportion)"
    assert chart.references == ((0.95, "nominal .95"),)
    assert chart.panels[0].column_name == "n_cases = 10"


def test_coverage_against_the_size_where_only_that_is_swept() -> None:
    chart = chart_of(factory.coverage({"n_cases": (10, 100), "accuracy": (0.7,)}))
    assert chart.x.label.startswith("cases")


def test_smallest_effects_on_two_logarithmic_axes_with_what_has_no_answer() -> None:
    chart = chart_of(factory.mde())
    assert (chart.x.log, chart.y.log) == (True, True)
    assert chart.y.label == "smallest effect with the target power, interpolated"
    exact, _, drawn = chart.panels[2].lines
    assert exact.unreachable.tolist() == [5]
    assert drawn.outside.tolist() == [5]
    assert any(note.startswith("×: unreachable") for note in chart.notes)
    assert any(note.startswith("△: no answer") for note in chart.notes)


def test_negative_smallest_effects_are_shown_as_sizes() -> None:
    dataset = factory.mde()
    for name in ("answer", "low", "high"):
        dataset[name] = -dataset[name]
    chart = chart_of(dataset)
    line = chart.panels[0].lines[2]
    assert chart.y.label.startswith("size of the smallest effect")
    assert (line.y[1:] > 0).all()
    assert (line.low <= line.high)[1:].all()


def test_sizes_against_the_effect() -> None:
    chart = chart_of(factory.size())
    assert chart.x.label.startswith("accuracy of B minus")
    assert not chart.x.log  # an effect of 0 has no logarithm
    assert chart.y.log
    assert chart_of(factory.size().isel(difference=slice(1, None))).x.log


def test_many_values_of_one_parameter_are_folded() -> None:
    chart = chart_of(factory.power({"difficulty_sd": tuple(map(float, range(6))), "difference": (0.0, 0.1)}))
    assert (chart.rows, chart.columns) == (2, 3)
    assert [(panel.row, panel.column) for panel in chart.panels][3] == (1, 0)


def test_the_question_is_title_and_subtitle() -> None:
    chart = chart_of(factory.power().assign_attrs(title="two; systems", details="n_cases 36; alpha 0.05"))
    assert (chart.title, chart.subtitle) == ("Power: two; systems (made_up)", "n_cases 36; alpha 0.05.")


@pytest.mark.parametrize(
    ("dataset", "words"),
    [
        (factory.power({"difference": (0.1,)}), "no numeric parameter takes more than one value"),
        (factory.power(methods=tuple("abcdefghi")), "up to 8 methods; this result has 9"),
        (
            factory.power({"a": (1, 2), "b": (1, 2), "n_cases": (36, 100), "difference": (0.0, 0.1)}),
            "this result has 3: n_cases, a, b",
        ),
        (
            factory.power({"difficulty_sd": tuple(map(float, range(7))), "n_cases": (1, 9), "difference": (0, 1)}),
            "6 across and 6 down; n_cases and difficulty_sd would need 14",
        ),
        (
            factory.power({"difficulty_sd": tuple(map(float, range(25))), "difference": (0, 1)}),
            "would need 25",
        ),
        (factory.power().drop_vars("power"), "neither power nor coverage"),
    ],
)
def test_what_cannot_be_told_apart_is_refused_with_words(dataset, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        chart_of(dataset)


def test_lines_of_methods_without_the_variable_are_left_out() -> None:
    dataset = factory.coverage()
    dataset["coverage"].attrs["applies_to"] = "wilson, wald"
    assert [line.method for line in chart_of(dataset).panels[0].lines] == ["wald", "wilson"]


def test_limits_come_from_the_error_where_no_limits_are_stored() -> None:
    dataset = factory.coverage()
    dataset["coverage_mcse"] = dataset["coverage"] * 0 + 0.01
    line = chart_of(dataset).panels[0].lines[0]
    np.testing.assert_allclose(line.high - line.y, 0.0196, rtol=1e-4)  # 1.96 errors


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


def test_a_claim_has_half_the_level_and_a_rule_its_outcome() -> None:
    claim = simstudy.power_curve("agreement", n_labels=36, prevalence=0.7, kappa=[0.6, 0.8], method="kappa_wald")
    assert chart_of(claim).references[1] == (0.025, "α/2 .025")
    rule = simstudy.power_curve("win_rate", n_pairs=30, strength=[0, 0.5], method="averaged")
    chart = chart_of(rule)
    assert chart.y.label == "probability of 'adopt B'"
    assert chart.references == ((0.8, "power .80"),) if chart.y_is_rate else ()


def test_an_answer_read_off_a_grid_is_drawn() -> None:
    grid = simstudy.power_curve(
        "paired", n_cases=[60, 100], accuracy_a=0.7, difference=[0, 0.1, 0.2, 0.28], method="tango"
    )
    chart = chart_of(simstudy.mde_from(grid))
    assert chart.x.label == "cases that both systems answer"
    assert len(chart.panels) == 1


def test_a_number_without_a_unit_has_none_on_its_axis() -> None:
    study = ask(Correlations(), "power", {"n_items": 20, "delta_rho": 0.1, "rho_a": [0.3, 0.6], "replications": 20})
    assert chart_of(power_of(study), study=study).x.label == "correlation of judge A with people"
