"""What replications leave behind, kept as a histogram of distinct rows.

Histograms merge exactly, whatever the order of the blocks, and methods run once per distinct row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

# possible rows per row given, up to which counting all is faster than sorting
DENSE = 8


@dataclass(frozen=True, eq=False)
class Tally:
    """Distinct rows, sorted lexicographically, and how often each came up."""

    rows: Ints
    counts: Ints

    @property
    def replications(self) -> int:
        """Number of replications."""
        return int(self.counts.sum())


def tally(rows: Ints, counts: Ints | None = None) -> Tally:
    """Return the histogram of rows, one per replication, or distinct ones with counts."""
    low, span = _ranges(rows)
    if math.prod(span) < 2**62:
        return _packed(rows, counts, low, span)
    return _sorted(rows, counts)


def _ranges(rows: Ints) -> tuple[list[int], list[int]]:
    """Return the least value of each column and how many it spans: with undefined ones, more than 64 bits hold."""
    # one column after another: reducing many short rows is slow
    low = [int(column.min()) for column in rows.T]
    return low, [int(column.max()) - least + 1 for column, least in zip(rows.T, low, strict=True)]


def _sorted(rows: Ints, counts: Ints | None) -> Tally:
    """Sort rows by their first column, and by the others only where that leaves ties: real numbers seldom do."""
    order = np.argsort(rows[:, 0], kind="stable")
    if not np.diff(rows[order, 0]).all():
        order = np.lexsort(rows.T[::-1])
    rows = rows[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = np.any([column[1:] != column[:-1] for column in rows.T], axis=0)
    starts = np.flatnonzero(new)
    each = np.ones(len(rows), np.int64) if counts is None else counts[order]
    return Tally(rows[starts], np.add.reduceat(each, starts))


def _packed(rows: Ints, counts: Ints | None, low: list[int], span: list[int]) -> Tally:
    """Sort rows through a single number each, which keeps their lexicographic order."""
    key = _key(rows, low, span)
    size = math.prod(span)
    if size <= DENSE * len(rows):
        # few possible rows: counting each is faster than sorting; sums of counts are whole numbers below 2**53
        all_totals = np.bincount(key, counts, minlength=size)
        distinct = np.flatnonzero(all_totals)
        totals = all_totals[distinct]
    elif counts is None:
        distinct, totals = np.unique(key, return_counts=True)
    else:
        distinct, which = np.unique(key, return_inverse=True)
        totals = np.zeros(len(distinct), np.int64)
        np.add.at(totals, which, counts)
    return Tally(_unpacked(distinct, low, span), totals.astype(np.int64))


def _key(rows: Ints, low: list[int], span: list[int]) -> Ints:
    """Return one number for each row; numbers are in the lexicographic order of the rows."""
    key = np.zeros(len(rows), np.int64)
    for column, (least, width) in enumerate(zip(low, span, strict=True)):
        key = key * width + (rows[:, column] - least)
    return key


def _unpacked(key: Ints, low: list[int], span: list[int]) -> Ints:
    """Return the rows of numbers that `_key` made."""
    rows = np.empty((len(key), len(span)), np.int64)
    for column in range(len(span) - 1, -1, -1):
        key, rows[:, column] = np.divmod(key, span[column])
    rows += np.array(low, np.int64)
    return rows


def merge(tallies: list[Tally]) -> Tally:
    """Return the histogram of all replications of several histograms (one at least), whatever their order."""
    if len(tallies) == 1:
        return tallies[0]
    return tally(np.concatenate([t.rows for t in tallies]), np.concatenate([t.counts for t in tallies]))


def shared_rows(parts: Sequence[Ints]) -> tuple[Ints, list[Ints]]:
    """Return the rows of several arrays (one at least), and where those of each array are among them."""
    # each row is there once, where counting all that are possible is cheap; else they stand one after another
    rows = np.concatenate(parts)
    low, span = _ranges(rows)
    size, place = math.prod(span), np.arange(len(rows))
    if size <= DENSE * len(rows):
        key = _key(rows, low, span)
        there = np.zeros(size, np.bool_)
        there[key] = True
        rows, place = _unpacked(np.flatnonzero(there), low, span), (np.cumsum(there) - 1)[key]
    return rows, np.split(place, np.cumsum([len(part) for part in parts])[:-1])
