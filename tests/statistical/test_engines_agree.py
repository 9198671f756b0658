"""The engines agree: simulated rates against the exact ones.

For every scenario, method and rate: |simulated − exact| ≤ z·√(p(1 − p)/R) + 12/R, with the standard error from the
exact value. About 1,500 comparisons are made; z = 6.2 is exceeded by a normal deviate with probability 5.6e-10, so the
chance that any comparison fails although all engines are right is below 1e-6. The term 12/R covers rare rates, whose
binomial tails are heavier than normal ones. Seeds are fixed, so a pass is a pass everywhere. At R = 100,000 the margin
is .0099 for a rate of one half and .0044 for a rate of .05: a discrepancy of .0125, or .0056, is found with
probability .95.
"""

import functools
import math

import numpy as np
import pytest

import simstudy
from simstudy.scenarios import built_in, get_scenario

Z = 6.2
RARE = 12
REPLICATIONS = 100_000
RATES = ("power", "power_right", "undefined", "coverage", "miss_below", "miss_above")
CASES = {
    "paired": [
        {"n_cases": 12, "accuracy_a": 0.7, "difference": 0.2, "difficulty_sd": 0, "margin": 0.2},
        {"n_cases": 36, "accuracy_a": 0.7, "difference": 0.0, "difficulty_sd": 1.5, "margin": 0.1},
        {"n_cases": 36, "logit_a": 0.847, "logit_b": 1.386, "difficulty_sd": 3, "margin": 0.2},
        {"n_cases": 150, "accuracy_a": 0.9, "difference": -0.05, "difficulty_sd": 6, "margin": 0.1},
        {"n_cases": 60, "accuracy_a": 0.7, "difference": 0.05, "discordance": 0.2, "margin": 0.1},
    ],
    "independent": [
        {"n_per_system": 9, "accuracy_a": 0.6, "difference": 0.3},
        {"n_per_system": 60, "accuracy_a": 0.7, "difference": 0.0},
        {"n_per_system": 130, "accuracy_a": 0.95, "difference": -0.03},
    ],
    "proportion": [
        {"n_cases": 36, "accuracy": 0.7},
        {"n_cases": 201, "accuracy": 0.01},
        {"n_cases": 5, "accuracy": 1.0},
    ],
    "judged": [
        {"n_cases": 36, "accuracy_a": 0.7, "difference": 0.05, "reworded_b": 0.8, "n_labels": 12},
        {"n_cases": 60, "accuracy_a": 0.8, "difference": -0.1, "difficulty_sd": 0, "p_fn": 0.3, "extra_fn": 0.3},
    ],
    "position": [
        {"n_pairs": 14, "beta": 1.2},
        {"n_pairs": 60, "beta": -0.5, "ability": 1.5, "x_better": 0.9, "tied": 0.3, "tie_band": 1.0},
        {"n_pairs": 40, "beta": 0.0, "tied": 1.0},
        {"n_pairs": 40, "beta": 1.0, "ability": 1.2, "tied": 0.1, "tie_band": 0.5, "ability_sd": 3.0},
    ],
    "self_preference": [
        {"n_pairs": 14, "bonus": 0.5},
        {"n_pairs": 50, "bonus": -1.0, "beta": 0.8, "tied": 0.3, "judge_pair_sd": 1.5},
        {"n_pairs": 3, "bonus": 2.0, "tied": 1.0},
    ],
    "agreement": [
        {"n_labels": 9, "prevalence": 0.6, "sensitivity": 0.9, "specificity": 0.7, "unreadable": 0.2, "resamples": 100},
        {"n_labels": 24, "prevalence": 0.8, "kappa": 0.7, "kappa_threshold": 0.4, "resamples": 100},
        {"n_labels": 12, "prevalence": 0.7, "sensitivity": 1, "specificity": 0, "kappa_threshold": 0, "resamples": 100},
    ],
    "stability": [
        {"n_prompts": 30, "repetitions": 5, "threshold": 0.4},
        {"n_prompts": 12, "repetitions": 2, "mean_logit": 0, "prompt_sd": 0, "threshold": 0.2},
    ],
}
# a scenario that is not listed is held together at its own test point
for _name in built_in():
    if {"exact", "full"} <= set(get_scenario(_name).engines):
        CASES.setdefault(_name, [dict(get_scenario(_name).example)])
# the first point of a scenario is fast, whatever the engine
POINTS = [
    pytest.param(*(scenario, values, engine), id=f"{scenario}-{i}-{engine}", marks=[pytest.mark.slow] if i else [])
    for scenario, points in CASES.items()
    for i, values in enumerate(points)
    for engine in ("counts", "full")
]


def exact_methods(scenario, values):
    """Methods that have an exact law and all that they need at a point."""
    chosen = get_scenario(scenario)
    known = {*values, *(p.name for p in chosen.parameters if p.default is not None)}
    return [m.name for m in chosen.methods if m.exact and set(m.needs) <= known]


@functools.cache
def exact_answer(scenario, methods, values):
    """The exact results of a point: one computation for both engines. Limits of a bootstrap depend on the seed."""
    return simstudy.power_curve(scenario, engine="exact", seed=2024, method=list(methods), **dict(values))


@pytest.mark.parametrize(("scenario", "values", "engine"), POINTS)
def test_simulated_rates_are_the_exact_ones(scenario, values, engine):
    methods = exact_methods(scenario, values)
    asked = {"method": methods, **values}
    exact = exact_answer(scenario, tuple(methods), tuple(values.items()))
    found = simstudy.power_curve(scenario, engine=engine, replications=REPLICATIONS, seed=2024, **asked)
    for name in (rate for rate in RATES if rate in exact):
        for i, method in enumerate(methods):
            p, simulated = exact[name].values[i], found[name].values[i]
            assert math.isnan(p) == math.isnan(simulated), (name, method)
            if not math.isnan(p):
                margin = Z * math.sqrt(p * (1 - p) / REPLICATIONS) + RARE / REPLICATIONS
                assert abs(simulated - p) <= margin, (name, method, simulated, p)


MEANS = {"estimate_mean": "estimate_mean_mcse", "interval_width": "interval_width_mcse", "type_m": "type_m_mcse"}


@pytest.mark.parametrize(("scenario", "values", "engine"), POINTS)
def test_simulated_means_are_the_exact_ones(scenario, values, engine):
    """About 250 comparisons of means with the Monte Carlo error that the result states: z = 6.2 again."""
    chosen = get_scenario(scenario)
    methods = list(chosen.default_methods)
    used = [chosen.method(name) for name in methods]
    values = {name: value for name, value in values.items() if chosen.parameter(name).read_by(used)}
    exact = exact_answer(scenario, tuple(methods), tuple(values.items()))
    found = simstudy.power_curve(scenario, engine=engine, replications=20_000, seed=7, method=methods, **values)
    for name, error in MEANS.items():
        if name in exact:
            gap = np.abs(found[name].values - exact[name].values)
            allowed = Z * found[error].values + 1e-9
            known = np.isfinite(gap) & np.isfinite(allowed)
            # a mean over a handful of rejections has no normal law
            if name == "type_m":
                known &= exact["power"].values * 20_000 > 200
            assert (gap[known] <= allowed[known]).all(), name


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_engines_agree(alternative):
    values = {"n_cases": 30, "accuracy_a": 0.6, "difference": 0.15, "difficulty_sd": 1}
    methods = [m.name for m in get_scenario("paired").methods if not m.needs]
    asked = {"method": methods, "alternative": alternative, **values}
    exact = simstudy.power_curve("paired", engine="exact", **asked)["power"].values
    for engine in ("counts", "full"):
        found = simstudy.power_curve("paired", engine=engine, replications=50_000, seed=3, **asked)["power"].values
        margin = Z * np.sqrt(exact * (1 - exact) / 50_000) + RARE / 50_000
        assert (np.abs(found - exact) <= margin).all()


def test_clusters_of_one_case_are_paired_cases():
    """Clustered has no law of its own; at clusters of one case without cluster effects it is scenario paired."""
    shared = {"accuracy_a": 0.7, "difference": 0.15, "difficulty_sd": 1.5}
    exact = simstudy.power_curve("paired", n_cases=40, method="paired_z,mcnemar_exact", engine="exact", **shared)
    found = simstudy.power_curve(
        "clustered",
        n_clusters=40,
        cluster_size=1,
        method="paired_z,mcnemar_exact,cluster_z,cluster_sign_flip",
        replications=REPLICATIONS,
        seed=5,
        **shared,
    )["power"].values
    p = exact["power"].values
    margin = Z * np.sqrt(p * (1 - p) / REPLICATIONS) + RARE / REPLICATIONS
    assert (np.abs(found[:2] - p) <= margin).all()
    # the same statistics by other names, replication by replication
    assert found[2] == found[0]
    assert found[3] == found[1]


def test_clusters_have_their_marginal_accuracies():
    """Accuracies of 40,000 clusters of two cases: standard error below .0025, margin 6.2 of them."""
    units = simstudy.replay(
        "clustered",
        replication=0,
        n_clusters=40_000,
        cluster_size=2,
        runs=2,
        accuracy_a=0.7,
        difference=-0.2,
        difficulty_sd=1,
        cluster_sd=2,
        cluster_interaction_sd=1,
        interaction_sd=0.5,
    )
    for name, accuracy in (("right_a", 0.7), ("right_b", 0.5)):
        by_cluster = units[name].reshape(40_000, 4).mean(axis=1)
        se = by_cluster.std() / 200
        assert abs(by_cluster.mean() - accuracy) <= Z * se
        assert se < 0.0025


def test_monte_carlo_errors_are_what_repetition_shows():
    """200 studies of 500 replications: the spread of their power over its stated error lies within 1 ± .35 surely.

    The ratio of a standard deviation of 200 normal values to its true value has standard error .05: seven of them.
    """
    asked = {"n_cases": 30, "accuracy_a": 0.6, "difference": 0.2, "method": "tango", "engine": "counts"}
    runs = [simstudy.power_curve("paired", replications=500, seed=seed, **asked) for seed in range(200)]
    for name in ("power", "coverage", "type_m", "bias", "empirical_se", "interval_width"):
        values = np.array([run[name].item() for run in runs])
        stated = np.mean([run[f"{name}_mcse"].item() for run in runs])
        assert values.std() / stated == pytest.approx(1, abs=0.35), name
    exact = simstudy.power_curve("paired", **{**asked, "engine": "exact"})["power"].item()
    inside = [run["power_low"].item() <= exact <= run["power_high"].item() for run in runs]
    # binomial(200, .95): fewer than 175 with probability 2e-5
    assert sum(inside) >= 175
