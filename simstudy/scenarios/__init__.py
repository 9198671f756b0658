"""The scenarios that simstudy knows, by name.

A scenario of one's own is registered with `register`; the built-in ones are found through `BUILT_IN`.
"""

from __future__ import annotations

import importlib
from functools import cache

from simstudy.errors import RequestError, UnknownNameError
from simstudy.scenarios.check import check_declaration
from simstudy.scenarios.declaration import Scenario

BUILT_IN = {
    "paired": "Paired",
    "clustered": "Clustered",
    "independent": "Independent",
    "proportion": "Proportion",
    "agreement": "Agreement",
    "judged": "Judged",
    "position": "Position",
    "self_preference": "SelfPreference",
    "verbosity": "Verbosity",
    "stability": "Stability",
}
_registered: dict[str, Scenario] = {}


def scenario_names() -> list[str]:
    """Return the names of all known scenarios.

    Returns
    -------
    list of str
        The built-in ones in the order of the docs, then registered ones.
    """
    return [*BUILT_IN, *_registered]


def get_scenario(scenario: str | Scenario) -> Scenario:
    """Return a scenario by name.

    Parameters
    ----------
    scenario : str or Scenario
        A name, or the scenario itself.

    Returns
    -------
    Scenario

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    if isinstance(scenario, Scenario):
        return scenario
    if scenario in _registered:
        return _registered[scenario]
    if scenario not in BUILT_IN:
        raise UnknownNameError("scenario", str(scenario), scenario_names())
    return _built_in(scenario)


@cache
def _built_in(name: str) -> Scenario:
    module = importlib.import_module(f"simstudy.scenarios.{name}")
    found: Scenario = getattr(module, BUILT_IN[name])()
    return found


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
    if getattr(instance, "name", None) in BUILT_IN:
        raise RequestError(f"The name {instance.name} is taken by a built-in scenario; choose another name.")
    check_declaration(instance)
    _registered[instance.name] = instance
    return instance
