"""Why a question has no answer, in sentences below the table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from simstudy.solve import reasons as why

if TYPE_CHECKING:
    import xarray as xr

UNREACHABLE, OUTSIDE = why.UNREACHABLE, why.OUTSIDE
# reason → sentence, with the range that was searched and without it where answers differ in it
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
    why.READS_FEWER: (
        "{target} is missed up to {name} {last}, and more changes nothing: the method reads fewer units than that",
        "{target} is missed, and a larger {name} changes nothing: the method reads fewer units than that",
    ),
}


def is_size(dataset: xr.Dataset) -> bool:
    """Say whether a sample size was solved for.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    bool
        True for a size, which is a whole number.
    """
    return bool(dataset.attrs["solved_for"] == dataset.attrs.get("size"))


def solved_name(dataset: xr.Dataset) -> str:
    """Name the parameter that was solved for.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.

    Returns
    -------
    str
        The effect for a smallest effect, else the size; empty where nothing was solved for.
    """
    name, effect = (str(dataset.attrs.get(key, "")) for key in ("solved_for", "effect"))
    return effect if name == "mde" and effect else name


def missing_notes(dataset: xr.Dataset) -> list[str]:
    """Say why answers are missing.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    list of str
        A sentence for each reason that occurs; it names the methods where it is not true of all.
    """
    if "reason" not in dataset:
        return _by_status(dataset)
    reasons = dataset["reason"]
    return [_sentence(dataset, reason) for reason in SENTENCES if bool((reasons == reason).any())]


def _by_status(dataset: xr.Dataset) -> list[str]:
    """Say what is known of answers that were read off a grid."""
    name, target = solved_name(dataset), dataset.attrs.get("target", "the target")
    statuses = set(dataset["status"].values.ravel().tolist())
    notes = {
        UNREACHABLE: f"unreachable: no {name} that can exist reaches {target}.",
        OUTSIDE: f"outside the range: {target} is not crossed within the range that was searched.",
    }
    return [note for status, note in notes.items() if status in statuses]


def _sentence(dataset: xr.Dataset, reason: str) -> str:
    here = dataset["reason"] == reason
    status = str(dataset["status"].values[here.transpose(*dataset["status"].dims).values][0])
    ranges = set(zip(*(_where(dataset, name, here) for name in ("searched_from", "searched_to")), strict=True))
    first, last = ranges.pop() if len(ranges) == 1 else (math.nan, math.nan)
    known, unknown = SENTENCES[reason]
    text = (unknown if math.isnan(first) else known).format(
        name=solved_name(dataset),
        target=dataset.attrs.get("target", "the target"),
        side="above" if last < first else "below" if last > first else "beyond",
        first=_number(first, dataset),
        last=_number(last, dataset),
    )
    simulated = bool((dataset["replications"] > 0).where(here, False).any())
    told = ", as far as simulation tells" if reason == why.LOST_AGAIN and simulated else ""
    return f"{status}{_of_methods(dataset, here)}: {text}{told}."


def _of_methods(dataset: xr.Dataset, here: xr.DataArray) -> str:
    """Name the methods that something is true of, where it is not true of all of them."""
    others = [dim for dim in here.dims if dim != "method"]
    affected = here.any(others)
    if bool(affected.all()):
        return ""
    return f" ({', '.join(dataset['method'].values[affected.values].tolist())})"


def _where(dataset: xr.Dataset, name: str, here: xr.DataArray) -> list[float]:
    chosen = dataset[name].transpose(*here.dims).values[here.values]
    return [float(value) for value in np.where(np.isnan(chosen), np.inf, chosen)]


def _number(value: float, dataset: xr.Dataset) -> str:
    if not math.isfinite(value):
        return ""
    return f"{value:.0f}" if is_size(dataset) else f"{value:.4g}"


def lost_notes(dataset: xr.Dataset) -> list[str]:
    """Say of which methods power falls again below the target before the end of the effects that can exist.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    list of str
        One sentence for each side; none where it does not happen.
    """
    if "lost_again" not in dataset or not bool(dataset["lost_again"].any()):
        return []
    lost = dataset["lost_again"]
    up = dataset["searched_to"] > dataset["searched_from"]
    notes = []
    for here, word in ((lost & up, "larger"), (lost & ~up, "smaller")):
        methods = dataset["method"].values[here.any([dim for dim in here.dims if dim != "method"]).values]
        if len(methods):
            target, name = dataset.attrs.get("target", "the target"), solved_name(dataset)
            notes.append(f"{', '.join(methods.tolist())}: {target} is lost again at {word} {name}.")
    return notes
