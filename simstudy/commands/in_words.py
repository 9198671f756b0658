"""What a result means, in sentences below its tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from simstudy.commands.closing_line import smallest_words
from simstudy.commands.misuse import misuse_words
from simstudy.study.words import number

if TYPE_CHECKING:
    import xarray as xr

MOST_RANGES = 6


def power_words(dataset: xr.Dataset, target: str | None) -> list[str]:
    """Return the paragraphs below a power table.

    Parameters
    ----------
    dataset : xarray.Dataset
        From `simstudy.power_curve`.
    target : str or None
        The power from which an effect counts as seen; 0.8 where not given.

    Returns
    -------
    list of str
        On methods that do not fit the design, where exact; then the smallest effect that the design sees.
    """
    if "power" not in dataset:
        return []
    return [*misuse_words(dataset), *smallest_words(dataset, target)]


def size_words(dataset: xr.Dataset) -> list[str]:
    """Return the paragraphs below a table of sample sizes.

    Parameters
    ----------
    dataset : xarray.Dataset
        From `simstudy.size`.

    Returns
    -------
    list of str
        The range in which every single size was checked, and what unusable units cost.
    """
    return [*_checked(dataset), *_collected(dataset)]


def _checked(dataset: xr.Dataset) -> list[str]:
    name = str(dataset.attrs["solved_for"])
    cells = _cells(dataset, ("checked_from", "checked_to"))
    ranges: dict[tuple[float, ...], list[str]] = {}
    for where, ends in cells:
        if math.isfinite(ends[0]):
            ranges.setdefault(ends, []).append(where)
    if len(ranges) > MOST_RANGES:
        return [
            f"Around each answer every single {name} was checked: the ranges are checked_from and checked_to in "
            "--format json."
        ]
    if len(ranges) == 1:
        ((low, high),) = ranges
        return [f"Every {name} from {low:.0f} to {high:.0f} was checked."]
    parts = [f"from {low:.0f} to {high:.0f} ({'; '.join(places)})" for (low, high), places in ranges.items()]
    return [f"Every {name} was checked {', '.join(parts)}."] if parts else []


def _cells(dataset: xr.Dataset, names: tuple[str, ...]) -> list[tuple[str, tuple[float, ...]]]:
    """Return (where, values) of every design point and method; where names only what varies."""
    variables = [dataset[name] for name in names]
    varying = [str(dim) for dim in variables[0].dims if dataset.sizes[dim] > 1]
    stacked = variables[0].stack(cell=variables[0].dims)
    rows = zip(*(variable.values.ravel().tolist() for variable in variables), strict=True)
    return [
        (", ".join(f"{name} {_label(cell[name].item())}" for name in varying), row)
        for cell, row in zip(stacked["cell"], rows, strict=True)
    ]


def _label(value: object) -> str:
    return number(value) if isinstance(value, int | float) else str(value)


def _collected(dataset: xr.Dataset) -> list[str]:
    import json  # late: rarely needed

    unusable = float(json.loads(dataset.attrs["study"])["options"]["unusable"])
    found = [value for value in dataset["answer"].values.ravel().tolist() if math.isfinite(value)]
    if not unusable or not found:
        return []
    from simstudy.study.plan import usable_units  # late: rarely needed

    largest = int(max(found))
    return [
        f"{dataset.attrs['solved_for']} counts units to collect: a share of {unusable:.4g} is lost, so that for "
        f"example {largest} collected leave {usable_units(largest, unusable)} usable ones."
    ]
