"""Where a method that does not fit the design looks stronger than it is, and what it misses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simstudy.commands.asked import asked, levels, misused, parameters_at, rate, scenario_of, where
from simstudy.errors import ComputationError, RequestError
from simstudy.pages.grid_of import METHOD  # as a key: sel(method=...) would be the way of looking up
from simstudy.scenarios.declaration import Scenario
from simstudy.study.power_curve import power_curve

if TYPE_CHECKING:
    import xarray as xr

# differences of power below this are not worth a sentence
WORTH = 0.005


def misuse_words(dataset: xr.Dataset) -> list[str]:
    """Return a paragraph on each misused method whose power is exact.

    Parameters
    ----------
    dataset : xarray.Dataset
        From `simstudy.power_curve`.

    Returns
    -------
    list of str
        Its type I error, computed exactly, where it rejects most in excess of a method that fits, and where it falls
        short of it most.
    """
    effect = str(dataset.attrs["effect"])
    exact = dataset["engine"] == "exact"
    wrong = [name for name in misused(dataset) if bool(exact.sel({METHOD: name}).all())]
    scenario = scenario_of(dataset)
    if not effect or not wrong or scenario.effect is None:
        return []
    right = [m for m in asked(dataset)["method"] if m not in misused(dataset) and bool(exact.sel({METHOD: m}).all())]
    right = [m for m in right if scenario.method(m).decision.two_directions]
    if not right:
        fallback = next(m for m in scenario.default_methods if not scenario.method(m).misuse)
        return [_level_alone(dataset, name, fallback, effect) for name in wrong]
    return [words for name in wrong for words in _compared(dataset, name, right[0], effect)]


def _compared(dataset: xr.Dataset, wrong: str, right: str, effect: str) -> list[str]:
    power = dataset["power"]
    away = dataset[effect] != _nulls(dataset, scenario_of(dataset)) if effect in dataset.variables else True
    excess = (power.sel({METHOD: wrong}) - power.sel({METHOD: right})).where(away)
    words = []
    if bool((excess > WORTH).any()):
        place = _place(excess.argmax(...))
        a, b = _powers(dataset, place, wrong, right)
        words.append(
            f"{wrong} looks stronger than it is{_at(dataset, place)}: it rejects {rate(a)} against {rate(b)} for "
            f"{right}{_levels(dataset, place, wrong, right, effect)}."
        )
    if bool((excess < -WORTH).any()):
        place = _place(excess.argmin(...))
        a, b = _powers(dataset, place, wrong, right)
        words.append(
            f"{wrong} misses what {right} sees{_at(dataset, place)}: it rejects {rate(a)} against {rate(b)}"
            f"{_levels(dataset, place, wrong, right, effect)}."
        )
    return [" ".join(words)] if words else []


def _level_alone(dataset: xr.Dataset, wrong: str, right: str, effect: str) -> str:
    """Say what a misused method does without an effect, at the last point of the grid."""
    place = {str(dim): size - 1 for dim, size in dataset["power"].sizes.items() if dim != METHOD}
    levels_there = _levels(dataset, place, wrong, right, effect)
    return f"{wrong} does not fit this design{_at(dataset, place)}{levels_there}."


def _nulls(dataset: xr.Dataset, scenario: Scenario) -> Any:
    """Return the null of the effect: a number, or what the parameter that holds it says at each point."""
    null = scenario.effect.null if scenario.effect else None
    return dataset[null] if isinstance(null, str) else null or 0.0


def _place(index: Any) -> dict[str, int]:
    return {str(dim): int(position) for dim, position in index.items()}


def _powers(dataset: xr.Dataset, place: dict[str, int], *methods: str) -> list[float]:
    return [float(dataset["power"].sel({METHOD: name}).isel(place)) for name in methods]


def _at(dataset: xr.Dataset, place: dict[str, int]) -> str:
    labels = {dim: dataset[dim].values[i].item() for dim, i in place.items()}
    return f" at {where(labels)}" if labels else ""


def _levels(dataset: xr.Dataset, place: dict[str, int], wrong: str, right: str, effect: str) -> str:
    """Return the exact rejection rates of both methods where there is no effect, as a part of a sentence."""
    cell = dataset.isel(place)
    options = {**levels(dataset), "alpha": float(cell["alpha"])}
    null = float(_nulls(cell, scenario_of(dataset)))
    point = {**parameters_at(cell, effect), effect: null}
    try:
        found = power_curve(dataset.attrs["scenario"], method=[wrong, right], engine="exact", **options, **point)
    except (RequestError, ComputationError):
        return ""  # at this discordance, say, equal accuracies cannot exist
    x, y = (rate(float(value)) for value in found["power"].values)
    level = float(cell["alpha"]) / float(options["comparisons"])
    return f"; with {effect} {null:g} there its type I error is {x} against {y} for {right} (level {level:g})"
