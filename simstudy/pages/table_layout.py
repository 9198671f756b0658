"""From cells on a grid of any number of dimensions to tables that fit a page."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simstudy.pages import numbers
from simstudy.pages.text_tables import Table, folds
from simstudy.pages.variables import METHOD, swept

if TYPE_CHECKING:
    import xarray as xr

FEW_ROWS = 12
"""Up to this many rows, several variables stand side by side."""


def grid_tables(cells: xr.DataArray, caption: str, effect: str, size: str) -> list[Table]:
    """Spread the cells of one variable over pages: effects across, sizes down, a table for each of the others."""
    # across goes the first that fits the width, else the one that is folded least
    kept = _without_blank_methods(cells)
    names = swept(kept)
    others = [name for name in reversed(names) if name not in (effect, size)]
    candidates = [name for name in (effect, *others, size) if name in names] + [METHOD] * (METHOD in kept.dims)
    layouts = []
    for across in candidates:
        layouts.append(_tables(kept, caption, across, size))
        if len(folds(layouts[-1][0])) == 1:
            return layouts[-1]
    return min(layouts, key=lambda tables: len(folds(tables[0])))


def _without_blank_methods(cells: xr.DataArray) -> xr.DataArray:
    if METHOD not in cells.dims:
        return cells
    filled = [i for i in range(cells.sizes[METHOD]) if (cells.isel({METHOD: i}) != "").any()]
    return cells.isel({METHOD: filled}) if filled else cells


def _tables(cells: xr.DataArray, caption: str, across: str, size: str) -> list[Table]:
    rest = [name for name in swept(cells) if name != across]
    down = [size] if size in rest else rest[-1:]
    down += [METHOD] * (METHOD in cells.dims and across != METHOD)
    blocks = [str(name) for name in cells.dims if name not in (*down, across)]
    texts = cells.transpose(*blocks, *down, across).values
    names = tuple(labels.values() for _, labels in places(cells, down))
    heads = tuple(numbers.parameters(cells[across].values.tolist()))
    return [
        Table(
            caption=", ".join([caption, *(f"{name} = {label}" for name, label in labels.items())]),
            stubs=tuple(down),
            span="" if across == METHOD else across,
            heads=heads,
            rows=tuple(
                (*stub, *row)
                for stub, row in zip(names, texts[tuple(place.values())].reshape(-1, len(heads)), strict=True)
            ),
        )
        for place, labels in places(cells, blocks)
    ]


def places(
    cells: xr.DataArray | xr.Dataset, names: Sequence[str]
) -> Iterator[tuple[dict[str, int], Mapping[str, str]]]:
    """Yield (dimension → index, dimension → label as text) for every combination of some dimensions."""
    labels = [numbers.parameters(cells[name].values.tolist()) for name in names]
    for index in itertools.product(*(range(len(values)) for values in labels)):
        place = dict(zip(names, index, strict=True))
        yield place, {name: values[i] for name, values, i in zip(names, labels, index, strict=True)}


def measures_table(columns: Mapping[str, xr.DataArray], dataset: xr.Dataset, caption: str) -> Table:
    """Put several variables, given as cells by head, side by side: one row per design point and method."""
    with_method = any(METHOD in cells.dims for cells in columns.values())
    names = swept(dataset) + [METHOD] * with_method
    spread = {head: cells.broadcast_like(dataset) for head, cells in columns.items()}
    single = {str(name): 0 for name in dataset.dims if name not in names}
    texts = [cells.isel(single).transpose(*names).values.ravel().tolist() for cells in spread.values()]
    stubs = (labels.values() for _, labels in places(dataset, names))
    rows = ((*stub, *row) for stub, *row in zip(stubs, *texts, strict=True))
    return Table(caption, tuple(names), "", tuple(columns), tuple(rows))
