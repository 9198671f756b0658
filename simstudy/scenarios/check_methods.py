"""Whether a method of a declaration means something."""

from __future__ import annotations

from simstudy.errors import RequestError
from simstudy.scenarios.check_fields import check_fields, check_names
from simstudy.scenarios.declaration import Call, Method, Scenario

# what methods may be given beside counts, parameters and derived numbers
OF_THE_STUDY = ("alphas", "seed")


def check_method(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse a method that could not be applied, or whose decisions would mean nothing.

    Parameters
    ----------
    where : str
        Begins the message: which method of which scenario.
    scenario : Scenario
    method : Method

    Raises
    ------
    RequestError
    """
    if method.p_value is None and method.interval is None:
        raise RequestError(f"{where} has neither a p-value nor an interval.")
    if method.p_value is not None and method.estimate is None and method.claim == "difference":
        raise RequestError(f"{where} needs an estimate beside its p-value.")
    for call in method.calls:
        _check_call(where, scenario, call)
    check_names(f"{where}, needs", method.needs, scenario.by_name)
    _check_claim(where, scenario, method)
    if method.discordant:
        _check_discordant(where, scenario, method)
    for field in ("estimand", "own_target"):
        name = getattr(method, field)
        check_names(f"{where}, {field} among the units of truth()", [name] if name else [], scenario.units)
    _check_kernel_columns(where, scenario, method)


def _check_call(where: str, scenario: Scenario, call: Call) -> None:
    check_fields(where, call)
    function = call.function
    if isinstance(function, str) and function.count(":") != 1:
        raise RequestError(f"{where}: the function {function!r} must be written 'module:function'.")
    if type(scenario).derived is Scenario.derived:
        known = [*scenario.columns, *scenario.projections, *scenario.by_name, *OF_THE_STUDY]
        check_names(f"{where}, arguments of a function", call.arguments, known)


def _check_claim(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse decisions about a null, or a margin, that is not there."""
    if not scenario.decides and (method.p_value is not None or method.claim != "difference"):
        what = f"claims '{method.claim}'" if method.claim != "difference" else "has a p-value"
        raise RequestError(
            f"{where} {what}, and the scenario has no null to decide about: say role='effect' and null=NUMBER of a "
            "parameter, or define null()."
        )
    if not method.about_margin:
        return
    if method.p_value is None:
        raise RequestError(
            f"{where} claims '{method.claim}' and needs a p-value: an interval is read against the null."
        )
    margin = scenario.by_name.get("margin")
    if margin is None or not (margin.required or margin.default is not None or "margin" in method.needs):
        raise RequestError(
            f"{where} claims '{method.claim}' and reads the parameter 'margin': declare it, and require it, give it a "
            "default, or say needs=('margin',)."
        )


def _check_discordant(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse counts that the p-value does not decide by."""
    names = method.discordant
    if len(set(names)) != 2 or len(names) != 2:
        raise RequestError(f"{where}: discordant is {names!r}; it must be two different counts, (against, toward).")
    check_names(f"{where}, discordant", names, [*scenario.columns, *scenario.projections])
    given = method.p_value.arguments if method.p_value is not None and method.p_value.sided else None
    if given != names or method.claim != "difference":
        raise RequestError(
            f"{where}: discordant is {names!r}; it needs a p-value that takes these two alone, in this order, and "
            "alternative, with claim 'difference'."
        )
    if not scenario.blocks:
        raise RequestError(f"{where}: discordant needs blocks, whose law gives power by the discordant total.")


def _check_kernel_columns(where: str, scenario: Scenario, method: Method) -> None:
    """Refuse a kernel that does not count what a method reads."""
    if scenario.kernel is None:
        return
    for name in (argument for call in method.calls for argument in call.arguments):
        read = scenario.projections.get(name, (name,) if name in scenario.columns else ())
        check_names(f"{where}, '{name}' in the columns of the kernel", read, scenario.kernel.columns)
