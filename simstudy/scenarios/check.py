"""Whether a declaration is whole: what is said once, in words, when a scenario is registered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from simstudy.errors import RequestError
from simstudy.scenarios.declaration import DesignPoint, Method, Parameter, Scenario

NEEDED = ("name", "title", "unit", "aims", "mechanism", "estimand_words", "parameters", "methods", "default_methods")
# names that commands and functions use for something else
TAKEN = frozenset(
    {
        "method",
        "engine",
        "replications",
        "mcse",
        "seed",
        "alpha",
        "alternative",
        "threads",
        "common_random_numbers",
        "comparisons",
        "unusable",
        "target",
        "sign",
        "curve",
        "largest",
        "progress",
        "scenario",
        "out",
        "plot",
        "format",
        "quiet",
        "debug",
        "dry_run",
        "set",
        "pilot",
        "replication",
        "step",
    }
)
# rounding of probabilities that sum to one
SLACK = 1e-9


def check_declaration(scenario: Scenario) -> None:
    """Refuse a declaration that could not be used, with the first thing that is wrong.

    Parameters
    ----------
    scenario : Scenario

    Raises
    ------
    RequestError
        Naming what is missing, unknown or said twice.
    """
    missing = [name for name in NEEDED if not getattr(scenario, name, None)]
    if missing:
        raise RequestError(f"Scenario {_name(scenario)} lacks {', '.join(missing)}.")
    _unique_names(scenario, "parameter", [p.name for p in scenario.parameters])
    _unique_names(scenario, "method", [m.name for m in scenario.methods])
    for parameter in scenario.parameters:
        _check_parameter(scenario, parameter)
    _exists(scenario, "default method", scenario.default_methods, [m.name for m in scenario.methods])
    if type(scenario).derived is Scenario.derived:
        _exists(scenario, "size of a block", [b.size for b in scenario.blocks], scenario.by_name)
    grouped = [name for group in scenario.groups for names in group.alternatives for name in names]
    _exists(scenario, "parameter of a group", grouped, scenario.by_name)
    if not scenario.blocks and scenario.kernel is None:
        raise RequestError(f"Scenario {scenario.name} has neither blocks nor a kernel, so nothing can be computed.")
    used = [column for coefficients in scenario.projections.values() for column in coefficients]
    _exists(scenario, "column of a projection", used, scenario.columns)
    for method in scenario.methods:
        _check_method(scenario, method)


def _name(scenario: Scenario) -> str:
    return str(getattr(scenario, "name", type(scenario).__name__))


def _unique_names(scenario: Scenario, kind: str, names: Sequence[str]) -> None:
    for name in names:
        if not isinstance(name, str) or not name.isidentifier():
            raise RequestError(f"Scenario {scenario.name}: the {kind} name {name!r} must be a Python identifier.")
        if names.count(name) > 1:
            raise RequestError(f"Scenario {scenario.name} declares the {kind} {name} more than once.")


def _exists(scenario: Scenario, kind: str, names: Iterable[str], allowed: Iterable[str]) -> None:
    known = list(allowed)
    for name in names:
        if name not in known:
            there = ", ".join(known)
            raise RequestError(f"Scenario {scenario.name}: the {kind} {name} does not exist; there is {there}.")


def _check_parameter(scenario: Scenario, parameter: Parameter) -> None:
    if parameter.name in TAKEN:
        raise RequestError(f"Scenario {scenario.name}: the parameter name {parameter.name} is taken by an option.")
    for field, value, allowed in (
        ("kind", parameter.kind, ("real", "integer", "profile")),
        ("role", parameter.role, ("size", "effect", None)),
    ):
        if value not in allowed:
            words = ", ".join(map(str, allowed))
            raise RequestError(f"Scenario {scenario.name}: {field} of {parameter.name} is {value!r}; allowed: {words}.")
    if isinstance(parameter.null, str):
        _exists(scenario, f"null of {parameter.name}", [parameter.null], scenario.by_name)
    if parameter.default is not None:
        parameter.validate(parameter.default)


def _check_method(scenario: Scenario, method: Method) -> None:
    if method.p_value is None and method.interval is None:
        raise RequestError(f"Scenario {scenario.name}: method {method.name} has neither a p-value nor an interval.")
    if method.p_value is not None and method.estimate is None and method.claim == "difference":
        raise RequestError(f"Scenario {scenario.name}: method {method.name} needs an estimate beside its p-value.")
    known = {*scenario.columns, *scenario.projections, *scenario.by_name, "alphas", "seed"}
    for call in method.calls:
        text = call.function
        if isinstance(text, str) and text.count(":") != 1:
            raise RequestError(
                f"Scenario {scenario.name}: the function {text!r} of {method.name} must be written 'module:function'."
            )
        if type(scenario).derived is Scenario.derived:
            _exists(scenario, f"argument of method {method.name}", call.arguments, sorted(known))


def check_law(point: DesignPoint) -> None:
    """Refuse a law that is none.

    Parameters
    ----------
    point : DesignPoint

    Raises
    ------
    RequestError
        If a block has the wrong number of probabilities, one that is none, or a sum other than one.
    """
    scenario = point.scenario
    laws = scenario.law(point.values)
    if len(laws) != len(scenario.blocks):
        raise RequestError(f"The law of {scenario.name} has {len(laws)} blocks instead of {len(scenario.blocks)}.")
    for block, probabilities in zip(scenario.blocks, laws, strict=True):
        total = math.fsum(probabilities)
        fine = len(probabilities) == len(block.classes) and all(-SLACK <= p <= 1 + SLACK for p in probabilities)
        if not fine or abs(total - 1) > SLACK:
            raise RequestError(
                f"The law of {scenario.name} is no law: {len(block.classes)} probabilities in [0, 1] that sum to one "
                f"are needed, and it gives {tuple(probabilities)}."
            )
