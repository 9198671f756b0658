"""From text and numbers to design points."""

import numpy as np
import pytest

from simstudy.engines.addresses import canonical
from simstudy.errors import GridError, ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.study.grid import make_grid

PAIRED = get_scenario("paired")


def grid(question="power", engine="auto", solved=None, **parameters):
    return make_grid(PAIRED, parameters, question, engine, solved)


def test_swept_and_fixed_parameters_keep_the_order_of_the_scenario():
    made = grid(difference=[0.1, 0.2], n_cases="36,100", accuracy_a=0.7)
    assert list(made.swept) == ["n_cases", "difference"]
    assert made.fixed == {"accuracy_a": 0.7, "difficulty_sd": 1.5}
    assert made.defaults == ("difficulty_sd",)
    assert made.shape == (2, 2)
    assert [point.values["n_cases"] for point in made.points()] == [36, 36, 100, 100]


@pytest.mark.parametrize("value", [[0.1, 0.2], (0.1, 0.2), np.array([0.1, 0.2]), "0.1,0.2", "0.1:0.2:0.1"])
def test_lists_in_every_form(value):
    assert grid(n_cases=36, accuracy_a=0.5, difference=value).swept == {"difference": (0.1, 0.2)}


@pytest.mark.parametrize("value", [36, 36.0, np.int64(36), np.float64(36), "36", np.array(36)])
def test_a_whole_number_in_every_form(value):
    n = grid(n_cases=value, accuracy_a=0.5, difference=0.1).fixed["n_cases"]
    assert n == 36
    assert isinstance(n, int)


BAD = [
    ({"n_case": 36}, UnknownNameError, "Did you mean n_cases"),
    ({"accuracy_a": 0.5, "difference": 0.1}, ParameterError, "n_cases"),
    ({"n_cases": 36}, ParameterError, "or say logit_a and logit_b"),
    ({"n_cases": 36, "logit_a": 1}, ParameterError, "logit_b"),
    ({"n_cases": 36, "accuracy_a": 0.7, "logit_b": 1}, RefusedError, "accuracy_a and logit_b cannot be given"),
    (
        {"n_cases": 36, "accuracy_a": 0.7, "difference": 0, "difficulty_sd": 1, "discordance": 0.1},
        RefusedError,
        "difficulty_sd or discordance",
    ),
    ({"n_cases": 36, "logit_a": 1, "logit_b": 1, "discordance": 0.1}, RefusedError, "logit_a and discordance"),
    ({"n_cases": 0, "accuracy_a": 0.7, "difference": 0}, ParameterError, "whole number from 1"),
    ({"n_cases": 36.5, "accuracy_a": 0.7, "difference": 0}, ParameterError, "whole number"),
    ({"n_cases": 10**400, "accuracy_a": 0.7, "difference": 0}, ParameterError, "whole number"),
    ({"n_cases": float("nan"), "accuracy_a": 0.7, "difference": 0}, ParameterError, "whole number"),
    ({"n_cases": True, "accuracy_a": 0.7, "difference": 0}, ParameterError, "whole number"),
    ({"n_cases": [], "accuracy_a": 0.7, "difference": 0}, ParameterError, "empty list"),
    ({"n_cases": [36, 36], "accuracy_a": 0.7, "difference": 0}, ParameterError, "more than once"),
    ({"n_cases": 36, "accuracy_a": 1, "difference": 0}, ParameterError, r"in \(0, 1\)"),
    ({"n_cases": 36, "accuracy_a": object(), "difference": 0}, ParameterError, r"in \(0, 1\)"),
    ({"n_cases": 36, "accuracy_a": {0.5}, "difference": 0}, ParameterError, r"in \(0, 1\)"),
]


@pytest.mark.parametrize(("parameters", "error", "words"), BAD, ids=range(len(BAD)))
def test_wrong_requests_are_worded(parameters, error, words):
    with pytest.raises(error, match=words):
        grid(**parameters)


@pytest.mark.parametrize("solved", ["n_cases", "difference"])
def test_what_is_solved_for_must_not_be_given(solved):
    with pytest.raises(RefusedError, match="solves for"):
        grid("mde", solved=solved, n_cases=36, accuracy_a=0.7, difference=0.1)


def test_mde_under_logits_is_refused():
    with pytest.raises(RefusedError, match="give accuracy_a instead"):
        grid("mde", solved="difference", n_cases=36, logit_a=1, logit_b=2)


def test_a_grid_with_an_impossible_corner_is_refused_whole_naming_the_first():
    made = grid(n_cases=36, accuracy_a=[0.7, 0.9], difference=[0.05, 0.2])
    with pytest.raises(GridError, match=r"accuracy_a 0\.9, difference 0\.2: .*\(-0\.9, 0\.1\)"):
        made.points()


def test_a_single_impossible_point_is_refused_with_the_range():
    with pytest.raises(ParameterError, match=r"must lie in \[0\.2, 0\.4\]"):
        grid(n_cases=36, accuracy_a=0.9, difference=-0.2, discordance=0.5).points()


def test_too_large_a_grid_is_refused():
    with pytest.raises(GridError, match="at most 200000"):
        grid(n_cases=list(range(1, 1001)), accuracy_a=0.5, difference=list(np.linspace(0, 0.4, 201)))


def test_the_canonical_text_does_not_depend_on_how_it_was_asked():
    one = grid(n_cases="36,100", accuracy_a=0.7, difference=0).points()[1]
    other = grid(difference=0.0, accuracy_a=[0.5, 0.7], n_cases=100.0, difficulty_sd=1.5).points()[1]
    assert canonical(one) == canonical(other)
    assert canonical(one) != canonical(grid(n_cases=101, accuracy_a=0.7, difference=0).points()[0])
