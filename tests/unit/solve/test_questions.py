"""Questions as functions: what they take, refuse and answer."""

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.solve.questions import answer
from simstudy.study.plan import ask

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
