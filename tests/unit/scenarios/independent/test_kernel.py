"""The kernel of two systems with cases of their own against its twin, its replay and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.independent import kernel as independent
from tests.oracle import proportion_slow as slow

REPLICATIONS = 4 if numba.config.DISABLE_JIT else 300


def counts(
    key: int, first: int, replications: int, n_cases: int, accuracy_a: float, accuracy_b: float
) -> NDArray[np.int64]:
    out = np.full((replications, 2), -1, np.int64)
    independent.simulate(key, first, out, n_cases, n_cases, accuracy_a, accuracy_b)
    return out


@pytest.mark.parametrize("n_cases", [1, 6, 31])
def test_counts_equal_the_twin(n_cases: int) -> None:
    expected = [
        [sum(slow.own_answers(9, r, n_cases, p, draw)) for draw, p in enumerate((0.7, 0.75))]
        for r in range(REPLICATIONS)
    ]
    assert counts(9, 0, REPLICATIONS, n_cases, 0.7, 0.75).tolist() == expected


@pytest.mark.parametrize("n_cases", [1, 7, 40])
def test_counts_equal_the_replayed_cases(n_cases: int) -> None:
    cases = np.full((n_cases, 2), np.nan)
    for replication in range(5):
        independent.cases(2, replication, cases, n_cases, n_cases, 0.6, 0.4)
        assert cases.sum(axis=0).tolist() == counts(2, replication, 1, n_cases, 0.6, 0.4)[0].tolist()


def test_certain_and_impossible_answers_are_exact() -> None:
    assert np.all(counts(1, 0, REPLICATIONS, 50, 0.0, 1.0) == [0, 50])


def test_the_systems_do_not_share_draws() -> None:
    rows = np.empty((200, 2))
    independent.cases(4, 0, rows, 200, 200, 0.5, 0.5)
    # equal by chance with probability 2**-200
    assert np.any(rows[:, 0] != rows[:, 1])


def test_counts_are_pinned() -> None:
    assert counts(1, 0, 4, 100, 0.7, 0.75).tolist() == [[71, 74], [67, 70], [74, 77], [67, 73]]


def test_the_size_of_one_arm_changes_no_case_of_the_other() -> None:
    equal, wider = np.empty((50, 2), np.int64), np.empty((50, 2), np.int64)
    independent.simulate(6, 0, equal, 11, 11, 0.6, 0.7)
    independent.simulate(6, 0, wider, 11, 30, 0.6, 0.7)
    np.testing.assert_array_equal(equal[:, 0], wider[:, 0])
    rows = np.empty((30, 2))
    for replication in range(5):
        independent.cases(6, replication, rows, 11, 30, 0.6, 0.7)
        assert np.isnan(rows[11:, 0]).all()
        assert [np.nansum(rows[:, 0]), rows[:, 1].sum(), rows[:11, 1].sum()] == [
            *wider[replication],
            equal[replication, 1],
        ]
