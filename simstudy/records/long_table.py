"""The long table of results: one row per case, system and run."""

from __future__ import annotations

import heapq
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RecordsError

RIGHT_WORDS = frozenset({"true", "correct", "yes", "c"})
WRONG_WORDS = frozenset({"false", "incorrect", "no", "i"})
MISSING_WORDS = frozenset({"", "na", "n/a", "<na>", "nan", "null", "none"})
UNREADABLE_WORDS = frozenset({"error", "unreadable", "timeout", "invalid"})
ALLOWED_VALUES = "0 or 1, true/false, correct/incorrect, yes/no, C/I; missing: empty, NA, null, nan, error"
MOST_SHOWN = 80  # characters of a cell in a message

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True, eq=False)
class Results:
    """Results in long form, checked but not yet reduced to right and wrong; arrays have an entry per row."""

    path: str
    layout: str  # "long" or "wide", as the file was
    # objects: arrays of text would give every cell the width of the longest
    cases: NDArray[np.object_]
    systems: NDArray[np.object_]
    runs: NDArray[np.object_]  # "" without runs
    clusters: NDArray[np.object_]  # "" without clusters
    values: NDArray[np.float64]  # NaN where missing or unreadable, or where the row holds an error
    lines: NDArray[np.int64]  # of the file
    system_names: tuple[str, ...]
    runs_from: str = "none"  # or "column", or "ids" such as 1, 1.1, 1.2
    value_column: str = ""  # "" in a wide file
    # columns of a wide file that hold something other than values: line and text of the first
    unparsed: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what was guessed or left aside


def parse_value(text: str) -> float | None:
    """Return the number of a cell, NaN where it is missing or marked as an error, None where it is no value at all.

    Missing and unreadable values are never 0: a run that failed says nothing about the answer.
    """
    folded = text.strip().casefold()
    if folded in MISSING_WORDS or folded in UNREADABLE_WORDS:
        return float("nan")
    if folded in RIGHT_WORDS:
        return 1.0
    if folded in WRONG_WORDS:
        return 0.0
    return float(folded) if _NUMBER.fullmatch(folded) and np.isfinite(float(folded)) else None


def no_value(path: object, line: int, column: str, text: str) -> RecordsError:
    """Return the refusal of a cell that is no value; cells may hold whole answers of models."""
    shown = textwrap.shorten(text, MOST_SHOWN, placeholder=" ...")
    return RecordsError(f"{path}, line {line}: the column '{column}' holds '{shown}'. Allowed: {ALLOWED_VALUES}.")


def is_error(text: str) -> bool:
    """Whether a cell of an error column reports one: not if it is empty, a missing word, 0 or a word for false."""
    folded = text.strip().casefold()
    return folded not in MISSING_WORDS and folded not in WRONG_WORDS and folded not in {"0", "0.0"}


def natural_key(text: str) -> tuple[str, str]:
    """Sort key under which case 2 stands before case 10; the text itself comes last, to tell 1 from 01."""
    return _DIGITS.sub(_sortable, text), text


def _sortable(found: re.Match[str]) -> str:
    """Write a number so that text sorts by it, however long it is: before all letters, its length, its digits."""
    digits = found[0].lstrip("0")
    return f"\0{chr(min(len(digits), sys.maxunicode))}{digits}"


def listed(names: Iterable[str], limit: int = 5) -> str:
    """Write the first few names, in natural order, and how many more there are: ``1, 2, 3 and 7 more``."""
    distinct = set(names)
    shown = ", ".join(heapq.nsmallest(limit, distinct, key=natural_key))
    return shown if len(distinct) <= limit else f"{shown} and {len(distinct) - limit} more"
