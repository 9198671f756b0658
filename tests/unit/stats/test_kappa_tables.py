"""Cohen's kappa of tables of any size: weights, several tables at once, and what is no table."""

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError, UnknownNameError
from tests.oracle import agreement_slow as slow

# both routes carry some 1e-15; the standard error is a square root of a sum of a few such terms
ROUNDING = 1e-12

EXAMPLE = (60, 5, 15, 20)

ORDINAL = np.array([[20, 5, 1, 0], [3, 15, 6, 1], [0, 4, 10, 2], [1, 0, 3, 9]])

POWERS = {"none": None, "linear": 1, "quadratic": 2}


@pytest.mark.parametrize("weights", POWERS)
@pytest.mark.parametrize("table", [ORDINAL, ORDINAL[:3, :3], np.diag([3, 4, 5]), np.array([[0, 4], [4, 0]])])
def test_weighted_kappa_is_that_of_the_twin(table, weights):
    expected = float(slow.kappa(slow.shares_of(table.tolist()), POWERS[weights]))
    error = slow.standard_error(table.tolist(), POWERS[weights])
    assert stats.cohen_kappa(table, weights) == pytest.approx(expected, abs=ROUNDING)
    assert stats.cohen_kappa_standard_error(table, weights) == pytest.approx(error, abs=ROUNDING)
    limits = stats.cohen_kappa_interval(table, weights, 0.9)
    assert np.isnan(limits).all() == (error == 0)


def test_several_tables_at_once_and_two_categories():
    stack = np.array([[[60, 5], [15, 20]], [[60, 15], [5, 20]], [[0, 0], [0, 0]]])
    # two routes to one number, some roundings each
    np.testing.assert_allclose(stats.cohen_kappa(stack), [stats.kappa(*EXAMPLE)] * 2 + [np.nan], rtol=1e-15)
    np.testing.assert_allclose(stats.cohen_kappa_interval(stack)[0][:1], stats.kappa_wald(*EXAMPLE)[0], rtol=1e-15)
    # with two categories all weights are the same
    assert stats.cohen_kappa(stack[0], "quadratic") == stats.cohen_kappa(stack[0])
    np.testing.assert_allclose(stats.pabak(stack), [0.6, 0.6, np.nan], rtol=1e-15)
    # three categories that agree by chance: p_o = 1/3 gives 0
    assert stats.pabak(np.ones((3, 3))) == pytest.approx(0, abs=1e-15)


def test_counting_pairs_of_ratings():
    table = stats.agreement_table(["good", "bad", "good"], ["good", "good", "bad"], ["bad", "fair", "good"])
    assert table.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 1]]
    assert stats.agreement_table([1, 0, 0], [1, 1, 0]).tolist() == [[1, 1], [0, 1]]
    with pytest.raises(ParameterError, match="The rating good is none of the categories bad, fair"):
        stats.agreement_table(["good"], ["bad"], ["bad", "fair"])
    with pytest.raises(ParameterError, match=r"first has the shape \(2,\) and second \(1,\)"):
        stats.agreement_table([1, 2], [1])


def test_tables_that_are_none_are_refused():
    for wrong in ([1, 2, 3], [[1, 2, 3], [4, 5, 6]], [[4]]):
        with pytest.raises(ParameterError, match="it must be square"):
            stats.cohen_kappa(wrong)
    with pytest.raises(ParameterError, match="table must not be negative; it holds -1"):
        stats.pabak([[1, -1], [0, 3]])
    with pytest.raises(UnknownNameError, match=r"no kind of weights 'quadrat'\. Did you mean quadratic"):
        stats.cohen_kappa(ORDINAL, "quadrat")
    with pytest.raises(ParameterError, match="resamples is 0"):
        stats.kappa_bootstrap(*EXAMPLE, 1, 0)
    with pytest.raises(ParameterError, match="fn must not be negative"):
        stats.kappa(1, -1, 0, 0)


@pytest.mark.parametrize(
    ("first", "second", "categories", "words"),
    [
        ([1, 2], ["1", "2"], None, "both hold words or both hold numbers"),
        ([None, 2], [1, 2], None, "first must be a list of words or of numbers"),
        (np.ma.masked_array([1, 2], [True, False]), [1, 2], None, "first has masked values"),
        ([1, 2], [1, 2], [], "must be a list of one category or more"),
        ([1, 2], [1, 2], 5, "categories must be a list of words or of numbers"),
        ([1, 2], [1, 2], [[1, 2]], "must be a list of one category or more"),
        ([1, 2], [1, 2], ["1", "2"], "categories must be of the kind|none of the categories 1, 2"),
        ([1, 2], [1, 2], np.array(["2024-01-01"], "datetime64[D]"), "categories must be of the kind of the ratings"),
        (range(3000), range(3000), None, "There are 3000 categories; kappa takes at most 2000"),
        ([1.5] * 30, [-1.0] * 30, range(30), r"The rating 1\.5 is none of the categories 0, .*, 19, \.\.\.\."),
    ],
)
def test_ratings_of_no_kind_are_refused(first, second, categories, words):
    with pytest.raises(ParameterError, match=words):
        stats.agreement_table(first, second, categories)
