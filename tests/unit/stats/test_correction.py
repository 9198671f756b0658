"""Corrections for a judge's errors: by hand, against slow twins, at the edges, and refused input."""

import math

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError


def test_rogan_gladen_by_hand():
    # 40% accepted, Se 9/10, Sp 7/10: (.4 + .7 - 1)/(.9 + .7 - 1) = 1/6
    assert stats.rogan_gladen(400, 1000, 180, 200, 140, 200) == pytest.approx(1 / 6)
    # a judge without errors changes nothing
    assert stats.rogan_gladen(30, 100, 10, 10, 10, 10) == pytest.approx(0.3)


def test_rogan_gladen_is_cut():
    assert stats.rogan_gladen(10, 100, 9, 10, 8, 10) == 0
    assert stats.rogan_gladen(95, 100, 9, 10, 9, 10) == 1
    low, high = stats.rogan_gladen_interval(10, 100, 9, 10, 8, 10)
    assert low == 0
    assert 0 < high < 1


@pytest.mark.parametrize(
    "given",
    [
        (40, 100, 5, 10, 5, 10),
        (40, 100, 2, 10, 5, 10),
        (40, 100, 0, 0, 5, 10),
        (40, 100, 9, 10, 0, 0),
        (0, 0, 9, 10, 9, 10),
    ],
)
def test_rogan_gladen_is_undefined_for_a_judge_no_better_than_chance_and_without_labels(given):
    assert math.isnan(stats.rogan_gladen(*given))
    assert np.isnan(stats.rogan_gladen_interval(*given)).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((11, 10, 9, 10, 8, 10), "accepted must not exceed judged; 11 of 10"),
        ((5, 10, 11, 10, 8, 10), "right_accepted must not exceed right"),
        ((5, 10, 9, 10, 12, 10), "wrong_rejected must not exceed wrong"),
        ((5.5, 10, 9, 10, 8, 10), "accepted must hold whole numbers"),
        ((-1, 10, 9, 10, 8, 10), "accepted must not be negative"),
    ],
)
def test_rogan_gladen_refuses_impossible_counts(given, words):
    with pytest.raises(ParameterError, match=words):
        stats.rogan_gladen(*given)
    with pytest.raises(ParameterError, match=words):
        stats.rogan_gladen_interval(*given)
    with pytest.raises(ParameterError, match="confidence level"):
        stats.rogan_gladen_interval(5, 10, 9, 10, 8, 10, level=1)


def test_a_judge_exactly_at_chance_is_not_corrected():
    """Se 1/10 and Sp 9/10: their sum is 1, and a label more of each kind would make it .99."""
    assert math.isnan(stats.rogan_gladen(40, 100, 1, 10, 90, 100))
    assert np.isnan(stats.rogan_gladen_interval(40, 100, 1, 10, 90, 100)).all()
    # above it, the estimate is there; the interval needs the labels that the method adds to say so too
    assert stats.rogan_gladen(40, 100, 2, 10, 90, 100) == 1
    for level in (0.5, 0.95, 0.999):
        low, high = stats.rogan_gladen_interval(40, 100, 2, 10, 90, 100, level)
        assert 0 <= low <= high <= 1
