"""The kernel agreement against its twin, its replay and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.agreement import kernel as agreement
from tests.oracle import agreement_slow as slow

Counts = NDArray[np.int64]
REPLICATIONS = 4 if numba.config.DISABLE_JIT else 300
RATES = (0.7, 0.9, 0.85, 0.05)
# first rows at this seed: they may change only with the address of the draws, which is part of the contract
PINNED = [[59, 11, 2, 22, 6], [56, 7, 3, 32, 2]]


def run(key: int, first: int, replications: int, n_labels: int, *rates: float) -> Counts:
    out = np.full((replications, 5), -1, np.int64)
    agreement.simulate(key, first, out, n_labels, *rates)
    return out


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4, 5, 37])
def test_counts_equal_those_of_the_twin(n_labels: int) -> None:
    expected = [slow.counted(slow.verdicts(9, 5 + r, n_labels, *RATES)) for r in range(REPLICATIONS)]
    assert run(9, 5, REPLICATIONS, n_labels, *RATES).tolist() == expected


@pytest.mark.parametrize("n_labels", [1, 6, 31])
def test_counts_are_those_of_the_replayed_answers(n_labels: int) -> None:
    counts = run(3, 11, 5, n_labels, 0.5, 0.8, 0.7, 0.3)
    for r, row in enumerate(counts):
        units = np.empty((n_labels, 2))
        agreement.cases(3, 11 + r, units, n_labels, 0.5, 0.8, 0.7, 0.3)
        rows = [(label == 1, None if np.isnan(verdict) else verdict == 1) for label, verdict in units.tolist()]
        assert slow.counted(rows) == row.tolist()


def test_certain_rates_are_exact() -> None:
    # a judge that always says correct
    assert run(1, 0, 3, 50, 1.0, 1.0, 0.0, 0.0).tolist() == [[50, 0, 0, 0, 0]] * 3
    assert run(1, 0, 3, 50, 0.0, 1.0, 0.0, 0.0).tolist() == [[0, 0, 50, 0, 0]] * 3
    assert run(1, 0, 3, 50, 1.0, 0.0, 0.0, 0.0).tolist() == [[0, 50, 0, 0, 0]] * 3
    assert run(1, 0, 3, 50, 0.0, 0.0, 1.0, 0.0).tolist() == [[0, 0, 0, 50, 0]] * 3
    assert run(1, 0, 3, 50, 0.7, 0.9, 0.8, 1.0).tolist() == [[0, 0, 0, 0, 50]] * 3


def test_the_judge_changes_no_answer() -> None:
    """Answers and verdicts have streams of their own: other judges see the same answers."""
    one, two = np.empty((2, 60, 2))
    agreement.cases(4, 2, one, 60, 0.6, 0.9, 0.9, 0.0)
    agreement.cases(4, 2, two, 60, 0.6, 0.2, 0.3, 0.5)
    np.testing.assert_array_equal(one[:, 0], two[:, 0])


def test_pinned_counts() -> None:
    assert run(20240607, 0, 2, 100, *RATES).tolist() == PINNED
