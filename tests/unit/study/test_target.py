"""Targets of sample-size and MDE questions."""

import math

import pytest
from scipy import stats

from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.study.target import parse_target, targets_of

PAIRED, PROPORTION = get_scenario("paired"), get_scenario("proportion")


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        (None, "power", 0.8),
        (0.9, "power", 0.9),
        ("0.9", "power", 0.9),
        ("power=0.9", "power", 0.9),
        (" power_right = 0.5", "power_right", 0.5),
        ("half_width=.05", "half_width", 0.05),
        ("width=0.1", "width", 0.1),
        ("coverage=0.95", "coverage", 0.95),
    ],
)
def test_forms(given, name, value):
    target = parse_target(given, PAIRED)
    assert (target.name, target.value) == (name, value)


@pytest.mark.parametrize(
    ("given", "scenario", "error", "words"),
    [
        (None, PROPORTION, ParameterError, "half_width=0.05"),
        (0.8, PROPORTION, ParameterError, "needs the measure's name too"),
        ("halfwidth=0.05", PAIRED, UnknownNameError, "Did you mean half_width"),
        ("power=high", PAIRED, ParameterError, "must be a number"),
        (1.0, PAIRED, ParameterError, r"\(0, 1\)"),
        ("power=0", PAIRED, ParameterError, r"\(0, 1\)"),
        ("power=nan", PAIRED, ParameterError, r"\(0, 1\)"),
        (["power=0.8", "power_wrong=0.01"], PAIRED, ParameterError, "where all has to hold"),
        ([0.8], PAIRED, ParameterError, r"\[0.8\]; it must be a number"),
        (True, PAIRED, ParameterError, "target is True"),
        ("power=0.8,", PAIRED, ParameterError, "'power=0.8,'; a condition is missing"),
        ("power=0.8,power_wrong=0.1,power_wrong=0.2", PAIRED, ParameterError, "names power_wrong more than once"),
    ],
)
def test_wrong_targets_are_worded(given, scenario, error, words):
    with pytest.raises(error, match=words):
        parse_target(given, scenario)


def test_a_target_that_a_method_does_not_have_is_refused():
    with pytest.raises(RefusedError, match="decides nothing"):
        parse_target("power=0.8", PROPORTION).check(PROPORTION.method("wilson"), PROPORTION)
    with pytest.raises(RefusedError, match="has no interval"):
        parse_target("half_width=0.1", PAIRED).check(PAIRED.method("mcnemar_exact"), PAIRED)
    parse_target("power=0.8", PAIRED).check(PAIRED.method("newcombe"), PAIRED)
    parse_target("coverage=0.95", PAIRED).check(PAIRED.method("tango"), PAIRED)


def test_values_and_words():
    half = parse_target("half_width=0.05", PAIRED)
    assert half.words == "half_width=0.05"
    assert half.of({"interval_width": 0.3}) == 0.15
    assert half.error_of({"interval_width_mcse": 0.02}) == 0.01
    assert not half.at_least
    assert parse_target("coverage=0.95", PAIRED).at_least


def test_a_width_with_many_unbounded_intervals_is_missed():
    width = parse_target("width=0.5", PAIRED)
    assert width.of({"interval_width": 0.4, "unbounded": 0.05}) == math.inf
    assert width.of({"interval_width": 0.4, "unbounded": 0.005}) == 0.4


@pytest.mark.parametrize(
    ("power", "wrong", "reached"), [(0.9, 0.01, True), (0.79, 0.01, False), (0.9, 0.03, False), (0.8, 0.02, True)]
)
def test_two_conditions_have_to_hold_both(power, wrong, reached):
    target = parse_target("power=0.8, power_wrong=0.02", PAIRED)
    assert target.words == "power=0.8,power_wrong=0.02"
    found = {"power": power, "power_mcse": 0.004, "power_wrong": wrong, "power_wrong_mcse": 0.001}
    assert (target.of(found) >= target.value - 1e-12) == reached
    # the condition that is farther from holding decides, on the probit scale
    distances = [stats.norm.ppf(power) - stats.norm.ppf(0.8), stats.norm.ppf(0.02) - stats.norm.ppf(wrong)]
    assert target.of(found) == pytest.approx(stats.norm.cdf(min(distances)), abs=1e-12)
    binding = 0.004 if distances[0] <= distances[1] else 0.001
    rate = power if distances[0] <= distances[1] else wrong
    slope = stats.norm.pdf(min(distances)) / stats.norm.pdf(stats.norm.ppf(rate))
    if distances[0] != distances[1]:
        assert target.error_of(found) == pytest.approx(binding * slope, rel=1e-9)


def test_a_share_that_has_to_be_small_is_followed_upwards():
    target = parse_target("power_wrong=0.02", PAIRED)
    assert target.of({"power_wrong": 0.01}) > 0.5 > target.of({"power_wrong": 0.03})
    assert target.of({"power_wrong": math.nan}) == 0.0


def test_conditions_are_named_once_and_widths_whole():
    with pytest.raises(ParameterError, match="more than once"):
        parse_target("power=0.8,power=0.9", PAIRED)
    with pytest.raises(ParameterError, match="half-width"):
        parse_target("power=0.8,half_width=0.1", PAIRED)


def test_targets_come_from_the_measures():
    assert {"power", "power_right", "power_wrong", "coverage", "width", "half_width"} == set(targets_of(PAIRED))
    assert "adopt_by_test" in targets_of(get_scenario("win_rate"))


def test_where_no_measure_goes_without_saying_its_name_is_asked_for():
    with pytest.raises(ParameterError, match=r"target is '0\.8'; proportion needs the measure's name too"):
        parse_target("0.8", get_scenario("proportion"))


@pytest.mark.parametrize("text", ["=0.8", " =0.8", "power=0.8,=0.9"])
def test_a_name_is_not_left_out_before_the_sign(text):
    with pytest.raises(ParameterError, match="it must be a number, or MEASURE=NUMBER"):
        parse_target(text, get_scenario("paired"))


@pytest.mark.parametrize("asked", ["coverage=0.95", "width=0.1", "power=0.8,coverage=0.9"])
def test_what_intervals_do_is_no_question_about_effects(asked):
    with pytest.raises(RefusedError, match=f"mde follows.*{asked.split('=')[0]}.*question about size"):
        parse_target(asked, PAIRED).check_of_effect("mde")
    parse_target("power=0.8,power_wrong=0.01", PAIRED).check_of_effect("mde")
