"""The kernels independent and proportion against their twin, their replay and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.independent import kernel as independent
from simstudy.scenarios.proportion import kernel as proportion
from tests.oracle import kernels as slow

Counts = NDArray[np.int64]
interpreted = bool(numba.config.DISABLE_JIT)
REPLICATIONS = 4 if interpreted else 300


def one(key: int, first: int, replications: int, n_cases: int, accuracy: float) -> Counts:
    out = np.full((replications, 1), -1, np.int64)
    proportion.simulate(key, first, out, n_cases, accuracy)
    return out


def two(key: int, first: int, replications: int, n_cases: int, accuracy_a: float, accuracy_b: float) -> Counts:
    out = np.full((replications, 2), -1, np.int64)
    independent.simulate(key, first, out, n_cases, accuracy_a, accuracy_b)
    return out


@pytest.mark.parametrize("n_cases", [1, 2, 3, 4, 5, 36])
def test_proportion_equals_its_twin(n_cases: int) -> None:
    expected = [[sum(slow.own_answers(9, 5 + r, n_cases, 0.7, 0))] for r in range(REPLICATIONS)]
    assert one(9, 5, REPLICATIONS, n_cases, 0.7).tolist() == expected


@pytest.mark.parametrize("n_cases", [1, 6, 31])
def test_independent_equals_its_twin(n_cases: int) -> None:
    expected = [
        [sum(slow.own_answers(9, r, n_cases, p, draw)) for draw, p in enumerate((0.7, 0.75))]
        for r in range(REPLICATIONS)
    ]
    assert two(9, 0, REPLICATIONS, n_cases, 0.7, 0.75).tolist() == expected


@pytest.mark.parametrize("n_cases", [1, 7, 40])
def test_counts_equal_the_replayed_cases(n_cases: int) -> None:
    of_one, of_two = np.full((n_cases, 1), np.nan), np.full((n_cases, 2), np.nan)
    for replication in range(5):
        proportion.cases(2, replication, of_one, n_cases, 0.6)
        assert of_one.sum(axis=0).tolist() == one(2, replication, 1, n_cases, 0.6)[0].tolist()
        independent.cases(2, replication, of_two, n_cases, 0.6, 0.4)
        assert of_two.sum(axis=0).tolist() == two(2, replication, 1, n_cases, 0.6, 0.4)[0].tolist()


def test_certain_and_impossible_answers_are_exact() -> None:
    assert np.all(one(1, 0, REPLICATIONS, 50, 1.0) == 50)
    assert np.all(one(1, 0, REPLICATIONS, 50, 0.0) == 0)
    assert np.all(two(1, 0, REPLICATIONS, 50, 0.0, 1.0) == [0, 50])


def test_the_systems_do_not_share_draws() -> None:
    rows = np.empty((200, 2))
    independent.cases(4, 0, rows, 200, 0.5, 0.5)
    # equal by chance with probability 2**-200
    assert np.any(rows[:, 0] != rows[:, 1])


def test_replications_can_be_extended() -> None:
    whole = two(3, 0, 40, 10, 0.5, 0.8)
    np.testing.assert_array_equal(whole, np.concatenate([two(3, 0, 16, 10, 0.5, 0.8), two(3, 16, 24, 10, 0.5, 0.8)]))


def test_counts_are_pinned() -> None:
    assert one(1, 0, 8, 100, 0.7).ravel().tolist() == PINNED_PROPORTION
    assert two(1, 0, 4, 100, 0.7, 0.75).tolist() == PINNED_INDEPENDENT


PINNED_PROPORTION = [71, 67, 74, 67, 74, 73, 75, 73]
PINNED_INDEPENDENT = [[71, 74], [67, 70], [74, 77], [67, 73]]
