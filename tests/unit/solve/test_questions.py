"""Questions as functions: what they take, refuse and answer, and the Dataset of answers."""

import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.solve.questions import STEPS, answer
from simstudy.study.plan import ask
from tests.small.protocols import Protocols, calls

ASKED = {"accuracy_a": 0.7, "method": "mcnemar_midp"}


@pytest.mark.parametrize(
    ("question", "given"),
    [("power", {"n_cases": 30, "difference": 0.1}), ("mde", {"n_cases": 30}), ("size", {"difference": 0.25})],
)
def test_a_study_is_answered_as_the_function_answers(question, given):
    function = {"power": simstudy.power_curve, "mde": simstudy.mde, "size": simstudy.size}[question]
    by_study = answer(ask("paired", question, {**given, "accuracy_a": 0.7}, method="mcnemar_midp"))
    by_call = function("paired", **given, **ASKED)
    assert by_study.identical(by_call.assign_attrs(created=by_study.attrs["created"]))


def test_progress_reaches_every_question():
    for function, given in (
        (simstudy.power_curve, {"n_cases": 30, "difference": 0.1}),
        (simstudy.mde, {"n_cases": 30}),
        (simstudy.size, {"difference": 0.25}),
    ):
        told = []
        function("paired", progress=lambda *state, told=told: told.append(state), **given, **ASKED)
        done, total, _ = told[-1]
        assert done == total == 1


def test_a_better_system_needs_fewer_cases_the_larger_its_lead():
    sizes = simstudy.size("paired", difference=[0.05, 0.1, 0.2], **ASKED)["answer"].values[:, 0]
    assert (np.diff(sizes) < 0).all()
    effects = simstudy.mde("paired", n_cases=[50, 100, 400], **ASKED)["answer"].values[:, 0]
    assert (np.diff(effects) < 0).all()


def test_a_size_and_an_effect_ask_the_same_of_each_other():
    """With the size that an effect needs, that effect is just detectable."""
    n = int(simstudy.size("paired", difference=0.2, **ASKED)["answer"].item())
    assert simstudy.mde("paired", n_cases=n, **ASKED)["answer"].item() <= 0.2
    assert simstudy.mde("paired", n_cases=n - 1, **ASKED)["answer"].item() > 0.2


@pytest.mark.parametrize("largest", [0, 1.5, True])
def test_a_bad_largest_size_is_refused(largest):
    with pytest.raises(ParameterError, match="largest is"):
        simstudy.size("paired", accuracy_a=0.7, difference=0.05, largest=largest)


def test_a_swept_question_is_its_points():
    swept = simstudy.size("paired", accuracy_a=[0.5, 0.7], difference=[0.1, 0.2], method="mcnemar_midp")
    assert swept["answer"].dims == ("accuracy_a", "difference", "method")
    for a in (0.5, 0.7):
        alone = simstudy.size("paired", accuracy_a=a, difference=0.2, method="mcnemar_midp")
        assert swept["answer"].sel(accuracy_a=a, difference=0.2).item() == alone["answer"].item()


REFUSED = [
    (simstudy.mde, "proportion", {"n_cases": 30, "accuracy": 0.5}, RefusedError, "no parameter that is an effect"),
    (simstudy.mde, "paired", {"n_cases": 30, "logit_a": 0, "logit_b": 1}, RefusedError, "logits"),
    (simstudy.mde, "paired", {"n_cases": 30, "accuracy_a": 0.5, "difference": 0.1}, RefusedError, "solves for"),
    (simstudy.mde, "paired", {"n_cases": 30, "accuracy_a": 0.5, "sign": "plus"}, UnknownNameError, "sign"),
    (simstudy.mde, "paired", {"n_cases": 30, "accuracy_a": 0.5, "target": "width=0.1"}, RefusedError, "no width"),
    (
        simstudy.mde,
        "paired",
        {"n_cases": 30, "accuracy_a": 0.5, "target": "half_width=0.1", "method": "tango"},
        RefusedError,
        "question about size",
    ),
    (simstudy.size, "paired", {"n_cases": 30, "accuracy_a": 0.5, "difference": 0.1}, RefusedError, "solves for"),
    (simstudy.size, "proportion", {"accuracy": 0.5}, ParameterError, "needs a target"),
    (simstudy.size, "proportion", {"accuracy": 0.5, "target": "power=0.8"}, RefusedError, "decides nothing"),
    (simstudy.size, "paired", {"accuracy_a": 0.5, "difference": 0.1, "methods": "tango"}, UnknownNameError, "methods"),
    (
        simstudy.size,
        "paired",
        {"accuracy_a": 0.5, "difference": 0.1, "method": "noninferiority_tango"},
        RefusedError,
        "needs --margin",
    ),
]


@pytest.mark.parametrize(("ask", "scenario", "given", "error", "words"), REFUSED, ids=range(len(REFUSED)))
def test_questions_that_mean_nothing_are_refused(ask, scenario, given, error, words):
    with pytest.raises(error, match=words):
        ask(scenario, **given)


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
