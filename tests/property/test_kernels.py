"""What holds for every kernel at any seed, address and parameters."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from simstudy.kernels import flip_levels, philox
from simstudy.scenarios.clustered import kernel as clustered
from simstudy.scenarios.independent import kernel as independent
from simstudy.scenarios.paired import kernel as paired
from simstudy.scenarios.proportion import kernel as proportion
from tests.oracle import clustered_slow as slow
from tests.oracle.kernels import words

Rows = NDArray[np.float64]
Counts = NDArray[np.int64]

seeds = st.integers(0, 2**64 - 1)
indices = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 60)
logits = st.floats(-12, 12)
spreads = st.sampled_from([0.0, 0.3, 1.5, 3.0, 12.0])
accuracies = st.floats(0, 1)

# the first examples compile kernels
quickly = settings(deadline=None, max_examples=40)

ALPHAS = np.array([0.05])


def clustered_simulate(key: int, first: int, out: Counts, n: int, *effects: float) -> None:
    clustered.simulate(key, first, out, n, 3, 2, *effects, ALPHAS, 0)


def clustered_cases(key: int, replication: int, out: Rows, n: int, *effects: float) -> None:
    clustered.cases(key, replication, out, n, 3, 2, *effects)


def independent_simulate(key: int, first: int, out: Counts, n: int, *accuracies: float) -> None:
    independent.simulate(key, first, out, n, n, *accuracies)


def independent_cases(key: int, replication: int, out: Rows, n: int, *accuracies: float) -> None:
    independent.cases(key, replication, out, n, n, *accuracies)


KERNELS = {
    "paired": (paired.simulate, paired.cases, (logits, logits, spreads), 3, 3, 1),
    "independent": (independent_simulate, independent_cases, (accuracies, accuracies), 2, 2, 1),
    "proportion": (proportion.simulate, proportion.cases, (accuracies,), 1, 1, 1),
    "clustered": (clustered_simulate, clustered_cases, (logits, logits, *(spreads,) * 4), 6, 7, 6),
}
every_kernel = pytest.mark.parametrize("name", KERNELS)


def run(simulate: Callable[..., None], width: int, key: int, first: int, count: int, *rest: float) -> Counts:
    out = np.full((count, width), -1, np.int64)
    simulate(key, first, out, *rest)
    return out


@every_kernel
@quickly
@given(data=st.data())
def test_more_units_change_none_that_are_there(name: str, data: st.DataObject) -> None:
    _, cases, parameters, _, width, rows_per_unit = KERNELS[name]
    key, replication, few, more = (data.draw(s) for s in (seeds, indices, sizes, sizes))
    drawn = data.draw(st.tuples(*parameters))
    small = np.empty((few * rows_per_unit, width))
    large = np.empty(((few + more) * rows_per_unit, width))
    cases(key, replication, small, few, *drawn)
    cases(key, replication, large, few + more, *drawn)
    np.testing.assert_array_equal(small, large[: len(small)])


@every_kernel
@quickly
@given(data=st.data())
def test_blocks_of_replications_in_any_order_give_the_same_rows(name: str, data: st.DataObject) -> None:
    simulate, _, parameters, width, _, _ = KERNELS[name]
    key, first, n_units = (data.draw(s) for s in (seeds, indices, st.integers(1, 12)))
    drawn = data.draw(st.tuples(*parameters))
    cuts = sorted(data.draw(st.lists(st.integers(1, 599), max_size=4, unique=True)))
    whole = run(simulate, width, key, first, 600, n_units, *drawn)
    for start, stop in zip([0, *cuts], [*cuts, 600], strict=True):
        block = run(simulate, width, key, first + start, stop - start, n_units, *drawn)
        np.testing.assert_array_equal(block, whole[start:stop])


@every_kernel
def test_threads_give_the_same_rows(name: str) -> None:
    simulate, _, parameters, width, _, _ = KERNELS[name]
    values = [0.6] * len(parameters)
    whole = run(simulate, width, 8, 0, 2_000, 20, *values)
    shared = np.full_like(whole, -1)
    blocks = [slice(start, start + 250) for start in range(0, 2_000, 250)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda block: simulate(8, block.start, shared[block], 20, *values), reversed(blocks)))
    np.testing.assert_array_equal(shared, whole)


@quickly
@given(seeds, indices, sizes, logits, logits, spreads)
def test_paired_counts_are_those_of_the_replayed_cases(
    key: int, replication: int, n_cases: int, logit_a: float, logit_b: float, difficulty_sd: float
) -> None:
    counts = run(paired.simulate, 3, key, replication, 1, n_cases, logit_a, logit_b, difficulty_sd)[0]
    rows = np.empty((n_cases, 3))
    paired.cases(key, replication, rows, n_cases, logit_a, logit_b, difficulty_sd)
    right_a, right_b = rows[:, 1] == 1, rows[:, 2] == 1
    assert counts.tolist() == [sum(right_a & ~right_b), sum(right_b & ~right_a), sum(right_a & right_b)]


@quickly
@given(seeds, indices, logits, st.floats(0, 5), spreads)
def test_a_better_system_loses_no_case(
    key: int, replication: int, logit: float, gain: float, difficulty_sd: float
) -> None:
    """Design points share their draws: right answers at a logit stay right at a higher one."""
    before, after = np.empty((50, 3)), np.empty((50, 3))
    paired.cases(key, replication, before, 50, logit, logit, difficulty_sd)
    paired.cases(key, replication, after, 50, logit + gain, logit, difficulty_sd)
    assert np.all(after[:, 1] >= before[:, 1])
    np.testing.assert_array_equal(after[:, [0, 2]], before[:, [0, 2]])


@quickly
@given(seeds, indices, indices, indices, indices)
def test_words_are_those_of_the_twin(key: int, replication: int, unit: int, draw: int, stream: int) -> None:
    assert philox.words(key, replication, unit, draw, stream) == words(key, replication, unit, draw, stream)


@quickly
@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=9),
    st.lists(st.floats(0.001, 1.0), min_size=1, max_size=4, unique=True).map(sorted),
)
def test_flipping_every_sum_swaps_the_alternatives(sums: list[int], alphas: list[float]) -> None:
    def level(values: list[int], alternative: int) -> int:
        now, then = np.empty(60), np.empty(60)
        return int(flip_levels.flip_level(np.array(values), np.array(alphas), alternative, now, then))

    mirrored = [-s for s in sums]
    assert level(sums, 0) == level(mirrored, 0) == slow.level_of(slow.flip_p_value(sums, 0), alphas)
    assert level(sums, 1) == level(mirrored, 2) == slow.level_of(slow.flip_p_value(sums, 1), alphas)
    assert slow.flip_p_value(sums, 1) + slow.flip_p_value(sums, 2) > Fraction(1)
