"""What scenarios of two systems share."""

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.two_systems import marginal_difference


@pytest.mark.parametrize("scenario", ["independent", "clustered"])
def test_an_impossible_accuracy_of_b_is_refused(scenario):
    sizes = {"n_per_system": 5} if scenario == "independent" else {"n_clusters": 5, "cluster_size": 1}
    with pytest.raises(ParameterError, match=r"\(-0\.9, 0\.1\)"):
        simstudy.power_curve(scenario, accuracy_a=0.9, difference=0.2, **sizes)
    assert get_scenario(scenario).effect_range({"accuracy_a": 0.9}) == pytest.approx((-0.9, 0.1))


def test_the_estimate_is_b_minus_a():
    assert marginal_difference(np.array([3]), np.array([5]), 10).tolist() == pytest.approx([0.2])
