"""Many sizes in one pass of the full engine: n units are the first n of more.

Kernels say so by `Kernel.unit_arguments`. The rows of a size are then those of a smaller one and what the units beyond
add, to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.addresses import full_key
from simstudy.engines.simulate import full_rows, kernel_arguments, tallies
from simstudy.engines.tally import Tally
from simstudy.options import Options
from simstudy.scenarios.declaration import DesignPoint, Kernel

Ints = NDArray[np.int64]
Readings = Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Growth:
    """What points that differ in their size alone have in common, and how many units this one has."""

    family: tuple[Any, ...]
    units: tuple[int, ...]


@lru_cache(maxsize=1024)
def growth(point: DesignPoint, options: Options) -> Growth | None:
    """Return the family of a point; None where the kernel simulates each size by itself."""
    kernel = point.scenario.kernel
    if not isinstance(kernel, Kernel) or not kernel.unit_arguments:
        return None
    arguments = kernel_arguments(point, options)
    family = (point.scenario, int(full_key(point, options)), arguments[kernel.unit_arguments :])
    return Growth(family, arguments[: kernel.unit_arguments])


def added_rows(point: DesignPoint, options: Options, first: int, size: int, smaller: tuple[int, ...]) -> Ints:
    """Return what the units beyond those of a smaller point of the family add to the rows of some replications."""
    kernel, at = point.scenario.kernel, growth(point, options)
    assert isinstance(kernel, Kernel)
    assert at is not None
    rows = np.empty((size, len(kernel.columns or point.columns)), np.int64)
    _, key, others = at.family
    kernel.functions()[0](np.uint64(key), first, rows, *at.units, *others, *smaller)
    return rows


def families(points: Sequence[DesignPoint], options: Options) -> list[list[int]]:
    """Return which points can be simulated in one pass: their indices, from the smallest point to the largest."""
    alike: dict[object, list[int]] = {}
    for index, point in enumerate(points):
        at = growth(point, options)
        alike.setdefault(at.family if at else index, []).append(index)

    def units(index: int) -> tuple[int, ...]:
        at = growth(points[index], options)
        return at.units if at else ()

    return [sorted(indices, key=units) for indices in alike.values()]


def growing_blocks(
    points: Sequence[DesignPoint], readings: Sequence[Readings], options: Options, first: int, size: int
) -> list[list[Tally]]:
    """Simulate some replications of a family, from the smallest point to the largest.

    Returns the histograms of each point, one per reading.
    """
    rows = full_rows(points[0], readings[0], options, first, size)
    found = [tallies(points[0], readings[0], rows)]
    for smaller, point, read in zip(points, points[1:], readings[1:], strict=False):
        at = growth(smaller, options)
        assert at is not None
        rows += added_rows(point, options, first, size, at.units)
        found.append(tallies(point, read, rows))
    return found
