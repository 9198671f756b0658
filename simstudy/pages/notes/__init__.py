"""Every sentence below or beside a table or a picture: a name, when it applies, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simstudy.errors import UnknownNameError
from simstudy.pages.notes.below_answers import CHECKED, COLLECTED, ON_ANSWERS, REMARKS
from simstudy.pages.notes.below_tables import ENGINES, FIXED, MISUSED, ON_POWER, RESAMPLED, SIDES, SIGNS, UNITS
from simstudy.pages.notes.false_decisions import FALSE_DECISIONS
from simstudy.pages.notes.mistakes import MISTAKES
from simstudy.pages.notes.note import Note, Result, outcome, result_of, said
from simstudy.pages.notes.smallest_seen import SMALLEST, SMALLEST_IN_GRID

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.pages.text_tables import Table
    from simstudy.study.plan import Study

__all__ = [
    "ABOVE",
    "CLOSING",
    "UNDER_TABLES",
    "Note",
    "Result",
    "closing_words",
    "note",
    "notes_of",
    "outcome",
    "result_of",
    "said",
]

UNDER_TABLES = (ENGINES, REMARKS, RESAMPLED, MISUSED, *SIGNS, UNITS, SIDES, *ON_ANSWERS, *ON_POWER, SMALLEST_IN_GRID)
CLOSING = (MISTAKES, FALSE_DECISIONS, *SMALLEST, CHECKED, COLLECTED)
ABOVE = (FIXED,)


def notes_of(
    study: Study,
    dataset: xr.Dataset,
    tables: Sequence[Table] = (),
    variables: Sequence[str] | None = None,
    has_closing: bool = False,
) -> list[str]:
    """Return the lines under the tables of a result."""
    return said(UNDER_TABLES, result_of(study, dataset, tables, variables, has_closing))


def closing_words(study: Study, dataset: xr.Dataset) -> list[str]:
    """Return the paragraphs that follow; one with line breaks is laid out already."""
    return said(CLOSING, result_of(study, dataset))


def note(name: str) -> Note:
    """Return one note by name."""
    notes = {note.name: note for note in (*ABOVE, *UNDER_TABLES, *CLOSING)}
    if name not in notes:
        raise UnknownNameError("note", name, notes)
    return notes[name]
