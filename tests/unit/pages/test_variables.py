"""Values as text, each with its error."""

from __future__ import annotations

import pytest

import simstudy
from simstudy.pages.page import to_table
from simstudy.pages.variables import METHOD, applicable, cells_of, on_design
from simstudy.scenarios import get_scenario
from simstudy.scenarios.declaration import Scenario
from simstudy.scenarios.measure import Measure
from simstudy.study.asked import study_of
from simstudy.study.plan import ask
from simstudy.study.power_curve import power_of
from tests.small.families import Families
from tests.small.nulls import Half, Own
from tests.small.protocols import Protocols
from tests.small.weeks import Weeks
from tests.unit.pages import factory

RULE = {"n_pairs": 30, "strength": 0.5, "method": "averaged,one_order"}


def test_methods_without_a_variable_are_left_out_of_its_grid() -> None:
    dataset = factory.power()
    dataset["type_m"].attrs["applies_to"] = "mcnemar_exact, mcnemar_midp"
    text = to_table(dataset, ["type_m"])
    assert "unpaired_z " not in text.split("exact:")[0]
    # asked for of the method without it, it is an empty cell
    assert "unpaired_z" in to_table(dataset.sel({"method": ["unpaired_z"]}), ["type_m"])


SMALL = {
    Families: {"n_other": 8, "loss": [0.0, 0.2]},
    Half: {"n": 10, "p": 0.7},
    Own: {"n": 10, "p": 0.7, "bar": 0.6},
    Protocols: {"n_pairs": 20, "strength": 0.5},
    Weeks: {"n_cases": 40, "accuracy": 0.8, "loss": 0.1},
}


@pytest.mark.parametrize("scenario", [*map(get_scenario, simstudy.scenario_names()), *(small() for small in SMALL)])
def test_methods_have_the_variables_that_were_computed_of_them(scenario: Scenario) -> None:
    """What the declarations say is what the evaluation leaves in the Dataset, of every method."""
    every = [method.name for method in scenario.methods]
    asked = SMALL.get(type(scenario)) or {**scenario.example, "engine": "full", "replications": 20}
    study = ask(scenario, "power", asked, method=every)
    found = power_of(study)
    costs = {cost for method in study.methods for cost in method.costs}
    for variable in found.data_vars.values():
        if METHOD in variable.dims and variable.name not in costs:
            applies = variable.attrs.get("applies_to", ", ".join(every)).split(", ")
            assert applicable(variable, study) == applies, variable.name


def test_a_cost_belongs_to_the_methods_that_name_it() -> None:
    scenario = Protocols()
    study = ask(scenario, "power", SMALL[Protocols])
    found = power_of(study)
    costs = {cost for method in study.methods for cost in method.costs}
    assert costs
    for cost in costs:
        assert applicable(found[cost], study) == [m.name for m in study.methods if cost in m.costs]


def test_what_was_left_out_is_that_of_exact_figures() -> None:
    asked = {"n_cases": 3000, "accuracy_a": 0.6, "difference": 0.05, "replications": 50}
    study = ask("paired", "power", asked, method="bootstrap_percentile,mcnemar_midp")
    assert applicable(power_of(study)["left_out"], study) == ["mcnemar_midp"]


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
