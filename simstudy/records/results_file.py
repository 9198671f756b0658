"""Bring a long or a wide file of results to one long table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from simstudy.errors import RecordsError
from simstudy.records.columns import Columns, find_columns
from simstudy.records.long_table import ALLOWED_VALUES, Results, is_error, listed, natural_key, parse_value
from simstudy.records.read import Sheet, read_sheet


def read_results(
    path: str | Path,
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
    path : str or Path
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
    return _with_runs_from_ids(results) if split_ids and columns.run is None else results


def _cells(sheet: Sheet, column: str | None, part: str = "") -> list[str]:
    """Return a column's cells; with a `part`, an empty cell is an error that names its line."""
    if column is None:
        return [""] * len(sheet.rows)
    place = sheet.columns.index(column)
    cells = [row[place] for row in sheet.rows]
    if part:
        for line, cell in zip(sheet.lines, cells, strict=True):
            if not cell:
                raise RecordsError(f"{sheet.path}, line {line}: no {part} in the column '{column}'.")
    return cells


def _case_ids(sheet: Sheet, columns: Columns) -> list[str]:
    if columns.case is None:
        return [f"line {line}" for line in sheet.lines]
    return _cells(sheet, columns.case, "case")


def _long_results(sheet: Sheet, columns: Columns) -> Results:
    systems = _cells(sheet, columns.system, "system")
    errors = [is_error(cell) for cell in _cells(sheet, columns.error)]
    values = []
    for line, cell, failed in zip(sheet.lines, _cells(sheet, columns.value), errors, strict=True):
        value = float("nan") if failed else parse_value(cell)
        if value is None:
            raise RecordsError(
                f"{sheet.path}, line {line}: the column '{columns.value}' holds '{cell}'. Allowed: {ALLOWED_VALUES}."
            )
        values.append(value)
    return Results(
        path=str(sheet.path),
        layout="long",
        cases=np.array(_case_ids(sheet, columns), dtype=np.str_),
        systems=np.array(systems, dtype=np.str_),
        runs=np.array(_cells(sheet, columns.run, "run"), dtype=np.str_),
        clusters=np.array(_cells(sheet, columns.cluster, "cluster"), dtype=np.str_),
        values=np.array(values, dtype=np.float64),
        lines=np.array(sheet.lines, dtype=np.int64),
        system_names=tuple(sorted(set(systems), key=natural_key)),
        runs_from="none" if columns.run is None else "column",
        value_column=columns.value or "",
        notes=columns.notes,
    )


def _wide_results(sheet: Sheet, columns: Columns) -> Results:
    errors = [is_error(cell) for cell in _cells(sheet, columns.error)]
    parsed: dict[str, list[float]] = {}
    unparsed: dict[str, tuple[int, str]] = {}
    for column in sorted(set(sheet.columns) - columns.taken(), key=natural_key):
        cells = _cells(sheet, column)
        values = [parse_value(cell) for cell in cells]
        wrong = next((place for place, value in enumerate(values) if value is None), None)
        if wrong is not None:
            unparsed[column] = (sheet.lines[wrong], cells[wrong])
        else:
            parsed[column] = [
                float("nan") if failed or value is None else value for value, failed in zip(values, errors, strict=True)
            ]
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
        cases=np.tile(np.array(_case_ids(sheet, columns), dtype=np.str_), repeated),
        systems=np.repeat(np.array(names, dtype=np.str_), len(sheet.rows)),
        runs=np.tile(np.array(_cells(sheet, columns.run, "run"), dtype=np.str_), repeated),
        clusters=np.tile(np.array(_cells(sheet, columns.cluster, "cluster"), dtype=np.str_), repeated),
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
    split: dict[str, tuple[str, str]] = {}
    numbers: dict[str, set[int]] = defaultdict(set)
    for name in known:
        parent, point, run = name.rpartition(".")
        if point and run.isascii() and run.isdigit() and not run.startswith("0"):
            split[name] = (parent, run)
            numbers[parent].add(int(run))
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
        "split_ids=False (--no-split-ids) keeps every id as a case of its own."
    )
    return replace(
        results,
        cases=np.array([split[name][0] for name in results.cases.tolist()], dtype=np.str_),
        runs=np.array([split[name][1] for name in results.cases.tolist()], dtype=np.str_),
        runs_from="ids",
        notes=(*results.notes, note),
    )
