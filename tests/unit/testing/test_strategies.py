"""The public strategies and checks, and that the checks fail on wrong statistics."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from simstudy import testing
from simstudy.errors import ParameterError


@given(testing.paired_counts(max_cases=40, min_cases=3, min_discordant=2))
@settings(max_examples=100)
def test_paired_counts_keep_their_bounds(table):
    n10, n01, n11, n00 = table
    assert min(table) >= 0
    assert 3 <= n10 + n01 + n11 + n00 <= 40
    assert n10 + n01 >= 2


def test_paired_counts_reach_the_corners():
    seen = set()

    @given(testing.paired_counts(max_cases=2))
    @settings(max_examples=300, database=None, derandomize=True)
    def collect(table):
        seen.add(table)

    collect()
    assert {(0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (2, 0, 0, 0), (0, 2, 0, 0)} <= seen


@given(testing.paired_outcomes(max_cases=12, min_cases=2))
@settings(max_examples=50)
def test_paired_outcomes_are_zeros_and_ones(outcomes):
    a, b = outcomes
    assert a.shape == b.shape
    assert 2 <= len(a) <= 12
    assert set(a) | set(b) <= {0, 1}


@given(testing.cluster_sums(max_clusters=8, max_size=5))
@settings(max_examples=50)
def test_cluster_sums_fit_their_clusters(drawn):
    sums, sizes = drawn
    assert 2 <= len(sums) == len(sizes) <= 8
    assert (np.abs(sums) <= sizes).all()
    assert sizes.min() >= 1
    assert sizes.max() <= 5


@given(testing.proportion_counts(), testing.accuracies(), testing.levels())
@settings(max_examples=50)
def test_counts_accuracies_and_levels(counts, accuracy, level):
    x, n = counts
    assert 0 <= x <= n <= 500
    assert 0.01 <= accuracy <= 0.99
    assert 0.5 <= level <= 0.999


@given(testing.cells(smallest=0.05))
@settings(max_examples=50)
def test_cells_are_probabilities(cells):
    assert min(cells) >= 0.05 - 1e-15
    assert math.isclose(sum(cells), 1, abs_tol=1e-12)


@pytest.mark.parametrize("bad", [{"max_cases": 3, "min_discordant": 4}, {"min_cases": -1}])
def test_impossible_tables_are_refused(bad):
    with pytest.raises(ParameterError, match="max_cases must be at least"):
        testing.paired_counts(**bad)


def test_cells_that_cannot_be_so_large_are_refused():
    with pytest.raises(ParameterError, match=r"0\.25"):
        testing.cells(smallest=0.3)
