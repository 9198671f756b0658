"""Roots of many functions at once."""

from __future__ import annotations

import numpy as np

from simstudy.stats._roots import bracketed_roots

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
