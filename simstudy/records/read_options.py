"""What a person says about a file of results before it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simstudy.records.cells import CODES


@dataclass(frozen=True)
class ReadOptions:
    """Everything that may be said of a file; None is left to the reader, which says what it guessed."""

    format: str | None = None  # the name of a reader
    layout: str | None = None  # of a table: "long" or "wide"
    case_column: str | None = None
    system_column: str | None = None
    value_column: str | None = None
    run_column: str | None = None
    cluster_column: str | None = None
    metric: str | None = None
    filter: str | None = None  # of answers (lm-evaluation-harness)
    split_ids: bool = True  # whether ids 1, 1.1, 1.2 are runs of case 1
    systems: tuple[str, ...] = ()  # names that were asked for: columns of a table that are systems for certain
    failed: frozenset[str] = frozenset()  # words and reasons that count as failed (0) instead of unreadable
    codes: tuple[float, ...] = field(default=CODES)  # numbers that may stand for "no score"
    columns: tuple[str, ...] = ()  # further columns that are needed: strata, labels, judges

    def named(self) -> dict[str, str | None]:
        """Return the columns that were named, by the part they play."""
        parts = ("case", "system", "value", "run", "cluster")
        return {part: getattr(self, f"{part}_column") for part in parts}


def reading_options(**given: Any) -> ReadOptions:
    """Return options of reading, without what was not said."""
    return ReadOptions(**{name: value for name, value in given.items() if value is not None})
