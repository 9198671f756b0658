"""The pilot's uncertainty: posterior, ranges of n and assurance, against solving and averaging every draw."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from simstudy.records.planning import Plan, power_at
from simstudy.records.posterior import assurance_curve, needed_for, posterior_cells, posterior_range
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
    quantiles, _ = posterior_range(psi, difference, plan)
    truth = np.quantile(every, [0.05, 0.5, 0.95], method="inverted_cdf")
    # The draw at a rank by the approximation is at most a neighbour of the one at its exact rank.
    assert np.asarray(quantiles) == pytest.approx(truth, rel=0.05)


@pytest.mark.parametrize("method", ["mcnemar_midp", "mcnemar_exact"])
@pytest.mark.parametrize("counts", [(12, 0, 0, 0), (0, 5, 0, 0), (1, 9, 1, 1)])
def test_posterior_range_of_a_handful_of_cases(method: str, counts: tuple[int, int, int, int]) -> None:
    plan = Plan(draws=150, method=method)
    cells = posterior_cells(counts, plan)
    psi, difference = cells[:, 0] + cells[:, 1], cells[:, 1] - cells[:, 0]
    guesses = normal_size(psi, difference, plan)
    drawn = zip(psi.tolist(), difference.tolist(), guesses.tolist(), strict=True)
    truth = np.quantile([exact_size(p, d, g, plan) for p, d, g in drawn], [0.05, 0.5, 0.95], method="inverted_cdf")
    quantiles = np.asarray(posterior_range(psi, difference, plan)[0])
    # The normal approximation orders such small n to within a case or two.
    assert np.all(np.abs(quantiles - truth) <= np.maximum(2, 0.05 * truth))
    assert np.all(np.diff(quantiles) >= 0)


def test_assurance_is_the_mean_power_of_the_draws() -> None:
    plan = Plan(draws=150)
    cells = posterior_cells((3, 11, 19, 3), plan)
    psi, difference = cells[:, 0] + cells[:, 1], cells[:, 1] - cells[:, 0]
    mean, error = assurance_curve(psi, difference, [20], plan)
    drawn = zip(psi.tolist(), difference.tolist(), strict=True)
    brute = [twin_power(20, p, d, plan) for p, d in drawn]
    # With no more draws than are solved exactly the control variate cancels.
    assert mean[0] == pytest.approx(float(np.mean(brute)), abs=1e-9)
    assert error[0] == pytest.approx(np.std(brute, ddof=1) / math.sqrt(len(brute)), rel=1e-6)


def test_assurance_with_the_control_variate_is_within_its_error() -> None:
    plan = Plan(draws=1000)
    cells = posterior_cells((6, 14, 50, 30), plan)
    psi, difference = cells[:, 0] + cells[:, 1], cells[:, 1] - cells[:, 0]
    mean, error = assurance_curve(psi, difference, [150], plan)
    every = power_at(150, psi, difference, plan)
    gap = every - normal_power(150, psi, difference, plan.alpha)
    assert abs(mean[0] - every.mean()) < FALSE_ALARM * float(gap.std()) / math.sqrt(200)
    # the error of both together, by their covariance over the draws that are solved exactly
    normal = normal_power(150, psi, difference, plan.alpha)
    few = np.cov(normal[:200], gap[:200])
    whole = np.var(normal, ddof=1) / 1000 + 2 * few[0, 1] / 1000 + few[1, 1] / 200
    assert error[0] == pytest.approx(math.sqrt(whole), rel=1e-9)


def test_cases_needed_keep_the_difference() -> None:
    plan = Plan(draws=400)
    cells = posterior_cells((30, 30, 100, 40), plan)
    needed = needed_for(0.1, (0.65, 0.3), cells, [100, 400], plan)
    assert needed.quantiles[0] < needed.n < needed.quantiles[2]
    assert needed.quantiles[1] == pytest.approx(needed.n, rel=0.1)
    assert needed.assurance[0] < needed.assurance[1]
    # the difference stays and the discordance alone is open, and n is about in proportion to it: a narrow range
    drawn = np.quantile(cells[:, 0] + cells[:, 1], [0.05, 0.95])
    assert needed.quantiles[2] / needed.quantiles[0] == pytest.approx(drawn[1] / drawn[0], rel=0.1)


def test_where_no_draw_leaves_room_everything_is_undefined() -> None:
    plan = Plan(draws=100)
    cells = posterior_cells((1, 1, 500, 0), plan)
    needed = needed_for(0.4, (0.99, 0.004), cells, [100], plan)
    assert np.isnan([needed.n, *needed.quantiles, *needed.assurance]).all()
    assert np.isnan([*needed.quantiles_mcse, *needed.assurance_mcse]).all()
    assert needed.impossible_share == 1


def test_draws_without_room_are_counted() -> None:
    plan = Plan(draws=400)
    cells = posterior_cells((6, 15, 52, 27), plan)
    needed = needed_for(0.45, (0.58, 0.21), cells, [100], plan)
    room = (cells[:, 0] + cells[:, 2] + 0.45 <= 1).mean()
    assert 0 < needed.impossible_share == pytest.approx(1 - room)


def test_errors_of_quantiles_are_as_large_as_seeds_scatter() -> None:
    # 60 seeds: a standard deviation is known to 9%, so that .6 to 1.6 leaves more than four of that on either side
    found = []
    for seed in range(60):
        plan = Plan(draws=400, seed=seed)
        cells = posterior_cells((6, 15, 52, 27), plan)
        needed = needed_for(0.1, (0.58, 0.21), cells, [], plan)
        found.append([*needed.quantiles, *needed.quantiles_mcse])
    spread, error = np.std(found, axis=0, ddof=1)[:3], np.mean(found, axis=0)[3:]
    assert np.all((error / spread > 0.6) & (error / spread < 1.6)), error / spread
