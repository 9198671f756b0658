"""Files of results to Records: any format, one file or several."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Sequence

from simstudy.errors import RecordsError
from simstudy.records.natural_order import listed
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import CERTAIN, Totals, find_reader, has_filters, readers, totals_in
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
    sources = [Source.of_path(file) for file in several]
    # totals that are given beside the files that they are of; alone they are refused
    totals = {} if len(sources) == 1 else {source.name: found for source in sources if (found := totals_in(source))}
    held = [source for source in sources if source.name not in totals] or sources
    records = join([read_source(source, said) for source in held])
    if said.filter is not None and not any(has_filters(file.format) for file in records.read):
        names = " and ".join(name for name in readers() if has_filters(name))
        raise RecordsError(f"filter is '{said.filter}', and only files of {names} have filters; leave it out.")
    return dataclasses.replace(records, remarks=(*records.remarks, *_of_totals(totals, records)))


def _of_totals(totals: dict[str, list[Totals]], records: Records) -> list[Remark]:
    """Say what files of totals hold, and where they speak of other cases than there are."""
    remarks, cases = [], len(records.case.words)
    for name, found in totals.items():
        sizes = {total.cases for total in found} - {None}
        over = f", over {listed(str(n) for n in sorted(n for n in sizes if n is not None))} cases" if sizes else ""
        other = f"; the files given here hold {cases}" if sizes and sizes != {cases} else ""
        remarks.append(Remark("totals", f"{name} says {listed(total.says for total in found)}{over}{other}."))
    return remarks


def read_source(source: Source, options: ReadOptions) -> Records:
    """Read one source: find the reader by content, and say what was found."""
    reader, certainty = find_reader(source, options.format)
    records = with_failed(reader.read(source, options), options.failed)
    guess = ": a guess" if certainty < CERTAIN else ""
    said = Remark("format", f"{source.name} was read as {reader.NAME}{guess}.", certainty >= CERTAIN)
    read = tuple(dataclasses.replace(file, certainty=certainty, encoding=source.encoding) for file in records.read)
    return dataclasses.replace(records, read=read, remarks=(said, *source.remarks(), *records.remarks))
