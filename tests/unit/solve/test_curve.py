"""A curve's values, exact and simulated, what they cost, and rows that were asked about before."""

import dataclasses
import math

import numpy as np
import pytest

import simstudy
from simstudy.options import make_options
from simstudy.scenarios import get_scenario
from simstudy.solve import curve as module
from simstudy.solve.curve import Curve, Remembering, TooCostlyError
from simstudy.study.methods_on_rows import Evaluator
from simstudy.study.target import parse_target

PAIRED = {"accuracy_a": 0.6, "difference": 0.15, "difficulty_sd": 1.0}


def a_curve(method="mcnemar_midp", target="0.8", scenario="paired", values=PAIRED, solved="n_cases", **options):
    chosen = get_scenario(scenario)
    told = options.pop("told", [])
    return Curve(
        chosen,
        dict(values),
        solved,
        chosen.method(method),
        make_options(**options),
        parse_target(target, chosen),
        dict,
        told.append,
    )


def by_power_curve(method, sizes, name="power", **options):
    found = simstudy.power_curve("paired", n_cases=sizes, method=method, engine="exact", **PAIRED, **options)
    return found[name].values[:, 0]


SIZES = [12, 30, 31, 55]


@pytest.mark.parametrize("method", ["mcnemar_midp", "mcnemar_exact", "paired_z", "newcombe"])
@pytest.mark.parametrize(
    ("target", "name"), [("0.8", "power"), ("power_right=0.8", "power_right"), ("power_wrong=0.01", "power_wrong")]
)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_exact_values_are_those_of_a_power_question(method, target, name, alternative):
    curve = a_curve(method, target, alternative=alternative)
    expected = by_power_curve(method, SIZES, name, alternative=alternative)
    if name == "power_wrong":
        expected = [curve.target.of({"power_wrong": value}) for value in expected]
    assert curve.exact(SIZES) == pytest.approx(expected, abs=1e-10)


def test_the_discordant_total_gives_power_of_mcnemar_tests_alone():
    assert a_curve("mcnemar_midp").by_discordant_total
    assert a_curve("mcnemar_midp", "power_right=0.8").by_discordant_total
    assert not a_curve("mcnemar_midp", "power_wrong=0.01").by_discordant_total
    assert not a_curve("newcombe").by_discordant_total
    # it stays exact at sizes whose law would be too large to enumerate
    assert a_curve("mcnemar_midp").engine(10**7) == "exact"
    assert a_curve("newcombe").engine(10**7) == "counts"
    assert a_curve("mcnemar_midp", engine="counts").engine(100) == "counts"


def test_at_the_null_no_direction_is_right():
    curve = a_curve(target="power_right=0.8", solved="difference", values={**PAIRED, "n_cases": 30})
    assert np.isnan(curve.exact([0.0, 0.1])).tolist() == [True, False]


def test_values_are_computed_once_and_told():
    told = []
    curve = a_curve("newcombe", told=told)
    curve.exact([20, 21])
    curve.exact([21, 20, 22])
    assert told == [1, 1, 1]
    assert set(curve.known) == {20, 21, 22}


def test_what_the_target_does_not_read_is_left_out():
    assert a_curve("tango").needed.interval is None
    assert a_curve("newcombe").needed.interval is not None
    width = a_curve("tango", "width=0.2").needed
    assert (width.p_value, width.estimate) == (None, None)
    # one-sided limits follow from decisions
    assert a_curve("tango", "width=0.2", alternative="greater").needed.p_value is not None


def test_exact_values_may_cost_so_much_and_no_more(monkeypatch):
    monkeypatch.setattr(module, "POWER_SECONDS", 1e-7)
    with pytest.raises(TooCostlyError):
        a_curve("newcombe").exact([40, 41])
    # who asks for exact values gets them
    assert np.isfinite(a_curve("newcombe", engine="exact").exact([40, 41])).all()


def test_costs_grow_with_the_size():
    for method in ("mcnemar_midp", "newcombe"):
        seconds = [a_curve(method).seconds(n) for n in (10, 100, 1000)]
        assert seconds == sorted(seconds)
        assert seconds[0] > 0


@pytest.mark.parametrize("engine", ["counts", "full"])
def test_simulated_values_lie_within_their_error(engine):
    """|z| beyond 4 by chance: 6e-5."""
    curve = a_curve("newcombe", replications=4000, seed=5)
    value, error = curve.simulated(30, engine)
    assert error == pytest.approx(math.sqrt(value * (1 - value) / 4000))
    assert abs(value - curve.exact([30])[0]) < 4 * error
    groups = curve.jackknifed(30, engine, 20)
    assert len(groups) == 20
    # groups are of one length: the mean of the leave-one-out rates is the rate
    assert np.mean(groups) == pytest.approx(value, abs=1e-12)


def test_a_target_is_reached_at_it_but_for_rounding():
    values = np.array([0.8, 0.8 - 1e-13, 0.799, math.nan])
    assert a_curve().reached(values).tolist() == [True, True, False, False]
    width = a_curve("tango", "width=0.2").reached(np.array([0.2, 0.2 + 1e-13, 0.21, math.nan, math.inf]))
    assert width.tolist() == [True, True, False, False, False]


def test_units_that_a_method_reads():
    judged = {"accuracy_a": 0.7, "difference": 0.05, "n_labels": 200}
    values = {**get_scenario("judged").example, **judged}
    del values["n_cases"]
    labels = a_curve("labels_only", scenario="judged", values=values)
    assert [labels.units_read(n) for n in (500, 1000)] == [200, 200]
    assert [a_curve().units_read(n) for n in (50, 100)] == [50, 100]
    clustered = {**get_scenario("clustered").example}
    size = get_scenario("clustered").size.name
    del clustered[size]
    assert a_curve("cluster_t", scenario="clustered", values=clustered, solved=size).units_read(20) is None


def test_the_side_of_the_truth():
    curve = a_curve(solved="difference", values={**PAIRED, "n_cases": 30})
    assert [curve.direction(x) for x in (-0.1, 0.0, 0.1)] == [-1, 0, 1]


ROWS = np.random.default_rng(5).integers(0, 30, size=(400, 2))


def point_of(scenario, **values):
    chosen = get_scenario(scenario)
    defaults = {p.name: p.default for p in chosen.parameters if p.default is not None}
    return chosen.point({**defaults, **values})


@pytest.fixture
def asked():
    """A costly method, a design point, and what it reads."""
    point = point_of("self_preference", n_pairs=40, bonus=1.0)
    method = point.scenario.method("judge_mcnemar_midp")
    return point, method, point.reading(method)


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        for field in dataclasses.fields(other):
            np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


def test_verdicts_are_those_of_the_plain_evaluator(asked):
    options = make_options(alpha=[0.05, 0.01])
    memory, plain = Remembering(options), Evaluator(options)
    point, *what = asked
    for rows in (ROWS[:100], ROWS[50:300], ROWS, ROWS[::-1]):
        same(memory.on_rows(point, *what, rows), plain.on_rows(point, *what, rows))


def test_no_row_is_asked_about_twice(asked):
    memory = Remembering(make_options())
    point, *what = asked
    distinct = np.unique(ROWS, axis=0)
    for _ in range(3):
        memory.on_rows(point, *what, distinct)
    assert memory.asked == len(distinct)


def test_another_null_is_another_question():
    memory, plain = Remembering(make_options()), Evaluator(make_options())
    rows = np.array([[60, 5, 5, 30], [50, 10, 10, 30]])
    for threshold in (0.4, 0.7):
        point = point_of("agreement", n_labels=100, prevalence=0.7, kappa=0.8, kappa_threshold=threshold)
        method = dataclasses.replace(point.scenario.method("kappa_wald"), nanoseconds=module.COSTLY)
        what = (point, method, point.reading(method), rows)
        same(memory.on_rows(*what), plain.on_rows(*what))
    assert memory.asked == 4


@pytest.mark.parametrize("rows", [np.empty((0, 2), np.int64), np.array([[1 << 40, 3]])], ids=["none", "too large"])
def test_rows_without_a_code_are_asked_about_as_they_are(asked, rows):
    memory, plain = Remembering(make_options()), Evaluator(make_options())
    point, *what = asked
    same(memory.on_rows(point, *what, rows), plain.on_rows(point, *what, rows))


def test_memory_is_bounded(asked, monkeypatch):
    monkeypatch.setattr(module, "KEPT", 50)
    memory = Remembering(make_options())
    point, *what = asked
    for _ in range(2):
        memory.on_rows(point, *what, np.unique(ROWS, axis=0))
    assert memory.asked == 2 * len(np.unique(ROWS, axis=0))


@pytest.mark.parametrize("difference", [-0.15, 0.15])
def test_the_right_direction_is_that_of_the_effect(difference):
    """The sums over the discordant total beside the enumeration of the whole law."""
    values = {**PAIRED, "difference": difference}
    expected = simstudy.power_curve("paired", n_cases=SIZES, method="mcnemar_midp", engine="exact", **values)
    found = a_curve(target="power_right=0.8", values=values).exact(SIZES)
    assert found == pytest.approx(expected["power_right"].values[:, 0], abs=1e-10)


def test_codes_tell_rows_apart_as_far_as_they_reach():
    """Of two columns each has 31 bits: from −2³⁰ to below 2³⁰."""
    end = 1 << 30
    rows = np.array([[0, end - 1], [1, 1 - end], [0, 1 - end], [end - 1, 0]])
    assert len(set(module._codes(rows).tolist())) == 4
    assert module._codes(np.array([[0, end], [1, -end]])) is None
