"""Files of results to Records: any format, one file or several."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from simstudy.records.from_sheet import may_matter, records_of_sheet
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import CERTAIN, find_reader
from simstudy.records.records import ReadFile, Records, Remark, join
from simstudy.records.sheet import SheetBuilder
from simstudy.records.source import Source

FRAME = "DataFrame"
ABSENCES = ("NAType", "NaTType")
"""What pandas puts where there is no value, beside NaN."""


def read_records(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], options: ReadOptions | None = None
) -> Records:
    """Read one file, or several that belong together."""
    several = [files] if isinstance(files, str | os.PathLike) else list(files)
    said = options or ReadOptions()
    return join([read_source(Source.of_path(file), said) for file in several])


def read_source(source: Source, options: ReadOptions) -> Records:
    """Read one source: find the reader by content, and say what was found."""
    reader, certainty = find_reader(source, options.format)
    records = reader.read(source, options)
    guess = ": a guess" if certainty < CERTAIN else ""
    said = Remark("format", f"{source.name} was read as {reader.NAME}{guess}.", certainty >= CERTAIN)
    read = tuple(dataclasses.replace(file, certainty=certainty, encoding=source.encoding) for file in records.read)
    return dataclasses.replace(records, read=read, remarks=(said, *source.remarks(), *records.remarks))


def read_frame(frame: Any, options: ReadOptions | None = None) -> Records:
    """Read a pandas.DataFrame, as it stands in memory; an index that has a name is a column."""
    said = options or ReadOptions()
    table = frame.reset_index() if any(name is not None for name in frame.index.names) else frame
    builder = SheetBuilder(FRAME, may_matter(said))
    names = [str(name) for name in table.columns]
    for place, row in enumerate(table.itertuples(index=False, name=None), start=1):
        builder.add({name: _cell(value) for name, value in zip(names, row, strict=True)}, place)
    return records_of_sheet(builder.sheet(), ReadFile(FRAME, FRAME, 1.0, "", "row"), "table", said)


def _cell(value: Any) -> Any:
    """Return a value of a DataFrame as one of JSON: numbers of NumPy as those of Python, what is missing as None."""
    plain = value.item() if isinstance(value, np.generic) else value
    missing = plain is None or (isinstance(plain, float) and math.isnan(plain)) or type(plain).__name__ in ABSENCES
    return None if missing else plain
