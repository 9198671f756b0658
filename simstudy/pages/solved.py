"""Tables of what was solved for: smallest effects and sample sizes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from simstudy.pages import numbers
from simstudy.pages.grid_of import swept
from simstudy.pages.grids import grid_tables, measures_table, places
from simstudy.pages.missing import UNREACHABLE, is_size, lost_notes, missing_notes, solved_name
from simstudy.pages.text_tables import Table

if TYPE_CHECKING:
    import xarray as xr

__all__ = (
    "FOUND",
    "UNREACHABLE",
    "answer_texts",
    "curve_tables",
    "is_size",
    "solved_name",
    "solved_notes",
    "solved_tables",
    "with_distances",
)
FOUND = "found"


def solved_tables(dataset: xr.Dataset) -> list[Table]:
    """Lay out the answers.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    list of Table
        Grids of answers; or, where the first size that reaches the target is not the one from which it stays
        reached, a single table with a column for each.
    """
    name = str(dataset.attrs["solved_for"])
    caption = _caption(dataset)
    answers = answer_texts(dataset)
    if _first_differs(dataset):
        columns = {name: answers, "first": _first_texts(dataset)}
        return [measures_table(columns, dataset, caption)]
    if not swept(dataset):
        return [measures_table({name: answers}, dataset, caption)]
    across = dataset.attrs.get("effect") if is_size(dataset) else dataset.attrs.get("size")
    return grid_tables(answers, caption, str(across or ""), "")


def _caption(dataset: xr.Dataset) -> str:
    name, effect, target = (str(dataset.attrs.get(key, "")) for key in ("solved_for", "effect", "target"))
    what = f"{name} ({effect})" if name == "mde" and effect else name
    return f"{what} for {target}" if target else what


def solved_notes(dataset: xr.Dataset) -> list[str]:
    """Explain the words and signs that stand in a table of answers.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    list of str
        Sentences; only for what occurs.
    """
    name, target = solved_name(dataset), dataset.attrs.get("target", "the target")
    notes = {
        "[, ]: interval for the answer, from Monte Carlo error.": _any_interval(dataset),
        f"{name}: from there on {target} is not lost again within the range searched; first: the first "
        "that reaches it.": _first_differs(dataset),
    }
    return [*(note for note, applies in notes.items() if applies), *missing_notes(dataset), *lost_notes(dataset)]


def curve_tables(dataset: xr.Dataset) -> list[Table]:
    """Lay out the curve around each sample size, where it was asked for.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    list of Table
        One table per design point and method; none without a curve.
    """
    if "curve_size" not in dataset:
        return []
    sizes, values = dataset["curve_size"], dataset["curve_value"]
    name, measure = str(dataset.attrs["solved_for"]), str(dataset.attrs["target"]).partition("=")[0]
    around = [str(dim) for dim in sizes.dims if dim != "step"]
    return [
        Table(
            caption=", ".join([f"around {name}", *(f"{dim} = {label}" for dim, label in labels.items())]),
            stubs=(name,),
            span="",
            heads=(measure,),
            rows=tuple(
                (f"{size:.0f}", numbers.exact(value, rate=True))
                for size, value in zip(
                    sizes.isel(place).values.tolist(), values.isel(place).values.tolist(), strict=True
                )
                if not math.isnan(size)
            ),
        )
        for place, labels in places(dataset, around)
        if bool(sizes.isel(place).notnull().any())
    ]


def with_distances(dataset: xr.Dataset) -> xr.Dataset:
    """Turn negative effects into their sizes, which a logarithmic axis can show.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    xarray.Dataset
        The same, with answers and limits without their sign if any answer is negative.
    """
    answer = dataset["answer"]
    if not bool((answer < 0).any()):
        return dataset
    ends = abs(dataset["low"]), abs(dataset["high"])
    words = f"size of the {answer.attrs.get('long_name', 'answer')}"
    return dataset.assign(
        answer=abs(answer).assign_attrs(answer.attrs, long_name=words),
        low=np.minimum(*ends),
        high=np.maximum(*ends),
    )


def answer_texts(dataset: xr.Dataset) -> xr.DataArray:
    """Write each answer as text.

    Parameters
    ----------
    dataset : xarray.Dataset
        A solved result.

    Returns
    -------
    xarray.DataArray of str
        The answer, with its interval where it was simulated; or the status in words where there is none.
    """
    answer = dataset["answer"]
    whole = is_size(dataset)
    parts = (answer, *(dataset[name] for name in ("low", "high", "status")))
    rows = zip(*(part.transpose(*answer.dims).values.ravel().tolist() for part in parts), strict=True)
    texts = [_answer(*row, whole=whole) for row in rows]
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


def _any_interval(dataset: xr.Dataset) -> bool:
    return bool(((dataset["low"] != dataset["high"]) & dataset["answer"].notnull()).any())


def _first_differs(dataset: xr.Dataset) -> bool:
    if "first" not in dataset:
        return False
    first, answer = dataset["first"], dataset["answer"]
    return bool(((first != answer) & first.notnull()).any())


def _first_texts(dataset: xr.Dataset) -> xr.DataArray:
    first = dataset["first"]
    texts = ["" if math.isnan(value) else f"{value:.0f}" for value in first.values.ravel().tolist()]
    return first.copy(data=np.array(texts, dtype=object).reshape(first.shape))
