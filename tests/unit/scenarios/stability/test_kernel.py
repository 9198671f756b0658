"""The kernel stability against its twin, its replay and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.stability import kernel as stability
from tests.oracle import stability_slow as slow
from tests.oracle.kernels import logistic

Counts = NDArray[np.int64]
REPLICATIONS = 3 if numba.config.DISABLE_JIT else 100
# first rows at this seed: they may change only with the address of the draws, which is part of the contract
PINNED = [[29, 21], [24, 26], [26, 24]]


def run(key: int, first: int, replications: int, *arguments: float) -> Counts:
    out = np.full((replications, 2), -1, np.int64)
    stability.simulate(key, first, out, *arguments)
    return out


@pytest.mark.parametrize(("n_prompts", "repetitions", "sd"), [(1, 2, 0.0), (5, 3, 1.0), (7, 4, 2.0), (12, 9, 0.5)])
def test_counts_equal_those_of_the_twin(n_prompts: int, repetitions: int, sd: float) -> None:
    expected = [
        slow.unstable_prompts(slow.prompts(9, 5 + r, n_prompts, repetitions, 0.7, sd)) for r in range(REPLICATIONS)
    ]
    counts = run(9, 5, REPLICATIONS, n_prompts, repetitions, 0.7, sd)
    assert counts[:, 0].tolist() == expected
    assert (counts.sum(axis=1) == n_prompts).all()


@pytest.mark.parametrize("repetitions", [2, 5, 8])
def test_replayed_prompts_are_those_of_the_twin(repetitions: int) -> None:
    units = np.empty((20, 4))
    stability.cases(3, 11, units, 20, repetitions, 1.5, 2.0)
    for row, (logit, verdicts) in zip(units.tolist(), slow.prompts(3, 11, 20, repetitions, 1.5, 2.0), strict=True):
        correct = sum(verdicts)
        # the twin's normal quantile and exponential are another implementation
        assert row[0] == pytest.approx(logit, rel=1e-12)
        assert row[1] == pytest.approx(logistic(logit), rel=1e-12)
        assert row[2:] == [correct, min(correct, repetitions - correct)]
    assert run(3, 11, 1, 20, repetitions, 1.5, 2.0)[0, 0] == (units[:, 3] > 0).sum()


def test_more_repetitions_keep_the_verdicts_that_are_there() -> None:
    few, more = np.empty((30, 4)), np.empty((30, 4))
    stability.cases(5, 0, few, 30, 5, 0.5, 1.0)
    stability.cases(5, 0, more, 30, 9, 0.5, 1.0)
    np.testing.assert_array_equal(few[:, :2], more[:, :2])
    gained = more[:, 2] - few[:, 2]
    assert (gained >= 0).all()
    assert (gained <= 4).all()
    # an unstable prompt stays unstable
    assert (run(5, 0, 200, 30, 9, 0.5, 1.0)[:, 0] >= run(5, 0, 200, 30, 5, 0.5, 1.0)[:, 0]).all()


def test_extreme_logits_repeat_every_verdict() -> None:
    for logit in (-300.0, 300.0):
        assert run(1, 0, 3, 40, 50, logit, 0.0).tolist() == [[0, 40]] * 3


def test_pinned_counts() -> None:
    assert run(20240607, 0, 3, 50, 5, 1.5, 2.0).tolist() == PINNED
