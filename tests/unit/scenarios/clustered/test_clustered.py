"""Clusters and runs: what is refused, costs, truths and sign flips."""

import numpy as np
import pytest

import simstudy
from simstudy.errors import RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.clustered import flip_p_value, mean_difference
from simstudy.scenarios.random_effects import marginal_accuracy

CLUSTERED = {"n_clusters": 10, "cluster_size": 3, "accuracy_a": 0.6, "difference": 0.1}


def test_mcnemar_needs_one_run():
    with pytest.raises(RefusedError, match="use runs 1"):
        simstudy.power_curve("clustered", runs=2, method="mcnemar_exact", **CLUSTERED)


def test_costs_count_runs():
    found = simstudy.power_curve("clustered", runs=4, replications=10, **CLUSTERED)
    assert found["n_units"].item() == 30
    assert found["labels"].item() == 30
    assert found["judge_calls"].item() == 2 * 30 * 4


def test_marginal_accuracies_integrate_over_every_effect():
    scenario = get_scenario("clustered")
    effects = {"difficulty_sd": 3.0, "cluster_sd": 4.0, "cluster_interaction_sd": 0, "interaction_sd": 0}
    values = scenario.point({**CLUSTERED, "runs": 1, **effects}).values
    arguments = scenario.kernel_arguments(values, (0.05,), "less")
    # √(3² + 4²) = 5
    assert marginal_accuracy(arguments[3], 5.0) == pytest.approx(0.6, abs=1e-12)
    assert marginal_accuracy(arguments[4], 5.0) == pytest.approx(0.7, abs=1e-12)
    assert arguments[-1] == 2


def test_a_single_cluster_is_undefined_for_its_own_methods():
    found = simstudy.power_curve("clustered", replications=50, **{**CLUSTERED, "n_clusters": 1})
    undefined = dict(zip(found["method"].values.tolist(), found["undefined"].values.tolist(), strict=True))
    assert undefined["cluster_t"] == undefined["cluster_z"] == 1
    assert undefined["cluster_sign_flip"] == 0
    # two sign flips of one cluster: the p-value is never below one half
    assert found["power"].values[-1] == 0


def test_flip_p_values_are_at_most_a_level_exactly_when_p_is():
    alphas = (0.01, 0.05, 0.1)
    assert flip_p_value(np.array([0, 1, 2, 3]), alphas).tolist() == [0.01, 0.05, 0.1, 1.0]


def test_several_levels_of_the_sign_flip_test_at_once():
    asked = {**CLUSTERED, "difference": 0.3, "method": "cluster_sign_flip,cluster_t", "replications": 500}
    together = simstudy.power_curve("clustered", alpha=[0.2, 0.01, 0.05], **asked)
    for i, alpha in enumerate((0.2, 0.01, 0.05)):
        alone = simstudy.power_curve("clustered", alpha=alpha, **asked)
        assert (together["power"].values[i] == alone["power"].values).all()


def test_the_estimate_is_the_mean_over_cases_and_runs():
    assert mean_difference(np.array([6, -3]), 30, 2).tolist() == pytest.approx([0.1, -0.05])
