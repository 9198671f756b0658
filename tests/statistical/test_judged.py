"""Corrections in scenario judged: both simulating engines, and published operating characteristics.

Seeds are fixed, so a pass is a pass everywhere.
"""

import math

import numpy as np
import pytest

import simstudy

# 60 comparisons: a normal deviate exceeds 5.2 with probability 2e-7, so any fails with probability 1.2e-5
Z = 5.2
STRICT = {"p_fn": 0.3, "extra_fn": 0.3, "p_fp": 0.02}
GOOD = {"p_fn": 0.08, "extra_fn": 0.1, "p_fp": 0.05}
SYSTEMS = {"accuracy_a": 0.7, "difference": 0.05, "difficulty_sd": 1.5, "reworded_b": 0.8}
CORRECTIONS = ["labels_only", "rogan_gladen", "rogan_gladen_pooled", "ppi", "ppi_pp"]


@pytest.mark.parametrize(
    ("judge", "n_cases", "n_labels"),
    [
        pytest.param(GOOD, 60, 25, marks=pytest.mark.slow),
        (STRICT, 40, 40),
        pytest.param({"p_fn": 0.4, "extra_fn": 0.0, "p_fp": 0.4}, 30, 6, marks=pytest.mark.slow),
    ],
)
def test_the_engines_agree_on_corrections(judge, n_cases, n_labels):
    """20,000 replications each: a rate near .5 (.05) that differs by .032 (.014) is found with probability .9."""
    replications = 20_000
    asked = {**SYSTEMS, **judge, "n_cases": n_cases, "n_labels": n_labels, "method": CORRECTIONS}
    counts, full = (
        simstudy.power_curve("judged", engine=engine, replications=replications, seed=11, **asked)
        for engine in ("counts", "full")
    )
    for name in ("power", "power_wrong", "undefined", "coverage"):
        p = (counts[name].values + full[name].values) / 2
        margin = Z * np.sqrt(2 * p * (1 - p) / replications) + 12 / replications
        assert (np.abs(counts[name].values - full[name].values) <= margin).all(), name
    for name in ("estimate_mean", "interval_width"):
        margin = Z * np.hypot(counts[f"{name}_mcse"].values, full[f"{name}_mcse"].values) + 1e-12
        gap = np.abs(counts[name].values - full[name].values)
        assert (gap <= margin)[np.isfinite(gap)].all(), name


@pytest.mark.parametrize(
    ("judge", "coverage", "spread", "bias"),
    [
        (GOOD, (0.950, 0.956, 0.538, 0.950, 0.947), (0.053, 0.053, 0.038, 0.056, 0.042), -0.07),
        (STRICT, (0.948, 0.963, 0.001, None, 0.941), (0.054, 0.106, 0.064, None, 0.050), -0.31),
    ],
)
def test_coverage_and_spread_with_100_labels_of_400(judge, coverage, spread, bias):
    """Another program's figures from 20,000 replications, with Monte Carlo errors of their own.

    The difference of two such coverages near .95 has standard error .0022, near .54 .005, and rounding adds .0005;
    of two such spreads below .0011, and .0005. 4.5 of them are exceeded anywhere with probability below 2e-4.
    """
    found = simstudy.power_curve(
        "judged", n_cases=400, n_labels=100, method=CORRECTIONS, replications=20_000, seed=1, **SYSTEMS, **judge
    )
    for i, (p, sd) in enumerate(zip(coverage, spread, strict=True)):
        if p is not None:
            assert abs(found["coverage"].values[i] - p) <= 4.5 * math.sqrt(2 * p * (1 - p) / 20_000) + 5e-4
            assert abs(found["empirical_se"].values[i] - sd) <= 4.5 * sd / math.sqrt(20_000) + 5e-4
    assert found["bias"].values[2] == pytest.approx(bias, abs=0.005)
    assert np.abs(found["bias"].values[[0, 3, 4]]).max() < 0.003
