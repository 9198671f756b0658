"""The minimum detectable effect read off a grid."""

import numpy as np
import pytest
from scipy import stats

import simstudy
from simstudy.errors import RefusedError, UnknownNameError
from simstudy.solve.search import NOT_REACHED, NULL_REACHES

PARAMETERS = {"n_cases": [50, 100], "accuracy_a": 0.7, "difficulty_sd": 1.5, "method": "mcnemar_midp,tango"}


@pytest.fixture(scope="module")
def exact():
    return simstudy.power_curve("paired", difference="-0.4:0.28:0.02", engine="exact", **PARAMETERS)


@pytest.mark.parametrize("sign", ["positive", "negative"])
def test_interpolation_is_close_to_the_solution(exact, sign):
    read = simstudy.mde_from(exact, sign=sign)
    solved = simstudy.mde("paired", sign=sign, **PARAMETERS)
    # probit(power) bends little over a step of .02
    assert read["answer"].values == pytest.approx(solved["answer"].values, abs=5e-4)
    assert (read["status"] == "found").all()
    assert (read["low"] == read["high"]).all()
    assert read.attrs["solved_for"] == "mde"
    assert read["answer"].dims == ("n_cases", "method")


def test_limits_come_from_the_wilson_limits_of_power():
    simulated = simstudy.power_curve(
        "paired", difference="-0.4:0.28:0.04", engine="counts", replications=1000, **PARAMETERS
    )
    for sign in ("positive", "negative"):
        read = simstudy.mde_from(simulated, 0.5, sign)
        assert (read["low"] < read["answer"]).all()
        assert (read["answer"] < read["high"]).all()


@pytest.mark.parametrize("sign", ["positive", "negative"])
def test_a_rate_without_limits_of_its_own_is_moved_by_its_errors(sign):
    """Where power_right, and power_right ± 1.96 errors, cross ½: by straight lines on the probit scale."""
    asked = {**PARAMETERS, "n_cases": 60, "method": "mcnemar_midp", "engine": "counts", "replications": 1000}
    side = 1.0 if sign == "positive" else -1.0
    distances = np.linspace(0.04, 0.24, 6)
    grid = simstudy.power_curve("paired", difference=sorted(side * distances), **asked)
    outward = grid.isel(method=0).sortby("difference", ascending=side > 0)
    rate, error = outward["power_right"].values, outward["power_right_mcse"].values
    best, answer, worst = (
        side * np.interp(0.0, stats.norm.ppf(rate + k * error), distances) for k in (1.959964, 0.0, -1.959964)
    )
    read = simstudy.mde_from(grid, "power_right=0.5", sign)
    assert read["answer"].item() == pytest.approx(answer, abs=1e-9)
    assert [read["low"].item(), read["high"].item()] == pytest.approx(sorted([best, worst]), abs=1e-6)


def test_no_crossing_inside_the_grid_is_outside_the_range(exact):
    read = simstudy.mde_from(exact.sel(difference=slice(-0.02, 0.08)))
    assert (read["status"] == "outside the range").all()
    assert np.isnan(read["answer"]).all()
    assert (read["reason"] == NOT_REACHED).all()
    above = exact.sel(difference=slice(0.24, 0.28))
    read = simstudy.mde_from(above)
    assert (read["status"] == "outside the range").all()
    # a target that the least effect of the grid meets exactly is reached there, and nothing tells from where
    first = above.isel(n_cases=[0], method=[0])
    met = simstudy.mde_from(first, float(first["power"].values.min()))
    assert met["reason"].item() == NULL_REACHES


def test_every_variable_says_what_it_is(exact):
    read = simstudy.mde_from(exact)
    for name in (*read.data_vars, *read.coords):
        assert read[name].attrs["long_name"], name
        assert read[name].attrs["units"], name


def test_refusals(exact):
    with pytest.raises(RefusedError, match="give a list of effects"):
        simstudy.mde_from(simstudy.power_curve("paired", n_cases=20, accuracy_a=0.5, difference=0.1))
    with pytest.raises(RefusedError, match="give a list of effects"):
        simstudy.mde_from(simstudy.power_curve("proportion", n_cases=20, accuracy=0.5))
    with pytest.raises(UnknownNameError, match="positive"):
        simstudy.mde_from(exact, sign="positiv")
    with pytest.raises(RefusedError, match="target coverage is a question about size"):
        simstudy.mde_from(exact, "coverage=0.9")
    with pytest.raises(RefusedError, match="reads power_wrong off the grid"):
        simstudy.mde_from(exact.drop_vars("power_wrong"), "power=0.8,power_wrong=0.01")


def test_a_part_answers_for_its_method_alone(exact):
    part = simstudy.mde_from(exact.sel({"method": "tango"}))
    assert part["answer"].dims == ("n_cases",)
    assert part["answer"].values.tolist() == simstudy.mde_from(exact)["answer"].sel({"method": "tango"}).values.tolist()


def test_several_conditions_and_shares_of_a_rule_are_read_off():
    """Both follow the solution, which evaluates the law itself; their curves bend little over a step of .05."""
    asked = {"n_pairs": 60, "method": "averaged"}
    grid = simstudy.power_curve("win_rate", strength="0:2:0.05", **asked)
    for target in ("adopt_by_rate=0.9", "adopt=0.5,adopt_by_rate=0.99", "power=0.8,power_wrong=0.01"):
        read, solved = simstudy.mde_from(grid, target), simstudy.mde("win_rate", target=target, **asked)
        assert read["answer"].item() == pytest.approx(solved["answer"].item(), abs=0.005), target
        assert read.attrs["target"] == target
    one = simstudy.mde_from(grid, "adopt=0.5")["answer"].item()
    assert simstudy.mde_from(grid, "adopt=0.5,adopt_by_rate=0.99")["answer"].item() > one + 0.05


def test_limits_of_a_condition_that_asks_for_at_most_a_share_are_the_other_ones():
    grid = simstudy.power_curve(
        "paired",
        difference="0:0.28:0.02",
        n_cases=40,
        accuracy_a=0.7,
        method="tango",
        engine="counts",
        replications=500,
    )
    read = simstudy.mde_from(grid, "power_wrong=0.01")
    assert read["low"].item() < read["answer"].item() < read["high"].item()


def test_a_steep_rise_leaves_the_answer_between_its_neighbours():
    coarse = simstudy.power_curve("paired", difference=[0, 0.25], n_cases=100, accuracy_a=0.7, method="mcnemar_midp")
    read = simstudy.mde_from(coarse)
    assert (read["low"].item(), read["high"].item()) == (0, 0.25)


def test_margin_claims_are_followed_from_their_own_null():
    design = {"n_cases": 60, "accuracy_a": 0.8, "discordance": 0.05, "margin": 0.1, "method": "noninferiority_tango"}
    grid = simstudy.power_curve("paired", difference="-0.05:0.05:0.01", **design)
    assert float(simstudy.mde_from(grid)["answer"][0]) == pytest.approx(
        float(simstudy.mde("paired", **design)["answer"][0]), abs=2e-4
    )
