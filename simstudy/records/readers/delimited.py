"""Tables as text: commas, semicolons, tabs or bars between cells, and a header."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TextIO

from simstudy.errors import RecordsError
from simstudy.records.from_sheet import may_matter, records_of_sheet
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import ReadFile, Records, Remark
from simstudy.records.sheet import MOST_COLUMNS, Sheet, SheetBuilder
from simstudy.records.source import Head, Source

NAME = "table"
SAYS = "CSV, TSV: a header, and cells between commas, semicolons, tabs or bars"
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
LONGEST_CELL = 2**31 - 1
"""Answers of models run past the 131,072 characters that the csv module allows by default."""
CHUNK = 8192
"""Rows that are taken at once."""


def sniff(head: Head) -> float:
    """Tell a table: at least half of the first lines have as many cells as the header, two or more."""
    text = (head.text or "").lstrip()
    if not text or text[0] in "{[<":
        return 0.0
    sign, share = delimiter_of(head.text or "")
    if not sign or share < 0.5:
        return 0.05 if "\n" in text else 0.0
    return 0.6 if share > 0.9 else 0.3


def read(source: Source, options: ReadOptions) -> Records:
    """Return the records of a table."""
    sheet = sheet_of(source, options)
    sign, _ = delimiter_of(source.head.text or "")
    file = ReadFile(source.name, NAME, 1.0, source.encoding, "line")
    records = records_of_sheet(sheet, file, source.stem, options)
    if sign in (None, ","):
        return records
    return _remarked(records, Remark("format", f"Cells are separated by {DELIMITERS[sign]}."))


def _remarked(records: Records, remark: Remark) -> Records:
    return dataclasses.replace(records, remarks=(remark, *records.remarks))


def delimiter_of(text: str) -> tuple[str | None, float]:
    """Return the sign between cells, and the share of the first lines that have as many cells as the header."""
    best: tuple[float, int, str | None] = (0.0, 0, None)
    for sign in DELIMITERS:
        with _long_cells():
            try:
                lines = [
                    cells
                    for cells in islice(csv.reader(io.StringIO(text, newline=""), delimiter=sign), 60)
                    if any(cells)
                ]
            except csv.Error:
                continue
        if not lines or len(lines[0]) < 2:
            continue
        body = lines[1:-1] or lines[1:] or lines  # the last one may be cut off
        share = sum(len(cells) == len(lines[0]) for cells in body) / len(body)
        best = max(best, (share, len(lines[0]), sign), key=lambda found: found[:2])
    return best[2], best[0]


class _long_cells:  # noqa: N801 - a context
    """Allow cells of any length."""

    def __enter__(self) -> None:
        self._before = csv.field_size_limit(LONGEST_CELL)

    def __exit__(self, *raised: object) -> None:
        csv.field_size_limit(self._before)


def header_of(head: Head) -> list[str]:
    """Return the names of the columns by which a reader may tell a table; none where it is no table."""
    text = (head.text or "").lstrip("\ufeff \t\r\n")
    if not text or text[0] in "{[<":
        return []
    sign, _ = delimiter_of(text)
    with _long_cells():
        try:
            names = next(csv.reader(io.StringIO(text, newline=""), delimiter=sign or ","), [])
        except csv.Error:
            return []
    return [name.strip() for name in names]


def sheet_of(source: Source, options: ReadOptions) -> Sheet:
    """Return the table as it stands."""
    source.refuse_binary()
    sign = delimiter_of(source.head.text or "")[0] or ","
    with source.text() as stream, _long_cells():
        rows = _rows(source, stream, sign)
        _, names = next(rows, (1, []))
        header = _header(source.name, names)
        builder = SheetBuilder(source.name, may_matter(options))
        bad = 0
        while chunk := list(islice(rows, CHUNK)):
            whole = [(line, cells) for line, cells in chunk if len(cells) == len(header)]
            if len(whole) < len(chunk):
                bad += _count_bad(builder, chunk, len(header))
            whole = [(line, cells) for line, cells in whole if any(cells)]
            if whole:
                lines, cells = zip(*whole, strict=True)
                builder.add_columns(header, list(zip(*cells, strict=True)), lines)
        if bad > len(builder):
            raise RecordsError(
                f"{source.name}: most lines have another number of cells than the header, which names {len(header)} "
                f"columns (line {builder.sheet().aside[_odd(len(header))][0][0]} is the first)."
            )
        return builder.sheet()


def _odd(columns: int) -> str:
    return f"another number of cells than the {columns} of the header"


def _count_bad(builder: SheetBuilder, chunk: list[tuple[int, list[str]]], columns: int) -> int:
    bad = [(line, cells) for line, cells in chunk if len(cells) != columns and any(map(str.strip, cells))]
    for line, cells in bad:
        builder.aside(_odd(columns), line, ", ".join(cells[:5]))
    return len(bad)


def _rows(source: Source, stream: TextIO, sign: str) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with the line on which each begins; a quotation mark that is never closed is refused."""
    reader = csv.reader(stream, delimiter=sign, strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise RecordsError(f"{source.name}: the record that starts on line {line} cannot be read ({error}).") from None
    except UnicodeDecodeError as error:
        raise RecordsError(f"{source.name} cannot be read as {source.encoding}: {error.reason}.") from None


def _header(name: str, cells: list[str]) -> list[str]:
    columns = [cell.strip() or f"column {place}" for place, cell in enumerate(cells, start=1)]
    if len(columns) > MOST_COLUMNS:
        raise RecordsError(
            f"{name} has {len(columns)} columns, and {MOST_COLUMNS} are allowed; a file of results has a row per case: "
            "turn it round, or choose columns."
        )
    twice = sorted(column for column, times in Counter(columns).items() if times > 1)
    if twice:
        shown = ", ".join(f"'{column}'" for column in twice[:5])
        raise RecordsError(f"{name}: the header names {shown} more than once; every column needs its own name.")
    if len(columns) == 1:
        raise RecordsError(
            f"{name} has one column only ('{columns[0][:60]}'): no commas, semicolons, tabs or bars separate cells."
        )
    return columns
