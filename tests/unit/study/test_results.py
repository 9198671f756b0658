"""The Dataset: dimensions, coordinates, attributes."""

import json

import numpy as np
import pytest

import simstudy
from simstudy.scenarios.measure import BY_NAME

QUICK = {"replications": 200, "threads": 1, "seed": 3}
CASES = [
    ("paired", {"n_cases": [10, 20], "accuracy_a": 0.7, "difference": [0, 0.1], "alpha": [0.05, 0.1]}, "auto"),
    ("paired", {"n_cases": 10, "accuracy_a": 0.7, "difference": 0.1}, "counts"),
    ("paired", {"n_cases": 10, "logit_a": 0.8, "logit_b": [0.9, 1.4]}, "full"),
    ("independent", {"n_per_system": [5, 9], "accuracy_a": 0.5, "difference": 0.1}, "exact"),
    ("proportion", {"n_cases": 12, "accuracy": [0, 0.5, 1]}, "exact"),
    ("clustered", {"n_clusters": [4, 6], "cluster_size": 3, "accuracy_a": 0.5, "difference": 0.1}, "auto"),
]


@pytest.fixture(scope="module", params=CASES, ids=[f"{c[0]}-{c[2]}" for c in CASES])
def result(request):
    scenario, parameters, engine = request.param
    return simstudy.power_curve(scenario, engine=engine, **parameters, **QUICK), parameters


def test_dimensions_are_swept_parameters_then_alpha_then_method(result):
    dataset, parameters = result
    swept = [name for name, value in parameters.items() if isinstance(value, list)]
    assert list(dataset.sizes) == [*swept, "method"]
    first = next(iter(BY_NAME.keys() & dataset.keys()))
    assert dataset[first].dims == (*swept, "method")
    without_alpha = tuple(name for name in swept if name != "alpha")
    assert dataset["replications"].dims == dataset["engine"].dims == (*without_alpha, "method")
    for name in swept:
        assert dataset[name].values.tolist() == parameters[name]


def test_fixed_parameters_are_scalar_coordinates_and_truths_have_no_method(result):
    dataset, parameters = result
    for name, value in parameters.items():
        if not isinstance(value, list):
            assert dataset.coords[name].item() == value
    swept = tuple(name for name, value in parameters.items() if isinstance(value, list) and name != "alpha")
    assert dataset["judge_calls"].dims == swept
    assert set(parameters) <= set(dataset.coords)


def test_every_variable_says_what_it_is_and_in_which_unit(result):
    dataset, _ = result
    for name in (*dataset.data_vars, *dataset.coords):
        assert dataset[name].attrs["long_name"], name
        assert dataset[name].attrs["units"], name


def test_attributes_tell_the_study(result):
    dataset, parameters = result
    study = json.loads(dataset.attrs["study"])
    options = {name for name in parameters if name == "alpha"}
    assert set(parameters) - options <= set(study["parameters"])
    assert study["options"]["seed"] == 3
    assert study["method"] == dataset["method"].values.tolist()
    for name in ("aims", "data_generating_mechanism", "estimands", "methods", "performance_measures"):
        assert dataset.attrs[name], name
    for name in ("scenario", "seed", "simstudy_version", "library_versions", "created", "command", "question"):
        assert name in dataset.attrs
    assert set(json.loads(dataset.attrs["library_versions"])) >= {"numpy", "scipy", "numba", "xarray"}


def test_the_study_attribute_repeats_the_study(result):
    dataset, _ = result
    study = json.loads(dataset.attrs["study"])
    options = {k: v for k, v in study["options"].items() if not (k == "replications" and study["options"]["mcse"])}
    options = {k: v for k, v in options.items() if v is not None}
    again = simstudy.power_curve(study["scenario"], method=study["method"], **options, **study["parameters"])
    for name in dataset.data_vars:
        assert again[name].equals(dataset[name]), name


def test_rates_are_rates(result):
    dataset, _ = result
    for name in ("power", "power_right", "undefined", "coverage", "miss_below", "miss_above", "type_s"):
        if name in dataset:
            values = dataset[name].values[np.isfinite(dataset[name].values)]
            assert ((values >= 0) & (values <= 1)).all()


def test_a_variable_applies_to_no_method_or_says_to_which():
    both = simstudy.power_curve("paired", n_cases=9, accuracy_a=0.6, difference=0.1, method="mcnemar_exact,tango")
    assert both["coverage"].attrs["applies_to"] == "tango"
    assert np.isnan(both["coverage"].sel({"method": "mcnemar_exact"}).item())
    assert "applies_to" not in both["power"].attrs
    alone = simstudy.power_curve("paired", n_cases=9, accuracy_a=0.6, difference=0.1, method="mcnemar_exact")
    assert "coverage" not in alone
    one = simstudy.power_curve("proportion", n_cases=9, accuracy=0.6)
    assert "power" not in one
    assert "coverage" in one


def test_exact_results_carry_no_monte_carlo_error_and_what_was_left_out():
    exact = simstudy.power_curve("paired", n_cases=300, accuracy_a=0.6, difference=0.1, engine="exact")
    assert set(exact["engine"].values) == {"exact"}
    assert (exact["replications"] == 0).all()
    assert (exact["power_mcse"] == 0).all()
    assert (exact["power_low"] == exact["power"]).all()
    assert (exact["left_out"] < 1e-12).all()


def test_the_other_parametrisation_is_a_truth():
    by_logits = simstudy.power_curve("paired", n_cases=50, logit_a=0.847, logit_b=1.386, difficulty_sd=1.5)
    a, difference = float(by_logits["accuracy_a"]), float(by_logits["difference"])
    by_accuracy = simstudy.power_curve("paired", n_cases=50, accuracy_a=a, difference=difference, difficulty_sd=1.5)
    assert by_accuracy["logit_a"].item() == pytest.approx(0.847, abs=1e-10)
    assert by_accuracy["logit_b"].item() == pytest.approx(1.386, abs=1e-10)
    discordance = float(by_logits["discordance"])
    by_discordance = simstudy.power_curve(
        "paired", n_cases=50, accuracy_a=a, difference=difference, discordance=discordance
    )
    assert by_discordance["difficulty_sd"].item() == pytest.approx(1.5, abs=1e-8)
    for name in ("power", "coverage"):
        assert by_accuracy[name].values == pytest.approx(by_logits[name].values, abs=1e-9, nan_ok=True)
        assert by_discordance[name].values == pytest.approx(by_logits[name].values, abs=1e-9, nan_ok=True)


def test_comparisons_divide_the_level():
    shared = {"n_cases": 60, "accuracy_a": 0.6, "difference": 0.2, "method": "mcnemar_midp"}
    divided = simstudy.power_curve("paired", comparisons=4, alpha=0.2, **shared)
    plain = simstudy.power_curve("paired", alpha=0.05, **shared)
    assert divided["power"].item() == plain["power"].item()


def test_unusable_units_are_left_out_and_said():
    lossy = simstudy.power_curve("paired", n_cases=[50, 100], accuracy_a=0.6, difference=0.2, unusable=0.1)
    plain = simstudy.power_curve("paired", n_cases=[45, 90], accuracy_a=0.6, difference=0.2)
    assert lossy["n_usable"].values.tolist() == [45, 90]
    assert (lossy["power"].values == plain["power"].values).all()
    assert lossy["n_cases"].values.tolist() == [50, 100]
    # lost units have been graded and labelled all the same
    assert lossy["judge_calls"].values.tolist() == [100, 200]
    assert lossy["labels"].values.tolist() == [50, 100]


def test_a_variable_applies_to_a_method_that_has_it_somewhere():
    """At 3000 cases the bootstrap is simulated and has nothing that was left out; at 50 it has."""
    found = simstudy.power_curve(
        "paired",
        n_cases=[50, 3000],
        accuracy_a=0.6,
        difference=0.05,
        method="bootstrap_percentile,mcnemar_midp",
        replications=50,
    )
    assert found["engine"].values.tolist() == [["exact", "exact"], ["counts", "exact"]]
    assert "applies_to" not in found["left_out"].attrs
    assert np.isnan(found["left_out"].values).tolist() == [[False, False], [True, False]]


def test_measures_of_the_estimate_have_its_unit():
    """Each method's own where they differ; a rate of rejections is a proportion whatever is estimated."""
    asked = {"n_pairs": 20, "bonus": 0.5, "method": ["gap_t", "judge_mcnemar_midp"]}
    found = simstudy.power_curve("self_preference", engine="counts", replications=200, **asked)
    both = "proportion (gap_t), logits (judge_mcnemar_midp)"
    for name in ("bias", "bias_mcse", "estimate_mean", "empirical_se", "empirical_se_mcse"):
        assert found[name].attrs["units"] == both, name
    assert found["power"].attrs["units"] == "proportion"
    alone = simstudy.power_curve("verbosity", n_cases=10, gamma=0.5, method="slope_t", replications=64)
    assert alone["bias"].attrs["units"] == alone["interval_width"].attrs["units"] != "proportion"
