"""The engine against a simulation with NumPy's own generator and loops over other routes.

Two simulations of R1 and R2 replications: rates are refused beyond z = 5 of √(p(1 − p)(1/R1 + 1/R2)), means beyond 5 of
their joint standard error: a false alarm in 1.7 million each, about 40 comparisons.
"""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

import simstudy
from simstudy.kernels.case_bootstrap import resample
from simstudy.scenarios.verbosity import kernel as verbosity
from tests.oracle import verbosity_slow as slow

Z = 5.0
R_FULL, R_SLOW = 20_000, 10_000
# rates are noted with three digits
ROUNDED = 0.0005
POINTS = [
    {"n_cases": 14, "gamma": 0.6, "noise_sd": 0.5, "case_sd": 0.0},
    {"n_cases": 8, "gamma": -0.3, "noise_sd": 0.8, "case_sd": 0.6},
]


def simulated(values):
    table = slow.lengths(values["n_cases"], 6)
    effects = (values["gamma"], values["noise_sd"], values["case_sd"])
    return table, slow.simulate(np.random.default_rng(77), R_SLOW, table, *effects)


def close(found, found_error, mean, error):
    assert abs(found - mean) <= Z * math.hypot(found_error, error)


@pytest.mark.parametrize("values", POINTS)
def test_slopes_power_and_coverage(values):
    table, scores = simulated(values)
    found = simstudy.power_curve("verbosity", replications=R_FULL, seed=9, method="slope_t,cluster_sandwich", **values)
    x = np.log2(table) - np.log2(table).mean(axis=1, keepdims=True)
    slopes = (scores * x).sum(axis=2) / (x**2).sum(axis=1)
    test = scipy_stats.ttest_1samp(slopes, 0, axis=1)
    low, high = test.confidence_interval(0.95)
    rates = {
        "power": test.pvalue <= 0.05,
        "coverage": (low <= values["gamma"]) & (values["gamma"] <= high),
        "coverage_own": (low <= found["slope_mean"].item()) & (found["slope_mean"].item() <= high),
    }
    for name, hits in rates.items():
        p = (found[name].values[0] * R_FULL + hits.sum()) / (R_FULL + R_SLOW)
        error = math.sqrt(p * (1 - p) * (1 / R_FULL + 1 / R_SLOW))
        assert abs(found[name].values[0] - hits.mean()) <= Z * error, name
    pooled = (scores * x).sum(axis=(1, 2)) / (x**2).sum()
    for i, estimates in enumerate((slopes.mean(axis=1), pooled)):
        error = estimates.std() / math.sqrt(R_SLOW)
        close(found["estimate_mean"].values[i], found["estimate_mean_mcse"].values[i], estimates.mean(), error)
        spread = estimates.std() / math.sqrt(2 * R_SLOW)
        close(found["empirical_se"].values[i], found["empirical_se_mcse"].values[i], estimates.std(), spread)
        # the closed form: no simulation of ours in it
        truth = found["slope_mean" if i == 0 else "slope_pooled"].item()
        assert abs(truth - estimates.mean()) <= Z * error
    assert abs(found["share_at_5"].item() - (scores == 5).mean()) <= 0.005


@pytest.mark.slow
def test_interval_regression_in_an_independent_simulation():
    """60 samples fitted by a general optimiser: mean estimate and coverage."""
    samples = 60
    values = POINTS[0]
    table, scores = simulated(values)
    varied = [y for y in scores[:samples] if slow.has_maximum(table, y)]
    fits = np.array([slow.interval_regression(table, y) for y in varied])
    found = simstudy.power_curve("verbosity", replications=R_FULL, seed=9, method="interval_regression", **values)
    spread = fits[:, 0].std()
    error = spread / math.sqrt(samples)
    close(found["estimate_mean"].item(), found["estimate_mean_mcse"].item(), fits[:, 0].mean(), error)
    covered = (np.abs(fits[:, 0] - values["gamma"]) <= 1.96 * fits[:, 1]).sum() / samples
    p = found["coverage"].item()
    assert abs(covered - p) <= Z * math.sqrt(p * (1 - p) / samples)


@pytest.mark.parametrize(
    ("k", "fillers", "gamma", "rate"), [(2, (30,), 1.0, 0.984), (3, (30, 60), 0.6, 0.419), (3, (10, 20), 1.0, 0.239)]
)
def test_few_lengths_leave_the_likelihood_without_a_maximum_as_often_as_a_linear_program_says(k, fillers, gamma, rate):
    """14 cases of 10 words: most often 5 alone where there is filler, and nothing holds the slope back.

    The rates are those of 200,000 samples from NumPy's generator and the same linear program.
    """
    table = slow.lengths(14, k, (10,), fillers)
    drawn = slow.simulate(np.random.default_rng(5), R_SLOW, table, gamma, 0.5, 0.0).astype(np.int64)
    # only which scores came up at which length matters
    sets, often = np.unique((drawn[..., None] == np.arange(1, 6)).any(axis=1), axis=0, return_counts=True)
    samples = [tuple(np.array(pairs).T) for pairs in (np.argwhere(came_up) for came_up in sets)]
    have = slow.have_maximum([(table[0, version], score + 1) for version, score in samples])
    none = 1 - often @ have / R_SLOW
    found = simstudy.power_curve(
        "verbosity",
        n_cases=14,
        k=k,
        base_words=10,
        filler_words="/".join(map(str, fillers)),
        gamma=gamma,
        method="interval_regression,interval_regression_robust",
        replications=R_FULL,
        seed=9,
    )["undefined"].values
    assert found[0] == found[1]
    for other, replications in ((none, R_SLOW), (rate, 200_000)):
        error = math.sqrt(rate * (1 - rate) * (1 / R_FULL + 1 / replications))
        assert abs(found[0] - other) <= Z * error + ROUNDED


def test_noise_and_case_effects_are_normal_and_independent():
    """Latent scores are seen through a threshold: P(score ≥ 4) of each version, and of two versions together."""
    n, replications = 10, 4000
    units = np.empty((replications, n * 4, 4))
    arguments = (n, 4, np.array([10]), np.array([10, 20, 40]), 0.3, 0.7, 0.9, 0)
    for r in range(replications):
        verbosity.cases(5, r, units[r], *arguments)
    high = (units[..., 3] >= 4).reshape(replications * n, 4)
    sd = math.hypot(0.7, 0.9)
    means = 2 + 0.3 * np.arange(4)
    for version in range(4):
        p = scipy_stats.norm.sf(3.5, means[version], sd)
        assert abs(high[:, version].mean() - p) <= Z * math.sqrt(p * (1 - p) / len(high))
    correlation = 0.9**2 / sd**2
    for a, b in ((0, 1), (1, 2), (0, 3), (2, 3)):
        law = scipy_stats.multivariate_normal(
            [-means[a], -means[b]], sd**2 * np.array([[1, correlation], [correlation, 1]])
        )
        p = law.cdf([-3.5, -3.5])
        assert abs((high[:, a] & high[:, b]).mean() - p) <= Z * math.sqrt(p * (1 - p) / len(high))


def test_picks_of_the_bootstrap_are_uniform():
    """1,000 resamples of 7 cases, each case's share of 7,000 picks; and how many distinct cases a resample has."""
    counts, distinct = np.zeros(7), []
    for case in range(7):
        values, means, sets = np.zeros(7), np.empty(1000), np.empty(1000)
        values[case] = 1.0
        resample(np.uint64(11), 3, values, means, sets, True)
        counts[case] = np.rint(means * 7).sum()
        distinct.append(sets > 0)
    assert scipy_stats.chisquare(counts).pvalue > 1e-6
    size = np.array(distinct).sum(axis=0)
    expected = 7 * (1 - (6 / 7) ** 7)
    assert abs(size.mean() - expected) <= Z * size.std() / math.sqrt(1000)
