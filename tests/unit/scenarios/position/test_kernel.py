"""The position kernel against its twin, its replay and pinned counts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios.position import kernel as position
from tests.oracle import position_slow as slow

interpreted = bool(numba.config.DISABLE_JIT)
REPLICATIONS = 4 if interpreted else 300
# beta, ability, x_better, tied, tie_band, ability_sd
PARAMETERS = [
    (0.0, 0.0, 0.5, 0.0, 0.0, 0.0),
    (1.2, 2.5, 0.5, 0.0, 0.0, 0.0),
    (-0.7, 1.5, 0.9, 0.3, 0.8, 0.0),
    (1.2, 2.5, 0.2, 1.0, 1.0, 0.0),
    (10.0, 20.0, 1.0, 0.0, 10.0, 0.0),
    (-10.0, 20.0, 0.0, 0.5, 0.0, 0.0),
    (0.0, 2.5, 0.5, 0.1, 10.0, 0.0),
    (1.2, 1.0, 0.5, 0.0, 0.0, 3.0),
    (-0.7, 1.5, 0.9, 0.3, 0.8, 0.5),
    (-10.0, 20.0, 0.3, 0.1, 10.0, 10.0),
]


def simulate(key: int, first: int, replications: int, n_pairs: int, *parameters: float) -> NDArray[np.int64]:
    out = np.full((replications, 9), -1, np.int64)
    position.simulate(key, first, out, n_pairs, *parameters)
    return out


def replay(key: int, replication: int, n_pairs: int, *parameters: float) -> NDArray[np.float64]:
    out = np.full((n_pairs, 4), np.nan)
    position.cases(key, replication, out, n_pairs, *parameters)
    return out


def classes(rows: NDArray[np.float64]) -> list[int]:
    letter = {1.0: 0, -1.0: 1, 0.0: 2}
    index = [3 * letter[ab] + letter[ba] for _, _, ab, ba in rows.tolist()]
    return np.bincount(index, minlength=9).tolist()


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_counts_equal_the_twin(parameters: tuple[float, ...]) -> None:
    found = simulate(20240604, 10, REPLICATIONS, 14, *parameters)
    rows = range(min(REPLICATIONS, 40))
    assert found[: len(rows)].tolist() == [slow.counts(20240604, 10 + r, 14, *parameters) for r in rows]
    assert (found.sum(axis=1) == 14).all()


@pytest.mark.parametrize("ability_sd", [0.0, 2.0])
def test_cases_equal_the_twin(ability_sd: float) -> None:
    parameters = (1.2, 2.5, 0.4, 0.2, 0.7, ability_sd)
    rows = replay(7, 3, 300, *parameters)
    sign = {"A": 1, "B": -1, "tie": 0}
    expected = [[t, own, sign[ab], sign[ba]] for t, own, ab, ba in slow.cases(7, 3, 300, *parameters)]
    # two algorithms for the normal quantile
    np.testing.assert_allclose(rows, expected, rtol=0, atol=1e-13)
    assert (np.unique(rows[:, 1]).size == 1) == (ability_sd == 0)


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize(("replications", "n_pairs"), [(1, 1), (3, 40), (600, 9)])
def test_counts_equal_the_replayed_pairs(parameters: tuple[float, ...], replications: int, n_pairs: int) -> None:
    if interpreted and replications > 3:
        pytest.skip("too many pairs for the interpreter")
    found = simulate(11, 4, replications, n_pairs, *parameters)
    assert found.tolist() == [classes(replay(11, 4 + r, n_pairs, *parameters)) for r in range(replications)]


@pytest.mark.parametrize("ability_sd", [0.0, 4.0])
def test_no_tie_without_a_tie_band(ability_sd: float) -> None:
    counts = simulate(5, 0, REPLICATIONS, 50, 0.3, 1.0, 0.5, 0.5, 0.0, ability_sd)
    assert (counts[:, [2, 5, 6, 7, 8]] == 0).all()


@pytest.mark.parametrize("ability_sd", [0.0, 1.5])
def test_more_bias_turns_verdicts_toward_the_first_position_alone(ability_sd: float) -> None:
    """The draws are shared: no verdict moves away from the first position."""
    before = replay(3, 0, 400, 0.2, 2.5, 0.5, 0.1, 0.6, ability_sd)
    after = replay(3, 0, 400, 1.0, 2.5, 0.5, 0.1, 0.6, ability_sd)
    np.testing.assert_array_equal(before[:, :2], after[:, :2])
    assert (after[:, 2:] >= before[:, 2:]).all()
    assert (after[:, 2:] > before[:, 2:]).any()


def test_a_spread_near_zero_turns_no_verdict() -> None:
    """Thresholds and odds say the same of a word: a pair in 2**31 at most is at the edge."""
    one, own = (replay(3, 0, 400, *PARAMETERS[2][:5], ability_sd) for ability_sd in (0.0, 1e-12))
    np.testing.assert_array_equal(one[:, [0, 2, 3]], own[:, [0, 2, 3]])


def test_abilities_of_pairs_have_their_mean_and_spread() -> None:
    """At 4,000 pairs five standard errors of mean and standard deviation: a false alarm in a million seeds."""
    n = 40 if interpreted else 4000
    own = replay(9, 0, n, 0.0, 1.5, 0.5, 0.2, 0.0, 2.0)[:, 1]
    assert own.mean() == pytest.approx(1.5, abs=5 * 2 / np.sqrt(n))
    assert own.std(ddof=1) == pytest.approx(2.0, abs=5 * 2 / np.sqrt(2 * n))


@pytest.mark.parametrize("parameters", [PARAMETERS[2], PARAMETERS[8]])
def test_fewer_pairs_are_the_first_of_more(parameters: tuple[float, ...]) -> None:
    np.testing.assert_array_equal(replay(3, 5, 36, *parameters), replay(3, 5, 100, *parameters)[:36])


def test_a_key_of_64_bits_is_taken_whole() -> None:
    for key in (2**64 - 1, np.uint64(2**63 + 5)):
        found = simulate(key, 0, 2, 30, *PARAMETERS[2])
        assert found.tolist() == [slow.counts(int(key), r, 30, *PARAMETERS[2]) for r in range(2)]


@pytest.mark.parametrize("ability_sd", [0.0, 2.0])
def test_counts_are_pinned(ability_sd: float) -> None:
    assert simulate(1, 0, 3, 60, 1.2, 2.5, 0.5, 0.1, 1.0, ability_sd).tolist() == PINNED[ability_sd]


PINNED = {
    0.0: [[11, 7, 12, 19, 0, 0, 9, 2, 0], [6, 15, 15, 11, 0, 1, 12, 0, 0], [7, 16, 10, 12, 1, 1, 8, 1, 4]],
    2.0: [[10, 13, 10, 13, 0, 0, 12, 1, 1], [8, 17, 14, 13, 0, 0, 7, 0, 1], [9, 13, 11, 12, 1, 1, 8, 2, 3]],
}
