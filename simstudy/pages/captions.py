"""The words around a plot: names of axes and lines, and the notes below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from simstudy.pages import numbers
from simstudy.pages.figures import EXACT, engine_lines, exceeding, fixed_line, misuse_line
from simstudy.pages.grid_of import METHOD
from simstudy.pages.seen_in_grid import TARGET
from simstudy.pages.solved import is_size, solved_name

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.pages.chart import Line

SMALL = 0.25
"""Where all power is below this, a scale up to 1 would flatten every line."""


def axis_words(array: xr.DataArray, name: str) -> str:
    """Name an axis.

    Parameters
    ----------
    array : xarray.DataArray
        What is on it.
    name : str
        What to call it where it has no name in words.

    Returns
    -------
    str
        The name in words, up to a semicolon, with its unit.
    """
    words = str(array.attrs.get("long_name") or name.replace("_", " ")).partition(";")[0]
    units = str(array.attrs.get("units") or "")
    return f"{words} ({units})" if units and units not in words and units != "1" else words


def answer_words(dataset: xr.Dataset) -> str:
    """Name the axis of the answers.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    str
        What was solved for and its target, in words.
    """
    if dataset["answer"].attrs.get("long_name", "answer") != "answer":
        return axis_words(dataset["answer"], "answer")
    name = solved_name(dataset)
    what = f"{name} needed for" if is_size(dataset) else f"smallest {name} seen with"
    return f"{what.replace('_', ' ')} {dataset.attrs.get('target', 'the target')}"


def references(dataset: xr.Dataset, variable: str) -> tuple[tuple[float, str], ...]:
    """Give the horizontal lines that a reader compares with.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.
    variable : str
        What is drawn.

    Returns
    -------
    tuple of (float, str)
        Power .80 and the level alpha for power, the nominal coverage for coverage; each with its name. A
        level that is not fixed is left out, and so is power .80 where all power is small.
    """
    alpha, level = _scalar(dataset, "alpha"), _scalar(dataset, "level")
    if variable == "power":
        known = (_nominal_size(dataset, alpha),) if alpha is not None else ()
        goal = () if all_small(dataset) else ((TARGET, f"power {numbers.plain(TARGET, 2, True)}"),)
        return (*goal, *known)
    nominal = level if level is not None else None if alpha is None else 1 - alpha
    if variable == "coverage" and nominal is not None:
        return ((nominal, f"nominal {_short(nominal)}"),)
    return ()


def _nominal_size(dataset: xr.Dataset, alpha: float) -> tuple[float, str]:
    """Return the level, or half of it where every method decides by the lower limit of a two-sided interval."""
    if set(np.atleast_1d(dataset[METHOD].values).tolist()) <= set(exceeding(dataset)):
        return alpha / 2, f"α/2 {_short(alpha / 2)}"
    return alpha, f"α {_short(alpha)}"


def all_small(dataset: xr.Dataset) -> bool:
    """Say whether all power is small, as at the null effect: type I error rates need a scale of their own.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.

    Returns
    -------
    bool
        False where there is no power.
    """
    return "power" in dataset and bool(dataset["power"].max() < SMALL)


def _scalar(dataset: xr.Dataset, name: str) -> float | None:
    held = dataset.coords.get(name)
    if held is not None and held.size == 1:
        return float(held.values.item())
    return float(dataset.attrs[name]) if isinstance(dataset.attrs.get(name), float) else None


def _short(rate: float) -> str:
    return numbers.parameter(rate).removeprefix("0")


def plot_notes(dataset: xr.Dataset, lines: Sequence[Line]) -> tuple[str, ...]:
    """Say what was held fixed, how the figures came about, and what the signs mean.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.
    lines : sequence of Line
        All lines of the plot.

    Returns
    -------
    tuple of str
        Sentences; only for what occurs.
    """
    simulated = "engine" in dataset and bool((dataset["engine"] != EXACT).any())
    limits = "the answer's" if "solved_for" in dataset.attrs else "95%"
    notes = {
        fixed_line(dataset): True,
        " ".join(engine_lines(dataset)): True,
        " ".join(misuse_line(dataset)): True,
        f"Bands: {limits} limits, from Monte Carlo error.": simulated
        and any((line.high > line.low).any() for line in lines),
        f"×: unreachable, no {solved_name(dataset)} reaches {dataset.attrs.get('target')}.": any(
            len(line.unreachable) for line in lines
        ),
        "△: outside the range that was searched.": any(len(line.outside) for line in lines),
    }
    return tuple(note for note, applies in notes.items() if note and applies)
