"""The question behind a result, taken apart so that a related one can be asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simstudy.pages.numbers import plain
from simstudy.scenarios import get_scenario
from simstudy.scenarios.declaration import Scenario
from simstudy.study.words import number

if TYPE_CHECKING:
    import xarray as xr

LEVELS = ("alpha", "alternative", "comparisons", "unusable")


def asked(dataset: xr.Dataset) -> dict[str, Any]:
    """Return the study that a result answers.

    Parameters
    ----------
    dataset : xarray.Dataset

    Returns
    -------
    dict
        Keys ``parameters``, ``method``, ``options`` and others.
    """
    resolved: dict[str, Any] = json.loads(dataset.attrs["study"])
    return resolved


def said(study: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a study that were given, without those by default.

    Parameters
    ----------
    study : dict
        From `asked`.

    Returns
    -------
    dict
    """
    return {name: value for name, value in study["parameters"].items() if name not in study["defaults"]}


def levels(dataset: xr.Dataset) -> dict[str, Any]:
    """Return the options on which an exact answer depends.

    Parameters
    ----------
    dataset : xarray.Dataset

    Returns
    -------
    dict
    """
    options = asked(dataset)["options"]
    return {name: options[name] for name in LEVELS}


def scenario_of(dataset: xr.Dataset) -> Scenario:
    """Return the scenario of a result.

    Parameters
    ----------
    dataset : xarray.Dataset

    Returns
    -------
    Scenario
    """
    return get_scenario(str(dataset.attrs["scenario"]))


def misused(dataset: xr.Dataset) -> list[str]:
    """Return the methods that do not fit the design.

    Parameters
    ----------
    dataset : xarray.Dataset

    Returns
    -------
    list of str
    """
    return [name for name in str(dataset.attrs.get("misused_methods", "")).split(", ") if name]


def parameters_at(cell: xr.Dataset, effect: str) -> dict[str, Any]:
    """Return the parameters of a single design point, in terms that include the effect.

    Parameters
    ----------
    cell : xarray.Dataset
        A result at one design point.
    effect : str
        Name of the effect.

    Returns
    -------
    dict
        Under logits, the accuracies that follow from them; without the effect itself and what is so by default.
    """
    scenario = scenario_of(cell)
    unwanted = {effect, *asked(cell)["defaults"]}
    for group in scenario.groups:
        chosen = next((names for names in group.alternatives if effect in names), None)
        if chosen is None:
            chosen = next(
                (names for names in group.alternatives if all(n in cell.coords for n in names)),
                group.alternatives[0],
            )
        unwanted |= {name for names in group.alternatives for name in names if name not in chosen}
    return {
        p.name: cell[p.name].item() for p in scenario.parameters if p.name in cell.variables and p.name not in unwanted
    }


def where(labels: Mapping[str, Any]) -> str:
    """Return a place in a grid in words.

    Parameters
    ----------
    labels : mapping
        Name → value.

    Returns
    -------
    str
        For example ``"n_cases 36, difference 0.2"``.
    """
    return ", ".join(
        f"{name} {number(value) if isinstance(value, int | float) else value}" for name, value in labels.items()
    )


def rate(value: float) -> str:
    """Return a proportion as tables write it.

    Parameters
    ----------
    value : float

    Returns
    -------
    str
    """
    return plain(value, 4, rate=True)
