"""The first question: power at design points."""

import numpy as np
import pytest

import simstudy
from simstudy.study.plan import make_study
from simstudy.study.power_curve import power_of

ASKED = {"n_cases": [20, 40], "accuracy_a": 0.6, "difference": 0.1}


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": [0.05, 0.01], "method": "tango"},
        {"engine": "counts", "replications": 300, "seed": 8},
        {"engine": "full", "replications": 50, "common_random_numbers": False},
        {"alternative": "greater", "comparisons": 3, "unusable": 0.2},
        {"engine": "counts", "mcse": 0.02, "threads": 1},
    ],
    ids=", ".join,
)
def test_keywords_are_those_of_a_study(options):
    by_call = simstudy.power_curve("paired", **options, **ASKED)
    by_study = power_of(make_study("paired", ASKED, **options))
    assert by_study.identical(by_call.assign_attrs(created=by_study.attrs["created"]))


def test_power_of_a_sign_test_by_hand():
    """Three cases, all discordant, all won by B with probability .9³: p = 2·(1/2)³ = .25."""
    found = simstudy.power_curve(
        "paired", n_cases=3, accuracy_a=0.1, difference=0.8, discordance=1.0, alpha=[0.25, 0.24], method="mcnemar_exact"
    )
    assert found["power_right"].values[:, 0] == pytest.approx([0.9**3, 0], abs=1e-12)
    assert found["power_wrong"].values[:, 0] == pytest.approx([0.1**3, 0], abs=1e-12)
    assert found["power"].values[:, 0] == pytest.approx([0.9**3 + 0.1**3, 0], abs=1e-12)


def test_the_question_is_named_after_what_is_found():
    assert simstudy.power_curve("paired", **ASKED).attrs["question"].startswith("Power: two systems")
    coverage = simstudy.power_curve("proportion", n_cases=10, accuracy=0.5)
    assert coverage.attrs["question"].startswith("Coverage: ")
    assert "power" not in coverage


def test_power_grows_with_cases():
    power = simstudy.power_curve("paired", **{**ASKED, "n_cases": [50, 100, 200, 400]})["power"].values
    assert (np.diff(power, axis=0) > 0).all()
