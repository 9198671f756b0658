"""Names in natural order: case 2 before case 10."""

from __future__ import annotations

import heapq
import re
import sys
from collections.abc import Iterable

_DIGITS = re.compile(r"([0-9]+)")


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
