"""Parquet tables, where the extra `files` is installed."""

from __future__ import annotations

import io
from typing import Any

from simstudy.errors import RecordsError
from simstudy.records.from_sheet import may_matter, records_of_sheet
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import ReadFile, Records
from simstudy.records.roles import Role, role_of
from simstudy.records.sheet import Sheet, SheetBuilder, cell_text
from simstudy.records.source import Head, Source

NAME = "parquet"
SAYS = "Parquet (needs simstudy[files])"
ROWS = 8192
MANY_ROWS = 100_000
"""Rows from which on columns of answers are not read."""


def sniff(head: Head) -> float:
    """Tell Parquet by its first four bytes."""
    return 1.0 if head.raw.startswith(b"PAR1") else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return the records of a table."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise RecordsError(
            f"{source.name} is a Parquet file; install simstudy[files] to read it, or save the table as CSV."
        ) from None
    try:
        sheet = _sheet(source, parquet.ParquetFile(_bytes(source)), pa, options)
    except (pa.ArrowException, OSError) as error:
        raise RecordsError(f"{source.name} cannot be read as Parquet: {str(error).splitlines()[0]}.") from None
    return records_of_sheet(sheet, ReadFile(source.name, NAME, 1.0, "UTF-8", "row"), source.stem, options)


def _bytes(source: Source) -> Any:
    return str(source.path) if source.path is not None and not source.is_gzip else io.BytesIO(b"".join(source.chunks()))


def _sheet(source: Source, file: Any, pa: Any, options: ReadOptions) -> Sheet:
    builder = SheetBuilder(source.name, may_matter(options))
    many = file.metadata.num_rows > MANY_ROWS
    names = [name for name in file.schema_arrow.names if not (many and role_of(name) is Role.TEXT)]
    for batch in file.iter_batches(batch_size=ROWS, columns=names):
        table = pa.Table.from_batches([batch])
        while any(pa.types.is_struct(column.type) for column in table.schema):
            table = table.flatten()
        # a value that is missing is an empty cell
        columns = [[cell_text(value) or "" for value in column.to_pylist()] for column in table.columns]
        first = len(builder) + 1
        builder.add_columns(table.column_names, columns, range(first, first + table.num_rows))
    return builder.sheet()
