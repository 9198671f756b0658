"""The level of the exact sign-flip test against all flips, listed."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numba
import numpy as np
import pytest

from simstudy.kernels import flip_levels
from tests.oracle import clustered_slow as slow

interpreted = bool(numba.config.DISABLE_JIT)
# among them p-values that small tables have exactly: ties with a level count as rejection
LEVELS = [0.001, 0.01, 0.03125, 0.05, 0.0625, 0.09, 0.125, 0.25, 0.5, 0.75, 1.0]


def level(sums: list[int], alphas: list[float], alternative: int) -> int:
    room = sum(map(abs, sums)) // 2 + 1
    return int(
        flip_levels.flip_level(np.array(sums, np.int64), np.array(alphas), alternative, np.empty(room), np.empty(room))
    )


@pytest.mark.parametrize("alternative", [0, 1, 2])
def test_levels_equal_those_of_all_flips(alternative: int) -> None:
    generator = np.random.default_rng(20240606)
    for _ in range(30 if interpreted else 300):
        sums = generator.integers(-4, 6, generator.integers(1, 11)).tolist()
        p_value = slow.flip_p_value(sums, alternative)
        assert level(sums, LEVELS, alternative) == slow.level_of(p_value, LEVELS)
        for alpha in LEVELS:
            assert level(sums, [alpha], alternative) == int(Fraction(alpha) < p_value)


@pytest.mark.parametrize("sums", [[0], [0, 0, 0]])
def test_no_cluster_that_differs_gives_p_one(sums: list[int]) -> None:
    for alternative in (0, 1, 2):
        assert level(sums, [0.05, 0.999], alternative) == 2
        assert level(sums, [0.05, 1.0], alternative) == 1


def test_by_hand() -> None:
    # five clusters, all toward B: 2 of 32 flips are as extreme, 1 of 32 in its direction
    assert level([1, 2, 1, 3, 1], [0.0624, 0.0625], 0) == 1
    assert level([1, 2, 1, 3, 1], [0.0312, 0.03125], 1) == 1
    assert level([1, 2, 1, 3, 1], [0.05, 0.999, 1.0], 2) == 2


def test_many_clusters_of_one_are_a_binomial_test() -> None:
    """60 clusters of size 1, 39 toward B: two-sided p = 2 P(X <= 21) = .02734 for X ~ Binomial(60, 1/2)."""
    p_value = 2 * sum(Fraction(_choose(60, k), 2**60) for k in range(22))
    below, above = float(p_value) * (1 - 1e-12), float(p_value) * (1 + 1e-12)
    sums = [1] * 39 + [-1] * 21
    assert level(sums, [below, above], 0) == 1
    assert level(sums, [below / 2, above / 2], 1) == 1
    assert round(float(p_value), 5) == 0.02734


def _choose(n: int, k: int) -> int:
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


def test_small_sums_are_never_rare() -> None:
    """P(|sum a_i e_i| >= |a|) >= 1/10, which saves convolutions, on all weights up to 4 of up to 6 signs."""
    smallest = Fraction(1)
    for count in range(1, 4 if interpreted else 7):
        signs = np.array(list(itertools.product((-1, 1), repeat=count)))
        for weights in itertools.combinations_with_replacement(range(1, 5), count):
            large = (signs @ np.array(weights)) ** 2 >= sum(w * w for w in weights)
            smallest = min(smallest, Fraction(int(large.sum()), len(signs)))
    assert smallest >= Fraction(1, 10)
    # the conjectured best constant, 7/32, is reached by six equal weights
    assert smallest == (Fraction(1, 4) if interpreted else Fraction(7, 32))
