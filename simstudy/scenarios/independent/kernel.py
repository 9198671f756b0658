"""Simulation of ``independent``: two systems, each with cases of its own.

As in ``proportion`` four cases share a call of Philox; draw 0 holds the cases of A, draw 1 those of B.
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
    n_per_system: int,
    accuracy_a: float,
    accuracy_b: float,
) -> None:
    """Count the right answers of both systems in each replication.

    Parameters
    ----------
    key : int
        64-bit seed.
    first_replication : int
        Index of the first replication; the address has its low 32 bits, so indices below 2**32 are distinct.
    out : ndarray of int64, shape (replications, 2)
        Filled with x_a and x_b, the right answers of A and of B, in [0, n_per_system].
    n_per_system : int
        Cases of each system, at least 1.
    accuracy_a, accuracy_b : float
        Probabilities of a right answer, in [0, 1]; 0 and 1 are exact, others are met within 2**-33.
    """
    count_right(key, first_replication, out, 0, n_per_system, accuracy_a, DRAW_A)
    count_right(key, first_replication, out, 1, n_per_system, accuracy_b, DRAW_B)


@kernel
def cases(
    key: Key,
    replication: int,
    out: NDArray[np.float64],
    n_per_system: int,
    accuracy_a: float,
    accuracy_b: float,
) -> None:
    """Replay the cases of one replication.

    Parameters
    ----------
    key, replication : int
        64-bit seed and index of the replication.
    out : ndarray of float64, shape (n_per_system, 2)
        Filled with right_a and right_b: 1 where the answer is right, else 0. Cases of one row have nothing in
        common.
    n_per_system : int
        Cases of each system, at least 1.
    accuracy_a, accuracy_b : float
        As in `simulate`.
    """
    replay_right(key, replication, out, 0, n_per_system, accuracy_a, DRAW_A)
    replay_right(key, replication, out, 1, n_per_system, accuracy_b, DRAW_B)
