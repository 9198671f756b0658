"""Two systems on cases of their own."""

import numpy as np
import pytest

import simstudy
from simstudy.engines.addresses import canonical
from simstudy.errors import RequestError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.two_systems import difference_of_rates, marginal_difference
from tests.oracle import independent_slow, proportions_slow

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


UNEQUAL = [(9, 14, 1.5, 0.6, 0.8, 0.2), (14, 4, 0.25, 0.9, 0.85, 0.15), (1, 3, 3.0, 0.5, 0.7, 0.3)]


@pytest.mark.parametrize("method", independent_slow.TESTS)
@pytest.mark.parametrize(("n", "n_b", "ratio", "p_a", "p_b", "margin"), UNEQUAL)
def test_power_with_unequal_arms_and_a_margin(method, n, n_b, ratio, p_a, p_b, margin):
    """Both sides sum the same outcomes: power agrees to the last places."""
    needs = {"margin": margin} if get_scenario("independent").method(method).needs else {}
    asked = {"n_per_system": n, "ratio": ratio, "accuracy_a": p_a, "difference": p_b - p_a, **needs}
    found = simstudy.power_curve("independent", method=method, engine="exact", **asked)
    power, undefined = independent_slow.power(method, n, n_b, p_a, p_b, margin=margin)
    assert found["power"].item() == pytest.approx(power, abs=ROUNDING)
    assert found["undefined"].item() == pytest.approx(undefined, abs=ROUNDING)
    assert found["judge_calls"].item() == found["labels"].item() == n + n_b


@pytest.mark.parametrize("engine", ["counts", "full"])
def test_engines_agree_with_unequal_arms(engine):
    """Eight rates of 40,000 replications, five standard errors each: a false alarm in 1 of 200,000 runs."""
    asked = {"n_per_system": 30, "ratio": 2.5, "accuracy_a": 0.8, "difference": -0.05, "margin": 0.2}
    methods = [m.name for m in get_scenario("independent").methods]
    exact = simstudy.power_curve("independent", method=methods, engine="exact", **asked)["power"].values
    found = simstudy.power_curve("independent", method=methods, engine=engine, replications=40_000, seed=5, **asked)[
        "power"
    ].values
    assert (np.abs(found - exact) <= 5 * np.sqrt(exact * (1 - exact) / 40_000)).all()


@pytest.mark.parametrize(
    ("n", "ratio", "n_b"), [(50, 0.29, 15), (10, 0.35, 4), (3, 0.5, 2), (3, 2 / 3, 2), (7, 1, 7), (10**12, 1, 10**12)]
)
def test_cases_of_b_are_rounded_from_the_ratio_as_it_is_written(n, ratio, n_b):
    """0.29 · 50 is 14.499999999999998 in floating point, and 14.5 as written."""
    scenario = get_scenario("independent")
    point = scenario.point({"n_per_system": n, "ratio": ratio, "accuracy_a": 0.5, "difference": 0.0})
    assert point.derived == {"n_b": n_b}


def test_a_point_at_ratio_1_has_the_draws_that_it_had_before_there_was_a_ratio():
    point = get_scenario("independent").point
    values = {"n_per_system": 40, "accuracy_a": 0.5, "difference": 0.0}
    before = '["independent",{"accuracy_a":0.5,"difference":0.0,"n_per_system":40.0}]'
    assert canonical(point(values)) == canonical(point({**values, "ratio": 1})) == before
    assert '"ratio":2.0' in canonical(point({**values, "ratio": 2}))


def test_the_estimate_is_that_of_equal_arms_to_the_last_bit():
    x_a, x_b = np.random.default_rng(1).integers(0, 8_999_000, (2, 1000))
    for n in (8_999_001, 9_000_011):
        np.testing.assert_array_equal(difference_of_rates(x_a, n, x_b, n), marginal_difference(x_a, x_b, n))
    assert difference_of_rates(np.array([3]), 10, np.array([5]), 20).tolist() == pytest.approx([-0.05])


def test_a_size_keeps_the_ratio():
    """Farrington & Manning's n is near: 104.04; the exact first size and the one never lost again lie around it."""
    asked = {"accuracy_a": 0.8, "difference": -0.02, "ratio": 2, "margin": 0.15, "alpha": 0.025}
    found = simstudy.size("independent", method="noninferiority_farrington_manning", **asked)
    n = int(found["answer"].item())
    assert abs(n - 104.04) < 4
    assert noninferior(n - 1, 0.8, 0.78) < 0.8 <= noninferior(n, 0.8, 0.78)


def noninferior(n, p_a, p_b):
    asked = {"n_per_system": n, "ratio": 2, "accuracy_a": p_a, "difference": p_b - p_a, "margin": 0.15, "alpha": 0.025}
    found = simstudy.power_curve("independent", method="noninferiority_farrington_manning", **asked)
    return found["power"].item()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ratio": 0.1, "n_per_system": 4}, "ratio 0.1 with n_per_system 4 gives B 0 cases"),
        ({"ratio": 0}, r"ratio is 0; it must be a number in \(0, 1000\]"),
        ({"ratio": 10, "n_per_system": 10**12}, "gives B 10000000000000 cases; it must give it from 1 to"),
        ({"method": "equivalence_wald"}, "equivalence_wald needs --margin"),
        ({"margin": 0.1}, "margin is read by noninferiority_farrington_manning"),
        ({"margin": 1.0, "method": "equivalence_wald"}, r"margin is 1.0; it must be a number in \(0, 1\)"),
    ],
)
def test_what_cannot_be_is_refused(change, said):
    asked = {"n_per_system": 20, "accuracy_a": 0.6, "difference": 0.1, **change}
    with pytest.raises(RequestError, match=said):
        simstudy.power_curve("independent", **asked)


def test_a_size_begins_where_b_has_a_case():
    scenario = get_scenario("independent")
    for ratio, smallest in ((0.1, 5), (0.3, 2), (0.5, 1), (1, 1), (7, 1)):
        assert scenario.smallest_size({"ratio": ratio}) == smallest


def test_the_smaller_arm_is_replayed_with_blanks():
    units = simstudy.replay("independent", replication=3, n_per_system=10, ratio=0.4, accuracy_a=0.5, difference=0.1)
    equal = simstudy.replay("independent", replication=3, n_per_system=10, accuracy_a=0.5, difference=0.1)
    assert np.isnan(units["right_b"]).tolist() == [False] * 4 + [True] * 6
    np.testing.assert_array_equal(units["right_a"], equal["right_a"])
    np.testing.assert_array_equal(units["right_b"][:4], equal["right_b"][:4])
