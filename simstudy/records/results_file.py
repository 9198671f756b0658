"""Bring a long or a wide file of results to one long table."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from simstudy.errors import RecordsError
from simstudy.options import PILOT, the_option
from simstudy.records.columns import Columns, find_columns
from simstudy.records.long_table import ALLOWED_VALUES, Results, is_error, listed, natural_key, no_value, parse_value
from simstudy.records.read import Sheet, read_sheet

READING = ("layout", "case_column", "system_column", "value_column", "run_column", "cluster_column", "split_ids")
MOST_DIGITS = 10  # of a number of runs
Found = TypeVar("Found")


def read_results(
    path: str | os.PathLike[str],
    *,
    layout: str | None = None,
    case_column: str | None = None,
    system_column: str | None = None,
    value_column: str | None = None,
    run_column: str | None = None,
    cluster_column: str | None = None,
    split_ids: bool = True,
) -> Results:
    """Read a file of results into one long table.

    Parameters
    ----------
    path : str or path-like
        A .csv, .tsv or .jsonl file. Long: a row per case and system. Wide: a column per system.
    layout : {"long", "wide"}, optional
        How the file is laid out; guessed when left out: long where a column of systems is found.
    case_column, system_column, value_column, run_column, cluster_column : str, optional
        Names of columns, guessed from usual names when left out. A column of runs is one of
        run, epoch, trial, ...; of clusters only ``cluster``.
    split_ids : bool
        Whether ids such as 1, 1.1, 1.2 are taken for the runs of case 1.

    Returns
    -------
    Results
        The long table; its `notes` say what was guessed.

    Raises
    ------
    RecordsError
        Where the file cannot be read, or a needed column is not found.
    UnknownNameError
        Where a named column or layout does not exist.
    """
    split = the_option("split_ids", PILOT).check(split_ids)
    sheet = read_sheet(path)
    asked = {
        "case": case_column,
        "system": system_column,
        "value": value_column,
        "run": run_column,
        "cluster": cluster_column,
    }
    columns = find_columns(sheet, layout, asked)
    results = _long_results(sheet, columns) if columns.layout == "long" else _wide_results(sheet, columns)
    return _with_runs_from_ids(results) if split and columns.run is None else results


def _cells(sheet: Sheet, column: str | None, part: str = "") -> list[str]:
    """Return a column's cells; with a `part`, an empty cell is an error that names its line."""
    if column is None:
        return [""] * len(sheet.rows)
    place = sheet.columns.index(column)
    cells = [row[place] for row in sheet.rows]
    if part and "" in cells:
        raise RecordsError(f"{sheet.path}, line {sheet.lines[cells.index('')]}: no {part} in the column '{column}'.")
    return cells


def _by_cell(function: Callable[[str], Found], cells: Sequence[str]) -> list[Found]:
    """Call a function once for each distinct cell: values are few, rows many."""
    known = {cell: function(cell) for cell in set(cells)}
    return [known[cell] for cell in cells]


def _values(cells: Sequence[str], errors: Sequence[bool]) -> list[float | None]:
    """Return the numbers of cells, NaN where their row holds an error; None where a cell is no value."""
    parsed = _by_cell(parse_value, cells)
    if not any(errors):
        return parsed
    return [float("nan") if failed else value for value, failed in zip(parsed, errors, strict=True)]


def _case_ids(sheet: Sheet, columns: Columns) -> list[str]:
    if columns.case is None:
        return [f"line {line}" for line in sheet.lines]
    return _cells(sheet, columns.case, "case")


def _long_results(sheet: Sheet, columns: Columns) -> Results:
    systems = _cells(sheet, columns.system, "system")
    cells = _cells(sheet, columns.value)
    values = _values(cells, _by_cell(is_error, _cells(sheet, columns.error)))
    if None in values:
        wrong = values.index(None)
        raise no_value(sheet.path, sheet.lines[wrong], columns.value or "", cells[wrong])
    return Results(
        path=str(sheet.path),
        layout="long",
        cases=np.array(_case_ids(sheet, columns), dtype=np.object_),
        systems=np.array(systems, dtype=np.object_),
        runs=np.array(_cells(sheet, columns.run, "run"), dtype=np.object_),
        clusters=np.array(_cells(sheet, columns.cluster, "cluster"), dtype=np.object_),
        values=np.array(values, dtype=np.float64),
        lines=np.array(sheet.lines, dtype=np.int64),
        system_names=tuple(sorted(set(systems), key=natural_key)),
        runs_from="none" if columns.run is None else "column",
        value_column=columns.value or "",
        notes=columns.notes,
    )


def _wide_results(sheet: Sheet, columns: Columns) -> Results:
    errors = _by_cell(is_error, _cells(sheet, columns.error))
    parsed: dict[str, list[float | None]] = {}
    unparsed: dict[str, tuple[int, str]] = {}
    for column in sorted(set(sheet.columns) - columns.taken(), key=natural_key):
        cells = _cells(sheet, column)
        values = _by_cell(parse_value, cells)
        if None in values:
            wrong = values.index(None)
            unparsed[column] = (sheet.lines[wrong], cells[wrong])
        else:
            parsed[column] = _values(cells, errors)
    if not parsed:
        raise RecordsError(f"{sheet.path} has no column of values. Allowed: {ALLOWED_VALUES}.")
    names = tuple(parsed)
    repeated = len(names)
    notes = list(columns.notes)
    if unparsed:
        notes.append(f"Left aside, because they hold text: {listed(repr(name) for name in unparsed)}.")
    return Results(
        path=str(sheet.path),
        layout="wide",
        cases=np.tile(np.array(_case_ids(sheet, columns), dtype=np.object_), repeated),
        systems=np.repeat(np.array(names, dtype=np.object_), len(sheet.rows)),
        runs=np.tile(np.array(_cells(sheet, columns.run, "run"), dtype=np.object_), repeated),
        clusters=np.tile(np.array(_cells(sheet, columns.cluster, "cluster"), dtype=np.object_), repeated),
        values=np.array([value for name in names for value in parsed[name]], dtype=np.float64),
        lines=np.tile(np.array(sheet.lines, dtype=np.int64), repeated),
        system_names=names,
        runs_from="none" if columns.run is None else "column",
        unparsed=unparsed,
        notes=tuple(notes),
    )


def runs_in_ids(ids: Sequence[str]) -> dict[str, tuple[str, str]] | None:
    """Split ids such as 1, 1.1, 1.2 into (case, run), the bare id being run 0; None where they do not look like runs.

    Every id with a point must have its bare parent in the file and the runs of a case must count 1, 2, 3, ... without a
    gap. Ids 1.5, 2.5 without 1 and 2, or 1 and 1.5 alone, are no runs.
    """
    known = set(ids)
    if not any("." in name for name in known):
        return None
    split: dict[str, tuple[str, str]] = {}
    numbers: dict[str, set[int]] = defaultdict(set)
    for name in known:
        parent, point, run = name.rpartition(".")
        if point and run.isascii() and run.isdigit() and not run.startswith("0"):
            split[name] = (parent, run)
            numbers[parent].add(int(run) if len(run) < MOST_DIGITS else 0)
        else:
            split[name] = (name, "0")
    counted = all(runs == set(range(1, len(runs) + 1)) for runs in numbers.values())
    parents = all(parent in known and split[parent] == (parent, "0") for parent in numbers)
    return split if numbers and counted and parents else None


def _with_runs_from_ids(results: Results) -> Results:
    split = runs_in_ids(results.cases.tolist())
    if split is None:
        return results
    repeated = min((case for case, run in split.values() if run != "0"), key=natural_key)
    example = listed([name for name, (case, _) in split.items() if case == repeated])
    note = (
        f"Ids such as {example} were taken as the runs of one case: a guess; "
        "split_ids=False keeps every id as a case of its own."
    )
    return replace(
        results,
        cases=np.array([split[name][0] for name in results.cases.tolist()], dtype=np.object_),
        runs=np.array([split[name][1] for name in results.cases.tolist()], dtype=np.object_),
        runs_from="ids",
        notes=(*results.notes, note),
    )
