"""Exact laws of what a method reads.

The class counts of a block follow a multinomial law. A method reads integer projections of them. Their joint law is
built on a window that leaves out a known, negligible mass:

- where the projections tell the classes apart, by a chain of binomials (`_chain`): each conditional binomial is
  built by ratios from its mode and normalised, which is accurate to a few units in the last place;
- otherwise by inverting the characteristic function on a lattice (`_lattice`).

Windows come from Bernstein's inequality, P(|X − μ| ≥ t) ≤ 2·exp(−t²/(2v + 2bt/3)), which holds for rare events too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import ComputationError
from simstudy.scenarios.declaration import DesignPoint, Scenario

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# each binomial window leaves out at most this probability, and cells less probable than CELL are left out
TAIL = 1e-18
CELL = 1e-21
# rounding of a Fourier transform, relative to its largest value
NOISE = 1e-15
# up to this many distinct outcomes nothing is left out, so that design points of one size share their rows
WHOLE = 6000
PIECE = 1_000_000
LARGEST = 40_000_000


@dataclass(frozen=True, eq=False)
class Law:
    """The joint law of some projections.

    Attributes
    ----------
    rows : array of int64, shape (n_rows, n_projections)
        Distinct rows.
    probability : array of float64, shape (n_rows,)
        Probability of each row.
    key : tuple, optional
        Two laws with the same key have the same rows.
    """

    rows: Ints
    probability: Floats
    key: tuple[object, ...] | None = None


def reach(n: float, variance: float, bound: float = 1.0) -> int:
    """Return t with P(|X − μ| ≥ t) ≤ TAIL for a sum of n independent terms.

    Parameters
    ----------
    n : float
        Number of terms.
    variance : float
        Variance of one term.
    bound : float
        Largest distance of a term from its mean.

    Returns
    -------
    int
        Half-width of the window.
    """
    log = math.log(2.0 / TAIL)
    third = bound * log / 3.0
    return math.ceil(third + math.sqrt(third * third + 2.0 * n * variance * log))


def binomial_table(n: Ints, p: float, whole: bool = False) -> tuple[Ints, Floats]:
    """Return binomial probabilities for several numbers of trials, each on its own window.

    Parameters
    ----------
    n : array of int64, shape (k,)
        Numbers of trials.
    p : float
        Probability of success, in [0, 1].
    whole : bool
        Whether to keep all outcomes instead of a window.

    Returns
    -------
    start : array of int64, shape (k,)
        First outcome of each window; may be negative, where the probability is zero.
    table : array of float64, shape (k, width)
        P(X = start + j).
    """
    if p <= 0.0 or p >= 1.0:
        certain = np.where(p <= 0.0, 0, n).astype(np.int64)
        if not whole:
            return certain, np.ones((len(n), 1))
        outcomes = np.arange(int(n.max(initial=0)) + 1)
        return np.zeros_like(certain), (outcomes == certain[:, None]).astype(np.float64)
    largest = float(n.max(initial=0))
    half = int(largest) + 1 if whole else min(reach(largest, p * (1 - p)), int(largest) + 1)
    mode = np.minimum(((n + 1) * p).astype(np.int64), n)
    odds = p / (1.0 - p)
    steps = np.arange(1, half + 1)
    up = mode[:, None] + steps
    down = mode[:, None] - steps + 1
    trials = n[:, None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        rise = np.where(up <= trials, (trials - up + 1) / up * odds, 0.0)
        fall = np.where(down >= 1, down / ((trials - down + 1) * odds), 0.0)
    table = np.empty((len(n), 2 * half + 1))
    table[:, half] = 1.0
    np.cumprod(rise, axis=1, out=table[:, half + 1 :])
    table[:, :half] = np.cumprod(fall, axis=1)[:, ::-1]
    table /= table.sum(axis=1, keepdims=True)
    return mode - half, table


@dataclass(frozen=True, eq=False)
class _State:
    """Counts of some classes, with their probability and the units that are left for the others."""

    counts: Ints
    probability: Floats
    left: Ints

    def __getitem__(self, part: slice) -> _State:
        return _State(self.counts[part], self.probability[part], self.left[part])


def _extend(state: _State, share: float) -> _State:
    """Add the count of one more class, binomial among the units that are left."""
    distinct, which = np.unique(state.left, return_inverse=True)
    start, table = binomial_table(distinct, share)
    joint = state.probability[:, None] * table[which]
    outcome = start[which][:, None] + np.arange(table.shape[1])
    keep = (outcome >= 0) & (outcome <= state.left[:, None]) & (joint > CELL)
    row, _ = np.nonzero(keep)
    taken = outcome[keep]
    return _State(np.column_stack([state.counts[row], taken]), joint[keep], state.left[row] - taken)


@lru_cache(maxsize=32)
def _compositions(n: int, level: int) -> tuple[Ints, Ints, Ints]:
    """Return all counts of ``level`` classes among n units, the units left, and the row each continues."""
    if level == 0:
        return np.empty((1, 0), np.int64), np.full(1, n), np.zeros(1, np.int64)
    counts, left, _ = _compositions(n, level - 1)
    row = np.repeat(np.arange(len(left)), left + 1)
    taken = np.arange(len(row)) - np.repeat(np.cumsum(left + 1) - (left + 1), left + 1)
    return np.column_stack([counts[row], taken]), left[row] - taken, row


def _whole_chain(n: int, shares: Sequence[float]) -> _State:
    """Return every outcome; the rows do not depend on the probabilities, so they are made once."""
    probability = np.ones(1)
    for level, share in enumerate(shares):
        _, before, _ = _compositions(n, level)
        counts, _, row = _compositions(n, level + 1)
        # at the first class all units are left, and one binomial is enough
        start, table = binomial_table(np.arange(n + 1) if level else np.full(1, n), share, True)
        units = before[row] if level else row
        probability = probability[row] * table[units, counts[:, level] - start[units]]
    counts, left, _ = _compositions(n, len(shares))
    return _State(counts, probability, left)


def conditional_shares(probabilities: Sequence[float]) -> list[float]:
    """Return the probability of each class but the last among those that are left.

    Parameters
    ----------
    probabilities : sequence of float
        Of all classes.

    Returns
    -------
    list of float
        One fewer than there are classes; the chain of binomials with these is the multinomial law.
    """
    remaining, shares = 1.0, []
    for p in probabilities[:-1]:
        shares.append(min(1.0, p / remaining) if remaining > 0 else 0.0)
        remaining = max(0.0, remaining - p)
    return shares


def _chain(n: int, shares: Sequence[float]) -> Iterator[_State]:
    """Yield, in pieces of bounded size, the counts of all classes but the last."""
    state = _State(np.empty((1, 0), np.int64), np.ones(1), np.full(1, n))
    for level, share in enumerate(shares):
        width = min(n + 1, 2 * reach(n, share * (1 - share)) + 1)
        rows = max(1, PIECE // width)
        if level == len(shares) - 1:
            for at in range(0, len(state.probability), rows):
                yield _extend(state[at : at + rows], share)
            return
        if len(state.probability) * width > LARGEST:
            raise ComputationError(f"The exact law at n = {n} is too large. Use --engine counts, or a smaller n.")
        state = _extend(state, share)
    yield state


def _smooth_size(width: int) -> int:
    """Return the smallest 2^a·3^b·5^c that is at least ``width``: fast lengths of a Fourier transform."""
    best = 1 << max(0, width - 1).bit_length()
    five = 1
    while five < best:
        three = five
        while three < best:
            two = three * (1 << max(0, math.ceil(width / three) - 1).bit_length())
            best = min(best, two) if two >= width else best
            three *= 3
        five *= 5
    return best


def _power(z: NDArray[np.complex128], n: int) -> NDArray[np.complex128]:
    """Return z**n by repeated squaring."""
    result = np.ones_like(z)
    while n:
        if n & 1:
            result *= z
        n >>= 1
        if n:
            z = z * z
    return result


def _lattice(n: int, probabilities: Floats, vectors: Ints) -> tuple[Ints, Floats]:
    """Return rows and probabilities of one or two projections by inverting the characteristic function."""
    mean = probabilities @ vectors
    spread = probabilities @ (vectors - mean) ** 2
    bound = np.abs(vectors - mean).max(axis=0)
    lowest, highest = n * vectors.min(axis=0), n * vectors.max(axis=0)
    centre = np.rint(n * mean).astype(np.int64)
    half = np.array([reach(n, v, b) for v, b in zip(spread, bound, strict=True)])
    low, high = np.maximum(lowest, centre - half), np.minimum(highest, centre + half)
    sizes = [_smooth_size(int(width)) for width in high - low + 1]
    last = len(sizes) - 1
    frequencies = [(np.fft.rfftfreq if axis == last else np.fft.fftfreq)(size) for axis, size in enumerate(sizes)]
    waves = [2.0 * np.pi * f.astype(np.float64) for f in frequencies]
    characteristic = _characteristic(probabilities, vectors - mean, waves)
    offset = n * mean - low
    shifted = _power(characteristic, n)
    for axis, wave in enumerate(waves):
        shape = [1] * len(waves)
        shape[axis] = -1
        shifted = shifted * np.exp(1j * wave * offset[axis]).reshape(shape)
    # φ(ω) = Σ P(x)·e^{iωx} is the conjugate of NumPy's forward transform of a real sequence
    density = np.fft.irfftn(np.conj(shifted), s=sizes, axes=range(len(sizes)))
    density = density[tuple(slice(0, int(width)) for width in high - low + 1)]
    axes = [np.arange(a, b + 1) for a, b in zip(low, high, strict=True)]
    rows = np.stack([grid.ravel() for grid in np.meshgrid(*axes, indexing="ij")], axis=1)
    # cells below the rounding of the transform are noise, of either sign
    probability = density.ravel()
    keep = probability > NOISE * probability.max()
    return rows[keep], probability[keep]


def _characteristic(probabilities: Floats, centred: Floats, waves: list[Floats]) -> NDArray[np.complex128]:
    """Return Σ_j p_j·exp(i·ω·v_j) on the grid of frequencies; centred vectors keep the phase small."""
    total: NDArray[np.complex128] = np.zeros([len(w) for w in waves], np.complex128)
    for p, vector in zip(probabilities, centred, strict=True):
        term: NDArray[np.complex128] = np.full((1,) * len(waves), p, np.complex128)
        for axis, wave in enumerate(waves):
            shape = [1] * len(waves)
            shape[axis] = -1
            term = term * np.exp(1j * wave * vector[axis]).reshape(shape)
        total += term
    return total


@dataclass(frozen=True, eq=False)
class _Shape:
    """What projections make of the classes, whatever their probabilities.

    Attributes
    ----------
    distinct : array of int64, shape (n_distinct, n_projections)
        The different projections of a single unit.
    which : array of int64, shape (n_classes,)
        Row of ``distinct`` that a class belongs to.
    told_apart : bool
        Whether the projections determine the counts of the distinct rows.
    """

    distinct: Ints
    which: Ints
    told_apart: bool


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
        if vectors.shape[1] > 2:
            raise ComputationError("More than two overlapping projections have no exact law; use --engine counts.")
        yield Law(*_lattice(n, merged, distinct))
        return
    if math.comb(n + free, free) <= limit:
        state = _whole_chain(n, conditional_shares([*merged[1:].tolist(), float(merged[0])]))
        key = ("whole", n, vectors.tobytes())
        yield Law(_rows(n, state.counts, np.roll(distinct, -1, axis=0)), state.probability, key)
        return
    # the most probable class comes last: its count follows from the others, and the chain stays narrow
    order = np.argsort(merged, kind="stable")
    for state in _chain(n, conditional_shares(merged[order].tolist())):
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


def projection_vectors(scenario: Scenario, reading: Sequence[str]) -> Ints:
    """Return the coefficients of projections over the columns of a scenario.

    Parameters
    ----------
    scenario : Scenario
        Its columns are class counts, or the kernel's columns.
    reading : sequence of str
        Names of projections or of columns.

    Returns
    -------
    array of int64, shape (n_projections, n_columns)
    """
    vectors = np.zeros((len(reading), len(scenario.columns)), np.int64)
    for i, name in enumerate(reading):
        coefficients: Mapping[str, int] = scenario.projections.get(name, {name: 1})
        for column, coefficient in coefficients.items():
            vectors[i, scenario.columns.index(column)] = coefficient
    return vectors


def _parts(point: DesignPoint, reading: Sequence[str]) -> list[tuple[list[int], int, tuple[float, ...], Ints]]:
    """Return for each block: which projections it holds, its size, its class probabilities, their vectors."""
    vectors = projection_vectors(point.scenario, reading)
    parts: list[tuple[list[int], int, tuple[float, ...], Ints]] = []
    at = 0
    for n, probabilities in point.laws:
        block = vectors[:, at : at + len(probabilities)]
        at += len(probabilities)
        mine = [i for i in range(len(reading)) if block[i].any()]
        if mine:
            parts.append((mine, n, probabilities, np.ascontiguousarray(block[mine].T)))
    return parts


def exact_laws(point: DesignPoint, reading: Sequence[str]) -> Iterator[Law]:
    """Yield the joint law of projections at a design point, in pieces of bounded size.

    Parameters
    ----------
    point : DesignPoint
        Of a scenario whose blocks describe a replication.
    reading : sequence of str
        Projections; each within one block.

    Yields
    ------
    Law
        Pieces whose probabilities add up to one, but for what lies outside the windows.

    Raises
    ------
    ComputationError
        If the law is too large to enumerate.
    """
    parts = _parts(point, reading)
    if len(parts) == 1:
        _, n, probabilities, vectors = parts[0]
        yield from _block_laws(n, probabilities, vectors, WHOLE)
        return
    limit = WHOLE ** (1 / len(parts))
    joint = reduce(_product, (_joined(_block_laws(n, p, vectors, limit)) for _, n, p, vectors in parts))
    order = np.argsort([i for mine, *_ in parts for i in mine])
    yield Law(joint.rows[:, order], joint.probability, joint.key)


@lru_cache(maxsize=1024)
def law_rows(point: DesignPoint, reading: tuple[str, ...]) -> float:
    """Return roughly how many rows an exact law has, without computing it.

    Parameters
    ----------
    point : DesignPoint
        Of a scenario whose blocks describe a replication.
    reading : tuple of str
        Projections.

    Returns
    -------
    float
        Product of the windows of the projections.
    """
    rows = 1.0
    for _, n, probabilities, vectors in _parts(point, reading):
        p = np.asarray(probabilities)
        for vector in vectors.T:
            mean = p @ vector
            spread = np.ptp(vector)
            width = 2 * reach(n, float(p @ (vector - mean) ** 2), float(spread)) + 1
            rows *= min(width, n * spread + 1)
    return rows
