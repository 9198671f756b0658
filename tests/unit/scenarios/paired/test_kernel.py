"""The paired kernel against its twin, its replay and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.paired import kernel as paired
from tests.oracle import paired_slow as slow

Counts = NDArray[np.int64]
interpreted = bool(numba.config.DISABLE_JIT)


def simulate(key: int, first: int, replications: int, n_cases: int, *parameters: float) -> Counts:
    out = np.full((replications, 3), -1, np.int64)
    paired.simulate(key, first, out, n_cases, *parameters)
    return out


def replay(key: int, replication: int, n_cases: int, *parameters: float) -> NDArray[np.float64]:
    out = np.full((n_cases, 3), np.nan)
    paired.cases(key, replication, out, n_cases, *parameters)
    return out


def classes(rows: NDArray[np.float64]) -> list[int]:
    a, b = rows[:, 1] == 1, rows[:, 2] == 1
    return [int(np.sum(a & ~b)), int(np.sum(b & ~a)), int(np.sum(a & b))]


@pytest.mark.parametrize("difficulty_sd", [0.0, 1.5, 3.0])
def test_counts_equal_the_twin(difficulty_sd: float) -> None:
    replications = 4 if interpreted else 200
    found = simulate(20240604, 10, replications, 36, 0.847, 1.386, difficulty_sd)
    expected = [slow.paired_counts(20240604, 10 + r, 36, 0.847, 1.386, difficulty_sd) for r in range(replications)]
    assert found.tolist() == expected


def test_cases_equal_the_twin() -> None:
    rows = replay(7, 3, 200, 0.4, 0.9, 1.5)
    expected = np.array(slow.paired_cases(7, 3, 200, 0.4, 0.9, 1.5), np.float64)
    np.testing.assert_array_equal(rows[:, 1:], expected[:, 1:])
    # two approximations of the normal quantile, each within 3e-15 relative
    np.testing.assert_allclose(rows[:, 0], expected[:, 0], rtol=6e-15)


PARAMETERS = [
    (0.0, 0.0, 0.0),
    (0.847, 1.386, 1.5),
    (-2.0, 3.0, 0.1),
    (5.0, 5.0, 10.0),
    (-10.5, 10.5, 3.0),
    (-12.0, -11.0, 0.5),
    (40.0, -40.0, 1.0),
    (0.3, 0.3, 40.0),
    (300.0, -300.0, 0.0),
]


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize(("replications", "n_cases"), [(1, 1), (3, 40), (17, 5), (700, 300)])
def test_counts_equal_the_replayed_cases(
    parameters: tuple[float, float, float], replications: int, n_cases: int
) -> None:
    """The table of bounds decides most answers: it must decide them as the definition does."""
    if interpreted and replications > 3:
        pytest.skip("too many cases for the interpreter")
    found = simulate(11, 4, replications, n_cases, *parameters)
    expected = [classes(replay(11, 4 + r, n_cases, *parameters)) for r in range(replications)]
    assert found.tolist() == expected


def test_rare_right_answers_are_not_taken_for_granted() -> None:
    """Words whose leading bits are all zero: below the resolution of the table, so never sure."""
    if interpreted:
        pytest.skip("too many cases for the interpreter")
    counts = simulate(5, 0, 20_000, 500, -14.0, -14.0, 0.0)
    # 10**7 cases at probability 8.3e-7 give 8.3 right answers of A in the mean
    assert 0 < counts[:, 0].sum() < 30


def test_a_key_of_64_bits_is_taken_whole() -> None:
    for key in (2**64 - 1, np.uint64(2**63 + 5)):
        found = simulate(key, 0, 2, 30, 0.5, 0.8, 1.5)
        assert found.tolist() == [slow.paired_counts(int(key), r, 30, 0.5, 0.8, 1.5) for r in range(2)]


def test_counts_are_pinned() -> None:
    assert simulate(1, 0, 6, 100, 0.847, 1.386, 1.5).tolist() == PINNED


PINNED = [[10, 18, 60], [12, 25, 51], [11, 15, 60], [14, 25, 41], [14, 19, 58], [10, 21, 60]]
