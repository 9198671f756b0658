"""One accuracy: coverage and width against sums over outcomes."""

import math

import numpy as np
import pytest

import simstudy
from simstudy.scenarios.proportion import share
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


def test_the_estimate_is_the_share():
    assert share(np.array([3]), 4).tolist() == [0.75]
