"""All sign flips of gaps that are halves or wholes: the law of their sum for many tables at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, grouped

Indices = NDArray[np.intp]


def check_total(total: FloatArray, small: FloatArray, large: FloatArray) -> None:
    """Refuse sums that no gaps of these sizes have: twice the sum, the number of halves and the number of wholes."""
    steps = 0.5 * (total + small) + large
    # without a half only even steps can be taken
    stride = np.where(small > 0, 1.0, 2.0)
    impossible = (steps < 0) | (steps > small + 2.0 * large) | (steps % stride != 0)
    if impossible.any():
        where = tuple(column[impossible].flat[0] for column in (total, small, large))
        raise ParameterError("total2 {:g} cannot come from {:g} halves and {:g} wholes.".format(*where))


def flip_tails(halves: Indices, wholes: Indices, steps: Indices) -> FloatArray:
    """Return the probability of at least so many steps: one law for each number of halves and of wholes."""
    tails = np.empty(steps.shape)
    least = int(wholes.min()) if wholes.size else 0
    law, reached = np.ones(1), 0
    for _ in range(least):
        law = _flipped(law, 2)
    for often, rows in grouped(halves):
        for _ in range(often - reached):
            law = _flipped(law, 1)
        reached = often
        tails[rows] = _with_more_wholes(law, wholes[rows] - least, steps[rows])
    return tails


def _with_more_wholes(law: FloatArray, wholes: Indices, steps: Indices) -> FloatArray:
    """Return the tails where each row has some more wholes than the law."""
    tables = [np.cumsum(law[::-1])[::-1]]
    for _ in range(int(wholes.max())):
        law = _flipped(law, 2)
        tables.append(np.cumsum(law[::-1])[::-1])
    start = np.cumsum([0, *map(len, tables)])
    tails: FloatArray = np.concatenate(tables)[start[wholes] + steps]
    return tails


def _flipped(law: FloatArray, size: int) -> FloatArray:
    """Return the law after one more flip, which takes `size` steps or none."""
    following = np.zeros(law.size + size)
    following[:-size] = 0.5 * law
    following[size:] += 0.5 * law
    return following
