"""The Dataset of answers: dimensions, words, curves around answers, and what the sizes cost."""

import math

import numpy as np
import pytest

import simstudy
from simstudy.scenarios import get_scenario
from simstudy.solve.answers import STEPS
from tests.small.protocols import Protocols, calls


def test_dimensions_are_swept_parameters_level_sign_and_method():
    found = simstudy.mde(
        "paired", n_cases=[30, 60], accuracy_a=[0.7, 0.8], alpha=[0.05, 0.01], sign="both", method="mcnemar_midp,tango"
    )
    assert found["answer"].dims == ("n_cases", "accuracy_a", "alpha", "sign", "method")
    assert found["sign"].values.tolist() == ["positive", "negative"]
    alone = simstudy.mde("paired", n_cases=60, accuracy_a=0.8, alpha=0.01, sign="negative", method="tango")
    assert alone["answer"].dims == ("method",)
    place = {"n_cases": 60, "accuracy_a": 0.8, "alpha": 0.01, "sign": "negative", "method": "tango"}
    assert found["answer"].sel(place).item() == alone["answer"].item()


def test_answers_are_described():
    for found, name in (
        (simstudy.mde("paired", n_cases=50, accuracy_a=0.7), "mde"),
        (simstudy.size("paired", difference=0.2, accuracy_a=0.7, curve=True), "n_cases"),
    ):
        assert found.attrs["solved_for"] == name
        assert found.attrs["target"] == "power=0.8"
        for variable in (*found.data_vars, *found.coords):
            assert found[variable].attrs["long_name"], variable
            assert found[variable].attrs["units"], variable


def test_effects_and_sizes_have_fields_of_their_own():
    effect = simstudy.mde("paired", n_cases=50, accuracy_a=0.7, method="mcnemar_midp")
    size = simstudy.size("paired", difference=0.2, accuracy_a=0.7, method="mcnemar_midp")
    assert "lost_again" in effect
    assert not {"first", "checked_from", "checked_to"} & set(effect)
    assert "lost_again" not in size
    assert size["checked_from"].item() <= size["first"].item() <= size["answer"].item() <= size["checked_to"].item()
    assert effect.attrs["question"].startswith("Smallest detectable effect for power=0.8: two systems")
    assert size.attrs["question"].startswith("Smallest n_cases for power=0.8: two systems")
    # in the unit of what is solved for
    assert (effect["answer"].attrs["units"], size["answer"].attrs["units"]) == ("proportion", "cases")


@pytest.mark.parametrize("unusable", [0.0, 0.6])
@pytest.mark.parametrize("method", ["mcnemar_midp", "paired_z"])
def test_the_curve_is_the_power_at_each_size(unusable, method):
    effect = {"accuracy_a": 0.5, "difference": 0.49, "discordance": 0.5, "method": method, "unusable": unusable}
    found = simstudy.size("paired", curve=True, **effect)
    sizes = found["curve_size"].values[0]
    assert len(sizes) == 2 * STEPS + 1
    assert (np.diff(sizes) == 1).all()
    assert sizes[0] <= found["answer"].item() <= sizes[-1]
    power = simstudy.power_curve("paired", n_cases=sizes, engine="exact", **effect)["power"].values[:, 0]
    assert found["curve_value"].values[0] == pytest.approx(power, abs=1e-10)


def test_there_is_no_curve_around_no_answer():
    found = simstudy.size("paired", accuracy_a=0.7, difference=[0.0, 0.25], method="mcnemar_midp", curve=True)
    assert np.isnan(found["curve_value"].values[0]).all()
    assert np.isfinite(found["curve_value"].values[1]).all()


def test_methods_pay_their_own_calls_at_the_size_that_each_needs():
    asked = {"strength": [0.0, 0.4], "beta": 0.5, "alpha": [0.05, 0.01]}
    found = simstudy.size(Protocols(), **asked)
    costs, sizes = found["judge_calls"], found["answer"]
    assert costs.dims == sizes.dims == ("strength", "alpha", "method")
    assert costs.attrs["units"] == "calls"
    for strength in asked["strength"]:
        for alpha in asked["alpha"]:
            for method in sizes["method"].values:
                place = {"strength": strength, "alpha": alpha, "method": method}
                n = sizes.sel(place).item()
                values = {"n_pairs": n, "strength": strength, "beta": 0.5, "tie_band": 0.5}
                expected = math.nan if math.isnan(n) else calls(method, values)
                assert costs.sel(place).item() == pytest.approx(expected, nan_ok=True), place
    # at no effect there is no size, and so no cost
    assert np.isnan(costs.sel(strength=0.0)).all()
    assert np.isfinite(costs.sel(strength=0.4)).all()


def test_costs_that_methods_share_are_no_answer():
    assert not any(method.costs for method in get_scenario("paired").methods)
    assert "judge_calls" not in simstudy.size("paired", accuracy_a=0.7, difference=0.25, method="mcnemar_midp")
