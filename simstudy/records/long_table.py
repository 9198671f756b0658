"""The long table of results: one row per case, system and run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

RIGHT_WORDS = frozenset({"true", "correct", "yes", "c"})
WRONG_WORDS = frozenset({"false", "incorrect", "no", "i"})
MISSING_WORDS = frozenset({"", "na", "n/a", "<na>", "nan", "null", "none"})
UNREADABLE_WORDS = frozenset({"error", "unreadable", "timeout", "invalid"})
ALLOWED_VALUES = "0 or 1, true/false, correct/incorrect, yes/no, C/I; missing: empty, NA, null, nan, error"

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True, eq=False)
class Results:
    """Results in long form, checked but not yet reduced to right and wrong.

    Parameters
    ----------
    path : str
        The file they came from.
    layout : {"long", "wide"}
        How the file was laid out.
    cases, systems, runs, clusters : ndarray of str, shape (rows,)
        Identifiers. `runs` is ``""`` without runs, `clusters` is ``""`` without clusters.
    values : ndarray of float64, shape (rows,)
        The value; NaN where it is missing, could not be read, or the row holds an error.
    lines : ndarray of int64, shape (rows,)
        The line of the file.
    system_names : tuple of str
        Every system, sorted.
    runs_from : {"none", "column", "ids"}
        Where the runs come from: nowhere, a column, or ids such as 1, 1.1, 1.2.
    value_column : str
        The column of the values; ``""`` in a wide file, where each system is a column.
    unparsed : mapping of str to (int, str)
        Columns of a wide file that hold something other than values: line and text of the first.
    notes : tuple of str
        What was guessed or left aside, each in a sentence.
    """

    path: str
    layout: str
    cases: NDArray[np.str_]
    systems: NDArray[np.str_]
    runs: NDArray[np.str_]
    clusters: NDArray[np.str_]
    values: NDArray[np.float64]
    lines: NDArray[np.int64]
    system_names: tuple[str, ...]
    runs_from: str = "none"
    value_column: str = ""
    unparsed: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def parse_value(text: str) -> float | None:
    """Read one value.

    Parameters
    ----------
    text : str
        A cell of the file.

    Returns
    -------
    float or None
        The number (a word for right is 1, for wrong 0), NaN where it is missing or marked as an
        error, None where the text is no value at all.

    Notes
    -----
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


def is_error(text: str) -> bool:
    """Whether the cell of an error column reports an error.

    Parameters
    ----------
    text : str
        The cell; empty, a missing word, ``0`` or a word for false mean that there was none.

    Returns
    -------
    bool
        True where something went wrong.
    """
    folded = text.strip().casefold()
    return folded not in MISSING_WORDS and folded not in WRONG_WORDS and folded not in {"0", "0.0"}


def natural_key(text: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Sort key under which case 2 stands before case 10.

    Parameters
    ----------
    text : str
        An identifier.

    Returns
    -------
    tuple
        The parts, digits as numbers and the rest as text; then the text itself, to tell 1 from 01.
    """
    parts = (part for part in _DIGITS.split(text) if part)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts), text


def listed(names: Iterable[str], limit: int = 5) -> str:
    """Write the first few names, in natural order, and how many more there are.

    Parameters
    ----------
    names : iterable of str
        Names or ids; each is written once.
    limit : int
        How many are written out.

    Returns
    -------
    str
        For example ``1, 2, 3 and 7 more``.
    """
    ordered = sorted(set(names), key=natural_key)
    shown = ", ".join(ordered[:limit])
    return shown if len(ordered) <= limit else f"{shown} and {len(ordered) - limit} more"
