"""Exact laws of what a method reads.

The class counts of a block follow a multinomial law. A method reads integer projections of them. Their joint law is
built on a window that leaves out a known, negligible mass:

- where the projections tell the classes apart, by a chain of binomials (`simstudy.engines.chain`);
- otherwise by inverting the characteristic function on a lattice (`simstudy.engines.lattice`).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np

from simstudy.engines.chain import CELL, LARGEST, Floats, Ints, chain, conditional_shares, reach, whole_chain
from simstudy.engines.lattice import lattice
from simstudy.errors import ComputationError
from simstudy.scenarios.declaration import DesignPoint, Method

# up to this many distinct outcomes nothing is left out, so that design points of one size share their rows
WHOLE = 6000
# what a walk is taken to cost: a walk yields few rows
WALK_ROWS = 1000.0
# rounding of its probabilities
WALK_SLACK = 1e-9
# rounding of the probabilities of units that look alike
ALIKE = 1e-14


@dataclass(frozen=True, eq=False)
class Law:
    """The joint law of some projections: distinct rows, and the probability of each."""

    rows: Ints
    probability: Floats
    key: tuple[object, ...] | None = None  # two laws with the same key have the same rows


@dataclass(frozen=True, eq=False)
class _Shape:
    """What projections make of the classes, whatever their probabilities."""

    distinct: Ints  # the different projections of a single unit
    which: Ints  # row of `distinct` that each class belongs to
    told_apart: bool  # whether the projections determine the counts of the distinct rows


@lru_cache(maxsize=256)
def _shape(vectors: bytes, classes: int) -> _Shape:
    table = np.frombuffer(vectors, np.int64).reshape(classes, -1)
    distinct, which = np.unique(table, axis=0, return_inverse=True)
    told_apart = bool(len(distinct) - 1 == np.linalg.matrix_rank(distinct[1:] - distinct[0]))
    return _Shape(distinct, which.ravel().astype(np.int64), told_apart)


def _block_laws(n: int, probabilities: Sequence[float], vectors: Ints, limit: float) -> Iterator[Law]:
    """Yield, in pieces, the law of the projections of one block."""
    shape = _shape(vectors.tobytes(), len(vectors))
    possible = np.asarray(probabilities) > 0
    if not shape.told_apart and not possible.all():
        # without the impossible classes the projections may tell the others apart, which is exact to the last place
        vectors, probabilities = np.ascontiguousarray(vectors[possible]), np.asarray(probabilities)[possible].tolist()
        shape = _shape(vectors.tobytes(), len(vectors))
    distinct, free = shape.distinct, len(shape.distinct) - 1
    merged = np.bincount(shape.which, weights=probabilities, minlength=free + 1).astype(np.float64)
    if not shape.told_apart:
        if vectors.shape[1] > 3:
            raise ComputationError("More than three overlapping projections have no exact law; use --engine counts.")
        yield Law(*lattice(n, merged, distinct))
        return
    if math.comb(n + free, free) <= limit:
        state = whole_chain(n, conditional_shares([*merged[1:].tolist(), float(merged[0])]))
        key = ("whole", n, vectors.tobytes())
        yield Law(_rows(n, state.counts, np.roll(distinct, -1, axis=0)), state.probability, key)
        return
    # the most probable class comes last: its count follows from the others, and the chain stays narrow
    order = np.argsort(merged, kind="stable")
    for state in chain(n, conditional_shares(merged[order].tolist())):
        yield Law(_rows(n, state.counts, distinct[order]), state.probability)


def _rows(n: int, counts: Ints, distinct: Ints) -> Ints:
    """Return the projections of counts of all distinct rows but the last."""
    rows: Ints = n * distinct[-1] + counts @ (distinct[:-1] - distinct[-1])
    return rows


def _joined(pieces: Iterator[Law]) -> Law:
    """Return the pieces of a law as one."""
    laws = list(pieces)
    if len(laws) == 1:
        return laws[0]
    return Law(np.concatenate([law.rows for law in laws]), np.concatenate([law.probability for law in laws]))


def _product(first: Law, second: Law) -> Law:
    """Return the joint law of two independent ones, side by side."""
    a, b = len(first.probability), len(second.probability)
    if a * b > LARGEST:
        raise ComputationError(
            f"The exact law has {a * b:.1e} rows, above {LARGEST:.0e}. Use --engine counts, or a smaller n."
        )
    rows = np.column_stack([np.repeat(first.rows, b, axis=0), np.tile(second.rows, (a, 1))])
    probability = np.multiply.outer(first.probability, second.probability).ravel()
    key = (first.key, second.key) if first.key and second.key else None
    keep = slice(None) if key else probability > CELL
    return Law(rows[keep], probability[keep], key)


def projection_vectors(point: DesignPoint, reading: Sequence[str], columns: Sequence[str] = ()) -> Ints:
    """Return the coefficients of projections (rows) over columns, those of the point where not given."""
    columns = columns or point.columns
    vectors = np.zeros((len(reading), len(columns)), np.int64)
    for i, name in enumerate(reading):
        coefficients: Mapping[str, int] = point.projections.get(name, {name: 1})
        for column, coefficient in coefficients.items():
            vectors[i, columns.index(column)] = coefficient
    return vectors


@dataclass(frozen=True, eq=False)
class _Part:
    """The units that some projections read, and the classes of a unit."""

    mine: tuple[int, ...]  # which projections of the reading
    n: int
    probabilities: tuple[float, ...]
    vectors: Ints  # what a unit of each class adds to each projection

    @property
    def unit_law(self) -> dict[tuple[int, ...], float]:
        """What one unit adds to the projections, with its probability."""
        law: dict[tuple[int, ...], float] = {}
        for p, vector in zip(self.probabilities, self.vectors.tolist(), strict=True):
            law[tuple(vector)] = law.get(tuple(vector), 0.0) + p
        return {vector: p for vector, p in law.items() if p > 0.0}


def _parts(point: DesignPoint, reading: Sequence[str]) -> list[_Part]:
    """Return the blocks that a reading reads; blocks whose units look alike to it count as one."""
    vectors = projection_vectors(point, reading)
    parts: list[_Part] = []
    at = 0
    for n, probabilities in point.laws:
        block = vectors[:, at : at + len(probabilities)]
        at += len(probabilities)
        mine = tuple(i for i in range(len(reading)) if block[i].any())
        if not (mine and n):
            continue
        new = _Part(mine, n, probabilities, np.ascontiguousarray(block[list(mine)].T))
        alike = next(
            (i for i, old in enumerate(parts) if old.mine == mine and _alike(old.unit_law, new.unit_law)), None
        )
        if alike is not None:
            parts[alike] = dataclasses.replace(parts[alike], n=parts[alike].n + n)
        elif any(set(old.mine) & set(mine) for old in parts):
            raise ComputationError("A projection over blocks of different units has no exact law; use --engine counts.")
        else:
            parts.append(new)
    return parts


def _alike(a: Mapping[tuple[int, ...], float], b: Mapping[tuple[int, ...], float]) -> bool:
    return a.keys() == b.keys() and all(abs(p - b[vector]) <= ALIKE for vector, p in a.items())


def discordant_law(point: DesignPoint, method: Method) -> tuple[int, float, float]:
    """Return the units of a trinomial law, and the probabilities that one counts against and for a difference."""
    (part,) = _parts(point, method.discordant)
    return part.n, part.unit_law.get((1, 0), 0.0), part.unit_law.get((0, 1), 0.0)


def exact_laws(point: DesignPoint, reading: Sequence[str]) -> Iterator[Law]:
    """Yield the joint law of projections at a design point, in pieces of bounded size."""
    # each projection reads one block, or blocks whose units look alike to it; the probabilities of all pieces add up to
    # one, but for what lies outside the windows
    parts = _parts(point, reading)
    if len(parts) == 1:
        yield from _block_laws(parts[0].n, parts[0].probabilities, parts[0].vectors, WHOLE)
        return
    limit = WHOLE ** (1 / len(parts))
    joint = reduce(_product, (_joined(_block_laws(p.n, p.probabilities, p.vectors, limit)) for p in parts))
    order = np.argsort([i for part in parts for i in part.mine])
    yield Law(joint.rows[:, order], joint.probability, joint.key)


def walk_laws(
    point: DesignPoint, reading: Sequence[str], method: Method, level: float, alternative: str
) -> Iterator[Law]:
    """Yield the law of a scenario that gives its own rows, for one method at one level; refuse what is no law."""
    numbers = {**point.derived, **point.values}
    vectors = projection_vectors(point, reading)
    total, where = 0.0, f"Scenario {point.scenario.name}, walk()"
    for piece in point.scenario.walk(numbers, method, level, alternative):
        rows, probability = np.asarray(piece[0]), np.asarray(piece[1], np.float64)
        if rows.ndim != 2 or rows.shape != (*probability.shape, len(point.columns)):
            raise ComputationError(
                f"{where}: rows have shape {rows.shape} and probabilities {probability.shape}; needed are rows of "
                f"{len(point.columns)} columns, and a probability for each."
            )
        if not (probability >= -WALK_SLACK).all():
            raise ComputationError(f"{where}: {probability.min():g} is no probability.")
        total += float(probability.sum())
        yield Law(rows @ vectors.T, probability)
    if abs(total - 1.0) > WALK_SLACK:
        raise ComputationError(f"{where}: the probabilities add up to {total:.6g}; they must add up to 1.")


@lru_cache(maxsize=1024)
def law_rows(point: DesignPoint, reading: tuple[str, ...]) -> float:
    """Return roughly how many rows an exact law has, without computing it."""
    # the product of the windows of the free classes, or of the projections where they do not tell the classes apart
    if point.scenario.walk_columns:
        return WALK_ROWS
    return math.prod(_part_rows(part) for part in _parts(point, reading))


def _part_rows(part: _Part) -> float:
    law = part.unit_law
    vectors, p = np.array(list(law), np.float64), np.array(list(law.values()))
    free = len(p) - 1
    if free == np.linalg.matrix_rank(vectors - vectors[0]):
        widths = sorted(_width(part.n, float(q * (1.0 - q)), 1.0) for q in p)
        return min(math.prod(widths[:free]), float(math.comb(part.n + free, free)))
    return math.prod(_width(part.n, float(p @ (v - p @ v) ** 2), float(np.ptp(v))) for v in vectors.T)


def _width(n: int, variance: float, spread: float) -> float:
    """Return how many values a sum of n terms takes on its window."""
    return min(2.0 * reach(n, variance, spread) + 1.0, n * spread + 1.0)
