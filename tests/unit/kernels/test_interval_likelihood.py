"""The equations of Newton's step."""

from __future__ import annotations

import math

import numpy as np

from simstudy.kernels import interval_likelihood


def test_three_equations() -> None:
    matrix = np.array([[4.0, 1.0, -2.0], [1.0, 3.0, 0.5], [-2.0, 0.5, 5.0]])
    solution = np.empty(3)
    assert interval_likelihood.solve(matrix, np.array([1.0, -2.0, 3.0]), solution)
    np.testing.assert_allclose(solution, np.linalg.solve(matrix, [1.0, -2.0, 3.0]), rtol=1e-14)
    for singular in (np.ones((3, 3)), np.zeros((3, 3)), -np.eye(3), np.full((3, 3), math.nan)):
        assert not interval_likelihood.solve(singular, np.ones(3), solution)
