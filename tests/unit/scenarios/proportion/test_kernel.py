"""The kernel of one proportion against its twin, its replay and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.proportion import kernel as proportion
from tests.oracle import proportion_slow as slow

REPLICATIONS = 4 if numba.config.DISABLE_JIT else 300


def counts(key: int, first: int, replications: int, n_cases: int, accuracy: float) -> NDArray[np.int64]:
    out = np.full((replications, 1), -1, np.int64)
    proportion.simulate(key, first, out, n_cases, accuracy)
    return out


@pytest.mark.parametrize("n_cases", [1, 2, 3, 4, 5, 36])
def test_counts_equal_the_twin(n_cases: int) -> None:
    expected = [[sum(slow.own_answers(9, 5 + r, n_cases, 0.7, 0))] for r in range(REPLICATIONS)]
    assert counts(9, 5, REPLICATIONS, n_cases, 0.7).tolist() == expected


@pytest.mark.parametrize("n_cases", [1, 7, 40])
def test_counts_equal_the_replayed_cases(n_cases: int) -> None:
    cases = np.full((n_cases, 1), np.nan)
    for replication in range(5):
        proportion.cases(2, replication, cases, n_cases, 0.6)
        assert cases.sum(axis=0).tolist() == counts(2, replication, 1, n_cases, 0.6)[0].tolist()


def test_certain_and_impossible_answers_are_exact() -> None:
    assert np.all(counts(1, 0, REPLICATIONS, 50, 1.0) == 50)
    assert np.all(counts(1, 0, REPLICATIONS, 50, 0.0) == 0)


def test_counts_are_pinned() -> None:
    assert counts(1, 0, 8, 100, 0.7).ravel().tolist() == [71, 67, 74, 67, 74, 73, 75, 73]
