"""Values as text, each with its error."""

from __future__ import annotations

import pytest

import simstudy
from simstudy.pages.page import to_table
from simstudy.pages.variables import METHOD, applicable, cells_of, on_design
from simstudy.scenarios import get_scenario
from simstudy.scenarios.measure import Measure
from simstudy.study.asked import study_of
from tests.unit.pages import factory

RULE = {"n_pairs": 30, "strength": 0.5, "method": "averaged,one_order"}


def test_methods_without_a_variable_are_left_out_of_its_grid() -> None:
    dataset = factory.power()
    dataset["type_m"].attrs["applies_to"] = "mcnemar_exact, mcnemar_midp"
    text = to_table(dataset, ["type_m"])
    assert "unpaired_z " not in text.split("exact:")[0]
    # asked for of the method without it, it is an empty cell
    assert "unpaired_z" in to_table(dataset.sel({"method": ["unpaired_z"]}), ["type_m"])


@pytest.mark.parametrize("name", simstudy.scenario_names())
def test_methods_have_the_variables_that_were_computed_of_them(name: str) -> None:
    """What the declarations say is what the evaluation leaves in the Dataset, of every built-in method."""
    scenario = get_scenario(name)
    every = [method.name for method in scenario.methods]
    found = simstudy.power_curve(name, method=every, engine="full", replications=20, **scenario.example)
    study = study_of(found)
    for variable in found.data_vars.values():
        if METHOD in variable.dims:
            applies = variable.attrs.get("applies_to", ", ".join(every)).split(", ")
            assert applicable(variable, study) == applies, variable.name


def test_methods_without_a_variable_have_an_empty_cell_beside_others() -> None:
    dataset = factory.power({"difference": (0.1,)}, simulated=())
    dataset["type_m"].attrs["applies_to"] = "mcnemar_exact"
    rows = {line.split()[0]: line.split() for line in to_table(dataset).splitlines() if "mcnemar" in line}
    assert len(rows["mcnemar_exact"]) == len(rows["mcnemar_midp"]) + 1


def test_simulated_measures_of_the_scenario_have_errors_and_costs_none() -> None:
    found = simstudy.power_curve("win_rate", engine="counts", replications=400, **RULE)
    lines = to_table(found, ["win_rate", "judge_calls"]).splitlines()
    assert any(line.startswith("averaged") and "±" in line and line.endswith("60") for line in lines)


def test_exact_values_have_no_error_and_simulated_ones_do() -> None:
    dataset = factory.power({"difference": (0.1,)})
    cells = cells_of(dataset, "power", study_of(dataset))
    assert [str(cell).count("±") for cell in cells.values.ravel()] == [0, 0, 1]


def test_a_rate_given_a_condition_has_no_error_where_it_would_look_perfect(monkeypatch: pytest.MonkeyPatch) -> None:
    """In how many replications the condition held is not stored: an error of 0 at a rate of 1 would be none."""
    given = Measure("power", "power where something holds", given="something")
    monkeypatch.setattr("simstudy.pages.variables.known_measures", lambda study: {"power": given})
    dataset = factory.power({"n_cases": (36, 10_000)}, simulated=factory.METHODS)
    dataset["power"][1] = 1.0
    dataset["power_mcse"][1] = 0.0
    cells = cells_of(dataset, "power", study_of(dataset)).values
    assert ["±" in str(cell) for cell in cells[0]] == [True] * 3
    assert [str(cell) for cell in cells[1]] == ["~1.000"] * 3


def test_the_wrong_direction_is_counted_among_rejections() -> None:
    dataset = factory.power({"difference": (0.1,)}, simulated=factory.METHODS, replications=1000)
    del dataset["power_mcse"]
    dataset["type_s"][:] = 0.0
    trials = 1000 * float(dataset["power"][0, 0])
    limit = 1.959963984540054**2 / (trials + 1.959963984540054**2)
    assert str(cells_of(dataset, "type_s", study_of(dataset)).values[0, 0]) == f".000 ≤{limit:.3f}".replace("≤0", "≤")


def test_a_method_that_was_selected_is_a_dimension_again() -> None:
    dataset = factory.power()
    one = on_design(dataset.isel(method=0), study_of(dataset))
    assert one["power"].dims == (*dataset["power"].dims[:-1], "method")
