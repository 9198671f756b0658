"""JSON objects, one per line or in an array, whatever the file is called."""

from __future__ import annotations

from simstudy.errors import RecordsError
from simstudy.records.from_sheet import may_matter, records_of_sheet
from simstudy.records.json_text import flat
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import ReadFile, Records
from simstudy.records.sheet import Sheet, SheetBuilder
from simstudy.records.source import Head, Source

NAME = "json"
SAYS = "JSON objects, one per line or in an array"


def sniff(head: Head) -> float:
    """Tell objects in lines or in an array; a single object may be a record, or hold the records within."""
    return 0.0 if not head.records else 0.1 if head.object else 0.6


def read(source: Source, options: ReadOptions) -> Records:
    """Return the records; nested fields are named with dots."""
    sheet, place = _sheet(source, options)
    return records_of_sheet(sheet, ReadFile(source.name, NAME, 1.0, source.encoding, place), source.stem, options)


def _sheet(source: Source, options: ReadOptions) -> tuple[Sheet, str]:
    """Return the table, and what its places count: lines, or records where all stand in one line."""
    builder = SheetBuilder(source.name, may_matter(options))
    # an array may stand in one line: then its records are counted
    by_line = not (source.head.text or "").lstrip().startswith("[") or (source.head.text or "").count("\n") > 2
    bad, first = 0, ""
    for element in source.elements():
        place = element.line if by_line else element.number
        if isinstance(element.value, dict) and not element.problem:
            builder.add(flat(element.value), place)
            continue
        bad += 1
        problem = element.problem or "no JSON object"
        first = first or f"{'line' if by_line else 'record'} {place}: {problem}"
        builder.aside(problem.partition(":")[0], place, problem)
    if bad > len(builder):
        raise RecordsError(
            f"{source.name} is no file of JSON objects: {bad} of {bad + len(builder)} cannot be read ({first})."
        )
    return builder.sheet(), "line" if by_line else "record"
