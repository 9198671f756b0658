"""The three ways to the law of what a replication leaves behind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.addresses import full_key, point_hash
from simstudy.engines.chain import conditional_shares
from simstudy.engines.laws import law_rows, projection_vectors
from simstudy.engines.sample import sampled_rows, sampled_units
from simstudy.engines.tally import Tally, tally
from simstudy.errors import RefusedError, RequestError
from simstudy.options import Options
from simstudy.scenarios.declaration import DesignPoint, Method, Sample

Ints = NDArray[np.int64]

# replications of one block of the counts engine: part of the address of a draw, so it never changes
COUNTS_BLOCK = 10_000
# single units of one block of the full engine: some tens of milliseconds; changes no number
UNITS_PER_BLOCK = 2_000_000
# a kernel works on many replications side by side, so a block has no fewer than some
SMALLEST_BLOCK, LARGEST_BLOCK = 64, 20_000
MOST_UNITS = 10_000_000  # of a replication that is shown: half a gigabyte, and half a minute as text
EXACT_SECONDS = 1.0
LAW_NANOSECONDS = 100.0


def exact_seconds(point: DesignPoint, method: Method) -> float:
    """Return roughly what an exact answer costs, in seconds."""
    rows = law_rows(point, point.reading(method))
    return rows * (method.nanoseconds + LAW_NANOSECONDS) * 1e-9


def analysis_seconds(point: DesignPoint, method: Method, replications: int) -> float:
    """Return roughly what a method costs on the rows of some replications: they are at most as many as can occur."""
    size = point.scenario.size
    root = math.sqrt(float(point.values[size.name])) if size else 0.0
    rows = float(replications)
    if "exact" in point.scenario.engines and method.exact:
        rows = min(rows, law_rows(point, point.reading(method)))
    return rows * (method.nanoseconds + method.nanoseconds_per_root * root) * 1e-9


def choose_engine(point: DesignPoint, method: Method, options: Options) -> str:
    """Return the engine for a method at a point, or refuse one that the scenario does not have."""
    available = point.scenario.engines
    if options.engine == "auto":
        exact = "exact" in available and method.exact and options.mcse is None
        if exact and exact_seconds(point, method) <= EXACT_SECONDS:
            return "exact"
        return next((engine for engine in ("counts", "full") if engine in available), "exact")
    if options.engine == "exact" and "exact" in available and not method.exact:
        raise RefusedError(f"{method.name} reads too many numbers for an exact law: use engine counts, full or auto.")
    if options.engine not in available:
        raise RefusedError(
            f"Scenario {point.scenario.name} has no engine {options.engine}; it has {' and '.join(available)}."
        )
    return options.engine


def counts_block(
    point: DesignPoint, readings: Sequence[tuple[str, ...]], options: Options, block: int, first: int, size: int
) -> list[Tally]:
    """Draw class counts of some replications of a block, from the first on; a histogram per reading."""
    vectors = [projection_vectors(point, names) for names in readings]
    needed = np.any([vector.any(axis=0) for vector in vectors], axis=0)
    key = np.array([options.seed, point_hash(point)], np.uint64)
    drawn: list[Ints] = []
    for unit_block, (n, probabilities) in enumerate(point.laws):
        last = len(drawn) + len(probabilities)
        wanted = int(np.flatnonzero(needed[len(drawn) : last]).max(initial=-1)) + 1
        drawn += _class_counts(key, (unit_block, block), n, probabilities, first + size, wanted)
    classes = np.stack([counts[first:] for counts in drawn])
    return [tally((vector @ classes).T) for vector in vectors]


def _class_counts(
    key: NDArray[np.uint64],
    address: tuple[int, int],
    n: int,
    probabilities: Sequence[float],
    size: int,
    wanted: int,
) -> list[Ints]:
    """Draw the counts of the first ``wanted`` classes, one binomial after another; the others are zero."""
    # each class has a stream of its own, drawn in order: a count is the same whatever else is drawn, and any part of a
    # block is the same whoever asks for it
    left = np.full(size, n, np.int64)
    shares = [*conditional_shares(probabilities), 1.0]
    drawn = [np.zeros(size, np.int64) for _ in probabilities]
    for index in range(wanted):
        counter = np.array([0, index, *address], np.uint64)
        generator = np.random.Generator(np.random.Philox(key=key, counter=counter))
        units = left if index else n
        drawn[index] = generator.binomial(units, shares[index], size=size)
        left = left - drawn[index]
    return drawn


def full_rows(point: DesignPoint, readings: Sequence[tuple[str, ...]], options: Options, first: int, size: int) -> Ints:
    """Return what the kernel leaves behind of some replications, in its own columns: those that are read."""
    kernel = point.scenario.kernel
    assert kernel is not None
    if isinstance(kernel, Sample):
        return sampled_rows(point, options, first, size)
    columns = kernel.columns or point.columns
    rows = np.empty((size, len(columns)), np.int64)
    wanted: tuple[NDArray[np.bool_], ...] = ()
    if kernel.selective:
        wanted = (np.any([projection_vectors(point, names, columns).any(axis=0) for names in readings], axis=0),)
    run, _ = point.scenario.kernel_functions()
    run(full_key(point, options), first, rows, *wanted, *kernel_arguments(point, options))
    return rows


def histograms(point: DesignPoint, readings: Sequence[tuple[str, ...]], rows: Ints) -> list[Tally]:
    """Return the histograms of the rows of the kernel, one per reading."""
    kernel = point.scenario.kernel
    assert kernel is not None
    vectors = [projection_vectors(point, names, kernel.columns or point.columns) for names in readings]
    return [tally(rows @ vector.T) for vector in vectors]


def kernel_arguments(point: DesignPoint, options: Options) -> tuple[Any, ...]:
    """Return what the kernel takes after the rows."""
    return point.scenario.kernel_arguments(point.values, options.ladder, options.alternative)


def block_size(point: DesignPoint, engine: str) -> int:
    """Return how many replications make a block."""
    if engine == "counts":
        return COUNTS_BLOCK
    work = max(1.0, point.scenario.work(point.values))
    return max(SMALLEST_BLOCK, min(LARGEST_BLOCK, int(UNITS_PER_BLOCK / work)))


def replay_units(point: DesignPoint, options: Options, replication: int) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Return the names of columns, and the simulated units of one replication: shape (units, columns)."""
    kernel = point.scenario.kernel
    if kernel is None:
        raise RefusedError(f"Scenario {point.scenario.name} simulates no single units, so there is nothing to replay.")
    if not 0 <= replication < 2**32:
        raise RequestError(f"replication is {replication}; it must be a whole number from 0 to {2**32 - 1}.")
    if isinstance(kernel, Sample):
        return kernel.case_columns, sampled_units(point, options, replication)
    count = point.scenario.replay_units(point.values)
    if count > MOST_UNITS:
        raise RefusedError(
            f"One replication has {count} units here; replay shows at most {MOST_UNITS}. Ask for a smaller size."
        )
    units = np.empty((count, len(kernel.case_columns)))
    arguments = kernel_arguments(point, options)[: kernel.case_arguments]
    point.scenario.kernel_functions()[1](full_key(point, options), replication, units, *arguments)
    return kernel.case_columns, units
