"""Targets of sample-size and MDE questions."""

import pytest

from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.study.target import Target, parse_target

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
    assert parse_target(given, PAIRED) == Target(name, value)


@pytest.mark.parametrize(
    ("given", "scenario", "error", "words"),
    [
        (None, PROPORTION, ParameterError, "half_width=0.05"),
        (0.8, PROPORTION, UnknownNameError, "no target"),
        ("halfwidth=0.05", PAIRED, UnknownNameError, "Did you mean half_width"),
        ("power=high", PAIRED, ParameterError, "must be a number"),
        (1.0, PAIRED, ParameterError, r"\(0, 1\)"),
        ("power=0", PAIRED, ParameterError, r"\(0, 1\)"),
        ("power=nan", PAIRED, ParameterError, r"\(0, 1\)"),
    ],
)
def test_wrong_targets_are_worded(given, scenario, error, words):
    with pytest.raises(error, match=words):
        parse_target(given, scenario)


def test_a_target_that_a_method_does_not_have_is_refused():
    with pytest.raises(RefusedError, match="decides nothing"):
        Target("power", 0.8).check(PROPORTION.method("wilson"), PROPORTION)
    with pytest.raises(RefusedError, match="has no interval"):
        Target("half_width", 0.1).check(PAIRED.method("mcnemar_exact"), PAIRED)
    Target("power", 0.8).check(PAIRED.method("newcombe"), PAIRED)
    Target("coverage", 0.95).check(PAIRED.method("tango"), PAIRED)


def test_values_and_words():
    half = Target("half_width", 0.05)
    assert half.words == "half_width=0.05"
    assert half.of({"interval_width": 0.3}) == 0.15
    assert half.error_of({"interval_width_mcse": 0.02}) == 0.01
    assert not half.more_is_better
    assert Target("coverage", 0.95).more_is_better
