"""Many sizes in one pass of the full engine: n units are the first n of more.

Kernels say so by `Kernel.unit_arguments`. The rows of a size are then those of a smaller one and what the units beyond
add, to the bit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.addresses import full_key
from simstudy.engines.simulate import block_size, full_rows, histograms, kernel_arguments
from simstudy.engines.tally import Tally
from simstudy.options import Options
from simstudy.scenarios.declaration import DesignPoint, Kernel

Ints = NDArray[np.int64]
Readings = Sequence[tuple[str, ...]]
# numbers that are kept of what was simulated: 64 MB
KEPT = 2**23


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
    point.scenario.kernel_functions()[0](np.uint64(key), first, rows, *at.units, *others, *smaller)
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
    """Simulate replications of a family, from the smallest point to the largest; a histogram per point and reading."""
    rows = full_rows(points[0], readings[0], options, first, size)
    found = [histograms(points[0], readings[0], rows)]
    for smaller, point, read in zip(points, points[1:], readings[1:], strict=False):
        at = growth(smaller, options)
        assert at is not None
        rows += added_rows(point, options, first, size, at.units)
        found.append(histograms(point, read, rows))
    return found


class KeptRows:
    """The rows of the last points of the full engine: for the same point again, and for larger ones of its family."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._kept: OrderedDict[tuple[object, tuple[int, ...]], Ints] = OrderedDict()

    def of(self, point: DesignPoint, readings: Readings) -> Ints | None:
        """Return the rows of all replications; None where they are too many to be kept."""
        kernel = point.scenario.kernel
        assert kernel is not None
        if 2 * self.options.replications * len(kernel.columns or point.columns) > KEPT:
            return None
        at = growth(point, self.options)
        # a kernel that may leave out columns is asked for those that are read
        key = (at.family, at.units) if at else ((*point.values.items(), *readings), ())
        if key not in self._kept:
            self._kept[key] = self._simulated(point, readings, at)
        self._kept.move_to_end(key)
        while sum(rows.size for rows in self._kept.values()) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]

    def _simulated(self, point: DesignPoint, readings: Readings, at: Growth | None) -> Ints:
        smaller = [units for family, units in self._kept if at and family == at.family and _within(units, at.units)]
        nearest = max(smaller, default=None)

        def block(first: int) -> Ints:
            last = min(first + size, self.options.replications)
            if at is None or nearest is None:
                return full_rows(point, readings, self.options, first, last - first)
            rows = self._kept[at.family, nearest][first:last]
            return rows + added_rows(point, self.options, first, last - first, nearest)

        size = block_size(point, "full")
        with ThreadPoolExecutor(self.options.threads) as pool:
            return np.concatenate(list(pool.map(block, range(0, self.options.replications, size))))


def _within(smaller: tuple[int, ...], larger: tuple[int, ...]) -> bool:
    return all(few <= many for few, many in zip(smaller, larger, strict=True))
