"""Where a method that does not fit the design looks stronger than it is, and what it misses: closing paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simstudy.errors import ComputationError, RequestError
from simstudy.pages.notes.note import Note, Result, outcome, rate, where
from simstudy.pages.variables import EXACT, METHOD
from simstudy.scenarios.decisions import AT_NULL
from simstudy.scenarios.declaration import Method
from simstudy.scenarios.rules import Rule
from simstudy.study.plan import ask
from simstudy.study.power_curve import power_of

if TYPE_CHECKING:
    import xarray as xr

WORTH = 0.005
"""Differences of power below this are not worth a sentence."""


def _exact(result: Result) -> list[Method]:
    """Return the methods whose power is exact throughout."""
    engine = result.dataset["engine"]
    return [method for method in result.methods if bool((engine.sel({METHOD: method.name}) == EXACT).all())]


def _applies(result: Result) -> bool:
    asked = result.study.question == "power" and "power" in result.dataset and result.study.scenario.effect is not None
    return asked and bool(result.misused) and any(method.misuse for method in _exact(result))


def _says(result: Result) -> list[str]:
    """Compare each mistake with the first method of its kind that fits; where none is shown, say its level alone."""
    exact, scenario = _exact(result), result.study.scenario
    words = []
    for wrong in exact:
        if wrong.misuse:
            kind = type(wrong.decision)
            fitting = [m for m in exact if not m.misuse and isinstance(m.decision, kind)]
            if fitting:
                words += _compared(result, wrong, fitting[0])
            else:
                usual = next(scenario.method(m) for m in scenario.default_methods if not scenario.method(m).misuse)
                last = {str(dim): size - 1 for dim, size in result.dataset["power"].sizes.items() if dim != METHOD}
                at = _at(result, last)
                words.append(f"{wrong.name} does not fit this design{at}{_levels(result, last, wrong, usual)}.")
    return words


def _compared(result: Result, wrong: Method, right: Method) -> list[str]:
    """Say where a mistake exceeds a method that fits the most, and where it falls short of it the most."""
    power = result.dataset["power"]
    excess = power.sel({METHOD: wrong.name}) - power.sel({METHOD: right.name})
    at_null = result.at_null_of(wrong)
    if at_null is not None:
        excess = excess.where(~at_null)
    does = f"says '{outcome(wrong, result.study)}' in" if isinstance(wrong.decision, Rule) else "rejects"
    words = []
    for sign, found, of_right in (
        (1, f"{wrong.name} looks stronger than it is", f" for {right.name}"),
        (-1, f"{wrong.name} misses what {right.name} sees", ""),
    ):
        if bool((sign * excess > WORTH).any()):
            place = {str(dim): int(index) for dim, index in (sign * excess).argmax(...).items()}
            a, b = (rate(float(power.sel({METHOD: method.name}).isel(place))) for method in (wrong, right))
            levels = _levels(result, place, wrong, right)
            words.append(f"{found}{_at(result, place)}: it {does} {a} against {b}{of_right}{levels}.")
    return [" ".join(words)] if words else []


def _at(result: Result, place: dict[str, int]) -> str:
    labels = {dim: result.dataset[dim].values[index].item() for dim, index in place.items()}
    return f" at {where(labels)}" if labels else ""


def _levels(result: Result, place: dict[str, int], wrong: Method, right: Method) -> str:
    """Return the exact rates of both methods where there is no effect, as a part of a sentence."""
    study, cell = result.study, result.dataset.isel(place)
    null, other = (
        float(nulls.isel({dim: index for dim, index in place.items() if dim in nulls.dims}))
        for nulls in map(result.nulls_of, (wrong, right))
    )
    if not abs(null - other) <= AT_NULL:
        return ""  # they are about different questions, or at scales that do not compare
    alpha, options = float(cell["alpha"]), study.options
    kept = {name: getattr(options, name) for name in ("alternative", "comparisons", "unusable")}
    point = {**_parameters(result, cell), study.effect: null, "alpha": alpha, "engine": EXACT, **kept}
    try:
        found = power_of(ask(study.scenario, "power", point, method=[wrong.name, right.name]))
    except (RequestError, ComputationError):
        return ""  # at this discordance, say, equal accuracies cannot exist
    x, y = (rate(float(value)) for value in found["power"].values)
    if isinstance(wrong.decision, Rule):
        said = f"'{outcome(wrong, study)}' comes out in {x} against {y} for {right.name}"
        return f"; with {study.effect} {null:g} there {said}"
    level = wrong.decision.level_of(wrong, alpha / options.comparisons, options.alternative)
    of_level = "" if level is None else f" (level {level:g})"
    return f"; with {study.effect} {null:g} there its type I error is {x} against {y} for {right.name}{of_level}"


def _parameters(result: Result, cell: xr.Dataset) -> dict[str, Any]:
    """Return the parameters of one design point in terms that include the effect, which stand beside it as truths."""
    study, scenario = result.study, result.study.scenario
    unwanted = {study.effect, *study.grid.defaults}
    for group in scenario.groups:
        chosen = _alternative(group.alternatives, study.effect, cell)
        unwanted |= {name for names in group.alternatives for name in names if name not in chosen}
    return {
        p.name: cell[p.name].item() for p in scenario.parameters if p.name in cell.variables and p.name not in unwanted
    }


def _alternative(alternatives: Sequence[Sequence[str]], effect: str, cell: xr.Dataset) -> Sequence[str]:
    """Choose the way of saying something that names the effect, else the one that was taken."""
    naming = [names for names in alternatives if effect in names]
    taken = [names for names in alternatives if all(name in cell.coords for name in names)]
    return [*naming, *taken, *alternatives][0]


MISTAKES = Note("mistakes", _applies, _says)
