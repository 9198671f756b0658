"""The scenarios that simstudy knows, by name.

A built-in scenario is a folder here: its name is the folder's, and the folder's package holds one subclass of
`Scenario`. Adding one touches no other file. A scenario of one's own is made known with `register`.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

from simstudy.errors import RequestError, UnknownNameError
from simstudy.scenarios.check import check_declaration
from simstudy.scenarios.declaration import Scenario

_registered: dict[str, Scenario] = {}


@cache
def built_in() -> tuple[str, ...]:
    """Return the names of the built-in scenarios, in alphabetical order, importing none of them."""
    return tuple(sorted(folder.parent.name for folder in Path(__file__).parent.glob("*/__init__.py")))


def scenario_names() -> list[str]:
    """Return the names of all known scenarios.

    Returns
    -------
    list of str
        The built-in ones, then registered ones.
    """
    return [*built_in(), *_registered]


def get_scenario(scenario: str | Scenario) -> Scenario:
    """Return a scenario by name, or the scenario itself."""
    if isinstance(scenario, Scenario):
        return scenario
    if not isinstance(scenario, str):
        raise RequestError(f"scenario is {scenario!r}; it must be the name of a scenario, or a Scenario itself.")
    if scenario in _registered:
        return _registered[scenario]
    if scenario not in built_in():
        raise UnknownNameError("scenario", scenario, scenario_names())
    return _built_in(scenario)


@cache
def _built_in(name: str) -> Scenario:
    module = importlib.import_module(f"simstudy.scenarios.{name}")
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Scenario) and value.__module__ == module.__name__
    ]
    (declared,) = own
    return declared()


def register(scenario: Scenario | type[Scenario]) -> Scenario:
    """Make a scenario known under its name.

    Parameters
    ----------
    scenario : Scenario or subclass of Scenario
        The declaration.

    Returns
    -------
    Scenario
        The registered scenario.

    Raises
    ------
    RequestError
        If it is no scenario, or its name is taken by a built-in one.
    """
    instance = scenario() if isinstance(scenario, type) else scenario
    if not isinstance(instance, Scenario):
        raise RequestError(f"{scenario!r} is no scenario: it must be a subclass of simstudy.Scenario.")
    if getattr(instance, "name", None) in built_in():
        raise RequestError(f"The name {instance.name} is taken by a built-in scenario; choose another name.")
    check_declaration(instance)
    _registered[instance.name] = instance
    return instance
