"""What a plot shows: which parameter goes where. No drawing."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from simstudy.errors import RefusedError, UnknownNameError
from simstudy.pages import numbers
from simstudy.pages.notes.note import Result, outcome, result_of
from simstudy.pages.notes.pictured import of_lines
from simstudy.pages.shown import EVERYTHING, Shown, axis_of, panels_of, wishes
from simstudy.pages.solved import FOUND, has_negative, with_distances
from simstudy.pages.variables import METHOD, applicable, labels_of, on_design, swept
from simstudy.solve.search import UNREACHABLE
from simstudy.study.asked import study_of
from simstudy.study.results import IMPOSSIBLE
from simstudy.study.words import asked, first_clause

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.plan import Study

SMALL = 0.25
"""Where all power is below this, a scale up to 1 would flatten every line."""

TARGET = 0.8
"""The power that a reader compares with, by convention."""

MAX_LINES = 8
"""More lines than this cannot be told apart in grey."""

LINES = "lines"
"""What several variables are called that are drawn together."""
_LOG_FROM_RATIO = 4

Floats = npt.NDArray[np.float64]
Labels = dict[str, tuple[str, str]]


@dataclasses.dataclass(frozen=True)
class Axis:
    """An axis: its name in words, the values asked for, and whether it is logarithmic."""

    label: str
    values: tuple[float, ...]
    log: bool


@dataclasses.dataclass(frozen=True)
class Line:
    """One method in one panel: the curve, its Monte Carlo limits, and where there is no answer, for either reason."""

    # arrays of shape (points,); limits equal the curve where it is exact, NaN leaves a gap
    method: str
    x: Floats
    y: Floats
    low: Floats
    high: Floats
    unreachable: Floats
    outside: Floats


@dataclasses.dataclass(frozen=True)
class Panel:
    """One set of axes: its place, its names and its lines."""

    row: int
    column: int
    column_name: str
    row_name: str
    lines: tuple[Line, ...]


@dataclasses.dataclass(frozen=True)
class Chart:
    """A whole plot, decided but not drawn: panels in reading order, horizontal lines with names, notes below."""

    title: str
    subtitle: str
    x: Axis
    y: Axis
    y_is_rate: bool
    rows: int
    columns: int
    panels: tuple[Panel, ...]
    references: tuple[tuple[float, str], ...]
    notes: tuple[str, ...]


def chart_of(
    dataset: xr.Dataset, variables: Sequence[str] = (), study: Study | None = None, shown: Shown = EVERYTHING
) -> Chart:
    """Decide how a result is drawn: a line for each method, a panel for each value of up to two other parameters."""
    study = study or study_of(dataset)
    labels = _labels(study, dataset, variables)
    dataset, variable = _drawn(study, on_design(dataset, study), variables)
    dataset = with_distances(dataset) if variable == "answer" else dataset
    sizes = {name: dataset.sizes[name] for name in swept(dataset)}
    numeric = [name for name in sizes if dataset[name].dtype.kind in "fiu"]
    x = axis_of(shown, numeric, wishes(study, variable, sizes, numeric))
    methods = [str(name) for name in dataset[METHOD].values] if METHOD in dataset[variable].dims else [""]
    if len(methods) > MAX_LINES:
        raise RefusedError(f"A plot shows up to {MAX_LINES} methods; this result has {len(methods)}. Choose some.")
    across, down = panels_of(shown, sizes, x, study.size)
    columns, rows, panels = _panels(study, dataset, variable, x, across, down)
    words = asked(study)
    result = result_of(study, dataset)
    small = "power" in dataset and bool(dataset["power"].max() < SMALL)
    return Chart(
        title=words.heading,
        subtitle=words.how,
        x=_x_axis(study, dataset, x, labels),
        y=_y_axis(result, variable, labels),
        y_is_rate=variable == "power" and not small,
        rows=rows,
        columns=columns,
        panels=panels,
        references=_references(result, variable, small),
        notes=tuple(of_lines(result, [line for panel in panels for line in panel.lines])),
    )


def _drawn(study: Study, dataset: xr.Dataset, variables: Sequence[str]) -> tuple[xr.Dataset, str]:
    """Return what is drawn and its name; several variables without methods become the lines of one."""
    for name in variables:
        if name not in dataset.data_vars:
            raise UnknownNameError("variable", name, map(str, dataset.data_vars))
    if len(variables) > 1 and not any(METHOD in dataset[name].dims for name in variables):
        return _side_by_side(dataset, variables), LINES
    for name in [*variables[:1], "answer", *study.scenario.shows[:1], "power", "coverage"]:
        if name in dataset.data_vars:
            return dataset, name
    raise RefusedError("There is nothing to plot: the result has neither power nor coverage nor an answer.")


def _side_by_side(dataset: xr.Dataset, names: Sequence[str]) -> xr.Dataset:
    """Return variables without methods as one variable, each under its own name where methods stand."""
    import xarray as xr  # late: start-up

    lines = [dataset[name].drop_attrs() for name in names]
    return dataset.drop_dims(METHOD).assign({LINES: xr.concat(lines, xr.DataArray(list(names), dims=METHOD))})


def _panels(
    study: Study, dataset: xr.Dataset, variable: str, x: str, across: str | None, down: str | None
) -> tuple[int, int, tuple[Panel, ...]]:
    columns = dataset.sizes[across] if across else 1
    rows = dataset.sizes[down] if down else 1
    places = itertools.product(range(rows), range(columns))
    panels = [
        Panel(
            row=row,
            column=column,
            column_name=_name(dataset, across, column),
            row_name=_name(dataset, down, row),
            lines=_lines(study, _at(dataset, {across: column, down: row}), variable, x),
        )
        for row, column in places
    ]
    return (columns, rows, tuple(panels)) if down else _folded(panels)


def _folded(panels: Sequence[Panel]) -> tuple[int, int, tuple[Panel, ...]]:
    """Put the panels of one parameter in rows of nearly equal length."""
    rows = math.ceil(len(panels) / 4)
    columns = math.ceil(len(panels) / rows)
    placed = [
        dataclasses.replace(panel, row=index // columns, column=index % columns) for index, panel in enumerate(panels)
    ]
    return columns, rows, tuple(placed)


def _name(dataset: xr.Dataset, name: str | None, index: int) -> str:
    return f"{name} = {numbers.parameter(dataset[name].values.tolist()[index])}" if name else ""


def _at(dataset: xr.Dataset, place: dict[str | None, int]) -> xr.Dataset:
    chosen = {name: index for name, index in place.items() if name is not None}
    single = {name: 0 for name in dataset.dims if name != METHOD and dataset.sizes[name] == 1}
    return dataset.isel({**chosen, **single})


def _lines(study: Study, dataset: xr.Dataset, variable: str, x: str) -> tuple[Line, ...]:
    if METHOD not in dataset[variable].dims:
        return (_line(dataset, variable, x, ""),)
    applies = applicable(dataset[variable], study)
    return tuple(
        _line(dataset.isel({METHOD: index}), variable, x, str(method))
        for index, method in enumerate(dataset[METHOD].values)
        if str(method) in applies
    )


def _line(dataset: xr.Dataset, variable: str, x: str, method: str) -> Line:
    values = _floats(dataset[x])
    y = _floats(dataset[variable])
    low, high = (_limit(dataset, variable, sign) for sign in (-1, 1))
    status = dataset["status"].values if variable == "answer" else np.full(len(values), FOUND)
    lost = np.isnan(y)
    return Line(
        method=method,
        x=values,
        y=y,
        low=low,
        high=high,
        unreachable=values[lost & (status == UNREACHABLE)],
        outside=values[lost & ~np.isin(status, (UNREACHABLE, FOUND, IMPOSSIBLE))],
    )


def _limit(dataset: xr.Dataset, variable: str, sign: int) -> Floats:
    """Give stored limits, or two standard errors where only the error is stored."""
    prefix = "" if variable == "answer" else f"{variable}_"
    stored = f"{prefix}{'high' if sign > 0 else 'low'}"
    if stored in dataset:
        return _floats(dataset[stored])
    values = _floats(dataset[variable])
    if f"{variable}_mcse" not in dataset:
        return values
    return values + sign * numbers.Z * _floats(dataset[f"{variable}_mcse"])


def _floats(array: xr.DataArray) -> Floats:
    return np.asarray(array.values, dtype=np.float64)


def _x_axis(study: Study, dataset: xr.Dataset, x: str, labels: Labels) -> Axis:
    values = tuple(_floats(dataset[x]).tolist())
    wide = min(values) > 0 and max(values) / min(values) >= _LOG_FROM_RATIO
    logarithmic = wide and ("answer" in dataset or x == study.size)
    return Axis(_axis_words(labels, x), values, logarithmic)


def _y_axis(result: Result, variable: str, labels: Labels) -> Axis:
    values = _floats(result.dataset[variable])
    finite = values[np.isfinite(values)]
    logarithmic = variable == "answer" and len(finite) > 0 and bool(finite.min() > 0)
    words = _axis_words(labels, variable)
    if variable == "power" and len(result.rules) == len(result.methods) > 0:
        words = " or ".join(dict.fromkeys(outcome(method, result.study) for method in result.rules))
        words = f"probability of '{words}'"
    return Axis(words, (), logarithmic)


def _labels(study: Study, dataset: xr.Dataset, variables: Sequence[str]) -> Labels:
    """Return the words and the unit of everything that can be drawn, as it is drawn."""
    labels = labels_of(dataset, study)
    units = " or ".join(dict.fromkeys(labels[name][1] for name in variables if name in labels))
    labels[LINES] = (units, "")
    if "answer" in dataset and has_negative(dataset):
        words, unit = labels["answer"]
        labels["answer"] = (f"size of the {words}", unit)
    return labels


def _axis_words(labels: Labels, name: str) -> str:
    """Return what a variable is in a few words, with its unit."""
    words, unit = labels.get(name, (name.replace("_", " "), ""))
    words = first_clause(words)
    return f"{words} ({unit})" if unit and unit != "1" and unit not in words else words


def _references(result: Result, variable: str, small: bool) -> tuple[tuple[float, str], ...]:
    """Return the horizontal lines that a reader compares with, with their names: where there is a single one."""
    if variable == "power":
        goal = () if small else ((TARGET, f"power {numbers.plain(TARGET, 2, True)}"),)
        return (*goal, *_nominal_size(result))
    alpha = result.dataset.coords.get("alpha")
    if variable == "coverage" and alpha is not None and alpha.size == 1:
        nominal = 1 - float(alpha.values.item())
        return ((nominal, f"nominal {_short(nominal)}"),)
    return ()


def _nominal_size(result: Result) -> tuple[tuple[float, str], ...]:
    """Return the level that all methods with one share, as a line."""
    levels = {level for method in result.methods if (level := result.level(method)) is not None}
    if result.alpha is None or not levels:
        return ()
    level = max(levels)
    name = "α" if level == result.alpha else f"α/{result.alpha / level:.3g}"
    return ((level, f"{name} {_short(level)}"),)


def _short(rate: float) -> str:
    return numbers.parameter(rate).removeprefix("0")
