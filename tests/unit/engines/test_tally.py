"""Histograms of replications."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from simstudy.engines.tally import merge, shared_rows, tally
from simstudy.scenarios.declaration import UNDEFINED

ROWS = hnp.arrays(np.int64, st.tuples(st.integers(1, 40), st.integers(1, 4)), elements=st.integers(-3, 3))


@given(ROWS)
def test_a_tally_is_numpys_unique(rows):
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    found = tally(rows)
    assert (found.rows == distinct).all()
    assert (found.counts == counts).all()
    assert found.replications == len(rows)


@given(ROWS, st.integers(1, 5), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_merging_parts_in_any_order_is_the_tally_of_the_whole(rows, parts, random):
    pieces = [tally(part) for part in np.array_split(rows, parts) if len(part)]
    random.shuffle(pieces)
    merged, whole = merge(pieces), tally(rows)
    assert (merged.rows == whole.rows).all()
    assert (merged.counts == whole.counts).all()


@given(ROWS, st.integers(0, 3))
def test_rows_of_real_numbers_too(rows, parts):
    """Far apart, with ties in the first column and without."""
    wide = rows * (2**61 // 4) + np.arange(rows.shape[1])
    distinct, counts = np.unique(wide, axis=0, return_counts=True)
    found = merge([tally(part) for part in np.array_split(wide, parts + 1) if len(part)])
    assert (found.rows == distinct).all()
    assert (found.counts == counts).all()


def test_numbers_too_far_apart_to_be_packed():
    rows = np.array([[2**61, 0, -(2**61)], [0, 5, 7], [2**61, 0, -(2**61)]])
    found = tally(rows)
    assert found.rows.tolist() == [[0, 5, 7], [2**61, 0, -(2**61)]]
    assert found.counts.tolist() == [1, 2]
    assert merge([found, found]).counts.tolist() == [2, 4]


@pytest.mark.parametrize("scale", [1, 2**40])
def test_given_counts_are_summed(scale):
    found = tally(np.array([[1, scale], [0, 0], [1, scale]]), np.array([3, 1, 4]))
    assert found.rows.tolist() == [[0, 0], [1, scale]]
    assert found.counts.tolist() == [1, 7]


def test_undefined_real_numbers_are_kept_apart():
    """Undefined is the smallest integer: the span of its column overflows one."""
    rows = np.array([[UNDEFINED, 2**50], [3, UNDEFINED], [UNDEFINED, 2**50], [UNDEFINED, UNDEFINED]], np.int64)
    found = tally(rows)
    assert found.rows.tolist() == [[UNDEFINED, UNDEFINED], [UNDEFINED, 2**50], [3, UNDEFINED]]
    assert found.counts.tolist() == [1, 2, 1]


@given(st.lists(ROWS.filter(len), min_size=1, max_size=4), st.sampled_from([1, 10**6]))
@settings(max_examples=50)
def test_the_rows_of_several_arrays_are_found_again_among_all(parts, step):
    parts = [step * part[:, :1] for part in parts]
    rows, places = shared_rows(parts)
    assert len(places) == len(parts)
    for part, place in zip(parts, places, strict=True):
        assert (rows[place] == part).all()
    if step == 1:
        assert (rows == np.unique(np.concatenate(parts), axis=0)).all()


@pytest.mark.parametrize("bits", [30, 31, 32, 33])
def test_rows_on_both_sides_of_what_one_number_holds(bits):
    """Two columns of so many bits span up to 2⁶⁶ rows."""
    end = 2**bits - 1
    rows = np.array([[end, end], [0, 0], [end, 0], [0, end], [end, end]])
    found = tally(rows)
    assert found.rows.tolist() == [[0, 0], [0, end], [end, 0], [end, end]]
    assert found.counts.tolist() == [1, 1, 1, 2]
