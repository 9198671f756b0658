"""The formats that are read, one module each, told by content.

A reader is a module here that has `NAME`, `SAYS`, `sniff(head)` and `read(source, options)`. Adding one touches no
other file: it is found, not listed.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import Records
from simstudy.records.source import Head, Source

CERTAIN = 0.5
"""From this certainty on a format is no guess."""


class Reader(Protocol):
    """What a module of this folder offers."""

    NAME: str
    SAYS: str  # what such a file looks like, in a few words

    def sniff(self, head: Head) -> float:
        """Return how certain it is that the file has this format: 0 not at all, 1 for sure."""

    def read(self, source: Source, options: ReadOptions) -> Records:
        """Return the records of a file."""


class Totals(NamedTuple):
    """What a file of totals says of a task, beside the files that hold its cases."""

    says: str  # metric and figure
    cases: int | None  # over so many, where that is told


def has_filters(name: str) -> bool:
    """Return whether files of a format can hold several answers per case, told apart by a filter (`FILTERS`)."""
    return bool(getattr(readers()[name], "FILTERS", False))


def totals_in(source: Source) -> list[Totals]:
    """Return what a file that holds totals alone says of the others; none where it is no such file (`totals`)."""
    found = (getattr(reader, "totals", None) for reader in readers().values())
    return [total for ask in found if ask is not None for total in ask(source)]


@cache
def readers() -> dict[str, Reader]:
    """Return all readers by name, in alphabetical order of their modules."""
    modules = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    found: dict[str, Reader] = {}
    for module in modules:
        reader: Reader = importlib.import_module(f"{__name__}.{module}")
        found[reader.NAME] = reader
    return found


def find_reader(source: Source, asked: str | None = None) -> tuple[Reader, float]:
    """Return the reader of a file and how certain its format is; refuse a file that none knows."""
    if asked is not None:
        if asked not in readers():
            raise UnknownNameError("format", asked, readers())
        return readers()[asked], 1.0
    sure = {name: reader.sniff(source.head) for name, reader in readers().items()}
    best = max(sure, key=lambda name: sure[name])
    if sure[best] <= 0:
        source.refuse_binary()
        start = " ".join((source.head.text or "")[:60].split())
        raise RecordsError(
            f"{source.name} has no format that is known (looked for: {', '.join(readers())}); it begins with '{start}'."
        )
    return readers()[best], sure[best]
