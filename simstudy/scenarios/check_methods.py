"""Whether a method of a declaration means something."""

from __future__ import annotations

import math
from collections.abc import Iterable

from simstudy.errors import RequestError
from simstudy.scenarios.check_fields import check_fields, check_names, check_parts
from simstudy.scenarios.decisions import NonInferiority
from simstudy.scenarios.declaration import Call, Method, Scenario
from simstudy.scenarios.measure import Blocked, Outcome, Said
from simstudy.scenarios.rules import Part, Rule

# what methods may be given beside counts, parameters and derived numbers
OF_THE_STUDY = ("alphas", "seed")


def check_method(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse a method that could not be applied, or whose decisions would mean nothing."""
    check_fields(f"{where}, claim", method.decision)
    _check_own_null(where, scenario, method)
    wrong = [name for name, cost in method.costs.items() if not callable(cost)]
    if wrong:
        raise RequestError(f"{where}: the cost '{wrong[0]}' must be a function of the values.")
    if isinstance(method.decision, Rule):
        _check_rule(where, scenario, method.decision)
    elif method.p_value is None and method.interval is None:
        raise RequestError(f"{where} has neither a p-value nor an interval.")
    if method.p_value is not None and method.estimate is None and method.decision.two_directions:
        raise RequestError(f"{where} needs an estimate beside its p-value.")
    for call in method.calls:
        _check_call(where, scenario, call)
    check_names(f"{where}, measures", method.measures, [measure.name for measure in scenario.measures])
    check_names(f"{where}, costs among the units", method.costs, scenario.units)
    check_names(f"{where}, needs", method.needs, scenario.by_name)
    _check_claim(where, scenario, method)
    if method.discordant:
        _check_discordant(where, scenario, method)
    for field in ("estimand", "own_target"):
        name = getattr(method, field)
        check_names(f"{where}, {field} among the units of truth()", [name] if name else [], scenario.units)
    _check_kernel_columns(where, scenario, method)


def _check_own_null(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse a null of a decision that is no number, or that nothing holds."""
    null = method.decision.null
    if isinstance(null, str):
        if type(scenario).derived is Scenario.derived:
            check_names(f"{where}, null", [null], [*scenario.by_name, *scenario.units])
    elif null is not None and not math.isfinite(null):
        raise RequestError(f"{where}: its null is {null!r}; it must be a finite number, or the name of what holds it.")


def _check_rule(where: str, scenario: Scenario, rule: Rule) -> None:
    """Refuse a rule without parts, or with parts that say nothing."""
    check_parts(where, "parts", rule.parts, Part)
    outcomes = [name for name in (rule.passes, rule.otherwise, rule.fails) if name]
    if not rule.passes or len(set(outcomes)) < len(outcomes):
        raise RequestError(f"{where}: the outcomes of its rule, {', '.join(outcomes)}, need names of their own.")
    names = [part.name for part in rule.parts]
    for name in names:
        if not name.isidentifier():
            raise RequestError(f"{where}: the part name {name!r} must be a Python identifier.")
    if not names or len(set(names)) < len(names):
        problem = "has no parts" if not names else f"has the part '{max(names, key=names.count)}' more than once"
        raise RequestError(f"{where}: its rule {problem}.")
    for part in rule.parts:
        _check_part(f"{where}, part '{part.name}'", scenario, part)
    if rule.power_is and rule.power_is not in (rule.passes, rule.fails):
        check_names(f"{where}, power_is", [rule.power_is], [name for name in (rule.passes, rule.fails) if name])


def _check_part(where: str, scenario: Scenario, part: Part) -> None:
    """Refuse a part without a bound, or with one that is none, and what it cannot read."""
    if (part.at_least is None) == (part.at_most is None):
        raise RequestError(f"{where}: say either at_least or at_most.")
    bound = part.at_least if part.at_least is not None else part.at_most
    if isinstance(bound, float | int) and not math.isfinite(bound):
        raise RequestError(f"{where}: its bound is {bound!r}; it must be a finite number.")
    if isinstance(bound, str) and bound != "alpha" and type(scenario).derived is Scenario.derived:
        check_names(f"{where}, its bound", [bound], ["alpha", *scenario.by_name])
    if isinstance(part.of, str) and scenario.fixed_columns:
        check_names(f"{where}, what it reads", [part.of], [*scenario.columns, *scenario.projections])


def check_measures(where: str, scenario: Scenario, taken: Iterable[str]) -> None:
    """Refuse measures that no method has, or whose names stand for something else."""
    names = [measure.name for measure in scenario.measures]
    strange = [name for name in names if not name.isidentifier()]
    if strange:
        raise RequestError(f"{where}: the measure name {strange[0]!r} must be a Python identifier.")
    variables = [name for measure in scenario.measures for name in measure.variables]
    reserved = {*taken, *scenario.by_name, "answer", "low", "high", "status", "reason", "first", "n_usable", "left_out"}
    for measure in scenario.measures:
        about = f"{where}, measure '{measure.name}'"
        twice = [name for name in measure.variables if name in reserved or variables.count(name) > 1]
        if twice:
            raise RequestError(f"{about}: the name '{twice[0]}' is taken; choose another name.")
        if measure.of is None and not any(measure.name in method.measures for method in scenario.methods):
            raise RequestError(f"{about}: say of what it is the mean, or let methods say it in their measures.")
        if measure.error not in ("rate", "mean", "none"):
            raise RequestError(f"{about}: error is {measure.error!r}; it must be rate, mean or none.")
        check_names(f"{about}, at", measure.at, scenario.by_name)
        if scenario.fixed_columns and type(scenario).derived is Scenario.derived:
            vectors = [block.name for block in scenario.blocks if block.name]
            known = [*scenario.columns, *scenario.projections, *vectors, *scenario.by_name, *OF_THE_STUDY]
            check_names(f"{about}, what it reads", measure.columns, known)
        outcome = measure.of.name if isinstance(measure.of, Outcome) else None
        if outcome and not any(outcome in method.decision.names(scenario) for method in scenario.methods):
            known = [name for method in scenario.methods for name in method.decision.names(scenario)]
            check_names(f"{about}, outcome", [outcome], known)
        if isinstance(measure.of, Said | Blocked):
            rules = [method.decision for method in scenario.methods if isinstance(method.decision, Rule)]
            check_names(f"{about}, part", [measure.of.part], [part.name for rule in rules for part in rule.parts])
    if len(set(names)) < len(names):
        raise RequestError(f"{where} declares the measure '{max(names, key=names.count)}' more than once.")


def _check_call(where: str, scenario: Scenario, call: Call) -> None:
    check_fields(where, call)
    function = call.function
    if isinstance(function, str) and function.count(":") != 1:
        raise RequestError(f"{where}: the function {function!r} must be written 'module:function'.")
    if type(scenario).derived is Scenario.derived and scenario.fixed_columns:
        vectors = [block.name for block in scenario.blocks if block.name]
        known = [*scenario.columns, *scenario.projections, *vectors, *scenario.by_name, *OF_THE_STUDY]
        check_names(f"{where}, arguments of a function", call.arguments, known)


def _check_claim(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse decisions about a null, or a margin, that is not there."""
    decision = method.decision
    if isinstance(decision, Rule) and decision.holds is not None:
        return
    if not scenario.decides and (method.p_value is not None or decision.claims):
        what = f"claims {decision.claims}" if decision.claims else "has a p-value"
        raise RequestError(
            f"{where} {what}, and the scenario has no null to decide about: say role='effect' and null=NUMBER of a "
            "parameter, or define null()."
        )
    if not isinstance(decision, NonInferiority):
        return
    margin = scenario.by_name.get(decision.margin)
    if margin is None or not (margin.required or margin.default is not None or decision.margin in method.needs):
        raise RequestError(
            f"{where} claims {decision.claims} and reads the parameter '{decision.margin}': declare it, and require "
            f"it, give it a default, or say needs=('{decision.margin}',)."
        )


def _check_discordant(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse counts that the p-value does not decide by."""
    names = method.discordant
    if len(set(names)) != 2 or len(names) != 2:
        raise RequestError(f"{where}: discordant is {names!r}; it must be two different counts, (against, toward).")
    check_names(f"{where}, discordant", names, [*scenario.columns, *scenario.projections])
    given = method.p_value.arguments if method.p_value is not None and method.p_value.sided else None
    if given != names or not method.decision.two_directions:
        raise RequestError(
            f"{where}: discordant is {names!r}; it needs a p-value that takes these two alone, in this order, and "
            "alternative, with claim 'difference'."
        )
    if not scenario.counted:
        raise RequestError(f"{where}: discordant needs blocks, whose law gives power by the discordant total.")


def _check_kernel_columns(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse a kernel that does not count what a method reads."""
    if scenario.kernel is None or not scenario.kernel.columns or not scenario.fixed_columns:
        return
    for name in (argument for call in method.calls for argument in call.arguments):
        read = scenario.projections.get(name, (name,) if name in scenario.columns else ())
        check_names(f"{where}, '{name}' in the columns of the kernel", read, scenario.kernel.columns)
