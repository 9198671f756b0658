"""Cells that came up, and where their likelihood has a maximum, by hand and by a linear program."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.kernels import interval_cells
from simstudy.kernels.interval_likelihood import ROWS
from tests.oracle import verbosity_slow as slow


def filled(words: NDArray[np.int64], scores: NDArray[np.int64]) -> tuple[NDArray[np.float64], int]:
    """Every case has lengths of its own."""
    counts = np.zeros((*words.shape, interval_cells.SCORES), np.int64)
    np.put_along_axis(counts, scores[..., None] - 1, 1, axis=2)
    cells = np.full((ROWS, counts.size), np.nan)
    return cells, interval_cells.fill_cells(cells, counts, np.log2(words / 10))


def test_cells_are_what_came_up() -> None:
    counts = np.zeros((1, 2, interval_cells.SCORES), np.int64)
    counts[0, 0, 0], counts[0, 1, 2], counts[0, 1, 4] = 3, 2, 1
    cells = np.full((ROWS, counts.size), np.nan)
    assert interval_cells.fill_cells(cells, counts, np.array([[0.0, 1.5]])) == 3
    # x, limits, whether there are limits, how often
    assert cells[:6, :3].T.tolist() == [
        [0.0, 0.5, 1.5, 0, 1, 3],
        [1.5, 2.5, 3.5, 1, 1, 2],
        [1.5, 4.5, 5.5, 1, 0, 1],
    ]


@pytest.mark.parametrize(
    ("scores", "known"),
    [
        ([[3, 3, 3]], False),  # equal scores: sigma shrinks to 0
        ([[2, 3, 3]], False),  # two neighbours
        ([[1, 5, 1], [5, 1, 5]], False),  # no inner score
        ([[1, 3, 5], [1, 2, 5]], False),  # inner scores at one length, the line may turn about it
        ([[2, 3, 4], [3, 4, 5]], False),  # a single line passes through all limits
        ([[1, 3, 5], [5, 2, 5]], True),  # one 5 holds that line back
        ([[2, 3, 3], [3, 4, 2]], True),
    ],
)
def test_maxima_by_hand(scores: list[list[int]], known: bool) -> None:
    words = np.array([[10, 20, 40]] * len(scores))
    assert interval_cells.has_maximum(*filled(words, np.array(scores))) == known
    assert slow.has_maximum(words, np.array(scores)) == known


def test_maxima_are_those_of_a_linear_program() -> None:
    rng = np.random.default_rng(4)
    drawn = [
        (rng.choice([5, 10, 20, 40], (n := rng.integers(1, 4), 3)), rng.integers(1, 6, (n, 3))) for _ in range(150)
    ]
    expected = slow.have_maximum(drawn)
    assert [interval_cells.has_maximum(*filled(*sample)) for sample in drawn] == list(expected)
    assert 0.1 < np.mean(expected) < 0.9
