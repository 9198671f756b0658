"""Replaying one replication."""

import numpy as np
import pytest

import simstudy
from simstudy.engines.growing import growing_blocks
from simstudy.errors import GridError, ParameterError, RefusedError, RequestError, UnknownNameError
from simstudy.study.plan import make_study

POINTS = {
    "paired": {"n_cases": 50, "accuracy_a": 0.7, "difference": 0.1},
    "independent": {"n_per_system": 37, "accuracy_a": 0.7, "difference": 0.1},
    "proportion": {"n_cases": 41, "accuracy": 0.7},
    "clustered": {"n_clusters": 7, "cluster_size": 3, "accuracy_a": 0.6, "difference": 0.1, "cluster_sd": 1},
}


def counted(scenario, units):
    if scenario == "paired":
        a, b = units["right_a"] == 1, units["right_b"] == 1
        return [(a & ~b).sum(), (~a & b).sum(), (a & b).sum()]
    if scenario == "independent":
        return [units["right_a"].sum(), units["right_b"].sum()]
    if scenario == "proportion":
        return [units["right"].sum()]
    gap = units["right_b"] - units["right_a"]
    sums = np.bincount(units["cluster"].astype(int), weights=gap)
    return [gap.sum(), (gap**2).sum(), (sums**2).sum(), (gap < 0).sum(), (gap > 0).sum()]


@pytest.mark.parametrize("scenario", POINTS)
@pytest.mark.parametrize("options", [{}, {"seed": 2**64 - 1}, {"common_random_numbers": False}])
def test_replayed_units_add_up_to_the_row_of_their_replication(scenario, options):
    study = make_study(scenario, POINTS[scenario], engine="full", **options)
    columns = tuple(name for name in study.scenario.kernel.columns if name != "flip_level")
    for replication in (0, 1, 12345):
        units = simstudy.replay(scenario, replication=replication, **POINTS[scenario], **options)
        ((found,),) = growing_blocks(study.points, [[columns]], study.options, replication, 1)
        assert found.rows[0].tolist() == counted(scenario, units)


def test_repeated_runs_add_up_too():
    parameters = {**POINTS["clustered"], "runs": 3}
    study = make_study("clustered", parameters, engine="full")
    units = simstudy.replay("clustered", replication=4, **parameters)
    case = (units["cluster"] * 1000 + units["case"]).astype(int)
    gaps = np.bincount(case, weights=units["right_b"] - units["right_a"])
    ((found,),) = growing_blocks(study.points, [[("total", "squares")]], study.options, 4, 1)
    assert found.rows[0].tolist() == [gaps.sum(), (gaps**2).sum()]


def test_a_discordance_that_a_difficulty_gives_can_be_replayed():
    units = simstudy.replay("paired", replication=0, n_cases=9, accuracy_a=0.7, difference=0.05, discordance=0.25)
    assert set(units) == {"difficulty", "right_a", "right_b"}


def test_one_that_none_gives_is_refused():
    with pytest.raises(RefusedError, match=r"independent errors give 0\.4\)"):
        simstudy.replay("paired", replication=0, n_cases=9, accuracy_a=0.7, difference=0.05, discordance=0.5)


def test_unusable_units_are_not_there():
    units = simstudy.replay("paired", replication=0, unusable=0.2, **POINTS["paired"])
    assert len(units["right_a"]) == 40


BAD = [
    ({"n_cases": [5, 6]}, GridError, "one value each"),
    ({"replication": -1}, RequestError, "whole number from 0"),
    ({"replication": 1.5}, ParameterError, "whole number from 0"),
    ({"replication": 2**32}, RequestError, "whole number from 0"),
    ({"n_case": 3}, UnknownNameError, "n_cases"),
]


@pytest.mark.parametrize(("given", "error", "words"), BAD, ids=range(len(BAD)))
def test_refusals(given, error, words):
    with pytest.raises(error, match=words):
        simstudy.replay("paired", **{"replication": 0, **POINTS["paired"], **given})
