"""Laws, truths and refusals of clustered, independent and proportion."""

import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.clustered import flip_p_value, mean_difference
from simstudy.scenarios.proportion import share
from simstudy.scenarios.random_effects import marginal_accuracy
from simstudy.scenarios.two_systems import marginal_difference
from tests.oracle import proportions_slow

# SciPy's binomial probabilities are good to some 1e-13
ROUNDING = 1e-11


@pytest.mark.parametrize("method", proportions_slow.INTERVALS)
@pytest.mark.parametrize(("n", "p"), [(1, 0.5), (36, 0.7), (20, 0.01), (50, 0.999)])
def test_coverage_and_width_of_one_proportion(method, n, p):
    found = simstudy.power_curve("proportion", n_cases=n, accuracy=p, method=method, engine="exact")
    coverage, width = proportions_slow.coverage(method, n, p)
    assert found["coverage"].item() == pytest.approx(coverage, abs=ROUNDING)
    assert found["interval_width"].item() == pytest.approx(width, abs=1e-9)
    assert found["bias"].item() == pytest.approx(0, abs=ROUNDING)
    assert found["empirical_se"].item() == pytest.approx(math.sqrt(p * (1 - p) / n), abs=1e-9)
    assert found["step"].item() == 1 / n


@pytest.mark.parametrize("accuracy", [0.0, 1.0])
def test_certain_accuracies(accuracy):
    found = simstudy.power_curve("proportion", n_cases=20, accuracy=[accuracy, 0.5], engine="exact")
    assert found["coverage"].sel(accuracy=accuracy).values == pytest.approx(np.ones(5))
    simulated = simstudy.power_curve("proportion", n_cases=20, accuracy=accuracy, engine="full", replications=50)
    assert (simulated["estimate_mean"] == accuracy).all()


@pytest.mark.parametrize("method", proportions_slow.TESTS)
@pytest.mark.parametrize(("n", "p_a", "p_b"), [(1, 0.5, 0.7), (12, 0.7, 0.7), (20, 0.3, 0.8), (15, 0.98, 0.9)])
def test_power_of_two_proportions(method, n, p_a, p_b):
    asked = {"n_per_system": n, "accuracy_a": p_a, "difference": p_b - p_a}
    found = simstudy.power_curve("independent", method=method, engine="exact", **asked)
    power, undefined = proportions_slow.power(method, n, p_a, p_b)
    assert found["power"].item() == pytest.approx(power, abs=ROUNDING)
    assert found["undefined"].item() == pytest.approx(undefined, abs=ROUNDING)
    assert found["accuracy_b"].item() == pytest.approx(p_b)
    assert found["judge_calls"].item() == found["labels"].item() == 2 * n


def test_a_fisher_p_value_of_one_twentieth_rejects_at_five_percent():
    """3 of 3 against 0 of 3 has the one-sided p-value 1/20, whatever its last bit."""
    found = simstudy.power_curve(
        "independent",
        n_per_system=3,
        accuracy_a=0.5,
        difference=0.0,
        method="fisher_exact",
        alternative="greater",
        engine="exact",
    )
    assert found["power"].item() == pytest.approx(0.5**6, abs=ROUNDING)


@pytest.mark.parametrize("scenario", ["independent", "clustered"])
def test_an_impossible_accuracy_of_b_is_refused(scenario):
    sizes = {"n_per_system": 5} if scenario == "independent" else {"n_clusters": 5, "cluster_size": 1}
    with pytest.raises(ParameterError, match=r"\(-0\.9, 0\.1\)"):
        simstudy.power_curve(scenario, accuracy_a=0.9, difference=0.2, **sizes)
    assert get_scenario(scenario).effect_range({"accuracy_a": 0.9}) == pytest.approx((-0.9, 0.1))


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


def test_estimates():
    assert mean_difference(np.array([6, -3]), 30, 2).tolist() == pytest.approx([0.1, -0.05])
    assert share(np.array([3]), 4).tolist() == [0.75]
    assert marginal_difference(np.array([3]), np.array([5]), 10).tolist() == pytest.approx([0.2])
