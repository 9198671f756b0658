"""Whether a declaration holds at a design point: names, numbers and functions, before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simstudy.errors import RequestError
from simstudy.scenarios.check_fields import check_names
from simstudy.scenarios.check_methods import OF_THE_STUDY
from simstudy.scenarios.declaration import DesignPoint, Method, Rule, Scenario, Values


def check_point(point: DesignPoint, methods: Sequence[Method]) -> None:
    """Refuse a declaration whose truth, null, estimand or functions could not be used at a point."""
    scenario = point.scenario
    where = f"Scenario {scenario.name}"
    for name, returned in (("truth", point.truth), ("derived", point.derived)):
        _check_numbers(f"{where}, {name}()", returned)
    unknown = [name for name in point.truth if name not in scenario.units]
    if unknown:
        raise RequestError(
            f"{where}: truth() returns '{unknown[0]}', which units does not describe; "
            f"add '{unknown[0]}': (words, unit) there."
        )
    hidden = [name for name in point.derived if name in (*scenario.by_name, *point.columns, *point.projections)]
    if hidden:
        raise RequestError(f"{where}, derived(): '{hidden[0]}' is also a count or a parameter; choose another name.")
    sizes = [block.size for block in point.blocks]
    check_names(f"{where}, size of a block", sizes, [*point.derived, *point.values])
    effect = scenario.effect
    if effect and isinstance(effect.null, str) and type(scenario).null is Scenario.null:
        _check_set(f"{where}, null of '{effect.name}'", scenario, [effect.null], point)
    for method in methods:
        _check_method(f"{where}, method '{method.name}'", point, method)


def _check_numbers(where: str, returned: object) -> None:
    if not isinstance(returned, Mapping):
        raise RequestError(f"{where} returns {returned!r}; it must return a dict, name → number.")
    for name, value in returned.items():
        if not _is_number(value):
            raise RequestError(f"{where}: '{name}' is {value!r}; it must be a number.")


def _is_number(value: Any) -> bool:
    if isinstance(value, bool | str):
        return False
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def check_values(point: DesignPoint, methods: Sequence[Method]) -> None:
    """Refuse a null, an estimand, a cost or a claim that is none: comparisons with NaN would be false."""
    where = f"Scenario {point.scenario.name}"
    if point.null is not None:
        _check_finite(f"{where}, null()", point.null, " or None")
    if point.null is not None or not all(method.estimand for method in methods):
        _check_finite(f"{where}, estimand()", point.estimand)
    for method in methods:
        point.scenario.check_method(method, point.values)
        for name, cost in method.costs.items():
            _check_finite(f"{where}, method '{method.name}', the cost '{name}'", cost(point.values))
        if isinstance(method.decision, Rule):
            method.decision.truth(point, method)


def _check_finite(where: str, value: Any, more: str = "") -> None:
    if not (_is_number(value) and math.isfinite(value)):
        raise RequestError(f"{where} returns {value!r}; it must return a finite number{more}.")


def _check_set(where: str, scenario: Scenario, names: Sequence[str], point: DesignPoint) -> None:
    """Refuse a parameter that is read and has no value."""
    unset = [name for name in names if name in scenario.by_name and name not in point.values]
    if unset:
        raise RequestError(
            f"{where}: the parameter '{unset[0]}' has no value; require it, give it a default, or let the method "
            "need it."
        )


def _check_method(where: str, point: DesignPoint, method: Method) -> None:
    for field in ("estimand", "own_target"):
        name = getattr(method, field)
        check_names(f"{where}, {field} in what truth() returns", [name] if name else [], point.truth)
    scenario = point.scenario
    counts = [*point.columns, *point.projections, *point.vectors]
    for call in method.calls:
        if type(scenario).derived is not Scenario.derived or not scenario.fixed_columns:  # else known at registration
            known = [*counts, *point.derived, *scenario.by_name, *OF_THE_STUDY]
            check_names(f"{where}, arguments of a function", call.arguments, known)
        others = [name for name in call.arguments if name not in (*counts, *point.derived, *method.needs)]
        _check_set(where, scenario, others, point)
        try:
            call.resolve()
        except RequestError as error:
            raise RequestError(f"{where}: {error}") from error


def effects_at(scenario: Scenario, values: Values) -> tuple[float, float]:
    """Return the open range of effects beside the other values, or refuse what is none."""
    found: Any = scenario.effect_range(values)
    two = isinstance(found, Sequence | np.ndarray) and len(found) == 2 and all(map(_is_number, found))
    if not two or math.isnan(found[0]) or math.isnan(found[1]):
        raise RequestError(
            f"Scenario {scenario.name}, effect_range() returns {found!r}; it must return two numbers, (low, high)."
        )
    return float(found[0]), float(found[1])


def smallest_size_at(scenario: Scenario, values: Values) -> int:
    """Return the smallest size beside the other values, or refuse what is none."""
    found: Any = scenario.smallest_size(values)
    _check_finite(f"Scenario {scenario.name}, smallest_size()", found)
    return int(found)
