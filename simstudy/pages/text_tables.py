"""Tables of text cells, and how they are laid out for a terminal or in Markdown."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

WIDTH = 100
_GAP = "  "
_ERRORS = (" ±", " ≤", " ≥")
_NUMBER = re.compile(r"[~<>≤≥-]?\d*\.\d+|[~<>≤≥-]?\d+")


@dataclasses.dataclass(frozen=True)
class Table:
    """A table whose leading columns, with the heads ``stubs``, name the row."""

    caption: str
    stubs: tuple[str, ...]
    # what the heads of the value columns are values of; empty where they speak for themselves
    span: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def first_rows(tables: Sequence[Table], most: int) -> tuple[list[Table], int]:
    """Return the first rows of some tables, and how many more there are."""
    kept: list[Table] = []
    left = most
    for table in tables:
        if left > 0:
            kept.append(dataclasses.replace(table, rows=table.rows[:left]))
        left -= len(table.rows)
    return kept, max(0, -left)


def plain_lines(table: Table, width: int = WIDTH) -> list[str]:
    """Lay a table out in aligned text, folded where it is wide; a row name that repeats the one above is left out."""
    stubs, values = _stub_columns(table), _value_columns(table)
    lines = [table.caption] if table.caption else []
    for number, part in enumerate(folds(table, width)):
        if number:
            lines.append("")
        lines += _part_lines(table, stubs, [values[index] for index in part])
    return lines


def _part_lines(table: Table, stubs: list[list[str]], values: list[list[str]]) -> list[str]:
    head, *body = (_GAP.join(cells).rstrip() for cells in zip(*stubs, *values, strict=True))
    indent = sum(len(column[0]) + len(_GAP) for column in stubs)
    span = [" " * indent + table.span] if table.span else []
    rule = "─" * max(len(line) for line in (head, *body, *span))
    return [*span, head, rule, *body]


def folds(table: Table, width: int = WIDTH) -> list[range]:
    """Say which value columns fit beside each other: runs of at least one."""
    indent = sum(len(column[0]) + len(_GAP) for column in _stub_columns(table))
    widths = [len(column[0]) + len(_GAP) for column in _value_columns(table)]
    parts, start, used = [], 0, indent
    for index, needed in enumerate(widths):
        if index > start and used + needed > width + len(_GAP):
            parts.append(range(start, index))
            start, used = index, indent
        used += needed
    return [*parts, range(start, len(widths))]


def _stub_columns(table: Table) -> list[list[str]]:
    columns = []
    for index, head in enumerate(table.stubs):
        labels = [row[index] for row in table.rows]
        shown = [
            "" if number and table.rows[number][: index + 1] == table.rows[number - 1][: index + 1] else label
            for number, label in enumerate(labels)
        ]
        numeric = all(_NUMBER.fullmatch(label) for label in labels)
        columns.append(_justified([head, *shown], right=numeric))
    return columns


def _value_columns(table: Table) -> list[list[str]]:
    start = len(table.stubs)
    columns = []
    for index, head in enumerate(table.heads):
        cells = _at_point([row[start + index] for row in table.rows])
        columns.append(_justified([_over_numbers(head, cells), *cells], right=True))
    return columns


def _over_numbers(head: str, cells: Sequence[str]) -> str:
    """Let a head end where the numbers end, not where their errors do."""
    errors = max((len(cell) - cell.index(sign) for cell in cells for sign in _ERRORS if sign in cell), default=0)
    return head + " " * errors if len(head) + errors <= max(map(len, cells)) else head


def _justified(cells: Sequence[str], *, right: bool) -> list[str]:
    width = max(len(cell) for cell in cells)
    return [cell.rjust(width) if right else cell.ljust(width) for cell in cells]


def _at_point(cells: Sequence[str]) -> list[str]:
    """Pad numbers so that their points stand under each other; words are left to the column."""
    heads = {cell: len(cell.split(" ", 1)[0].partition(".")[0]) for cell in cells if _NUMBER.match(cell)}
    before = max(heads.values(), default=0)
    after = max((len(cell) - head for cell, head in heads.items()), default=0)
    return [(" " * (before - heads[cell]) + cell).ljust(before + after) if cell in heads else cell for cell in cells]


def markdown_lines(table: Table) -> list[str]:
    """Lay a table out as a pipe table; every row carries all its names, so that it can be cited alone."""
    span = f"{table.span} = " if table.span else ""
    heads = (*table.stubs, *(span + head for head in table.heads))
    alignment = ["---"] * len(table.stubs) + ["---:"] * len(table.heads)
    caption = [f"**{_escaped(table.caption)}**", ""] if table.caption else []
    return [
        *caption,
        *("| " + " | ".join(map(_escaped, row)) + " |" for row in (heads, alignment, *table.rows)),
    ]


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
