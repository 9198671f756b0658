"""The smallest effect in a grid that a design sees: the last line of a table."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from simstudy.pages import numbers
from simstudy.pages.figures import margin_claims, misused
from simstudy.pages.grid_of import METHOD

if TYPE_CHECKING:
    import xarray as xr

TARGET = 0.8
"""The power from which an effect counts as seen, by convention."""


def smallest_line(dataset: xr.Dataset) -> list[str]:
    """Say which is the smallest effect in the grid that is seen with power .80.

    Parameters
    ----------
    dataset : xarray.Dataset
        Power on a grid.

    Returns
    -------
    list of str
        One sentence, by sample size where it is swept; none where no effect is swept or there is no power.

    Notes
    -----
    Small means close to the null. Methods that do not fit the design are left out. Where the answer depends
    on the method or on other parameters, the smallest and the largest are given; "not in the grid" says
    that some or all combinations see none of the effects.
    """
    effect, size = str(dataset.attrs.get("effect", "")), str(dataset.attrs.get("size", ""))
    null = dataset.attrs.get("null", 0.0)
    if "power" not in dataset or effect not in dataset["power"].dims or isinstance(null, str):
        return []
    power = dataset["power"]
    if METHOD in power.dims:
        others = [*misused(dataset), *margin_claims(dataset)]
        power = power[{METHOD: ~power[METHOD].isin(others).values}]
        if not power.sizes[METHOD]:
            return []
    seen = _smallest(power, effect, float(null))
    sizes = dataset[size].values.tolist() if size in seen.dims else [None]
    parts = [
        f"{'' if value is None else f'{numbers.pair(size, value)}: '}"
        f"{_words(seen if value is None else seen.sel({size: value}), float(null))}"
        for value in sizes
    ]
    return [f"Smallest {effect} in the grid seen with power {numbers.plain(TARGET, 2, True)}: {'; '.join(parts)}."]


def _smallest(power: xr.DataArray, effect: str, null: float) -> xr.DataArray:
    """Give the effect closest to the null whose power reaches the target, NaN where none does."""
    values = power[effect]
    seen = values.where((power >= TARGET) & (values != null))
    order = np.argsort(np.abs(values.values - null), kind="stable")
    ranked = seen.isel({effect: order})
    return ranked.isel({effect: ranked.notnull().argmax(effect)}).drop_vars(effect)


def _words(seen: xr.DataArray, null: float) -> str:
    values = seen.values.ravel().tolist()
    found = sorted({value for value in values if not math.isnan(value)}, key=lambda value: abs(value - null))
    ends = dict.fromkeys(numbers.parameter(value) for value in itertools.chain(found[:1], found[-1:]))
    missing = ["not in the grid"] * (len(found) == 0 or any(map(math.isnan, values)))
    return " or ".join([" to ".join(ends)] * bool(ends) + missing)
