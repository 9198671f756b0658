"""Files of results to Records: any format, one file or several."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Sequence

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import CERTAIN, find_reader, lm_eval
from simstudy.records.records import Records, Remark, join, with_failed
from simstudy.records.source import Source


def read_records(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], options: ReadOptions | None = None
) -> Records:
    """Read one file, or several that belong together."""
    several = [files] if isinstance(files, str | os.PathLike) else list(files)
    said = options or ReadOptions()
    twice = [os.fspath(file) for file, times in Counter(map(os.path.abspath, several)).items() if times > 1]
    if twice:
        raise RecordsError(f"{os.path.basename(twice[0])} is given more than once; name each file once.")
    records = join([read_source(Source.of_path(file), said) for file in several])
    if said.filter is not None and not any(file.format == lm_eval.NAME for file in records.read):
        raise RecordsError(f"filter is '{said.filter}', and only samples of {lm_eval.NAME} have filters; leave it out.")
    return records


def read_source(source: Source, options: ReadOptions) -> Records:
    """Read one source: find the reader by content, and say what was found."""
    reader, certainty = find_reader(source, options.format)
    records = with_failed(reader.read(source, options), options.failed)
    guess = ": a guess" if certainty < CERTAIN else ""
    said = Remark("format", f"{source.name} was read as {reader.NAME}{guess}.", certainty >= CERTAIN)
    read = tuple(dataclasses.replace(file, certainty=certainty, encoding=source.encoding) for file in records.read)
    return dataclasses.replace(records, read=read, remarks=(said, *source.remarks(), *records.remarks))
