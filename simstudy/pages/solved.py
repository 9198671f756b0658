"""Tables of what was solved for: smallest effects and sample sizes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from simstudy.pages import numbers
from simstudy.pages.table_layout import FEW_ROWS, grid_tables, measures_table, places
from simstudy.pages.text_tables import Table
from simstudy.pages.variables import cells_of, swept

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.plan import Study

FOUND = "found"


def solved_tables(study: Study, dataset: xr.Dataset) -> list[Table]:
    """Lay out the answers: grids, or a column for each where the first size that reaches the target is another one."""
    name, effect = solved_word(study), study.effect
    caption = f"mde ({effect})" if name == "mde" else name
    caption += f" for {study.target.words}" if study.target else ""
    columns = {name: answer_texts(study, dataset)}
    if first_differs(dataset):
        first = dataset["first"]
        texts = ["" if math.isnan(value) else f"{value:.0f}" for value in first.values.ravel().tolist()]
        columns["first"] = first.copy(data=np.array(texts, dtype=object).reshape(first.shape))
    costs = {cost for method in study.methods for cost in method.costs if cost in dataset}
    few = math.prod(dataset.sizes.values()) <= FEW_ROWS
    if few:
        columns.update({cost: cells_of(dataset, cost, study) for cost in sorted(costs)})
    across = effect if study.question == "size" else study.size
    if len(columns) > 1 or not swept(dataset):
        tables = [measures_table(columns, dataset, caption)]
    else:
        tables = grid_tables(columns[name], caption, across, "")
    grids = [] if few else sorted(costs)
    return [*tables, *(t for cost in grids for t in grid_tables(cells_of(dataset, cost, study), cost, across, ""))]


def solved_word(study: Study) -> str:
    """Return what an answer is called, in tables and in records: mde, or the name of the size."""
    return "mde" if study.question == "mde" else study.size


def curve_tables(study: Study, dataset: xr.Dataset) -> list[Table]:
    """Lay out the curve around each size, where it was asked for: one table per design point and method."""
    if "curve_size" not in dataset:
        return []
    sizes, values = dataset["curve_size"], dataset["curve_value"]
    measure = study.target.name if study.target else "target"
    around = [str(dim) for dim in sizes.dims if dim != "step"]
    tables = []
    for place, labels in places(dataset, around):
        steps = zip(sizes.isel(place).values.tolist(), values.isel(place).values.tolist(), strict=True)
        rows = tuple((f"{size:.0f}", numbers.exact(value, rate=True)) for size, value in steps if not math.isnan(size))
        caption = ", ".join([f"around {study.size}", *(f"{dim} = {label}" for dim, label in labels.items())])
        if rows:
            tables.append(Table(caption, (study.size,), "", (measure,), rows))
    return tables


def with_distances(dataset: xr.Dataset) -> xr.Dataset:
    """Turn negative effects into their sizes, which a logarithmic axis can show."""
    if not has_negative(dataset):
        return dataset
    ends = abs(dataset["low"]), abs(dataset["high"])
    return dataset.assign(answer=abs(dataset["answer"]), low=np.minimum(*ends), high=np.maximum(*ends))


def has_negative(dataset: xr.Dataset) -> bool:
    """Say whether an answer is a negative effect."""
    return bool((dataset["answer"] < 0).any())


def answer_texts(study: Study, dataset: xr.Dataset) -> xr.DataArray:
    """Write each answer, with its interval where it was simulated; where there is none its status."""
    answer = dataset["answer"]
    parts = (answer, *(dataset[name] for name in ("low", "high", "status")))
    rows = zip(*(part.transpose(*answer.dims).values.ravel().tolist() for part in parts), strict=True)
    texts = [_answer(*row, whole=study.question == "size") for row in rows]
    return answer.copy(data=np.array(texts, dtype=object).reshape(answer.shape))


def _answer(answer: float, low: float, high: float, status: str, *, whole: bool) -> str:
    if status != FOUND or math.isnan(answer):
        return status if status != FOUND else numbers.UNDEFINED
    if low == high == answer:
        return _number(answer, whole)
    return f"{_number(answer, whole)} [{_number(low, whole)}, {_number(high, whole)}]"


def _number(value: float, whole: bool) -> str:
    if math.isinf(value):
        return "∞"
    return f"{value:.0f}" if whole and not math.isnan(value) else numbers.plain(value, 4, rate=True)


def any_interval(dataset: xr.Dataset) -> bool:
    """Say whether an answer has an interval, from Monte Carlo error or between points of a grid."""
    return bool(((dataset["low"] != dataset["high"]) & dataset["answer"].notnull()).any())


def first_differs(dataset: xr.Dataset) -> bool:
    """Say whether somewhere the first size that reaches the target is not the one from which it stays reached."""
    if "first" not in dataset:
        return False
    first, answer = dataset["first"], dataset["answer"]
    return bool(((first != answer) & first.notnull()).any())
