"""From text and numbers to design points."""

import numpy as np
import pytest

import simstudy
from simstudy.engines.addresses import canonical
from simstudy.errors import GridError, ParameterError, RefusedError, RequestError, UnknownNameError
from simstudy.pages.json_csv import flat_records
from simstudy.pages.page import to_table
from simstudy.scenarios import get_scenario
from simstudy.study.grid import make_grid
from simstudy.study.plan import make_study

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


CORNER = {"n_cases": 36, "accuracy_a": [0.7, 0.9], "difference": [0.02, 0.1], "method": "mcnemar_midp"}


@pytest.mark.parametrize("engine", ["exact", "counts", "full"])
def test_points_that_cannot_exist_are_blank_where_they_are_skipped(engine):
    asked = {**CORNER, "engine": engine, "replications": 200, "unusable": 0.1}
    found = simstudy.power_curve("paired", impossible="skip", **asked)
    assert found["status"].values.tolist() == [["computed", "computed"], ["computed", "impossible"]]
    whole = simstudy.power_curve("paired", **{**asked, "difference": 0.02})
    np.testing.assert_array_equal(found["power"].sel(difference=0.02), whole["power"])
    for name in ("power", "discordance", "n_usable", "coverage_mcse"):
        if name in found:
            assert np.isnan(found[name].sel(accuracy_a=0.9, difference=0.1)).all()
    assert found["engine"].values[1, 1, 0] == ""


def test_a_grid_with_a_point_that_cannot_exist_is_refused_unless_it_is_skipped():
    with pytest.raises(GridError, match=r"at accuracy_a 0.9, difference 0.1: .*; impossible=skip leaves such points"):
        simstudy.power_curve("paired", **CORNER)
    with pytest.raises(GridError, match="no other can either"):
        simstudy.power_curve("paired", impossible="skip", **{**CORNER, "difference": [0.4, 0.5]})
    with pytest.raises(RequestError, match="puts the accuracy of B at 1"):
        simstudy.power_curve("paired", impossible="skip", **{**CORNER, "accuracy_a": 0.9, "difference": 0.1})


def test_answers_of_points_that_cannot_exist_are_blank():
    asked = {"accuracy_a": [0.7, 0.9], "difference": [0.05, 0.2], "method": "mcnemar_midp"}
    found = simstudy.size("paired", impossible="skip", **asked)
    assert found["status"].values[..., 0].tolist() == [["found", "found"], ["found", "impossible"]]
    one = simstudy.size("paired", **{**asked, "accuracy_a": 0.9, "difference": 0.05})
    assert found["answer"].values[1, 0, 0] == one["answer"].item()
    with pytest.raises(GridError, match="impossible=skip"):
        simstudy.size("paired", **asked)
    table = to_table(found)
    assert "1 of 4 design points cannot exist and were skipped, the first at accuracy_a 0.9," in table
    assert to_table(simstudy.size("paired", **{**asked, "accuracy_a": 0.7})).count("impossible") == 0


def test_skipped_points_survive_a_file(tmp_path):
    found = simstudy.power_curve("paired", impossible="skip", **CORNER)
    simstudy.save(found, tmp_path / "r.nc")
    kept = simstudy.load(tmp_path / "r.nc")
    assert to_table(kept) == to_table(found)
    records = [r for r in flat_records(kept) if r["status"] == "impossible"]
    assert [(r["accuracy_a"], r["difference"], r["power"]) for r in records] == [(0.9, 0.1, None)]


def test_what_means_nothing_at_some_points_is_a_remark():
    asked = {"n_pairs": 30, "beta": 0.5, "ability": 1.0}
    swept = make_study("position", {**asked, "tied": [0, 0.5, 1]})
    assert swept.remarks == (
        "At 1 of 3 design points: ability means nothing at tied 1, where no pair has a better answer: leave it out, or "
        "give a smaller tied.",
    )
    with pytest.raises(RefusedError, match="ability means nothing at tied 1"):
        make_study("position", {**asked, "tied": 1})


def test_what_no_method_reads_is_a_remark_beside_several_or_in_a_sweep():
    one = {"n_cases": 36, "accuracy_a": 0.7, "difference": 0.1, "margin": 0.1}
    remark = "margin is read by noninferiority_tango, noninferiority_wald, equivalence_tango, equivalence_wald alone"
    assert make_study("paired", one, method=["tango", "newcombe"]).remarks == (
        f"{remark}, so it changes nothing here.",
    )
    assert make_study("paired", {**one, "n_cases": [36, 50]}, method="tango").remarks[0].startswith(remark)
    assert make_study("paired", one, method=["tango", "noninferiority_tango"]).remarks == ()
    with pytest.raises(RefusedError, match="leave margin out"):
        make_study("paired", one, method="tango")
    with pytest.raises(RefusedError, match="leave margin out"):
        make_study("paired", {**one, "margin": [0.1, 0.2]}, method=["tango", "newcombe"])
