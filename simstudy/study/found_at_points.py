"""What is found for a method at a design point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from simstudy.scenarios.declaration import DesignPoint, Method

Measures = dict[str, float]


@dataclass
class Cell:
    """What was found for a method at a design point."""

    engine: str
    replications: int  # 0 for exact
    by_level: list[Measures]  # at each level


def by_reading(point: DesignPoint, methods: Sequence[Method]) -> dict[tuple[str, ...], list[Method]]:
    """Return the methods by the columns that they read."""
    grouped: dict[tuple[str, ...], list[Method]] = {}
    for method in methods:
        grouped.setdefault(point.reading(method), []).append(method)
    return grouped


def elsewhere(point: DesignPoint) -> Iterator[tuple[DesignPoint, list[str]]]:
    """Yield the points at which some measures of the scenario's own are taken, and the variables from there."""
    grouped: dict[tuple[tuple[str, Any], ...], list[str]] = {}
    for measure in point.scenario.measures:
        if measure.at:
            grouped.setdefault(tuple(measure.at.items()), []).extend(measure.variables)
    for changes, names in grouped.items():
        yield point.scenario.point({**point.values, **dict(changes)}), names


def take_over(cells: dict[str, Cell], others: dict[str, Cell], names: Sequence[str]) -> None:
    """Replace some variables by those of another point."""
    for name, cell in cells.items():
        for values, there in zip(cell.by_level, others[name].by_level, strict=True):
            values.update({key: there[key] for key in names if key in there})
