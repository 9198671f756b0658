"""The kernel of self_preference against its twin, its replay, its law and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.self_preference import CLASSES, pair_class
from simstudy.scenarios.self_preference import kernel as self_preference
from tests.oracle import self_preference_slow as slow

Counts = NDArray[np.int64]
interpreted = bool(numba.config.DISABLE_JIT)
# bonus, ability, beta, tied, judge_pair_sd
POINTS = [
    (0.0, 2.5, 0.0, 0.0, 0.0),
    (1.0, 2.5, 0.7, 0.3, 0.0),
    (-0.8, 1.2, -1.5, 0.5, 2.0),
    (0.4, 2.5, 0.0, 1.0, 1.0),
    (20.0, 20.0, -20.0, 0.2, 10.0),
]


def simulate(key: int, first: int, replications: int, n_pairs: int, *parameters: float) -> Counts:
    out = np.full((replications, len(CLASSES) - 1), -1, np.int64)
    self_preference.simulate(key, first, out, n_pairs, *parameters)
    return out


def replay(key: int, replication: int, n_pairs: int, *parameters: float) -> NDArray[np.float64]:
    out = np.full((n_pairs, 6), np.nan)
    self_preference.cases(key, replication, out, n_pairs, *parameters)
    return out


def counted(names: list[str]) -> list[int]:
    return [names.count(name) for name in CLASSES[:-1]]


@pytest.mark.parametrize("parameters", POINTS)
def test_counts_equal_the_twin(parameters: tuple[float, ...]) -> None:
    replications = 3 if interpreted else 60
    found = simulate(20240604, 10, replications, 23, *parameters)
    for r in range(replications):
        rows = slow.pairs(20240604, 10 + r, 23, *parameters)
        assert found[r].tolist() == counted([slow.class_of(verdicts) for _, _, verdicts in rows])


@pytest.mark.parametrize("parameters", POINTS)
def test_pairs_equal_the_twin(parameters: tuple[float, ...]) -> None:
    found = replay(7, 3, 100, *parameters)
    expected = slow.pairs(7, 3, 100, *parameters)
    assert found[:, 0].tolist() == [d for d, _, _ in expected]
    # two approximations of the normal quantile, each within 3e-15 relative
    np.testing.assert_allclose(found[:, 1], [added for _, added, _ in expected], rtol=1e-13, atol=1e-13)
    assert found[:, 2:].astype(int).tolist() == [list(verdicts) for _, _, verdicts in expected]


@pytest.mark.parametrize("parameters", POINTS)
def test_counts_equal_the_replayed_pairs(parameters: tuple[float, ...]) -> None:
    found = simulate(11, 2**32 - 2, 3, 40, *parameters)
    for r in range(3):
        rows = replay(11, 2**32 - 2 + r, 40, *parameters)[:, 2:].astype(int).tolist()
        assert found[r].tolist() == counted([pair_class((a, b), (c, d)) for a, b, c, d in rows])


def test_more_pairs_change_none_that_are_there() -> None:
    np.testing.assert_array_equal(replay(5, 8, 30, *POINTS[2]), replay(5, 8, 100, *POINTS[2])[:30])


def test_a_larger_bonus_turns_verdicts_toward_the_own_system_alone() -> None:
    """Design points share their draws: the own judge's verdicts only rise, the third-party judge's stay."""
    before, after = (replay(1, 0, 400, bonus, 2.5, 0.3, 0.2, 1.0)[:, 2:] for bonus in (0.0, 1.0))
    assert (after[:, :2] >= before[:, :2]).all()
    assert (after[:, :2] > before[:, :2]).any()
    np.testing.assert_array_equal(after[:, 2:], before[:, 2:])


def test_who_is_shown_first_gains_by_beta() -> None:
    """Without a better answer and with beta 20 every judge takes the first one shown: the own system there."""
    rows = replay(1, 0, 50, 0.0, 0.0, 20.0, 1.0, 0.0)
    assert (rows[:, 0] == 0).all()
    assert not np.signbit(rows[:, 0]).any()
    assert rows[:, 2:].tolist() == [[1, 0, 1, 0]] * 50
    assert replay(1, 0, 50, 0.0, 20.0, 0.0, 0.0, 0.0)[:, 2:].mean(axis=1).tolist() == [
        float(d > 0) for d in replay(1, 0, 50, 0.0, 20.0, 0.0, 0.0, 0.0)[:, 0]
    ]


def test_shares_are_those_of_the_law() -> None:
    """400,000 pairs, 8 classes at 2 points: z = 5 is passed by chance with probability 1e-5."""
    if interpreted:
        pytest.skip("too many pairs for the interpreter")
    for parameters in (POINTS[1], POINTS[2]):
        shares = simulate(1, 0, 1000, 400, *parameters).sum(axis=0) / 400_000
        law: dict[str, float] = {}
        for pattern, p in slow.patterns(*parameters).items():
            law[slow.class_of(pattern)] = law.get(slow.class_of(pattern), 0.0) + p
        expected = np.array([law[name] for name in CLASSES[:-1]])
        assert (np.abs(shares - expected) <= 5 * np.sqrt(expected * (1 - expected) / 400_000)).all()


def test_counts_are_pinned() -> None:
    assert simulate(1, 0, 4, 100, *POINTS[1]).tolist() == PINNED


PINNED = [[17, 14, 7, 6, 4, 1, 1], [14, 13, 4, 2, 5, 0, 3], [6, 12, 8, 7, 6, 0, 2], [15, 20, 3, 7, 4, 0, 4]]
