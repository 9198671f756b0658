"""Sizes whose curves are not monotone, targets that cannot be resolved, and figures that rest on very little."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from simstudy import mde, mde_from, power_curve, size
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.solve.bracket import Trust, bracket
from simstudy.solve.reasons import UNTOLD
from simstudy.study.target import parse_target

HALF_WIDTH, COVERAGE = (parse_target(text, get_scenario("paired")) for text in ("half_width=0.1", "coverage=0.95"))


def wald_half_width(n: int, p: float) -> float:
    x = np.arange(n + 1)
    half = 1.959963984540054 * np.sqrt(x / n * (1 - x / n) / n)
    width = np.minimum(1, x / n + half) - np.maximum(0, x / n - half)
    return float(stats.binom.pmf(x, n, p) @ width) / 2


@pytest.mark.parametrize(("accuracy", "half_width"), [(0.99, 0.01), (0.995, 0.005), (0.999, 0.0013)])
def test_walds_width_rises_before_it_falls(accuracy, half_width):
    """The width is nil at n = 1; every size up to three times the answer is looked at here, by SciPy."""
    answer = size("proportion", accuracy=accuracy, target=f"half_width={half_width}", method="wald")
    n = int(answer["answer"][0])
    assert wald_half_width(n - 1, accuracy) > half_width
    assert all(wald_half_width(k, accuracy) <= half_width for k in range(n, 3 * n))


def test_a_simulated_width_is_not_believed_at_one_case():
    exact = size("proportion", accuracy=0.95, target="half_width=0.05", method="wald")
    found = size(
        "proportion", accuracy=0.95, target="half_width=0.05", method="wald", engine="counts", replications=2000
    )
    assert float(found["low"][0]) <= float(exact["answer"][0]) <= float(found["high"][0])
    assert float(found["low"][0]) < float(found["high"][0])


def test_coverage_that_oscillates_has_no_size():
    found = size("proportion", accuracy=[0.01, 0.7], target="coverage=0.95", method=["wilson", "clopper_pearson"])
    assert found["status"].sel({"method": "wilson"}).values.tolist() == ["outside the range"] * 2
    assert found["answer"].sel({"method": "clopper_pearson"}).values.tolist() == [1, 1]


def test_a_bracket_begins_anew_where_the_target_is_lost():
    """Reached at 1 to 3 and from 90 on: only the second stretch is believed."""
    found = bracket(
        lambda n: n <= 3 or n >= 90,
        1,
        10_000,
        Trust.in_target(HALF_WIDTH),
        lambda n: False,
    )
    assert found is not None
    assert found.lost < 90 <= found.reached
    assert found.confirmed >= 16 * found.lost


@pytest.mark.parametrize("relapses", [0, 3, 7])
def test_a_bracket_gives_up_where_the_target_is_lost_too_often(relapses):
    looked = []

    def reaches(n: int) -> bool:
        looked.append(n)
        return len(looked) % 2 == 1

    trust = Trust.in_target(COVERAGE)
    assert bracket(reaches, 1, 10**9, trust, lambda n: False, relapses) is None
    # each relapse takes two sizes
    assert len(looked) == 2 * relapses + 2


def test_a_coverage_within_its_monte_carlo_error_has_no_size():
    """Wilson's interval covers .95 on average over p, so simulation cannot say where it stays above."""
    found = size("proportion", accuracy=0.7, target="coverage=0.95", method="wilson", engine="counts", seed=2)
    assert found["reason"].item() == UNTOLD
    assert found["searched_to"].item() < 10**6


def test_a_target_near_one_needs_replications():
    design = {"accuracy_a": 0.7, "difference": 0.2, "discordance": 0.4, "method": "paired_z", "engine": "counts"}
    with pytest.raises(ParameterError, match="give at least 10000"):
        size("paired", target=0.999, replications=300, **design)


def test_a_simulated_size_at_the_null_is_not_searched_for():
    found = size("clustered", cluster_size=5, accuracy_a=0.7, difference=0, method="cluster_t", replications=1000)
    assert found["status"].values.tolist() == ["outside the range"]


def test_undefined_intervals_are_counted():
    found = power_curve(
        "independent", n_per_system=3, accuracy_a=0.02, difference=0.96, method=["z_pooled", "z_unpooled"]
    )
    unpooled = found.sel({"method": "z_unpooled"})
    shares = [float(unpooled[name]) for name in ("coverage", "miss_below", "miss_above", "undefined")]
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    assert math.isnan(found["coverage"].sel({"method": "z_pooled"}))


def test_one_rejection_has_no_monte_carlo_error():
    found = power_curve(
        "paired",
        engine="counts",
        n_cases=100,
        accuracy_a=0.99,
        difference=0.005,
        difficulty_sd=1,
        replications=1000,
        seed=7,
        method="mcnemar_exact",
    ).isel({"method": 0})
    assert float(found["power"]) * 1000 == pytest.approx(1)
    assert math.isnan(found["type_m_mcse"])
    assert float(found["type_s_high"]) > 0.5


def test_impossible_rejections_have_no_direction():
    found = power_curve(
        "paired",
        n_cases=400,
        accuracy_a=0.9,
        difference=0.05,
        discordance=0.05,
        alternative="less",
        method="unpaired_z",
    )
    assert float(found["power"][0]) == 0
    assert math.isnan(found["type_s"][0])


def test_margin_claims_are_followed_from_their_own_null():
    design = {"n_cases": 60, "accuracy_a": 0.8, "discordance": 0.05, "margin": 0.1, "method": "noninferiority_tango"}
    grid = power_curve("paired", difference="-0.05:0.05:0.01", **design)
    assert float(mde_from(grid)["answer"][0]) == pytest.approx(float(mde("paired", **design)["answer"][0]), abs=2e-4)


def test_margin_claims_have_one_direction():
    with pytest.raises(RefusedError, match="alternative less does not fit"):
        power_curve(
            "paired",
            n_cases=60,
            accuracy_a=0.8,
            difference=0,
            margin=0.1,
            method="noninferiority_tango",
            alternative="less",
        )
