"""Cases needed at one truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from simstudy.records.planning import Plan, power_at
from simstudy.records.sizes import exact_size, normal_power, normal_size, size_answer

PLAN = Plan()


def test_size_answers() -> None:
    # Discordance and difference of the scenario's published row: about 461 cases by mid-p.
    assert size_answer(0.05, (0.7, 0.15), PLAN) == pytest.approx(461, abs=3)
    # no room for B, no difference, beyond the range, one system always right and one never
    none = ((0.2, (0.9, 0.2)), (0.0, (0.9, 0.2)), (0.0001, (0.5, 0.4)), (1.0, (0.0, 1.0)), (-1.0, (1.0, 1.0)))
    assert np.isnan([size_answer(*asked, PLAN) for asked in none]).all()
    large = size_answer(0.01, (0.5, 0.4), PLAN)
    assert large == pytest.approx(float(normal_size(np.float64(0.4), np.float64(0.01), PLAN)), rel=0.01)


def large_power(n: int, psi: float, difference: float) -> float:
    """Power of the mid-p test, total by total, where every table would be too many."""
    spread = 10 * math.sqrt(n * psi * (1 - psi))  # leaves out less than 1e-22
    totals = np.arange(int(n * psi - spread), int(n * psi + spread))
    weights = stats.binom.pmf(totals, n, psi)
    start = np.asarray(stats.binom.ppf(PLAN.alpha / 2, totals, 0.5))
    # The largest smaller count that rejects is next to the quantile: mid-p halves a single probability.
    tried = start[:, None] + np.arange(-2, 3)
    middle = totals[:, None]
    midp = 2 * stats.binom.cdf(tried, middle, 0.5) - stats.binom.pmf(tried, middle, 0.5)
    edge = np.where(midp <= PLAN.alpha, tried, -1).max(axis=1)
    share = (1 + difference / psi) / 2
    rejected = stats.binom.cdf(edge, totals, share) + stats.binom.cdf(edge, totals, 1 - share)
    return float(np.sum(weights * rejected))


def test_sizes_above_twenty_thousand_are_solved_to_the_case() -> None:
    n = size_answer(0.009, (0.5, 0.4), PLAN)
    assert n == 38_757
    # No tooth reaches the target before and none loses it after: every size of a window around n is looked at.
    around = np.arange(38_757 - 60, 38_757 + 60)
    reached = power_at(around, 0.4, 0.009, PLAN) >= PLAN.target
    assert np.array_equal(reached, around >= n)
    assert large_power(38_756, 0.4, 0.009) < PLAN.target <= large_power(38_757, 0.4, 0.009)


def test_an_answer_beyond_the_range_of_the_draws_is_still_found() -> None:
    n = size_answer(0.0055, (0.5, 0.4), PLAN)
    assert float(power_at(n, 0.4, 0.0055, PLAN)) >= PLAN.target > float(power_at(n - 1, 0.4, 0.0055, PLAN))


def test_exact_size_brackets_the_target_from_any_guess() -> None:
    for guess in (5.0, 60.0, 900.0):
        n = int(exact_size(0.4, 0.25, guess, PLAN))
        assert float(power_at(n, 0.4, 0.25, PLAN)) >= 0.8 > float(power_at(n - 1, 0.4, 0.25, PLAN))
    assert math.isinf(exact_size(0.4, 0.0001, 1e9, PLAN))
    assert math.isinf(exact_size(0.05, 0.00195, 105_000.0, PLAN))


def test_normal_power_is_close_where_counts_are_large() -> None:
    psi, difference = np.array([0.3]), np.array([0.05])
    exact = float(power_at(1000, 0.3, 0.05, PLAN))
    assert float(normal_power(1000, psi, difference, 0.05)[0]) == pytest.approx(exact, abs=0.01)
