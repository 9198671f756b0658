"""The judged kernel against its twin, its replay, scenario paired and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.judged import kernel as judged
from simstudy.scenarios.paired import kernel as paired
from tests.oracle import judged_slow as slow

Counts = NDArray[np.int64]
interpreted = bool(numba.config.DISABLE_JIT)
# logits, difficulty, reworded, judge
STRICT = (0.847, 1.386, 1.5, 0.0, 0.8, 0.3, 0.3, 0.02)
PARAMETERS = [
    STRICT,
    (0.0, 0.0, 0.0, 0.5, 0.5, 0.08, 0.1, 0.05),
    (-2.0, 3.0, 3.0, 1.0, 0.0, 0.25, 0.75, 1.0),
    (5.0, -5.0, 0.1, 0.3, 0.9, 0.0, 1.0, 0.0),
]


def simulate(key: int, first: int, replications: int, n_cases: int, n_labelled: int, *parameters: float) -> Counts:
    out = np.full((replications, 20), -1, np.int64)
    judged.simulate(key, first, out, n_cases, n_labelled, *parameters)
    return out


def replay(key: int, replication: int, n_cases: int, n_labelled: int, *parameters: float) -> NDArray[np.float64]:
    out = np.full((n_cases, 8), np.nan)
    judged.cases(key, replication, out, n_cases, n_labelled, *parameters)
    return out


def twin(key: int, replication: int, n_cases: int, n_labelled: int, *p: float) -> list[tuple[float, ...]]:
    return slow.cases(key, replication, n_cases, n_labelled, (p[0], p[1]), p[2], (p[3], p[4]), p[5], p[6], p[7])


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize("n_labelled", [0, 7, 20])
def test_counts_equal_the_twin(parameters: tuple[float, ...], n_labelled: int) -> None:
    replications = 2 if interpreted else 40
    found = simulate(20240604, 10, replications, 20, n_labelled, *parameters)
    expected = [slow.class_counts(twin(20240604, 10 + r, 20, n_labelled, *parameters)) for r in range(replications)]
    assert found.tolist() == expected


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_cases_equal_the_twin(parameters: tuple[float, ...]) -> None:
    rows, expected = replay(7, 3, 60, 25, *parameters), np.array(twin(7, 3, 60, 25, *parameters), np.float64)
    np.testing.assert_array_equal(rows[:, 1:], expected[:, 1:])
    # two approximations of the normal quantile, each within 3e-15 relative
    np.testing.assert_allclose(rows[:, 0], expected[:, 0], rtol=6e-15)


def test_counts_equal_the_replayed_cases() -> None:
    replications = 3 if interpreted else 300
    found = simulate(11, 4, replications, 90, 30, *STRICT)
    for r in range(0, replications, 50):
        assert found[r].tolist() == slow.class_counts(replay(11, 4 + r, 90, 30, *STRICT).astype(bool).tolist())


def test_answers_are_those_of_scenario_paired() -> None:
    replications = 3 if interpreted else 200
    truths = simulate(5, 0, replications, 40, 40, *STRICT)[:, :16].reshape(-1, 4, 4).sum(axis=2)
    answers = np.empty((replications, 3), np.int64)
    paired.simulate(5, 0, answers, 40, *STRICT[:3])
    np.testing.assert_array_equal(truths[:, :3], answers)


def test_labels_and_more_cases_change_no_case() -> None:
    few, many = replay(9, 1, 36, 10, *STRICT), replay(9, 1, 100, 60, *STRICT)
    np.testing.assert_array_equal(few[:, :7], many[:36, :7])
    assert few[:, 7].sum() == 10
    verdicts = [
        out[:, :16].reshape(-1, 4, 4).sum(axis=1) + out[:, 16:]
        for out in (simulate(9, 0, 5, 30, n, *STRICT) for n in (0, 12, 30))
    ]
    np.testing.assert_array_equal(verdicts[0], verdicts[1])
    np.testing.assert_array_equal(verdicts[0], verdicts[2])


def test_a_perfect_judge_says_the_truth_and_a_lazy_one_accepts() -> None:
    perfect = simulate(2, 0, 4, 50, 50, 0.5, 0.8, 1.5, 0.4, 0.8, 0.0, 0.0, 0.0)[:, :16].reshape(-1, 4, 4)
    assert (perfect.sum(axis=0) == np.diag(np.diag(perfect.sum(axis=0)))).all()
    lazy = simulate(2, 0, 4, 50, 0, 0.5, 0.8, 1.5, 0.4, 0.8, 0.0, 0.0, 1.0)
    assert lazy[:, 18].tolist() == [50] * 4


def test_a_key_of_64_bits_is_taken_whole() -> None:
    for key in (2**64 - 1, np.uint64(2**63 + 5)):
        assert simulate(key, 0, 1, 15, 5, *STRICT)[0].tolist() == slow.class_counts(twin(int(key), 0, 15, 5, *STRICT))


@pytest.mark.parametrize("n_labelled", [0, 1, 14, 15, 16, 30, 31, 45])
def test_no_field_overflows_where_every_case_is_in_one_class(n_labelled: int) -> None:
    """Fields of four bits are flushed every 15 labelled cases."""
    certain = (40.0, 40.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    found = simulate(4, 0, 3, 45, n_labelled, *certain)
    assert found[:, 10].tolist() == [n_labelled] * 3
    assert found[:, 18].tolist() == [45 - n_labelled] * 3
    assert (found.sum(axis=1) == 45).all()


@pytest.mark.skipif(interpreted, reason="too many cases")
@pytest.mark.parametrize("n_labelled", [0, 1000])
def test_no_field_overflows_with_very_many_cases(n_labelled: int) -> None:
    """Fields of 16 bits are flushed every 65,535 cases."""
    rows = replay(8, 0, 140_000, n_labelled, *STRICT)[:, 1:].astype(bool)
    right, accepted = (2 * rows[:, i] + rows[:, i + 1] for i in (0, 4))
    truth, verdict = (np.array([3, 1, 0, 2])[pair] for pair in (right, accepted))
    column = np.where(rows[:, 6], 4 * truth + verdict, 16 + verdict)
    assert simulate(8, 0, 1, 140_000, n_labelled, *STRICT)[0].tolist() == np.bincount(column, minlength=20).tolist()


@pytest.mark.parametrize("replications", [1, 15, 17, 256, 257])
def test_lanes_that_are_not_asked_for_are_not_written(replications: int) -> None:
    if interpreted and replications > 17:
        pytest.skip("slow without compilation")
    whole = simulate(12, 0, 17 if interpreted else 300, 8, 3, *STRICT)
    np.testing.assert_array_equal(simulate(12, 0, replications, 8, 3, *STRICT), whole[:replications])


def test_counts_are_pinned() -> None:
    assert simulate(1, 0, 2, 100, 60, *STRICT).tolist() == PINNED


PINNED = [
    [3, 0, 0, 0, 0, 6, 0, 4, 14, 6, 16, 4, 0, 0, 0, 7, 9, 4, 10, 17],
    [5, 0, 0, 4, 0, 7, 0, 7, 13, 5, 8, 4, 0, 0, 0, 7, 11, 6, 6, 17],
]
