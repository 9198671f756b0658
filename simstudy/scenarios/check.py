"""Whether a declaration is whole: what is said once, in words, when a scenario is registered.

What needs the values of a design point is checked at the first one, by `simstudy.scenarios.check_point`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from simstudy.errors import ParameterError, RequestError
from simstudy.options import reserved_names
from simstudy.scenarios.check_fields import check_fields, check_names, check_parts, check_texts
from simstudy.scenarios.check_methods import check_measures, check_method
from simstudy.scenarios.declaration import Block, DesignPoint, Group, Kernel, Method, Parameter, Sample, Scenario
from simstudy.scenarios.measure import MEASURES, Measure

NEEDED = ("name", "title", "unit", "aims", "mechanism", "estimand_words", "parameters", "methods", "default_methods")
# names that something else has: options, keywords of the functions, and the dimension of a curve around an answer
TAKEN = reserved_names() | {"scenario", "progress", "step"}
# the variables of a result that hold measures, with their errors and limits
OF_MEASURES = {name for measure in MEASURES for name in measure.variables}
TARGET_VARIABLES = ("power", "power_right", "coverage")
# rounding of probabilities that sum to one
SLACK = 1e-9


def check_declaration(scenario: Scenario) -> None:
    """Refuse a declaration that could not be used, or that means nothing, with the first thing that is wrong."""
    where = f"Scenario {_name(scenario)}"
    missing = [name for name in NEEDED if not getattr(scenario, name, None)]
    if missing:
        raise RequestError(f"{where} lacks {', '.join(missing)}.")
    _check_kinds(where, scenario)
    _unique_names(where, "parameter", [p.name for p in scenario.parameters])
    _unique_names(where, "method", [m.name for m in scenario.methods])
    for parameter in scenario.parameters:
        _check_parameter(where, scenario, parameter)
    _check_roles(where, scenario)
    _check_counts(where, scenario)
    grouped = [name for group in scenario.groups for names in group.alternatives for name in names]
    check_names(f"{where}, groups", grouped, scenario.by_name)
    for method in scenario.methods:
        check_method(f"{where}, method '{method.name}'", scenario, method)
    check_measures(where, scenario, (*TAKEN, *OF_MEASURES))
    _check_shown(where, scenario)


def _name(scenario: Scenario) -> str:
    return str(getattr(scenario, "name", type(scenario).__name__))


def _check_kinds(where: str, scenario: Scenario) -> None:
    """Refuse attributes of another kind than declared."""
    check_parts(where, "parameters", scenario.parameters, Parameter)
    check_parts(where, "methods", scenario.methods, Method)
    check_parts(where, "blocks", scenario.blocks, Block)
    check_parts(where, "groups", scenario.groups, Group)
    check_parts(where, "measures", scenario.measures, Measure)
    if scenario.kernel is not None:
        if not isinstance(scenario.kernel, Kernel | Sample):
            raise RequestError(f"{where}: kernel is {scenario.kernel!r}; it must be a Kernel, a Sample or None.")
        check_fields(f"{where}, kernel", scenario.kernel)
    for name in ("default_methods", "shows", "directions", "walk_columns"):
        check_texts(f"{where}: {name}", getattr(scenario, name))
    for name, about in scenario.units.items():
        if not (isinstance(about, tuple) and len(about) == 2 and all(isinstance(text, str) for text in about)):
            raise RequestError(f"{where}, units: '{name}' is {about!r}; it must be two texts, (words, unit).")


def _unique_names(where: str, kind: str, names: Sequence[str]) -> None:
    for name in names:
        if not name.isidentifier():
            raise RequestError(f"{where}: the {kind} name {name!r} must be a Python identifier.")
        if names.count(name) > 1:
            raise RequestError(f"{where} declares the {kind} '{name}' more than once.")


def _check_parameter(where: str, scenario: Scenario, parameter: Parameter) -> None:
    name = parameter.name
    if name in TAKEN or name in OF_MEASURES:
        by = "an option" if name in TAKEN else "a measure"
        raise RequestError(f"{where}: the parameter name '{name}' is taken by {by}; choose another name.")
    if parameter.low > parameter.high:
        raise RequestError(f"{where}: '{name}' has no value from low {parameter.low:g} to high {parameter.high:g}.")
    if parameter.null is not None:
        _check_null(where, scenario, parameter)
    if parameter.default is not None:
        try:
            parameter.validate(parameter.default)
        except ParameterError as error:
            raise RequestError(f"{where}, default of '{name}': {error}") from error


def _check_null(where: str, scenario: Scenario, parameter: Parameter) -> None:
    """Refuse a null that is no value the effect could have."""
    of = f"{where}, null of '{parameter.name}'"
    null = parameter.null
    if parameter.role != "effect":
        raise RequestError(f"{of}: a null belongs to the effect; say role='effect', or leave the null out.")
    if isinstance(null, str):
        others = [p.name for p in scenario.parameters if p is not parameter and p.kind != "profile"]
        check_names(of, [null], others)
    elif null is not None and not (math.isfinite(null) and parameter.low <= null <= parameter.high):
        raise RequestError(f"{of}: it is {null:g}; it must be {parameter.interval}.")


def _check_roles(where: str, scenario: Scenario) -> None:
    """Refuse a size or an effect that nothing could be solved for."""
    for role in ("size", "effect"):
        names = [p.name for p in scenario.parameters if p.role == role]
        if len(names) > 1:
            raise RequestError(f"{where}: {' and '.join(names)} have the role '{role}'; one parameter can have it.")
    size, effect = scenario.size, scenario.effect
    if size and (size.kind != "integer" or not math.isfinite(size.low)):
        raise RequestError(f"{where}: the size '{size.name}' must have kind 'integer' and a lower end (low).")
    if effect and effect.kind == "profile":
        raise RequestError(f"{where}: the effect '{effect.name}' must be a single number, not a profile.")
    if effect and effect.null is None and type(scenario).null is Scenario.null:
        raise RequestError(f"{where}: the effect '{effect.name}' has no null: say null=NUMBER, or define null().")


def _check_counts(where: str, scenario: Scenario) -> None:
    """Refuse blocks, projections and a kernel that do not fit one another."""
    kernel = scenario.kernel
    if not scenario.engines:
        raise RequestError(f"{where} has neither blocks nor a walk nor a kernel, so nothing can be computed.")
    if scenario.counted and scenario.walk_columns:
        raise RequestError(f"{where} has blocks and a walk: a replication has one law, so leave one of them out.")
    if not scenario.fixed_columns:
        return  # known at the first design point
    if type(scenario).derived is Scenario.derived:
        check_names(f"{where}, size of a block", [b.size for b in scenario.blocks], scenario.by_name)
    for name, coefficients in scenario.projections.items():
        check_names(f"{where}, projection '{name}'", coefficients, scenario.columns)
        if not all(isinstance(number, int) for number in coefficients.values()):
            raise RequestError(f"{where}, projection '{name}': the numbers must be whole.")
    named = [block.name for block in scenario.blocks if block.name]
    _once(where, [*scenario.columns, *scenario.projections, *scenario.by_name, *named])
    if kernel is None:
        return
    _once(f"{where}, kernel", kernel.columns)
    check_names(f"{where}, real columns of the kernel", kernel.real, kernel.columns)
    functions = (kernel.simulate, kernel.cases) if isinstance(kernel, Kernel) else (kernel.draw, kernel.analyse)
    for function in functions:
        if isinstance(function, str) and function.count(":") != 1:
            raise RequestError(f"{where}, kernel: the function {function!r} must be written 'module:function'.")


def _once(where: str, names: Iterable[str]) -> None:
    """Refuse a name that stands for two things, of which methods could be given one alone."""
    twice = [name for name, often in Counter(names).items() if often > 1]
    if twice:
        raise RequestError(
            f"{where}: the name '{twice[0]}' stands for more than one thing; counts, projections and parameters need "
            "names of their own."
        )


def _check_shown(where: str, scenario: Scenario) -> None:
    """Refuse names of methods and of measures that do not exist."""
    check_names(f"{where}, default_methods", scenario.default_methods, [m.name for m in scenario.methods])
    own = {measure.name: measure for measure in scenario.measures}
    aims = (*TARGET_VARIABLES, *(name for name, measure in own.items() if measure.better))
    check_names(f"{where}, target_variable", [scenario.target_variable], aims)
    shown = [name for name in scenario.shows if name not in OF_MEASURES]
    check_names(f"{where}, shows", shown, [*(m.name for m in MEASURES), *own, *scenario.units])
    hidden = [name for name in scenario.units if name in OF_MEASURES or name in own]
    if hidden:
        raise RequestError(f"{where}, units: the name '{hidden[0]}' is taken by a measure; choose another name.")
    if len(scenario.directions) != 2:
        raise RequestError(f"{where}: directions must be two texts, of negative and of positive rejections.")


def check_law(point: DesignPoint) -> None:
    """Refuse a law with the wrong number of probabilities, with one that is none, or with a sum other than one."""
    scenario = point.scenario
    laws = scenario.law(point.values)
    if not isinstance(laws, Sequence) or len(laws) != len(point.blocks):
        given = f"{len(laws)} blocks" if isinstance(laws, Sequence) else repr(laws)
        raise RequestError(f"The law of {scenario.name} has {given} instead of {len(point.blocks)}.")
    for block, probabilities in zip(point.blocks, laws, strict=True):
        if not _is_law(probabilities, len(block.classes)):
            raise RequestError(
                f"The law of {scenario.name} is no law: {len(block.classes)} probabilities in [0, 1] that sum to one "
                f"are needed, and it gives {probabilities}."
            )


def _is_law(probabilities: object, classes: int) -> bool:
    if not isinstance(probabilities, Iterable):
        return False
    found = [float(p) if hasattr(p, "__float__") else math.nan for p in probabilities]
    return len(found) == classes and all(-SLACK <= p <= 1 + SLACK for p in found) and abs(math.fsum(found) - 1) <= SLACK
