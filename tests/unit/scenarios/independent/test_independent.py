"""Two systems on cases of their own."""

import pytest

import simstudy
from tests.oracle import proportions_slow

# SciPy's binomial probabilities are good to some 1e-13
ROUNDING = 1e-11


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
