"""Notes below tables of answers: why some are missing, what their signs mean, what was checked."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from simstudy.pages.notes.note import Note, Result, by_method, most, where
from simstudy.pages.solved import any_interval, first_differs
from simstudy.pages.variables import METHOD
from simstudy.solve import search as why
from simstudy.study.asked import is_stand_in
from simstudy.study.plan import usable_units
from simstudy.study.results import IMPOSSIBLE

if TYPE_CHECKING:
    import xarray as xr

# share of undefined replications from which it is said at an answer
OFTEN = 0.01
MOST_RANGES = 6
"""More ranges of checked sizes than this are not listed."""

# reason → sentence, with the range that was searched; and without it, where answers differ in it
SENTENCES = {
    why.NOT_REACHED: (
        "no {name} that can exist on this side, from {first} to {last}, reaches {target}",
        "no {name} that can exist on the side that was searched reaches {target}",
    ),
    why.NO_SUCH_EFFECT: (
        "no {name} {side} {first} can exist with these values",
        "no {name} on the side that was searched can exist with these values",
    ),
    why.NULL_REACHES: (
        "{target} is reached at {name} {first} already, the least on the side that was searched",
        "{target} is reached by the least {name} on the side that was searched already",
    ),
    why.AT_NULL: ("there is nothing to be found, so power stays near the level at any {name}",) * 2,
    why.WRONG_SIDE: (
        "the truth lies on the side that the method does not decide for, so power stays near the level or below it at "
        "any {name}",
    )
    * 2,
    why.MISLED: (
        "errors turn the effect round: what the method estimates lies on the other side of the null, so that a larger "
        "{name} makes the wrong answer surer; fewer errors help{helps}",
    )
    * 2,
    why.FALSE_ALARM: (
        "there is nothing to be found, and errors make an effect of it, so that a larger {name} makes a false alarm "
        "surer; fewer errors help{helps}",
    )
    * 2,
    why.OFF_TARGET: (
        "errors move the estimate away from the truth, so that a larger {name} makes the interval surer of something "
        "else; fewer errors help{helps}",
    )
    * 2,
    why.FALLS: (
        "{target} is missed, and power falls as {name} grows: errors, or a bar above what the method measures, stand "
        "in the way, and more units make the wrong answer surer; fewer errors help, a lower bar, or another method",
    )
    * 2,
    why.MISSED: (
        "{target} is missed at every {name} that was looked at, from {first} to {last}; --largest sets how far, and "
        "where it is simulated --replications",
        "{target} is missed at every {name} that was looked at; --largest sets how far, and "
        "where it is simulated --replications",
    ),
    why.LOST_AGAIN: (
        "{target} is reached, but lost again and again between {name} {first} and {last}",
        "{target} is reached, but lost again and again",
    ),
    why.UNTOLD: (
        "up to {name} {last} some values lie within their Monte Carlo error of {target}, so that simulation does not "
        "tell from where it is kept; more --replications do, or --engine exact",
        "some values lie within their Monte Carlo error of {target}, so that simulation does not tell from where it is "
        "kept; more --replications do, or --engine exact",
    ),
    why.READS_FEWER: (
        "{target} is missed up to {name} {last}, and more changes nothing: the method reads fewer units than that",
        "{target} is missed, and a larger {name} changes nothing: the method reads fewer units than that",
    ),
}
# the same of answers that were read off a grid, which says nothing of what lies beyond it
IN_GRID = {
    why.NOT_REACHED: "{target} is not reached in the grid",
    why.NULL_REACHES: "{target} is reached by the least {name} in the grid already",
}


def _missing(reason: str) -> Note:
    """Return the note on one reason why answers are missing."""
    return Note(
        reason,
        lambda result: "reason" in result.dataset and bool((result.dataset["reason"] == reason).any()),
        lambda result: [_sentence(result, reason)],
    )


def _sentence(result: Result, reason: str) -> str:
    dataset = result.dataset
    here = dataset["reason"] == reason
    status = str(dataset["status"].transpose(*here.dims).values[here.values][0])
    first, last = _searched(dataset, here)
    known, unknown = SENTENCES[reason]
    if "searched_from" not in dataset:
        unknown = IN_GRID.get(reason, unknown)
    text = (unknown if math.isnan(first) else known).format(
        name=result.solved_name,
        target=result.target,
        helps=_helps(result),
        side="above" if last < first else "below" if last > first else "beyond",
        first=_limit(first, result),
        last=_limit(last, result),
    )
    simulated = "replications" in dataset and bool((dataset["replications"] > 0).where(here, False).any())
    told = ", as far as simulation tells" if reason == why.LOST_AGAIN and simulated else ""
    return f"{status}{_of_methods(here)}: {text}{told}."


def _helps(result: Result) -> str:
    """Name the methods of the scenario that correct for errors: those without a bias of their own, with labels."""
    shown = result.methods
    known = any(method.own_target for method in shown)
    others = [m for m in result.study.scenario.methods if m.needs and not (m.own_target or m.misuse or m in shown)]
    needs = dict.fromkeys(f"--{name.replace('_', '-')}" for method in others for name in method.needs)
    if not (known and others):
        return ", or a method that corrects for them"
    return f", or labels: {', '.join(method.name for method in others)} ({', '.join(needs)})"


def _skipped(result: Result) -> list[str]:
    """Say how many design points of the grid cannot exist, and why the first of them."""
    impossible = result.dataset["status"] == IMPOSSIBLE
    each = impossible.all([dim for dim in impossible.dims if dim not in result.study.grid.swept])
    reason, grid = "", result.study.grid
    if not is_stand_in(grid.scenario) and not all(grid.possible):
        index = grid.possible.index(False)
        reason = f", the first at {grid.where(index)}: {grid.found[index]}"
    return [
        f"impossible: {int(each.sum())} of {each.size} design points cannot exist and were skipped{reason.rstrip('.')}."
    ]


SKIPPED = Note(
    "skipped",
    lambda result: "status" in result.dataset and bool((result.dataset["status"] == IMPOSSIBLE).any()),
    _skipped,
)
REMARKS = Note("remarks", lambda result: bool(result.study.remarks), lambda result: list(result.study.remarks))


def _often_undefined(result: Result) -> dict[str, xr.DataArray]:
    """Return how often methods are undefined at their answers, where it is often: it counts as not rejecting."""
    if "undefined" not in result.dataset or "answer" not in result.dataset:
        return {}
    often = by_method(result.dataset["undefined"].where(result.dataset["undefined"] > OFTEN))
    return {name: shares for name, shares in often.items() if bool(shares.notnull().any())}


def _undefined(result: Result) -> list[str]:
    often = _often_undefined(result)
    instead = [m.instead for m in result.methods if m.name in often and m.instead and m.instead not in often]
    better = f" {', '.join(dict.fromkeys(instead))} holds there." if instead else ""
    return [
        "Undefined, which counts against the target, at the answer or, without one, where the target comes nearest: "
        f"{most(often)}.{better}"
    ]


def _searched(dataset: xr.Dataset, here: xr.DataArray) -> tuple[float, float]:
    """Return the range in which the answers marked were searched; NaN where they differ in it."""
    if "searched_from" not in dataset:
        return math.nan, math.nan
    ends = [dataset[name].transpose(*here.dims).values[here.values] for name in ("searched_from", "searched_to")]
    # an unknown end is the same unknown end everywhere
    ranges = set(zip(*(np.where(np.isnan(end), np.inf, end).tolist() for end in ends), strict=True))
    return ranges.pop() if len(ranges) == 1 else (math.nan, math.nan)


def _of_methods(here: xr.DataArray) -> str:
    """Name the methods that something is true of, where it is not true of all of them."""
    affected = here.any([dim for dim in here.dims if dim != METHOD])
    if bool(affected.all()):
        return ""
    return f" ({', '.join(here[METHOD].values[affected.values].tolist())})"


def _limit(value: float, result: Result) -> str:
    if not math.isfinite(value):
        return ""
    return f"{value:.0f}" if result.study.question == "size" else f"{value:.4g}"


def _lost(word: str, side: Callable[[xr.Dataset], xr.DataArray]) -> Note:
    """Return the note on methods whose power falls below the target again before the end of the effects."""

    def methods(result: Result) -> list[str]:
        lost = result.dataset["lost_again"] & side(result.dataset)
        marked = lost.any([dim for dim in lost.dims if dim != METHOD])
        return [str(name) for name in lost[METHOD].values[marked.values]]

    return Note(
        f"lost again at {word}",
        lambda result: "lost_again" in result.dataset and bool(methods(result)),
        lambda result: [f"{', '.join(methods(result))}: {result.target} is lost again at {word} {result.solved_name}."],
    )


def _checked_ranges(result: Result) -> dict[tuple[float, float], list[str]]:
    """Return the ranges in which every single size was looked at, with the answers that they are around."""
    ends = [result.dataset[name] for name in ("checked_from", "checked_to")]
    varying = [str(dim) for dim in ends[0].dims if ends[0].sizes[dim] > 1]
    ranges: dict[tuple[float, float], list[str]] = {}
    cells = ends[0].stack(cell=ends[0].dims)["cell"]
    for cell, low, high in zip(cells, *(end.values.ravel().tolist() for end in ends), strict=True):
        if math.isfinite(low):
            ranges.setdefault((low, high), []).append(where({name: cell[name].item() for name in varying}))
    return ranges


def _checked(result: Result) -> list[str]:
    name, ranges = result.study.size, _checked_ranges(result)
    if len(ranges) > MOST_RANGES:
        return [
            f"Around each answer every single {name} was checked: the ranges are checked_from and checked_to in "
            "--format json."
        ]
    if len(ranges) == 1:
        ((low, high),) = ranges
        return [f"Every {name} from {low:.0f} to {high:.0f} was checked."]
    parts = [f"from {low:.0f} to {high:.0f} ({'; '.join(places)})" for (low, high), places in ranges.items()]
    return [f"Every {name} was checked {', '.join(parts)}."]


def _collected(result: Result) -> list[str]:
    unusable, largest = result.study.options.unusable, int(result.dataset["answer"].max())
    return [
        f"{result.study.size} counts units to collect: a share of {unusable:.4g} is lost, so that for example "
        f"{largest} collected leave {usable_units(largest, unusable)} usable ones."
    ]


ON_ANSWERS = (
    SKIPPED,
    Note(
        "interval",
        lambda result: "answer" in result.dataset and any_interval(result.dataset),
        lambda _: ["[, ]: interval for the answer, from Monte Carlo error."],
    ),
    Note(
        "first",
        lambda result: first_differs(result.dataset),
        lambda result: [
            f"{result.solved_name}: from there on {result.target} is not lost again within the range searched; first: "
            "the first that reaches it."
        ],
    ),
    *(_missing(reason) for reason in SENTENCES),
    Note("often undefined", lambda result: bool(_often_undefined(result)), _undefined),
    _lost("larger", lambda dataset: dataset["searched_to"] > dataset["searched_from"]),
    _lost("smaller", lambda dataset: dataset["searched_to"] <= dataset["searched_from"]),
)
CHECKED = Note(
    "checked",
    lambda result: "checked_from" in result.dataset and bool(result.dataset["checked_from"].notnull().any()),
    _checked,
)
COLLECTED = Note(
    "collected",
    lambda result: (
        result.study.question == "size"
        and result.study.options.unusable > 0
        and bool(np.isfinite(result.dataset["answer"]).any())
    ),
    _collected,
)
