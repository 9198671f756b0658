"""Engines of win_rate agree: simulated rates and means against the exact ones.

For every rate |simulated − exact| ≤ z·√(p(1 − p)/R) + 12/R, with the standard error from the exact value, and for every
mean |simulated − exact| ≤ z standard errors as the result states them. About 350 comparisons are made; z = 6.2 is
exceeded by a normal deviate with probability 5.6e-10, so that any of them fails although all engines are right in one
of 5 million sets of seeds. The term 12/R covers rare rates, whose tails are heavier. Seeds are fixed, so a pass is a
pass everywhere. At R = 50,000 the margin is .014 for a rate of one half and .0063 for one of .05: a rate that is off by
.018, or .008, is found with probability .95.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import simstudy

Z = 6.2
RARE = 12
REPLICATIONS = 50_000
METHODS = ["one_order", "consistent", "averaged", "averaged_passes"]
RATES = (
    "power",
    "power_right",
    "power_wrong",
    "adopt",
    "adopt_by_test",
    "adopt_by_rate",
    "blocked_by_test",
    "blocked_by_rate",
    "undefined",
    "coverage",
    "miss_below",
    "miss_above",
)
MEANS = ("win_rate", "decisive_share", "estimate_mean", "interval_width")
POINTS = [
    {"n_pairs": 8, "strength": 0.6, "strength_sd": 0.0, "tie_band": 1.0},
    {"n_pairs": 40, "strength": 0.0, "strength_sd": 1.5, "beta": -0.5, "min_win_rate": 0.7},
    {"n_pairs": 90, "strength": 0.3, "beta": 1.0, "tie_band": 0.5, "min_win_rate": 0.65},
]


@pytest.mark.parametrize("engine", ["counts", "full"])
@pytest.mark.parametrize("values", POINTS, ids=lambda values: str(values["n_pairs"]))
def test_simulated_figures_are_the_exact_ones(values, engine):
    exact = simstudy.power_curve("win_rate", engine="exact", method=METHODS, **values)
    found = simstudy.power_curve(
        "win_rate", engine=engine, replications=REPLICATIONS, seed=2025, method=METHODS, **values
    )
    assert set(found["engine"].values.ravel()) == {engine}
    for name in RATES:
        for method in METHODS:
            p, simulated = (result[name].sel({"method": method}).item() for result in (exact, found))
            margin = Z * math.sqrt(max(p * (1 - p), 0) / REPLICATIONS) + RARE / REPLICATIONS
            assert abs(simulated - p) <= margin, (name, method, simulated, p)
    for name in MEANS:
        gap = np.abs(found[name] - exact[name])
        assert (gap <= Z * found[f"{name}_mcse"] + 1e-9).all(), name
    np.testing.assert_array_equal(found["judge_calls"], exact["judge_calls"])
