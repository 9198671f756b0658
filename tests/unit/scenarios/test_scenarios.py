"""What every scenario declares must exist, fit, and cost no start-up."""

import inspect
import math
import subprocess
import sys

import numpy as np
import pytest

import simstudy
from simstudy.errors import RequestError, UnknownNameError
from simstudy.scenarios import built_in, get_scenario, scenario_names
from simstudy.scenarios.rules import Rule
from tests.small.coin import Coin

SCENARIOS = [get_scenario(name) for name in built_in()]

ALIASES = {
    "n_cases": {"n"},
    "n_per_system": {"n", "n_a", "n_b"},
    "n_units": {"n"},
    "n_pairs": {"n"},
    "n_prompts": {"n"},
    "unstable": {"x"},
    "cluster_squares": {"squares"},
    "flip_level": {"level"},
    "n_labelled": {"n"},
    "labelled_n10": {"n10"},
    "labelled_n01": {"n01"},
    "n1": {"n01"},
    "n2": {"n10"},
    "aa": {"n01", "n1"},
    "bb": {"n10", "n2"},
    "first": {"n01"},
    "second": {"n10"},
    "minus": {"n10"},
    "plus": {"n01"},
    "total2": {"total"},
    "squares4": {"squares"},
    "or_total": {"total", "total2"},
    "or_squares": {"squares", "squares4"},
    "mean_slope": {"value", "estimate"},
    "mean_slope_se": {"standard_error"},
    "pooled_slope": {"value", "estimate"},
    "pooled_slope_se": {"standard_error"},
    "gamma_hat": {"value", "estimate"},
    "gamma_se": {"standard_error"},
    "gamma_robust_se": {"standard_error"},
    "cluster_low": {"low"},
    "cluster_high": {"high"},
    "cluster_below": {"below"},
    "cluster_above": {"above"},
    "set_low": {"low"},
    "set_high": {"high"},
    "set_below": {"below"},
    "set_above": {"above"},
}


def required(function):
    """Parameters without a default, names of those that can be given, and whether more can be."""
    parameters = inspect.signature(function).parameters.values()
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    any_number = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return [p for p in positional if p.default is p.empty], {p.name for p in parameters}, any_number


@pytest.mark.parametrize("scenario", SCENARIOS, ids=list(built_in()))
def test_every_call_resolves_and_has_the_declared_arguments(scenario):
    known = {*scenario.columns, *scenario.projections, *scenario.by_name, "alphas", "seed"}
    known |= set(scenario.derived(scenario.example))
    for method, call in [(own, call) for own in scenario.methods for call in own.calls]:
        needed, names, any_number = required(call.resolve())
        extra = {"level"} if call is method.interval else set()
        if call is method.p_value and call.sided:
            extra = {"alternative"}
        assert any_number or len(call.arguments) == len(needed), method.name
        assert extra <= names - {p.name for p in needed}, method.name
        assert set(call.arguments) <= known, method.name
        # each declared argument has the name that the function gives it, or counts cases under the size's own name
        for given, parameter in zip(call.arguments, needed, strict=not any_number):
            longer = given.startswith(f"{parameter.name}_")  # wins_averaged are wins
            named = longer or parameter.name in {given, *ALIASES.get(given, ())}
            assert named, (method.name, given, parameter.name)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=list(built_in()))
def test_every_method_answers_at_a_point(scenario):
    result = simstudy.power_curve(
        scenario, method=[m.name for m in scenario.methods], replications=100, **scenario.example
    )
    measure = "power" if "power" in result else "coverage"
    assert np.isfinite(result[measure]).all()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=list(built_in()))
def test_kernels_have_the_declared_arguments(scenario):
    point = scenario.point(scenario.example)
    arguments = scenario.kernel_arguments(point.values, (0.05,), "two-sided")
    simulate, cases = scenario.kernel.functions()
    for function, count in ((simulate, None), (cases, scenario.kernel.case_arguments)):
        plain = getattr(function, "py_func", function)
        masks = scenario.kernel.selective and function is simulate
        # kernels that can begin at any unit take the first ones last
        firsts = scenario.kernel.unit_arguments if function is simulate else 0
        assert len(inspect.signature(plain).parameters) == 3 + masks + len(arguments[:count]) + firsts
    if scenario.blocks:
        for method in scenario.methods:
            for name in point.reading(method):
                assert set(scenario.projections.get(name, {name: 1})) <= set(scenario.kernel.columns)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=list(built_in()))
def test_truths_are_described_and_laws_are_probabilities(scenario):
    point = scenario.point(scenario.example)
    described = {*scenario.units, *scenario.by_name}
    assert set(point.truth) <= described
    for name in set(point.truth) - set(scenario.by_name):
        assert all(scenario.units[name])
    if scenario.blocks:
        numbers = {**point.derived, **point.values}
        for (n, probabilities), block in zip(point.laws, scenario.blocks, strict=True):
            assert n == numbers[block.size]
            assert len(probabilities) == len(block.classes)
            assert min(probabilities) >= 0
            assert math.fsum(probabilities) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=list(built_in()))
def test_declarations_are_complete(scenario):
    names = [m.name for m in scenario.methods]
    assert len(set(names)) == len(names)
    assert set(scenario.default_methods) <= set(names)
    assert scenario.size.kind == "integer"
    assert scenario.target_variable in (("power", "power_right") if scenario.decides else ("coverage",))
    for parameter in scenario.parameters:
        assert parameter.help
        assert parameter.unit
        if parameter.default is not None:
            assert parameter.validate(parameter.default) == parameter.default
    for method in scenario.methods:
        assert method.label
        assert method.source
        assert method.p_value or method.interval or isinstance(method.decision, Rule)
        assert set(method.needs) <= set(scenario.by_name)


def test_declarations_import_neither_numba_nor_scipy():
    code = (
        "import sys, simstudy\n"
        "from simstudy.scenarios import built_in, get_scenario\n"
        "for name in built_in(): get_scenario(name).methods\n"
        "print(sorted(m for m in ('numba', 'scipy', 'xarray', 'matplotlib', 'rich') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_registering_a_scenario_of_ones_own(monkeypatch):
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    with pytest.raises(RequestError, match="neither blocks nor a walk nor a kernel"):
        simstudy.register(Coin)
    found = simstudy.register(type("Tossed", (Coin,), {"blocks": (simstudy.Block("n", ("heads", "tails")),)}))
    assert scenario_names() == [*built_in(), "coin"]
    assert get_scenario("coin") is found
    assert get_scenario(found) is found
    with pytest.raises(UnknownNameError, match="Did you mean coin"):
        get_scenario("coins")


def test_what_cannot_be_registered_is_refused(monkeypatch):
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    with pytest.raises(RequestError, match="no scenario"):
        simstudy.register(3)
    with pytest.raises(RequestError, match="taken"):
        simstudy.register(type("Other", (Coin,), {"name": "paired"}))
