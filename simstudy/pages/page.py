"""Results as a researcher reads them: tables in plain text and in Markdown."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from simstudy.errors import UnknownNameError
from simstudy.pages import numbers
from simstudy.pages.figures import (
    any_exact,
    engine_lines,
    exceeding,
    figures,
    fixed_line,
    margin_claims,
    method_maxima,
    misuse_line,
    rules,
)
from simstudy.pages.grid_of import METHOD, on_design, swept
from simstudy.pages.grids import grid_tables, measures_table, row_count
from simstudy.pages.seen_in_grid import smallest_line
from simstudy.pages.solved import curve_tables, solved_notes, solved_tables
from simstudy.pages.text_tables import WIDTH, Table, markdown_lines, plain_lines

if TYPE_CHECKING:
    import xarray as xr

FEW_ROWS = 12
"""Up to this many rows, a second table shows what stands behind the power."""

LIBERAL = 1.5
"""Multiples of the level above which a type I error is pointed out."""

_BEHIND_POWER = (
    "power_right",
    "type_s",
    "type_m",
    "bias",
    "coverage",
    "coverage_own",
    "interval_width",
    "unbounded",
    "undefined",
)
IN_UNITS_OF_THE_ESTIMATE = ("bias", "empirical_se", "estimate_mean", "interval_width")
_WITHOUT_POWER = ("coverage", "interval_width", "miss_below", "miss_above")
_LEGEND = {
    "±": "±: one Monte Carlo standard error; figures without ± are exact.",
    "≤": "≤, ≥: no replication, or every one; the 95% Wilson limit stands in for an error of 0.",
    "≥": "≤, ≥: no replication, or every one; the 95% Wilson limit stands in for an error of 0.",
    "~": "~: simulated, without a computed error.",
    numbers.UNDEFINED: f"{numbers.UNDEFINED}: undefined.",
}


@dataclasses.dataclass(frozen=True)
class _Page:
    question: str
    fixed: str
    tables: list[Table]
    notes: list[str]


def to_table(dataset: xr.Dataset, variables: Sequence[str] | None = None) -> str:
    """Write a result as tables in plain text, within 100 columns.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.
    variables : sequence of str, optional
        The variables to show, one grid each. By default the power, and for at most twelve rows a second
        table of what stands behind it; without power, coverage, width and misses; for solved results, the
        answers.

    Returns
    -------
    str
        The question first; then the fixed parameters, the tables, and notes on how the figures
        came about. The text is the same in a terminal and in a file.

    Raises
    ------
    UnknownNameError
        For a variable that the result does not have.

    Notes
    -----
    Proportions are written without their leading zero. An en dash means undefined, an empty cell that the
    method does not give the variable.
    """
    page = _page(dataset, variables)
    lines = [*_wrapped(page.question), *_wrapped(page.fixed)]
    for table in page.tables:
        lines += ["", *plain_lines(table)]
    notes = [line for note in page.notes for line in _wrapped(note)]
    return "\n".join([*lines, *([""] if notes else []), *notes])


def to_markdown(dataset: xr.Dataset, variables: Sequence[str] | None = None) -> str:
    """Write a result as tables in Markdown.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.
    variables : sequence of str, optional
        As in `to_table`.

    Returns
    -------
    str
        The same question, figures and notes as in `to_table`.

    Raises
    ------
    UnknownNameError
        For a variable that the result does not have.
    """
    page = _page(dataset, variables)
    lines = [page.question, *(["", page.fixed] if page.fixed else [])]
    for table in page.tables:
        lines += ["", *markdown_lines(table)]
    return "\n".join([*lines, *([""] if page.notes else []), *(f"- {note}" for note in page.notes)])


def _page(dataset: xr.Dataset, variables: Sequence[str] | None) -> _Page:
    whole, dataset = dataset, on_design(dataset)
    solved = "solved_for" in dataset.attrs
    tables = solved_tables(dataset) if solved and variables is None else _tables(dataset, variables)
    notes = [*engine_lines(dataset), *misuse_line(dataset), *_legend(tables, any_exact(dataset))]
    notes += _units(dataset, tables)
    if variables is None and not solved:
        tables = [*tables, *_reported(dataset)]
    if solved:
        tables += curve_tables(whole)
        notes += solved_notes(dataset)
    elif variables is None or "power" in variables:
        notes += [*_undefined(dataset), *_at_null(dataset), *_wrong(dataset)]
        # a result that says in words what it can see has solved for it
        notes += [] if dataset.attrs.get("in_words") else smallest_line(dataset)
    return _Page(str(dataset.attrs.get("question", "")), fixed_line(dataset), tables, notes)


def _tables(dataset: xr.Dataset, variables: Sequence[str] | None) -> list[Table]:
    names = _chosen(dataset, variables)
    few = row_count(dataset) <= FEW_ROWS
    behind = [name for name in _BEHIND_POWER if name in dataset and name not in names]
    shown_behind = behind if few and variables is None and "power" in names else []
    if not swept(dataset):
        return [_side_by_side(dataset, [*names, *shown_behind], "")]
    if few and variables is None and names != ["power"]:
        return [_side_by_side(dataset, [*names, *shown_behind], "")]
    tables = [table for name in names for table in _grids(dataset, name)]
    return tables + ([_side_by_side(dataset, shown_behind, "behind the power")] if shown_behind else [])


def _chosen(dataset: xr.Dataset, variables: Sequence[str] | None) -> list[str]:
    if variables is None:
        said = tuple(filter(None, str(dataset.attrs.get("shows", "")).split(", ")))
        usual = (said or ("power",)) if "power" in dataset else _WITHOUT_POWER
        present = [name for name in usual if name in dataset.data_vars]
        return present or [str(name) for name, held in dataset.data_vars.items() if held.dtype.kind in "fiu"]
    for name in variables:
        if name not in dataset.data_vars:
            raise UnknownNameError("variable", name, map(str, dataset.data_vars))
    return list(variables)


def _reported(dataset: xr.Dataset) -> list[Table]:
    """Show what follows from the parameters of a few design points, as far as the scenario reports it."""
    names = [name for name in str(dataset.attrs.get("reports", "")).split(", ") if name in dataset.data_vars]
    points = math.prod(size for name, size in dataset.sizes.items() if name != METHOD)
    if not names or points > FEW_ROWS:
        return []
    held = dataset[names]
    return [measures_table({name: figures(held, name) for name in names}, held, "follows from the parameters")]


def _grids(dataset: xr.Dataset, name: str) -> list[Table]:
    cells = figures(dataset, name)
    if not swept(cells):
        return [_side_by_side(dataset[[name]], [name], "")]
    return grid_tables(cells, name, str(dataset.attrs.get("effect", "")), str(dataset.attrs.get("size", "")))


def _side_by_side(dataset: xr.Dataset, names: Sequence[str], caption: str) -> Table:
    return measures_table({name: figures(dataset, name) for name in names}, dataset, caption)


def _legend(tables: Sequence[Table], any_exact: bool) -> list[str]:
    cells = "".join(cell for table in tables for row in table.rows for cell in row[len(table.stubs) :])
    found = list(dict.fromkeys(text for sign, text in _LEGEND.items() if sign in cells))
    return found if any_exact else [text.replace("; figures without ± are exact", "") for text in found]


def _undefined(dataset: xr.Dataset) -> list[str]:
    if "undefined" not in dataset or METHOD not in dataset["undefined"].dims:
        return []
    shares = [
        f"{method} {numbers.plain(share, 4, True)}{f' ({place})' if place else ''}"
        for method, (share, place) in method_maxima(dataset, "undefined").items()
        if share > 0
    ]
    counted = ", counted as not rejecting" if "power" in dataset else ""
    return [f"Undefined{counted}; largest share: {'; '.join(shares)}."] if shares else []


def _units(dataset: xr.Dataset, tables: Sequence[Table]) -> list[str]:
    """Say in which unit each method's estimate is, where they differ and a column shows it."""
    shown = [name for name in IN_UNITS_OF_THE_ESTIMATE if any(name in table.heads for table in tables)]
    units = str(dataset[shown[0]].attrs.get("units", "")) if shown else ""
    return [f"Unit of {', '.join(shown)}: {units}."] if "(" in units else []


def _wrong(dataset: xr.Dataset) -> list[str]:
    """Warn where rejections in the wrong direction are more than the level explains: the data mislead the test."""
    if "power_wrong" not in dataset or "alpha" not in dataset.coords or dataset["alpha"].size != 1:
        return []
    chance = float(dataset["alpha"].values.item()) / 2
    notes = _level_missed(dataset, 2 * chance)
    beyond = dataset[["power_wrong"]].where(dataset["power_wrong_low"] > chance)
    most = [
        f"{method} {numbers.plain(share, 4, True)}{f' ({place})' if place else ''}"
        for method, (share, place) in method_maxima(beyond, "power_wrong").items()
        if method not in rules(dataset)
    ]
    level = numbers.plain(chance, 3, True)
    words = f"Rejects in the wrong direction more often than chance allows ({level}); at most: {'; '.join(most)}."
    return [*notes, words] if most else notes


def _level_missed(dataset: xr.Dataset, alpha: float) -> list[str]:
    """Warn where much more than the level is rejected although nothing is there: at the null no direction is right."""
    null = dataset["power_low"].where(dataset["power_wrong"].isnull() & dataset["power"].notnull())
    nominal = alpha * (1 - 0.5 * null[METHOD].isin(exceeding(dataset)))
    beyond = dataset[["power"]].where(null > LIBERAL * nominal)
    most = [
        f"{method} {numbers.plain(share, 4, True)}{f' ({place})' if place else ''}"
        for method, (share, place) in method_maxima(beyond, "power").items()
        if method not in [*rules(dataset), *margin_claims(dataset)]
    ]
    return [f"Type I error far above the level; at most: {'; '.join(most)}."] if most else []


def _at_null(dataset: xr.Dataset) -> list[str]:
    effect, null = dataset.attrs.get("effect", ""), dataset.attrs.get("null", 0.0)
    if "power" not in dataset or effect not in dataset.coords or isinstance(null, str):
        return []
    claims = margin_claims(dataset)
    methods = np.atleast_1d(dataset["method"].values).tolist() if "method" in dataset.coords else []
    lines = []
    if bool((dataset[effect] == null).any()) and (not claims or set(methods) - set(claims)):
        which = "of tests of a difference " if claims else ""
        lines.append(f"At {numbers.pair(effect, float(null))} the power {which}is the type I error rate.")
    if claims:
        lines.append(
            f"The power of {', '.join(claims)} is the type I error rate at {effect} = -margin (equivalence: ±margin)."
        )
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
