"""What readers of tools' files share: their objects one by one, names, and pairs that are shown in two orders."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.cells import read_verdict
from simstudy.records.json_text import flat
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.roles import Role, role_of
from simstudy.records.sheet import short_word
from simstudy.records.source import Head, Source

OTHER_WAY = {"first": "second", "second": "first", "tie": "tie"}
WINS = {"first": 1.0, "tie": 0.5, "second": 0.0}
"""What a verdict is worth to the answer shown first."""
LONGEST_FIELD = 80
"""Characters of a text that may be a category; questions and answers are longer, or say nothing as a column."""


def have(head: Head, *fields: str) -> bool:
    """Whether the first objects of a file have these fields; some may lack them."""
    first = head.records[:5]
    return any(all(name in record for name in fields) for record in first)


def place_of(source: Source) -> str:
    """Return what places count: lines, or records where an array stands in one line."""
    text = (source.head.text or "").lstrip()
    return "record" if text.startswith("[") and text.count("\n") <= 2 else "line"


def objects(source: Source, builder: RecordsBuilder, *needed: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of an array or of lines with their places; what is none, or lacks a field, is counted."""
    by_line = place_of(source) == "line"
    used, first = 0, ""
    for element in source.elements():
        place = element.line if by_line else element.number
        problem = element.problem or _lacks(element.value, needed)
        if not problem:
            used += 1
            yield place, element.value
            continue
        first = first or problem
        builder.aside(problem.partition(":")[0], place, problem)
    if not used:
        raise RecordsError(f"{source.name} holds no record that can be read{f' ({first})' if first else ''}.")


def _lacks(value: Any, needed: tuple[str, ...]) -> str:
    if not isinstance(value, dict):
        return "no JSON object"
    lacking = [name for name in needed if name not in value]
    return f"no field '{lacking[0]}'" if lacking else ""


def name_of(value: Any, otherwise: str) -> str:
    """Return a name that a file gives, or another where it gives none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return otherwise
    return str(value).strip() or otherwise


def short_fields(fields: Any, options: ReadOptions) -> dict[str, Any]:
    """Return the fields of metadata that may be a column (a topic, a level), and those that were asked for."""
    asked = {name for name in (options.run_column, options.cluster_column, *options.columns) if name}
    plain = flat(fields) if isinstance(fields, dict) else {}
    return {name: value for name, value in plain.items() if name in asked or _may_be_column(name, value)}


def _may_be_column(name: str, value: Any) -> bool:
    if role_of(name) in (Role.TEXT, Role.INPUT):
        return False
    return isinstance(value, bool | int | float) or (isinstance(value, str) and 0 < len(value) <= LONGEST_FIELD)


def case_of_text(text: Any) -> str | None:
    """Return the case that a question is: its words, of a long one the beginning and what tells it from others."""
    return " ".join(short_word(text).split()) if isinstance(text, str) else None


def words_in(text: Any) -> int | None:
    """Return how many words an answer has."""
    return len(text.split()) if isinstance(text, str) else None


def verdict_of(word: Any) -> str | None:
    """Return "first", "second" or "tie" for a verdict as it was shown, A<B being B>A; None where it says none."""
    if isinstance(word, bool) or not isinstance(word, str | int):
        return None
    text = str(word).replace(" ", "")
    if "<" in text:
        text = text[::-1].replace("<", ">")
    return read_verdict(text)[0]


def with_columns(records: Records, options: ReadOptions) -> Records:
    """Take the columns that were named as runs and clusters; what a format knows itself cannot be named."""
    (read,), named, further = records.read, options.named(), dict(records.further)
    for part in ("case", "system", "value"):
        if named[part] is not None:
            raise RecordsError(
                f"{read.name} was read as {read.format}, which says itself what is the {part}; {part}_column is for "
                "tables."
            )
    known = {**records.extra, **records.further}
    for part in ("run", "cluster"):
        column = named[part]
        if column is not None and column not in known:
            raise UnknownNameError(f"column for {part}_column", column, known)
        if column is not None:
            further[part] = known[column]
    return dataclasses.replace(records, further=further)
