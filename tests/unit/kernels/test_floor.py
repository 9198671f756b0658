"""The floor draws what a simulation draws, and nothing of it is optimised away."""

from __future__ import annotations

import functools
import operator

import numpy as np

from simstudy.kernels import streams
from simstudy.kernels.floor import LANES, philox_floor
from simstudy.kernels.philox import words


def test_checksums_are_those_of_the_words() -> None:
    sums = np.zeros(3, np.uint64)
    philox_floor(7, 5, sums, 4)
    for row, found in enumerate(sums):
        mixed = (words(7, 5 + row, unit, 0, streams.DATA) for unit in range(4))
        assert int(found) == sum(functools.reduce(operator.xor, four) for four in mixed)


def test_replications_do_not_depend_on_where_a_block_begins() -> None:
    whole, end = np.zeros(LANES + 3, np.uint64), np.zeros(3, np.uint64)
    philox_floor(1, 0, whole, 2)
    philox_floor(1, LANES, end, 2)
    np.testing.assert_array_equal(whole[LANES:], end)
