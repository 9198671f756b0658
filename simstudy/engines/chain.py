"""The law of class counts as a chain of binomials.

Each conditional binomial is built by ratios from its mode and normalised, which is accurate to a few units in the last
place. Windows come from Bernstein's inequality, P(|X − μ| ≥ t) ≤ 2·exp(−t²/(2v + 2bt/3)), which holds for rare events
too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import ComputationError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# each binomial window leaves out at most this probability, and cells less probable than CELL are left out
TAIL = 1e-18
CELL = 1e-21
# rows of one piece of a law, and rows above which no law is enumerated
PIECE = 1_000_000
LARGEST = 40_000_000


def reach(n: float, variance: float, bound: float = 1.0) -> int:
    """Return t with P(|X − μ| ≥ t) ≤ TAIL for a sum of n independent terms, each within `bound` of its mean."""
    log = math.log(2.0 / TAIL)
    third = bound * log / 3.0
    return math.ceil(third + math.sqrt(third * third + 2.0 * n * variance * log))


def binomial_table(n: Ints, p: float, whole: bool = False) -> tuple[Ints, Floats]:
    """Return binomial probabilities for several numbers of trials, each on its own window (or all outcomes)."""
    # the table holds P(X = start + j); a start may be negative, where the probability is zero
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
class State:
    """Counts of some classes, with their probability and the units that are left for the others."""

    counts: Ints
    probability: Floats
    left: Ints

    def __getitem__(self, part: slice) -> State:
        return State(self.counts[part], self.probability[part], self.left[part])


def extend(state: State, share: float) -> State:
    """Add the count of one more class, binomial among the units that are left."""
    distinct, which = np.unique(state.left, return_inverse=True)
    start, table = binomial_table(distinct, share)
    joint = state.probability[:, None] * table[which]
    outcome = start[which][:, None] + np.arange(table.shape[1])
    keep = (outcome >= 0) & (outcome <= state.left[:, None]) & (joint > CELL)
    row, _ = np.nonzero(keep)
    taken = outcome[keep]
    return State(np.column_stack([state.counts[row], taken]), joint[keep], state.left[row] - taken)


@lru_cache(maxsize=32)
def compositions(n: int, level: int) -> tuple[Ints, Ints, Ints]:
    """Return all counts of ``level`` classes among n units, the units left, and the row each continues."""
    if level == 0:
        return np.empty((1, 0), np.int64), np.full(1, n), np.zeros(1, np.int64)
    counts, left, _ = compositions(n, level - 1)
    row = np.repeat(np.arange(len(left)), left + 1)
    taken = np.arange(len(row)) - np.repeat(np.cumsum(left + 1) - (left + 1), left + 1)
    return np.column_stack([counts[row], taken]), left[row] - taken, row


def whole_chain(n: int, shares: Sequence[float]) -> State:
    """Return every outcome; the rows do not depend on the probabilities, so they are made once."""
    probability = np.ones(1)
    for level, share in enumerate(shares):
        _, before, _ = compositions(n, level)
        counts, _, row = compositions(n, level + 1)
        # at the first class all units are left, and one binomial is enough
        start, table = binomial_table(np.arange(n + 1) if level else np.full(1, n), share, True)
        units = before[row] if level else row
        probability = probability[row] * table[units, counts[:, level] - start[units]]
    counts, left, _ = compositions(n, len(shares))
    return State(counts, probability, left)


def conditional_shares(probabilities: Sequence[float]) -> list[float]:
    """Return the probability of each class but the last among those left: then a chain of binomials is multinomial."""
    remaining, shares = 1.0, []
    last = max((i for i, p in enumerate(probabilities) if p > 0.0), default=0)
    for i, p in enumerate(probabilities[:-1]):
        # the last possible class takes all that is left: rounding gives impossible ones no share
        shares.append(1.0 if i == last else min(1.0, p / remaining) if remaining > 0 else 0.0)
        remaining = max(0.0, remaining - p)
    return shares


def chain(n: int, shares: Sequence[float]) -> Iterator[State]:
    """Yield, in pieces of bounded size, the counts of all classes but the last."""
    state = State(np.empty((1, 0), np.int64), np.ones(1), np.full(1, n))
    for level, share in enumerate(shares):
        width = min(n + 1, 2 * reach(n, share * (1 - share)) + 1)
        rows = max(1, PIECE // width)
        if level == len(shares) - 1:
            pieces = (extend(state[at : at + rows], share) for at in range(0, len(state.probability), rows))
            # a piece may lie wholly outside what is kept
            yield from (piece for piece in pieces if len(piece.probability))
            return
        if len(state.probability) * width > LARGEST:
            raise ComputationError(f"The exact law at n = {n} is too large. Use --engine counts, or a smaller n.")
        state = extend(state, share)
    yield state
