"""A pandas DataFrame becomes Records, as the table would that it was read from."""

from __future__ import annotations

from typing import Any

import numpy as np

from simstudy.errors import RecordsError
from simstudy.records.from_sheet import may_matter, records_of_sheet
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import ReadFile, Records, with_failed
from simstudy.records.roles import Role, role_of
from simstudy.records.sheet import SheetBuilder, cell_text

NAME = "DataFrame"


def read_frame(frame: Any, options: ReadOptions | None = None) -> Records:
    """Read a pandas.DataFrame as it stands in memory; an index that is more than row numbers is a column."""
    said = options or ReadOptions()
    index = frame.index
    numbered = type(index).__name__ == "RangeIndex" and index.name is None
    if not numbered:
        frame = frame.reset_index()
    names = [".".join(map(str, column)) if isinstance(column, tuple) else str(column) for column in frame.columns]
    names = [column.strip(" .") or f"column {place}" for place, column in enumerate(names, start=1)]
    twice = sorted({column for column in names if names.count(column) > 1})
    if twice:
        raise RecordsError(f"The DataFrame has several columns '{twice[0]}'; every column needs its own name.")
    builder = SheetBuilder(NAME, may_matter(said))
    columns = [_cells(frame.iloc[:, place], role_of(column)) for place, column in enumerate(names)]
    if columns and len(frame):
        builder.add_columns(names, columns, range(1, len(frame) + 1))
    records = records_of_sheet(builder.sheet(), ReadFile(NAME, NAME, 1.0, "", "row"), "table", said)
    return with_failed(records, said.failed)


def _cells(column: Any, role: Role | None) -> list[str]:
    """Return the cells of a column; ids that pandas turned to 1.0, 2.0 because one is missing are 1, 2 again."""
    missing = column.isna().to_numpy()
    values = column.to_numpy(dtype=object)
    whole = False
    if column.dtype.kind == "f" and role not in (None, Role.METRIC):
        numbers = column.to_numpy()[~missing]
        whole = bool(np.all(np.isfinite(numbers) & (numbers == np.round(numbers))))
    return ["" if gone else _cell(value, whole) for value, gone in zip(values, missing, strict=True)]


def _cell(value: Any, whole: bool) -> str:
    plain = value.item() if isinstance(value, np.generic) else value
    return str(int(plain)) if whole else cell_text(plain) or str(plain)
