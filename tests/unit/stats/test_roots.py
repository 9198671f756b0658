"""Roots of many functions at once."""

from __future__ import annotations

import numpy as np
import pytest

from simstudy.stats._roots import CHUNK, bracketed_roots

TOLERANCE = 1e-12


def test_each_function_has_its_own_root():
    """x³ = c, with a flat root, tiny ones, and ones far from the middle."""
    cubes = np.array([0.0, 1e-6, 0.125, 8.0, 27.0, -64.0])
    roots = bracketed_roots(lambda x, rows: x**3 - cubes[rows], np.full(6, -5.0), np.full(6, 4.0), TOLERANCE)
    # within a bracket of that width; at the flat root of x³ = 0 too
    np.testing.assert_allclose(roots, np.cbrt(cubes), rtol=0, atol=TOLERANCE)


def test_a_jump_is_a_root():
    roots = bracketed_roots(lambda x, rows: np.where(x > 0.3, 1.0, -1.0), np.zeros(1), np.ones(1), TOLERANCE)
    np.testing.assert_allclose(roots, [0.3], rtol=0, atol=TOLERANCE)


def test_rows_are_those_that_are_left():
    """A root that is found early is asked for no more."""
    asked = []

    def function(x, rows):
        asked.append(len(rows))
        return x - np.array([0.5, 1 / 3])[rows] ** (1 + 2 * rows)

    bracketed_roots(function, np.zeros(2), np.ones(2), TOLERANCE)
    assert asked[:3] == [2, 2, 2]
    assert asked[-1] == 1


def test_signs_that_agree_give_the_end_nearer_to_0():
    """Rounding leaves such brackets where a root is an end: they were searched for ever."""
    roots = bracketed_roots(lambda x, rows: 7.0 - 50.0 * x + 1e-15, np.full(1, -1.0), np.full(1, 0.14), TOLERANCE)
    assert roots.tolist() == [0.14]
    flat = bracketed_roots(lambda x, rows: np.ones_like(x), np.zeros(3), np.ones(3), TOLERANCE)
    assert flat.tolist() == [1.0, 1.0, 1.0]
    lost = bracketed_roots(lambda x, rows: np.full_like(x, np.nan), np.zeros(2), np.ones(2), TOLERANCE)
    assert lost.shape == (2,)


@pytest.mark.parametrize("tolerance", [0.0, 1e-300, 1e-13])
def test_every_search_ends(tolerance):
    """A step, a root of a high order, and one at the smallest numbers, also where no bracket is narrow enough."""
    calls = []

    def function(x, rows):
        calls.append(rows.size)
        return np.where(rows == 0, np.where(x > 0.3, 1.0, -1.0), np.where(rows == 1, (x - 0.5) ** 9, x - 1e-308))

    roots = bracketed_roots(function, np.full(3, -1.0), np.ones(3), tolerance)
    np.testing.assert_allclose(roots, [0.3, 0.5, 0.0], rtol=0, atol=0.02)
    # 60 free steps, then halvings: 45 for the last tolerance, as many as there are floats for the others
    assert len(calls) < (130 if tolerance == 1e-13 else 1300)


def test_columns_follow_their_rows_and_pieces_do_not_show():
    """More functions than are followed at once, told apart by a column; each root as it is alone."""
    cubes = np.random.default_rng(1).normal(size=CHUNK + 100)
    found = bracketed_roots(
        lambda x, _, c: x**3 - c, np.full(cubes.shape, -2.0), np.full(cubes.shape, 2.0), 1e-12, cubes
    )
    np.testing.assert_allclose(found, np.cbrt(cubes), rtol=0, atol=1e-12)
    for i in (0, CHUNK - 1, CHUNK, cubes.size - 1):
        alone = bracketed_roots(lambda x, _, c: x**3 - c, np.full(1, -2.0), np.full(1, 2.0), 1e-12, cubes[[i]])
        assert alone[0] == found[i]
