"""The smallest difference seen, and cases needed at one truth, against enumeration of every table."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

from simstudy.engines.conditional import discordant_power
from simstudy.records.planning import (
    Plan,
    admissible_discordance,
    design_point,
    missed_at_most,
    power_at,
    smallest_seen,
)
from simstudy.scenarios import get_scenario
from simstudy.solve.questions import mde


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
CALLS = {method.name: method.p_value for method in get_scenario("paired").methods}


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
        size = abs(smallest)
        assert twin_power(24, max(0.4, size), size, PLAN) == pytest.approx(0.8, abs=1e-6)


def test_it_agrees_with_the_solver_where_the_discordance_may_stay() -> None:
    answer = mde("paired", n_cases=100, accuracy_a=0.6, discordance=0.4, method="mcnemar_midp")
    better, worse = smallest_seen(100, 0.6, 0.4, PLAN)
    assert better == pytest.approx(float(answer["answer"][0]), abs=1e-6)
    assert worse == pytest.approx(-better, abs=1e-6)


def test_no_discordant_case_does_not_mean_that_nothing_was_missed() -> None:
    better, worse = smallest_seen(100, 0.6, 0.0, PLAN)
    # Five one-sided discordant cases reject (mid-p 1/32), so P(Bin(100, d) >= 5) = .8.
    assert float(stats.binom.sf(4, 100, better)) == pytest.approx(0.8, abs=1e-6)
    assert worse == pytest.approx(-better, abs=1e-9)


def test_five_cases_cannot_show_anything_by_the_exact_test() -> None:
    assert np.isnan(smallest_seen(5, 0.5, 0.3, Plan(method="mcnemar_exact"))).all()


def test_no_difference_beyond_what_the_accuracy_leaves() -> None:
    better, worse = smallest_seen(60, 0.95, 0.1, PLAN)
    assert math.isnan(better)
    assert -0.95 < worse < 0
    assert math.isnan(smallest_seen(60, 1.0, 0.0, PLAN)[0])


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


@pytest.mark.parametrize("method", ["mcnemar_exact", "mcnemar_midp", "mcnemar_chi2", "mcnemar_cc"])
@pytest.mark.parametrize("alpha", [0.0001, 0.05, 0.5, 0.9999])
def test_the_bound_on_missing_a_difference_holds(method: str, alpha: float) -> None:
    plan = Plan(method=method, alpha=alpha, target=0.99995)
    for n in (3, 20, 150, 4000):
        for psi, difference in ((0.02, 0.01), (0.1, 0.1), (0.3, 0.05), (0.3, -0.2), (0.95, 0.6)):
            up, down = discordant_power(n, (psi - difference) / 2, (psi + difference) / 2, CALLS[method], plan.alpha)
            missed = 1 - float(up[0] + down[0])
            assert missed <= missed_at_most(np.array(n), psi, difference, alpha) + 1e-13


def test_a_power_that_is_1_is_not_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    summed = []

    def power(n: int, *rest: object) -> list[float]:
        summed.append(n)
        return [0.5]

    monkeypatch.setattr("simstudy.engines.conditional.mcnemar_power", power)
    found = power_at([100, 5000, 10**9, 10**9], [0.2, 0.2, 0.2, math.nan], [0.1, 0.1, 0.1, 0.1], PLAN)
    np.testing.assert_array_equal(found, [0.5, 1.0, 1.0, math.nan])
    assert summed == [100]
