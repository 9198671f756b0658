"""The pilot's uncertainty: posterior, ranges of n and assurance, against solving and averaging every draw."""

from __future__ import annotations

import importlib.util
import math
import statistics
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from simstudy.records.planning import Plan, power_at
from simstudy.records.posterior import _combined_error, assurance_curve, needed_for, posterior_cells, posterior_range
from simstudy.records.sizes import exact_size, normal_power, normal_size

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


def twin_power(n: int, psi: float, difference: float, plan: Plan) -> float:
    p_value = ORACLE.midp if plan.method == "mcnemar_midp" else ORACLE.exact_p
    return float(ORACLE.power(n, (psi - difference) / 2, (psi + difference) / 2, p_value, plan.alpha))


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


def test_the_error_of_both_means_by_hand() -> None:
    """The mean of 40 and that of a gap over the first 4: variances over 40 and 4, twice the covariance over 40."""
    normal = [math.sin(k) for k in range(40)]
    gap = [0.02, -0.01, 0.05, 0.01]
    own = statistics.variance(normal) + 2 * statistics.covariance(normal[:4], gap)
    expected = math.sqrt(own / 40 + statistics.variance(gap) / 4)
    assert _combined_error(np.array(normal), np.array(gap)) == pytest.approx(expected, rel=1e-12)
    assert math.isnan(_combined_error(np.array(normal), np.array(gap[:1])))
