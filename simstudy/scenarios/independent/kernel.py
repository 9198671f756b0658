"""Simulation of ``independent``: two systems, each with cases of its own.

As in ``proportion`` four cases share a call of Philox; draw 0 holds the cases of A, draw 1 those of B. How many cases
one system has changes none of the other's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, kernel
from simstudy.scenarios.proportion.kernel import count_right, replay_right

DRAW_A = np.uint64(0)
DRAW_B = np.uint64(1)


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: NDArray[np.int64],
    n_a: int,
    n_b: int,
    accuracy_a: float,
    accuracy_b: float,
    skipped_a: int = 0,
    skipped_b: int = 0,
) -> None:
    """Count x_a and x_b, the right answers of both systems, in each replication."""
    count_right(key, first_replication, out, 0, n_a, accuracy_a, DRAW_A, skipped_a)
    count_right(key, first_replication, out, 1, n_b, accuracy_b, DRAW_B, skipped_b)


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_a: int,
    n_b: int,
    accuracy_a: float,
    accuracy_b: float,
) -> None:
    """Replay one replication; a row holds right_a and right_b of two cases that have nothing in common."""
    # The system with fewer cases has NaN in the last rows.
    out[n_a:, 0] = np.nan
    out[n_b:, 1] = np.nan
    replay_right(key, replication, out, 0, n_a, accuracy_a, DRAW_A)
    replay_right(key, replication, out, 1, n_b, accuracy_b, DRAW_B)
