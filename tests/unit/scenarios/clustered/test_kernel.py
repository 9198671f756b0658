"""The clustered kernel against its twin, its replay and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.clustered import kernel as clustered
from tests.oracle import clustered_slow as slow

interpreted = bool(numba.config.DISABLE_JIT)
ALPHAS = np.array([0.01, 0.05, 0.1, 0.3])


def simulate(
    key: int, first: int, replications: int, sizes: tuple[int, int, int], effects: tuple[float, ...], alternative: int
) -> NDArray[np.int64]:
    out = np.full((replications, 6), -1, np.int64)
    clustered.simulate(key, first, out, *sizes, *effects, ALPHAS, alternative)
    return out


def replay(
    key: int, replication: int, sizes: tuple[int, int, int], effects: tuple[float, ...], columns: int = 5
) -> NDArray[np.float64]:
    out = np.full((sizes[0] * sizes[1] * sizes[2], columns), np.nan)
    clustered.cases(key, replication, out, *sizes, *effects)
    return out


DESIGNS = [
    ((6, 3, 1), (0.8, 1.1, 1.5, 1.0, 1.0, 0.5)),
    ((4, 2, 3), (0.2, -0.3, 1.5, 0.0, 0.7, 0.0)),
    ((7, 1, 2), (0.0, 0.5, 0.0, 2.0, 0.0, 1.0)),
    ((1, 5, 4), (1.0, 1.0, 0.0, 0.0, 0.0, 0.0)),
]


@pytest.mark.parametrize("alternative", [0, 1, 2])
@pytest.mark.parametrize(("sizes", "effects"), DESIGNS)
def test_rows_equal_the_twin(sizes: tuple[int, int, int], effects: tuple[float, ...], alternative: int) -> None:
    replications = 2 if interpreted else 70
    found = simulate(20240605, 8, replications, sizes, effects, alternative)
    for replication in range(replications):
        rows = slow.clustered_rows(20240605, 8 + replication, *sizes, *effects)
        columns, sums = slow.clustered_row(rows)
        level = slow.level_of(slow.flip_p_value(sums, alternative), ALPHAS.tolist())
        assert found[replication].tolist() == [*columns, level]


@pytest.mark.parametrize(("sizes", "effects"), DESIGNS)
def test_replay_equals_the_twin(sizes: tuple[int, int, int], effects: tuple[float, ...]) -> None:
    rows = slow.clustered_rows(3, 2, *sizes, *effects)
    np.testing.assert_array_equal(replay(3, 2, sizes, effects), np.array(rows, np.float64))


def test_seven_columns_add_the_logits() -> None:
    sizes, effects = DESIGNS[0]
    rows = replay(3, 2, sizes, effects, columns=7)
    np.testing.assert_array_equal(rows[:, :5], replay(3, 2, sizes, effects))
    assert np.all(np.isfinite(rows))
    without_effects = replay(3, 2, (2, 2, 2), (0.4, 0.9, 0.0, 0.0, 0.0, 0.0), columns=7)
    np.testing.assert_array_equal(without_effects[:, 5:], np.full((8, 2), [0.4, 0.9]))


def test_more_clusters_cases_or_runs_change_none_that_are_there() -> None:
    effects = DESIGNS[0][1]
    large = replay(5, 1, (5, 4, 5), effects)
    for sizes in [(3, 4, 5), (5, 2, 5), (5, 4, 1), (5, 4, 2), (2, 3, 3)]:
        inside = np.all(large[:, :3] < sizes, axis=1)
        np.testing.assert_array_equal(replay(5, 1, sizes, effects), large[inside])


def test_a_shared_cluster_effect_moves_both_systems_alike() -> None:
    rows = replay(5, 1, (6, 3, 1), (0.5, 0.5, 0.0, 2.0, 0.0, 0.0), columns=7)
    np.testing.assert_array_equal(rows[:, 5], rows[:, 6])
    assert len(set(rows[:, 5])) == 6


def test_rows_are_pinned() -> None:
    found = simulate(1, 0, 4, (10, 3, 2), (0.8, 1.1, 1.5, 1.0, 1.0, 0.5), 0)
    assert found.tolist() == PINNED


PINNED = [[12, 16, 22, 0, 6, 1], [-3, 21, 29, 7, 5, 4], [1, 35, 49, 8, 5, 4], [13, 31, 57, 2, 10, 3]]
