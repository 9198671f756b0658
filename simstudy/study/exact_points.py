"""Exact measures at design points.

Points that differ in nothing a method reads but the probabilities (every effect at one size, say) have rows in common:
they are evaluated together, and the method is asked about each distinct row once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.laws import exact_laws, law_rows, walk_laws
from simstudy.engines.tally import shared_rows
from simstudy.scenarios.declaration import DesignPoint, Method
from simstudy.study.measures import Cell, Sums, elsewhere, measures, own_target, take_over
from simstudy.study.methods_on_rows import Evaluated, Evaluator, by_reading

# rows, by estimate, of the laws that are held at the same time: some 100 MB
HELD = 2e6


def exact_cells(point: DesignPoint, methods: Sequence[Method], evaluator: Evaluator) -> dict[str, Cell]:
    """Return exact measures of some methods at a design point: name of the method → Cell."""
    ((_, cells),) = exact_grid([point], [methods], evaluator)
    return cells


def exact_grid(
    points: Sequence[DesignPoint], methods: Sequence[Sequence[Method]], evaluator: Evaluator
) -> Iterator[tuple[int, dict[str, Cell]]]:
    """Yield (index of the point, name of the method → Cell), for some methods at each point; in an order of its own."""
    for some in _batches(points, methods, evaluator):
        together = [points[index] for index in some]
        cells = _together(together, methods[some[0]], evaluator)
        for index, point, found in zip(some, together, cells, strict=True):
            for there, names in elsewhere(point):
                (of_there,) = _together([there], methods[index], evaluator)
                take_over(found, of_there, names)
            yield index, found


def _batches(
    points: Sequence[DesignPoint], methods: Sequence[Sequence[Method]], evaluator: Evaluator
) -> Iterator[list[int]]:
    """Yield the indices of points of whose rows the methods say the same, as many as may be held."""
    alike: dict[object, list[int]] = {}
    for index, (point, asked) in enumerate(zip(points, methods, strict=True)):
        alike.setdefault(tuple(evaluator.about(point, method) for method in asked), []).append(index)
    for indices in alike.values():
        batch: list[int] = []
        held = 0.0
        for index in indices:
            rows = sum(law_rows(points[index], names) for names in by_reading(points[index], methods[index]))
            if batch and held + rows > HELD:
                yield batch
                batch, held = [], 0.0
            batch.append(index)
            held += rows
        yield batch


def _together(points: list[DesignPoint], methods: Sequence[Method], evaluator: Evaluator) -> list[dict[str, Cell]]:
    cells: list[dict[str, Cell]] = [{} for _ in points]
    for names, group in by_reading(points[0], methods).items():
        totals = {(i, m.name): [Sums() for _ in evaluator.options.levels] for i in range(len(points)) for m in group}
        for i, method, level, verdicts, probability in _verdicts(points, group, names, evaluator):
            aim, own = points[i].target(method), own_target(points[i], method)
            totals[i, method.name][level].add(verdicts, probability, aim, True, own)
        for i, point in enumerate(points):
            for method in group:
                by_level = [
                    {**measures(total, point, method, 0), "left_out": max(0.0, 1.0 - total.weight)}
                    for total in totals[i, method.name]
                ]
                cells[i][method.name] = Cell("exact", 0, by_level)
    return cells


Said = Iterator[tuple[int, Method, int, Evaluated, NDArray[np.float64]]]


def _verdicts(points: list[DesignPoint], group: list[Method], names: tuple[str, ...], evaluator: Evaluator) -> Said:
    """Yield (point, method, level, verdicts, probabilities) of the pieces of the laws of some points."""
    if points[0].scenario.walk_columns:
        yield from _of_walks(points, group, names, evaluator)
    elif len(points) == 1:
        # a large law comes in pieces, which are not held
        for law in exact_laws(points[0], names):
            for method in group:
                for level, verdicts in enumerate(evaluator.on_law(points[0], method, names, law)):
                    yield 0, method, level, verdicts, law.probability
    else:
        yield from _of_shared_rows(points, group, names, evaluator)


def _of_shared_rows(
    points: list[DesignPoint], group: list[Method], names: tuple[str, ...], evaluator: Evaluator
) -> Said:
    laws = [(i, law) for i, point in enumerate(points) for law in exact_laws(point, names)]
    windows = [law.rows for _, law in laws if law.key is None]
    rows, places = shared_rows(windows) if windows else (np.empty((0, len(names)), np.int64), [])
    for method in group:
        shared = evaluator.on_rows(points[0], method, names, rows) if windows else []
        for verdicts in shared:
            verdicts.features  # noqa: B018 - once for all points, which take their part of it
        at = iter(places)
        for i, law in laws:
            if law.key is None:
                place = next(at)
                found = [verdicts.take(place) for verdicts in shared]
            else:
                found = evaluator.on_law(points[i], method, names, law)
            for level, verdicts in enumerate(found):
                yield i, method, level, verdicts, law.probability


def _of_walks(points: list[DesignPoint], group: list[Method], names: tuple[str, ...], evaluator: Evaluator) -> Said:
    """Yield the same for laws that are walks: they depend on the method and the level."""
    for i, point in enumerate(points):
        for method in group:
            for index, level in enumerate(evaluator.options.levels):
                for law in walk_laws(point, names, method, level, evaluator.options.alternative):
                    yield i, method, index, evaluator.on_law(point, method, names, law)[index], law.probability
