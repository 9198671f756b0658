"""Design points × blocks, over a pool of threads.

Kernels release the interpreter lock, blocks are addressed, and histograms merge exactly: the result has the same bits
for any number of threads and any order.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace

import numpy as np

from simstudy.engines.growing import KeptRows, families, growing_blocks
from simstudy.engines.simulate import COUNTS_BLOCK, block_size, counts_block, histograms
from simstudy.engines.tally import Tally, merge
from simstudy.errors import InterruptedStudyError, RequestError
from simstudy.options import CEILING, FIRST_ROUND, Options
from simstudy.scenarios.declaration import DesignPoint, Method
from simstudy.study.measures import Cell, Measures, Sums, elsewhere, measures, own_target, precise_enough, take_over
from simstudy.study.methods_on_rows import Evaluator, by_reading

Progress = Callable[[int, int, str], None]
# histograms of fewer rows wait for others; rows that are mostly distinct (real numbers) gain nothing by being merged:
# they wait until they are many times as many
FEW, MOSTLY, PATIENCE = 50_000, 0.9, 8


def reporting(progress: Progress | None) -> Progress:
    """Return what is called as work is finished, or refuse what cannot be."""
    if not (progress is None or callable(progress)):
        raise RequestError(f"progress is {progress!r}; it must be a function of (done, total, unit), or None.")
    return progress or (lambda done, total, unit: None)


@dataclass(eq=False)
class Job:
    """The simulation of one design point by one engine."""

    index: int
    point: DesignPoint
    engine: str
    methods: list[Method]
    readings: list[tuple[str, ...]]
    done: int = 0
    tallies: list[Tally] = field(default_factory=list)
    waiting: list[list[Tally]] = field(default_factory=list)
    distinct: bool = False

    def add(self, tallies: list[Tally]) -> None:
        """Take the histograms of a block; they are merged when they are many, and as long as what is there."""
        self.waiting.append(tallies)
        if _rows(self.waiting) >= max(FEW, (PATIENCE if self.distinct else 1) * _rows([self.tallies])):
            self.merge()

    def merge(self) -> None:
        """Merge what waits."""
        parts = [self.tallies, *self.waiting] if self.tallies else self.waiting
        self.tallies = [merge(list(reading)) for reading in zip(*parts, strict=True)]
        # merging the first block with nothing shows nothing
        self.distinct = len(parts) > 1 and _rows([self.tallies]) > MOSTLY * _rows(parts)
        self.waiting = []


def _rows(blocks: list[list[Tally]]) -> int:
    return sum(len(tally.rows) for block in blocks for tally in block)


def tally_cells(
    point: DesignPoint,
    methods: Sequence[Method],
    tallies: dict[tuple[str, ...], Tally],
    engine: str,
    evaluator: Evaluator,
) -> dict[str, Cell]:
    """Return measures of some methods from histograms, one per reading: name of the method → Cell."""
    cells = {}
    for method in methods:
        names = point.reading(method)
        found = tallies[names]
        by_level = []
        for verdicts in evaluator.on_rows(point, method, names, found.rows):
            total = Sums()
            weights = found.counts.astype(np.float64)
            total.add(verdicts, weights, point.target(method), False, own_target(point, method))
            by_level.append(measures(total, point, method, found.replications))
        cells[method.name] = Cell(engine, found.replications, by_level)
    return cells


@contextlib.contextmanager
def interruptible(state: Callable[[], str]) -> Iterator[None]:
    """Let Ctrl-C end in a message that says how far the work got."""
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedStudyError(f"Stopped: {state()}; nothing was written.") from None


def simulate(
    jobs: list[Job], options: Options, evaluator: Evaluator, report: Progress
) -> Iterator[tuple[int, dict[str, Cell]]]:
    """Yield (index of the point, measures by method) of each job, in rounds until each is precise enough."""
    goal = options.replications if options.mcse is None else FIRST_ROUND
    while jobs:
        _to(goal, jobs, options, report)
        unfinished = []
        for job in jobs:
            tallies = dict(zip(job.readings, job.tallies, strict=True))
            cells = tally_cells(job.point, job.methods, tallies, job.engine, evaluator)
            found = [values for cell in cells.values() for values in cell.by_level]
            if options.mcse is None or goal >= CEILING or precise_enough(found, options.mcse):
                for there, names in elsewhere(job.point):
                    at = replace(options, mcse=None, replications=goal)
                    take_over(cells, _simulated_cells(there, job.methods, job.engine, at, evaluator), names)
                yield job.index, cells
            else:
                unfinished.append(job)
        jobs, goal = unfinished, 2 * goal


def simulate_point(
    point: DesignPoint, method: Method, engine: str, options: Options, evaluator: Evaluator, kept: KeptRows
) -> Cell:
    """Return simulated measures of one method at one design point."""
    names = point.reading(method)
    rows = kept.of(point, [names]) if engine == "full" and options.mcse is None else None
    if rows is None:
        job = Job(0, point, engine, [method], [names])
        ((_, cells),) = simulate([job], options, evaluator, lambda done, total, unit: None)
    else:
        cells = tally_cells(point, [method], {names: histograms(point, [names], rows)[0]}, engine, evaluator)
        for there, variables in elsewhere(point):
            take_over(cells, _simulated_cells(there, [method], engine, options, evaluator), variables)
    return cells[method.name]


def left_out_in_turn(
    point: DesignPoint, method: Method, engine: str, options: Options, evaluator: Evaluator, groups: int, kept: KeptRows
) -> list[Measures]:
    """Return the measures of a method with each of some groups of consecutive replications left out in turn."""
    found = _without_each(point, method, engine, options, evaluator, groups, kept)
    for there, names in elsewhere(point):
        others = _without_each(there, method, engine, options, evaluator, groups, kept)
        for here, other in zip(found, others, strict=True):
            here.update({name: other[name] for name in names if name in other})
    return found


def _without_each(
    point: DesignPoint, method: Method, engine: str, options: Options, evaluator: Evaluator, groups: int, kept: KeptRows
) -> list[Measures]:
    names, last = point.reading(method), options.replications
    aim, own = point.target(method), own_target(point, method)
    whole, sums = Sums(), []
    for found in _by_group(point, names, engine, options, groups, kept):
        one = Sums()
        (verdicts,) = evaluator.on_rows(point, method, names, found.rows)
        for total in (one, whole):
            total.add(verdicts, found.counts.astype(np.float64), aim, True, own)
        sums.append((one, found.replications))
    return [measures(whole.without(one), point, method, last - left) for one, left in sums]


def _by_group(
    point: DesignPoint, names: tuple[str, ...], engine: str, options: Options, groups: int, kept: KeptRows
) -> list[Tally]:
    """Return the histograms of groups of consecutive replications."""
    bounds = list(itertools.pairwise(options.replications * group // groups for group in range(groups + 1)))
    rows = kept.of(point, [names]) if engine == "full" else None
    if rows is not None:
        return [histograms(point, [names], rows[start:stop])[0] for start, stop in bounds]
    size = block_size(point, engine)
    parts = [
        (group, at, min(stop, (at // size + 1) * size) - at)
        for group, (start, stop) in enumerate(bounds)
        for at in (start, *range((start // size + 1) * size, stop, size))
    ]
    job = Job(0, point, engine, [], [names])
    by_group: list[list[Tally]] = [[] for _ in range(groups)]
    with ThreadPoolExecutor(options.threads) as pool:
        found = pool.map(lambda part: _simulate_block([job], options, part[1], part[2])[0][0], parts)
        for (group, _, _), one in zip(parts, found, strict=True):
            by_group[group].append(one)
    return [merge(some) for some in by_group]


def _simulated_cells(
    point: DesignPoint, methods: list[Method], engine: str, options: Options, evaluator: Evaluator
) -> dict[str, Cell]:
    job = Job(0, point, engine, methods, list(by_reading(point, methods)))
    _to(options.replications, [job], options, lambda done, total, unit: None)
    return tally_cells(point, methods, dict(zip(job.readings, job.tallies, strict=True)), engine, evaluator)


def _series(jobs: list[Job], options: Options) -> list[list[Job]]:
    """Return the jobs by what is simulated in one pass: points of the full engine that differ in their size alone."""
    full = [job for job in jobs if job.engine == "full"]
    grown = families([job.point for job in full], options)
    return [*([job] for job in jobs if job.engine != "full"), *([full[index] for index in some] for some in grown)]


def _blocks(series: list[Job], goal: int) -> Iterator[tuple[int, int]]:
    """Yield (first, size) of the blocks that the jobs of a series lack."""
    size = min(block_size(job.point, job.engine) for job in series)
    at = series[0].done
    while at < goal:
        # blocks of the counts engine are addresses: the part that a former round left off begins inside one
        stop = min(goal, (at // size + 1) * size)
        yield at, stop - at
        at = stop


def _simulate_block(series: list[Job], options: Options, first: int, size: int) -> list[list[Tally]]:
    """Return the histograms of a block, for each job one per reading."""
    if series[0].engine == "full":
        return growing_blocks([job.point for job in series], [job.readings for job in series], options, first, size)
    (job,) = series
    return [counts_block(job.point, job.readings, options, first // COUNTS_BLOCK, first % COUNTS_BLOCK, size)]


def _to(goal: int, jobs: list[Job], options: Options, report: Progress) -> None:
    """Bring every job to a number of replications; at most a few blocks wait at a time, so memory stays flat."""
    work = ((series, first, size) for series in _series(jobs, options) for first, size in _blocks(series, goal))
    total = sum(goal - job.done for job in jobs)
    done = 0
    pending: dict[Future[list[list[Tally]]], tuple[list[Job], int]] = {}
    pool = ThreadPoolExecutor(options.threads)
    try:
        with interruptible(lambda: f"{done} of {total} replications were done"):
            while True:
                while len(pending) < 2 * options.threads + 2 and (item := next(work, None)) is not None:
                    series, first, size = item
                    pending[pool.submit(_simulate_block, series, options, first, size)] = series, size
                if not pending:
                    break
                finished, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in finished:
                    series, size = pending.pop(future)
                    for job, found in zip(series, future.result(), strict=True):
                        job.add(found)
                        done += size
                report(done, total, "replications")
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    for job in jobs:
        job.merge()
        job.done = goal
