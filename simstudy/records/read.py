"""Parse a CSV, TSV or JSONL file of results into rows of text that know their line."""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.files import check_source, path_of

LONGEST_CELL = 2**31 - 1
"""Answers of models run past the 131,072 characters that the csv module allows by default."""


@dataclass(frozen=True)
class Sheet:
    """A parsed file: text in rows and columns, nothing interpreted yet."""

    path: Path
    columns: tuple[str, ...]  # all different
    rows: tuple[tuple[str, ...], ...]  # as long as the columns; an empty cell is ""
    lines: tuple[int, ...]  # where each record starts in the file, from 1


def read_sheet(path: str | os.PathLike[str]) -> Sheet:
    """Parse a CSV, TSV or JSONL file in UTF-8; the ending of its name decides which.

    Blank lines are passed over. White space around cells and names is dropped. A column without a name, as pandas
    writes its index, is called ``column 1`` after its place.
    """
    place = path_of(path, RecordsError)
    parsers: dict[str, Callable[[Path, str], Sheet]] = {
        ".csv": lambda p, text: _parse_delimited(p, text, ","),
        ".tsv": lambda p, text: _parse_delimited(p, text, "\t"),
        ".jsonl": _parse_jsonl,
    }
    if os.path.isdir(place):  # unlike Path.is_dir, False for a name that is too long
        raise RecordsError(f"{place} is a folder; a file of results ending in {', '.join(parsers)} is needed.")
    parser = parsers.get(place.suffix.lower())
    if parser is None:
        raise UnknownNameError("kind of results file", place.suffix or place.name, parsers)
    return parser(place, _decoded(place))


def _decoded(path: Path) -> str:
    check_source(path, RecordsError)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise RecordsError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise RecordsError(
            f"{path} is not UTF-8 text: line {line} has the byte {raw[error.start]:#04x}. Save it as UTF-8."
        ) from None
    if not text.strip():
        raise RecordsError(f"{path} is empty.")
    return text


def _parse_delimited(path: Path, text: str, delimiter: str) -> Sheet:
    records = list(_delimited_records(path, text, delimiter))
    columns = _checked_columns(path, records[0][1], delimiter)
    body = records[1:]
    if not body:
        raise RecordsError(f"{path} has a header and no rows.")
    for line, cells in body:
        if len(cells) != len(columns):
            raise RecordsError(
                f"{path}, line {line}: {len(cells)} cells where the header names {len(columns)} columns."
            )
    return Sheet(path, columns, tuple(cells for _, cells in body), tuple(line for line, _ in body))


def _delimited_records(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    before = csv.field_size_limit(LONGEST_CELL)
    # strict: a quotation mark that is never closed is an error instead of one huge cell.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            stripped = tuple(map(str.strip, cells))
            if any(stripped) or len(stripped) > 1:
                yield line, stripped
            line = reader.line_num + 1
    except csv.Error as error:
        raise RecordsError(f"{path}: the record that starts on line {line} cannot be read ({error}).") from None
    finally:
        csv.field_size_limit(before)


def _checked_columns(path: Path, names: tuple[str, ...], delimiter: str) -> tuple[str, ...]:
    if len(names) == 1:
        other = next((sign for sign in ";\t,|" if sign != delimiter and sign in names[0]), None)
        if other is not None:
            shown = {"\t": "tabs (name it .tsv)", ",": "commas (name it .csv)"}.get(other, f"'{other}'")
            raise RecordsError(
                f"{path} has one column only; its cells seem to be separated by {shown}. "
                "A .csv file is read with commas, a .tsv file with tabs."
            )
    columns = tuple(name or f"column {place}" for place, name in enumerate(names, start=1))
    _refuse_duplicates(f"{path}: the header", columns)
    return columns


def _refuse_duplicates(where: str, names: tuple[str, ...]) -> None:
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        listed = ", ".join(f"'{name}'" for name in twice)
        raise RecordsError(f"{where} names {listed} more than once; every column needs its own name.")


def _parse_jsonl(path: Path, text: str) -> Sheet:
    objects: list[dict[str, str]] = []
    lines: list[int] = []
    # Not splitlines(): a JSON string may hold U+2028, which is no end of line here.
    for line, source in enumerate(text.split("\n"), start=1):
        if source.strip():
            objects.append(_json_record(path, line, source))
            lines.append(line)
    columns = tuple(dict.fromkeys(name for record in objects for name in record))
    rows = tuple(tuple(record.get(name, "") for name in columns) for record in objects)
    return Sheet(path, columns, rows, tuple(lines))


def _json_record(path: Path, line: int, source: str) -> dict[str, str]:
    def as_record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        _refuse_duplicates(f"{path}, line {line}: the object", tuple(name for name, _ in pairs))
        return dict(pairs)

    try:
        # Numbers stay as they were written, so that an id 1.10 is not read as 1.1.
        record = json.loads(source, object_pairs_hook=as_record, parse_int=str, parse_float=str, parse_constant=str)
        if not isinstance(record, dict):
            raise RecordsError(f'{path}, line {line}: a JSON object such as {{"case": ...}} is needed.')
        # names that are told apart by blanks alone would be one column
        _refuse_duplicates(f"{path}, line {line}: the object", tuple(name.strip() for name in record))
        return {name.strip(): _json_text(value) for name, value in record.items()}
    except json.JSONDecodeError as error:
        raise RecordsError(f"{path}, line {line} is not JSON: {error}.") from None
    except RecursionError:
        raise RecordsError(f"{path}, line {line}: lists or objects are nested too deep to be read.") from None


def _json_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    return json.dumps(value, ensure_ascii=False)
