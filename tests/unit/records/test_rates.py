"""Counts and rates: figures of peers, and the exact power of the mid-p binomial test summed over its law."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from simstudy.errors import ParameterError
from simstudy.records.question import Question
from simstudy.records.rates import midp_binomial, one_rate, pairs_of_counts, parse_counts, pooled_power, two_rates


def test_counts_are_read():
    assert parse_counts("29,7,4,20") == (29, 7, 4, 20)
    assert parse_counts("193/358") == ((193, 358),)
    assert parse_counts(" 78/100, 82/100 ") == ((78, 100), (82, 100))


@pytest.mark.parametrize(
    "text", ["", "1,2,3", "1,2,3,-4", "1,2,3,4.5", "1/2,3/4,5/6", "a", "29 7 4 20", "1,2,3,4,5", "5/"]
)
def test_what_is_no_counts_is_refused_with_examples(text):
    with pytest.raises(ParameterError, match="29,7,4,20"):
        parse_counts(text)


def test_four_counts_are_pairs():
    pairs = pairs_of_counts((2, 1, 3, 1))
    assert pairs.n_cases == 7
    np.testing.assert_array_equal(pairs.a, [1, 1, 1, 0, 0, 0, 0])
    np.testing.assert_array_equal(pairs.b, [1, 1, 0, 1, 1, 1, 0])
    with pytest.raises(ParameterError, match="no case"):
        pairs_of_counts((0, 0, 0, 0))


def both_sides(right, n, bound):
    """Return the mid-p value from the whole law, summed."""
    law = stats.binom.pmf(np.arange(n + 1), n, bound)
    lower, upper = law[:right].sum() + law[right] / 2, law[right + 1 :].sum() + law[right] / 2
    return min(1.0, 2 * min(lower, upper))


@pytest.mark.parametrize(("right", "n", "bound"), [(193, 358, 0.5), (0, 10, 0.3), (10, 10, 0.9), (7, 20, 0.35)])
def test_midp_of_a_rate_is_summed_over_the_law(right, n, bound):
    assert midp_binomial(right, n, bound) == pytest.approx(both_sides(right, n, bound), rel=1e-9)


def test_one_rate_and_what_so_many_cases_see():
    record, seen = one_rate(193, 358, 0.5, Question())
    assert record["mean_a"] == 193 / 358
    assert record["p_binomial_exact"] == pytest.approx(stats.binomtest(193, 358, 0.5).pvalue)
    reject = np.array([both_sides(x, 358, 0.5) <= 0.05 for x in range(359)])
    law = stats.binom.pmf(np.arange(359), 358, 0.55)
    assert seen[0].power == pytest.approx(law[reject].sum(), rel=1e-9)
    at = stats.binom.pmf(np.arange(359), 358, 0.5 + record["mde_positive"])
    assert at[reject].sum() == pytest.approx(0.8, abs=1e-9)
    n = int(seen[1].cases)
    for more in range(n, n + 40):
        reject = np.array([both_sides(x, more, 0.5) <= 0.05 for x in range(more + 1)])
        assert stats.binom.pmf(np.arange(more + 1), more, 0.6)[reject].sum() >= 0.8
    reject = np.array([both_sides(x, n - 1, 0.5) <= 0.05 for x in range(n)])
    assert stats.binom.pmf(np.arange(n), n - 1, 0.6)[reject].sum() < 0.8


def test_a_rate_without_a_bound_has_an_interval_alone():
    record, seen = one_rate(30, 40, None, Question())
    expected = stats.binomtest(30, 40).proportion_ci(0.95, method="wilson")
    assert (record["low"], record["high"]) == pytest.approx(tuple(expected))
    assert seen == ()


def test_two_rates_are_the_pooled_z_test():
    record, seen = two_rates((78, 100), (82, 120), ("A", "B"), Question())
    assert record["p_value"] == pytest.approx(proportions_ztest([78, 82], [100, 120])[1], rel=1e-9)
    assert record["difference"] == pytest.approx(82 / 120 - 0.78)
    # 20,000 simulated sets: four standard errors (false alarm 6e-5, seed fixed), and .01 for the normal law
    generator = np.random.default_rng(1)
    a, b = generator.binomial(100, 0.78, 20_000), generator.binomial(120, 0.88, 20_000)
    pooled = (a + b) / 220
    z = (b / 120 - a / 100) / np.sqrt(pooled * (1 - pooled) * (1 / 100 + 1 / 120))
    assert seen[1].power == pytest.approx(np.mean(np.abs(z) >= 1.959964), abs=0.014 + 0.01)
    assert seen[1].power == pooled_power(0.78, 0.88, 100, 120, 0.05)


@pytest.mark.parametrize(("right", "n"), [(3, 0), (5, 4)])
def test_rates_that_are_none_are_refused(right, n):
    with pytest.raises(ParameterError, match=f"counts is {right}/{n}"):
        one_rate(right, n, None, Question())
    with pytest.raises(ParameterError, match="against is 1"):
        one_rate(3, 4, 1.0, Question())


def test_a_difference_that_leaves_no_room_is_undefined():
    record, seen = two_rates((10, 10), (9, 10), ("A", "B"), Question(differences=(0.3,)))
    assert seen[0].difference == -0.3
    assert math.isnan(record["mde_positive"])
