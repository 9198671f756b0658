"""Krippendorff's alpha against all pairs of ratings."""

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError, UnknownNameError
from tests.oracle import agreement_slow as slow

# both routes carry some 1e-15; the standard error is a square root of a sum of a few such terms
ROUNDING = 1e-12

NOBODY = None

RATINGS = [
    [1, 1, NOBODY, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, NOBODY, 3, 1],
    [NOBODY, 2, NOBODY, NOBODY],
    [4, 4, 1, 4],
]


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_is_that_of_all_pairs(metric):
    expected = slow.krippendorff(RATINGS, metric)
    assert stats.krippendorff_alpha(np.array(RATINGS, float), metric) == pytest.approx(expected, abs=ROUNDING)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_of_ratings_without_ties(metric):
    """Each rating a value of its own: tables of units by values, or of pairs of values, would be too large."""
    ratings = np.random.default_rng(5).normal(size=(20, 3)) + np.arange(20.0)[:, None]
    expected = slow.krippendorff(ratings.tolist(), metric)
    assert stats.krippendorff_alpha(ratings, metric) == pytest.approx(expected, abs=ROUNDING)
    many = np.random.default_rng(5).normal(size=(50_000, 2))
    # of independent ratings 0 on average, with a standard deviation of 1/√50000 (no nominal ones agree at all)
    assert abs(stats.krippendorff_alpha(many, metric)) < 6 / np.sqrt(50_000)


def test_alpha_where_nothing_can_be_said():
    assert np.isnan(stats.krippendorff_alpha([[1, np.nan], [np.nan, 2]]))
    assert np.isnan(stats.krippendorff_alpha([[1, 1], [1, 1]]))
    assert stats.krippendorff_alpha([[1, 1], [2, 2]]) == 1
    with pytest.raises(ParameterError, match="units in rows and raters in columns"):
        stats.krippendorff_alpha([1, 2, 3])
    with pytest.raises(UnknownNameError, match="no metric 'ratio'"):
        stats.krippendorff_alpha([[1, 1]], "ratio")
