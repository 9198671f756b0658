"""Planning of t tests against the peer's noncentral t, and against what it is solved for."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from simstudy.records.mean_plans import cases_for_mean, cases_with_doubt, expected_power, smallest_mean, t_power


@pytest.mark.parametrize(("difference", "sd", "n"), [(0.3, 1.0, 40), (0.05, 0.4, 500), (2.0, 1.0, 3), (-0.3, 1.0, 40)])
def test_power_is_that_of_a_peer(difference, sd, n):
    expected = TTestPower().power(abs(difference) / sd, n, 0.05)
    assert t_power(difference, sd, n, 0.05) == pytest.approx(expected, abs=1e-10)


def test_the_smallest_difference_has_the_power_and_a_hair_less_has_not():
    found = smallest_mean(1.3, 40, 0.05, 0.8)
    assert TTestPower().power(found / 1.3, 40, 0.05) == pytest.approx(0.8, abs=1e-9)
    assert t_power(found * (1 - 1e-6), 1.3, 40, 0.05) < 0.8


def test_cases_are_the_fewest():
    n = cases_for_mean(0.5, 1.0, 0.05, 0.8)
    assert TTestPower().power(0.5, n, 0.05) >= 0.8 > TTestPower().power(0.5, n - 1, 0.05)
    assert n == 34


def test_doubt_about_the_spread_goes_by_its_quantiles():
    low, median, high = cases_with_doubt(0.5, 1.0, 20, 0.05, 0.8)
    draws = np.sqrt(20 / stats.chi2.rvs(20, size=4000, random_state=1))
    # order statistics of 4,000 draws: within 1.5 percent of the rank with probability .94 and more, seed fixed
    ranks = [
        cases_for_mean(0.5, float(np.quantile(draws, q)), 0.05, 0.8) for q in (0.485, 0.515, 0.94, 0.96, 0.04, 0.06)
    ]
    assert ranks[0] <= median <= ranks[1]
    assert ranks[2] <= high <= ranks[3]
    assert ranks[4] <= low <= ranks[5]


def test_what_cannot_be_planned_is_undefined():
    assert math.isnan(t_power(0.1, 1.0, 1, 0.05))
    assert math.isnan(t_power(0.1, 0.0, 10, 0.05))
    assert math.isnan(smallest_mean(math.nan, 10, 0.05, 0.8))
    assert math.isnan(cases_for_mean(0.0, 1.0, 0.05, 0.8))
    assert math.isinf(cases_for_mean(1e-9, 1.0, 0.05, 0.8))


def test_power_expected_is_the_mean_over_possible_spreads():
    chance = np.linspace(0, 1, 4002)[1:-1]
    sds = np.sqrt(7 / stats.chi2.ppf(chance, 7))
    mean = np.mean([TTestPower().power(0.5 / sd, 24, 0.05) for sd in sds])
    # the mean over 200 equally likely spreads against that over 4,000
    assert expected_power(0.5, 1.0, 7, 24, 0.05) == pytest.approx(mean, abs=2e-4)
    assert math.isnan(expected_power(0.5, 1.0, 0, 24, 0.05))


def test_other_degrees_of_freedom_than_those_of_the_units():
    edge = stats.t.isf(0.025, 4.5)
    expected = stats.nct.sf(edge, 4.5, 3.0) + stats.nct.cdf(-edge, 4.5, 3.0)
    assert t_power(0.3, 1.0, 100, 0.05, df=4.5) == pytest.approx(expected, abs=1e-10)
