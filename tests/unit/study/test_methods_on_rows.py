"""Decisions from p-values and from intervals."""

import numpy as np
import pytest

import simstudy
from simstudy.engines.laws import exact_laws
from simstudy.errors import RefusedError
from simstudy.options import make_options
from simstudy.scenarios import built_in, get_scenario
from simstudy.scenarios.decisions import DOWN, UP
from simstudy.scenarios.declaration import Call, Method
from simstudy.study.methods_on_rows import Evaluator, by_reading

PAIRED = get_scenario("paired")
POINT = PAIRED.point({"n_cases": 20, "accuracy_a": 0.6, "difference": 0.1, "difficulty_sd": 1, "margin": 0.2})
NAMES = ("n10", "n01", "n11")
ROWS = np.array([[0, 9, 5], [9, 0, 5], [4, 4, 5], [0, 0, 12], [1, 7, 5]])


def verdicts(method, **options):
    (found,) = Evaluator(make_options(**options)).on_rows(POINT, PAIRED.method(method), NAMES, ROWS)
    return found


@pytest.mark.parametrize("method", ["mcnemar_midp", "newcombe", "paired_z"])
def test_directions_follow_the_estimate(method):
    found = verdicts(method)
    assert (found.code == UP).tolist() == [True, False, False, False, True]
    assert (found.code == DOWN).tolist() == [False, True, False, False, False]
    assert found.undefined.tolist() == [False, False, False, method == "paired_z", False]


@pytest.mark.parametrize("method", ["mcnemar_midp", "newcombe", "paired_z", "bonett_price"])
def test_one_sided_decisions_have_one_direction(method):
    greater, less = verdicts(method, alternative="greater"), verdicts(method, alternative="less")
    assert not (greater.code == DOWN).any()
    assert not (less.code == UP).any()
    assert (greater.code == UP).tolist() == [True, False, False, False, True]
    assert (less.code == DOWN).tolist() == [False, True, False, False, False]


@pytest.mark.parametrize("method", ["newcombe", "bonett_price"])
def test_a_one_sided_decision_by_an_interval_takes_the_interval_of_twice_the_level(method):
    (law,) = exact_laws(POINT, ("n10", "n01", "n11"))
    ask = PAIRED.method(method)
    (one,) = Evaluator(make_options(alternative="greater", alpha=0.1)).on_rows(POINT, ask, NAMES, law.rows)
    two, same = Evaluator(make_options(alpha=[0.2, 0.1])).on_rows(POINT, ask, NAMES, law.rows)
    assert ((one.code == UP) == (two.code == UP)).all()
    assert ((one.code == UP) != (same.code == UP)).any()
    with pytest.raises(RefusedError, match=r"below 0\.5"):
        verdicts(method, alternative="less", alpha=0.5)


def test_margin_claims_reject_upward_whatever_the_alternative():
    for alternative in ("two-sided", "greater", "less"):
        found = verdicts("noninferiority_tango", alternative=alternative)
        assert found.code[0] == UP
        assert not (found.code == DOWN).any()


def test_a_two_sided_test_without_an_estimate_has_no_direction():
    blind = Method("blind", "", "", p_value=Call("simstudy.stats.paired:mcnemar_midp", ("n10", "n01")))
    with pytest.raises(RefusedError, match="needs an estimate"):
        Evaluator(make_options()).on_rows(POINT, blind, NAMES, ROWS)
    (found,) = Evaluator(make_options(alternative="greater")).on_rows(POINT, blind, NAMES, ROWS)
    assert (found.code == UP).any()


def test_rows_of_a_law_are_remembered_for_their_settings_alone():
    """Verdicts are shared by points of one size, never by levels, alternatives, margins or methods."""
    (law,) = exact_laws(POINT, ("n10", "n01"))
    other = PAIRED.point({**POINT.values, "margin": 0.1})
    seen = []
    for options in ({}, {"alpha": 0.2}, {"alternative": "greater"}):
        for point in (POINT, other):
            for method in ("noninferiority_tango", "noninferiority_wald", "mcnemar_midp"):
                evaluator = Evaluator(make_options(**options))
                (kept,) = evaluator.on_law(point, PAIRED.method(method), ("n10", "n01"), law)
                (fresh,) = evaluator.on_rows(point, PAIRED.method(method), ("n10", "n01"), law.rows)
                assert (kept.code == fresh.code).all()
                assert evaluator.on_law(point, PAIRED.method(method), ("n10", "n01"), law)[0] is kept
                seen.append(kept.decided.sum())
    assert len(set(seen)) > 6


def test_sweeps_over_shared_rows_are_their_single_points():
    """A cell of probability 0 at one point must not spoil the rows that the next point shares."""
    asked = {"n_cases": 30, "accuracy_a": 0.5, "discordance": 0.1, "engine": "exact"}
    swept = simstudy.power_curve("paired", difference=[0.1, 0.05, 0.0, -0.1], **asked)
    for i, difference in enumerate((0.1, 0.05, 0.0, -0.1)):
        alone = simstudy.power_curve("paired", difference=difference, **asked)
        for name in ("power", "coverage", "undefined"):
            np.testing.assert_array_equal(swept[name].values[i], alone[name].values)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", ["mcnemar_midp", "mcnemar_exact"])
def test_many_rows_are_decided_as_a_few_at_a_time(method, alternative):
    """Where rows are many, by critical values of the discordant total; a few are asked for their p-values."""
    rows = np.array([(n10, n01) for n10 in range(21) for n01 in range(21 - n10)])
    evaluator, ask = Evaluator(make_options(alternative=alternative, alpha=[0.05, 0.3])), PAIRED.method(method)
    together = evaluator.on_rows(POINT, ask, ("n10", "n01"), rows)
    alone = [evaluator.on_rows(POINT, ask, ("n10", "n01"), rows[at : at + 3]) for at in range(0, len(rows), 3)]
    for level, found in enumerate(together):
        assert (found.code == np.concatenate([part[level].code for part in alone])).all()
        assert len(set(found.code.tolist())) == (3 if alternative == "two-sided" else 2)


@pytest.mark.parametrize("scenario", [get_scenario(name) for name in built_in()], ids=built_in())
def test_every_method_stands_once_with_those_that_read_the_same(scenario):
    point = scenario.point(scenario.example)
    grouped = by_reading(point, scenario.methods)
    assert sorted(m.name for group in grouped.values() for m in group) == sorted(m.name for m in scenario.methods)
    assert all(point.reading(method) == names for names, group in grouped.items() for method in group)
