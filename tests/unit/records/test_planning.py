"""The smallest difference seen, and cases needed at one truth, against enumeration of every table."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

from simstudy.errors import ParameterError, UnknownNameError
from simstudy.records.planning import Plan, admissible_discordance, design_point, power_at, smallest_seen
from simstudy.records.posterior import assurance_curve, needed_for, posterior_cells, posterior_range
from simstudy.records.sizes import exact_size, normal_power, normal_size, size_answer
from simstudy.solve.questions import mde

FALSE_ALARM = 6.0
"""Standard errors; the chance of a false alarm of one two-sided comparison is 2e-9."""


def twins() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "oracle" / "records.py"
    spec = importlib.util.spec_from_file_location("oracle_records", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ORACLE = twins()
PLAN = Plan()


def twin_power(n: int, psi: float, difference: float, plan: Plan) -> float:
    p_value = ORACLE.midp if plan.method == "mcnemar_midp" else ORACLE.exact_p
    return float(ORACLE.power(n, (psi - difference) / 2, (psi + difference) / 2, p_value, plan.alpha))


@pytest.mark.parametrize("method", ["mcnemar_midp", "mcnemar_exact"])
@pytest.mark.parametrize(("n", "psi", "difference"), [(12, 0.4, 0.2), (20, 0.3, -0.3), (25, 0.9, 0.1)])
def test_power_against_every_table(method: str, n: int, psi: float, difference: float) -> None:
    plan = Plan(method=method)
    assert float(power_at(n, psi, difference, plan)) == pytest.approx(twin_power(n, psi, difference, plan), abs=1e-10)


def test_power_broadcasts_and_keeps_the_impossible_undefined() -> None:
    power = power_at([10, 20, 30], [0.3, np.nan, 0.3], 0.1, PLAN)
    assert np.isnan(power).tolist() == [False, True, False]


def test_smallest_difference_is_where_the_power_of_every_table_meets_the_target() -> None:
    for smallest in smallest_seen(24, 0.6, 0.4, PLAN):
        size = abs(smallest.difference)
        psi = max(0.4, size)
        assert smallest.status == "found"
        assert twin_power(24, psi, size, PLAN) == pytest.approx(0.8, abs=1e-6)
        assert smallest.discordance == pytest.approx(psi, abs=1e-12)


def test_it_agrees_with_the_solver_where_the_discordance_may_stay() -> None:
    answer = mde("paired", n_cases=100, accuracy_a=0.6, discordance=0.4, method="mcnemar_midp")
    better, worse = smallest_seen(100, 0.6, 0.4, PLAN)
    assert better.difference == pytest.approx(float(answer["answer"][0]), abs=1e-6)
    assert worse.difference == pytest.approx(-better.difference, abs=1e-6)


def test_no_discordant_case_does_not_mean_that_nothing_was_missed() -> None:
    better, worse = smallest_seen(100, 0.6, 0.0, PLAN)
    # Five one-sided discordant cases reject (mid-p 1/32), so P(Bin(100, d) >= 5) = .8.
    assert float(stats.binom.sf(4, 100, better.difference)) == pytest.approx(0.8, abs=1e-6)
    assert worse.difference == pytest.approx(-better.difference, abs=1e-9)
    assert better.discordance == pytest.approx(better.difference, abs=1e-12)


def test_five_cases_cannot_show_anything_by_the_exact_test() -> None:
    for smallest in smallest_seen(5, 0.5, 0.3, Plan(method="mcnemar_exact")):
        assert smallest.status == "unreachable"
        assert math.isnan(smallest.difference)


def test_no_difference_beyond_what_the_accuracy_leaves() -> None:
    better, worse = smallest_seen(60, 0.95, 0.1, PLAN)
    assert (better.status, better.limit) == ("unreachable", pytest.approx(0.05))
    assert worse.status == "found"
    assert smallest_seen(60, 1.0, 0.0, PLAN)[0].status == "unreachable"


def test_admissible_discordance() -> None:
    assert float(admissible_discordance(0.7, 0.1, 0.3)) == 0.3
    assert float(admissible_discordance(0.7, 0.1, 0.0)) == 0.1
    assert float(admissible_discordance(0.9, 0.05, 0.4)) == pytest.approx(0.15)
    assert np.isnan(admissible_discordance(0.9, 0.2, 0.4))
    assert design_point(0.9, 0.4, 0.2) is None
    assert design_point(1.0, 1.0, -1.0) is None
    assert design_point(0.0, 1.0, 1.0) is None
    point = design_point(1.0, 0.0, -0.05)
    assert point is not None
    assert point == pytest.approx((1.0, 0.05), abs=1e-8)
    assert point[0] < 1


def test_size_answers() -> None:
    # Discordance and difference of the scenario's published row: about 461 cases by mid-p.
    n, first, status = size_answer(0.05, (0.7, 0.15), PLAN)
    assert status == "found"
    assert n == pytest.approx(461, abs=3)
    assert first <= n
    assert size_answer(0.2, (0.9, 0.2), PLAN)[2] == "impossible"
    assert size_answer(0.0, (0.9, 0.2), PLAN)[2] == "unreachable"
    assert size_answer(0.0001, (0.5, 0.4), PLAN)[2] == "outside the range"
    for one_sided in ((1.0, (0.0, 1.0)), (-1.0, (1.0, 1.0))):
        assert size_answer(*one_sided, PLAN)[2] == "impossible"
    large, _, found = size_answer(0.01, (0.5, 0.4), PLAN)
    assert found == "found"
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
    n, first, status = size_answer(0.009, (0.5, 0.4), PLAN)
    assert (n, first, status) == (38_757, 38_757, "found")
    # No tooth reaches the target before and none loses it after: every size of a window around n is looked at.
    around = np.arange(38_757 - 60, 38_757 + 60)
    reached = power_at(around, 0.4, 0.009, PLAN) >= PLAN.target
    assert np.array_equal(reached, around >= n)
    assert large_power(38_756, 0.4, 0.009) < PLAN.target <= large_power(38_757, 0.4, 0.009)


def test_an_answer_beyond_the_range_of_the_draws_is_still_found() -> None:
    n, _, status = size_answer(0.0055, (0.5, 0.4), PLAN)
    assert status == "found"
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


def test_posterior_is_the_dirichlet_of_counts_and_one_half() -> None:
    plan = Plan(draws=20_000)
    cells = posterior_cells((3, 11, 19, 3), plan)
    alpha = np.array([3.5, 11.5, 19.5, 3.5])
    mean = alpha / 38
    sd = np.sqrt(mean * (1 - mean) / 39)
    assert np.all(np.abs(cells.mean(axis=0) - mean) < FALSE_ALARM * sd / math.sqrt(plan.draws))
    assert np.abs(cells.std(axis=0) / sd - 1).max() < 0.05
    assert np.array_equal(cells, posterior_cells((3, 11, 19, 3), plan))
    assert not np.array_equal(cells, posterior_cells((3, 11, 19, 3), Plan(draws=20_000, seed=2)))


def test_posterior_range_against_solving_every_draw() -> None:
    plan = Plan(draws=150)
    cells = posterior_cells((3, 11, 19, 3), plan)
    psi, difference = cells[:, 0] + cells[:, 1], cells[:, 1] - cells[:, 0]
    guesses = normal_size(psi, difference, plan)
    drawn = zip(psi.tolist(), difference.tolist(), guesses.tolist(), strict=True)
    every = [exact_size(p, d, g, plan) for p, d, g in drawn]
    quantiles, low, high = posterior_range(psi, difference, plan)
    truth = np.quantile(every, [0.05, 0.5, 0.95], method="inverted_cdf")
    # The draw at a rank by the approximation is at most a neighbour of the one at its exact rank.
    assert np.asarray(quantiles) == pytest.approx(truth, rel=0.05)
    assert np.all(np.asarray(low) <= np.asarray(quantiles))
    assert np.all(np.asarray(quantiles) <= np.asarray(high))


@pytest.mark.parametrize("method", ["mcnemar_midp", "mcnemar_exact"])
@pytest.mark.parametrize("counts", [(12, 0, 0, 0), (0, 5, 0, 0), (1, 9, 1, 1)])
def test_posterior_range_of_a_handful_of_cases(method: str, counts: tuple[int, int, int, int]) -> None:
    plan = Plan(draws=150, method=method)
    cells = posterior_cells(counts, plan)
    psi, difference = cells[:, 0] + cells[:, 1], cells[:, 1] - cells[:, 0]
    guesses = normal_size(psi, difference, plan)
    drawn = zip(psi.tolist(), difference.tolist(), guesses.tolist(), strict=True)
    truth = np.quantile([exact_size(p, d, g, plan) for p, d, g in drawn], [0.05, 0.5, 0.95], method="inverted_cdf")
    quantiles, low, high = (np.asarray(part) for part in posterior_range(psi, difference, plan))
    # The normal approximation orders such small n to within a case or two.
    assert np.all(np.abs(quantiles - truth) <= np.maximum(2, 0.05 * truth))
    assert np.all((low <= quantiles) & (quantiles <= high))
    assert np.all(np.diff(quantiles) >= 0)


def test_assurance_is_the_mean_power_of_the_draws() -> None:
    plan = Plan(draws=150)
    cells = posterior_cells((3, 11, 19, 3), plan)
    psi, difference = cells[:, 0] + cells[:, 1], cells[:, 1] - cells[:, 0]
    mean, mcse = assurance_curve(psi, difference, [20], plan)
    drawn = zip(psi.tolist(), difference.tolist(), strict=True)
    brute = [twin_power(20, p, d, plan) for p, d in drawn]
    # With no more draws than are solved exactly the control variate cancels.
    assert mean[0] == pytest.approx(float(np.mean(brute)), abs=1e-9)
    assert mcse[0] == pytest.approx(float(np.std(brute, ddof=1)) / math.sqrt(150), abs=1e-9)


def test_assurance_with_the_control_variate_is_within_its_error() -> None:
    plan = Plan(draws=1000)
    cells = posterior_cells((6, 14, 50, 30), plan)
    psi, difference = cells[:, 0] + cells[:, 1], cells[:, 1] - cells[:, 0]
    mean, mcse = assurance_curve(psi, difference, [150], plan)
    every = power_at(150, psi, difference, plan)
    gap = every - normal_power(150, psi, difference, plan.alpha)
    assert abs(mean[0] - every.mean()) < FALSE_ALARM * float(gap.std()) / math.sqrt(200)
    assert mcse[0] == pytest.approx(float(every.std()) / math.sqrt(1000), rel=0.2)


def test_needed_for_a_named_difference_keeps_it() -> None:
    plan = Plan(draws=400)
    cells = posterior_cells((30, 30, 100, 40), plan)
    needed = needed_for(0.1, (0.65, 0.3, 0.0), cells, [100, 400], plan)
    assert (needed.status, needed.observed, needed.impossible_share) == ("found", False, 0.0)
    assert needed.quantiles[0] < needed.n < needed.quantiles[2]
    assert needed.quantiles[1] == pytest.approx(needed.n, rel=0.1)
    assert needed.assurance[0] < needed.assurance[1]
    # The named difference leaves only the discordance open: a far narrower range than the observed one.
    observed = needed_for(None, (0.65, 0.3, 0.0), cells, [100], plan)
    assert observed.status == "unreachable"
    assert observed.quantiles[2] / observed.quantiles[0] > 10 * needed.quantiles[2] / needed.quantiles[0]


def test_where_no_draw_leaves_room_everything_is_undefined() -> None:
    plan = Plan(draws=100)
    cells = posterior_cells((1, 1, 500, 0), plan)
    needed = needed_for(0.4, (0.99, 0.004, 0.0), cells, [100], plan)
    assert (needed.status, needed.impossible_share) == ("impossible", 1.0)
    assert np.isnan([needed.n, *needed.quantiles, *needed.assurance, *needed.assurance_mcse]).all()


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (Plan(alpha=0.0), "alpha is 0"),
        (Plan(target=1.0), "target is 1"),
        (Plan(target=0.05), "between alpha and 1"),
        (Plan(draws=50), "draws is 50"),
        (Plan(seed=-1), "seed is -1"),
    ],
)
def test_plans_that_mean_nothing(plan: Plan, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        plan.check()


def test_a_method_that_cannot_plan_a_pilot() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean mcnemar_midp"):
        Plan(method="mcnemar_mid").check()
