"""Laws that exact results obey at any design point."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simstudy
from simstudy import testing
from simstudy.engines.conditional import mcnemar_power
from tests.oracle import paired_slow

# the probability of a table is a product of three binomials, each good to 1e-13
ROUNDING = 1e-10
# an estimand this close to the null is the null: no direction is right
NO_EFFECT = 1e-12
FEW = settings(max_examples=12, deadline=None)
TESTS = "mcnemar_exact,mcnemar_midp,mcnemar_chi2,mcnemar_cc,paired_z,unpaired_z"


def ask(law, n, method, **options):
    """Exact results for cells that need not come from a difficulty."""
    p10, p01, p11, _ = law
    return simstudy.power_curve(
        "paired",
        n_cases=n,
        accuracy_a=p10 + p11,
        difference=p01 - p10,
        discordance=p10 + p01,
        method=method,
        engine="exact",
        **options,
    )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@given(law=testing.cells(0.01), n=st.integers(2, 9), alpha=st.sampled_from([0.05, 0.2, 0.45]))
@settings(max_examples=8, deadline=None)
def test_exact_is_enumeration(alternative, law, n, alpha):
    methods = [*paired_slow.TESTS, *(m for m in paired_slow.INTERVALS if m != "tango")]
    found = ask(law, n, methods, alpha=alpha, alternative=alternative)
    difference = law[1] - law[0]
    for i, method in enumerate(methods):
        slow = paired_slow.operating(method, n, law, alpha, alternative)
        assert found["power"].values[i] == pytest.approx(slow["power"], abs=ROUNDING), method
        assert found["undefined"].values[i] == pytest.approx(slow["undefined"], abs=ROUNDING), method
        right = slow["up"] if difference > 0 else slow["down"]
        if abs(difference) > NO_EFFECT:
            assert found["power_right"].values[i] == pytest.approx(right, abs=ROUNDING), method
        if abs(difference) > 0.01 and slow["power"] > 1e-6:
            type_m = slow["size_rejected"] / abs(difference)
            assert found["type_m"].values[i] == pytest.approx(type_m, rel=1e-6), method
            assert found["type_s"].values[i] == pytest.approx(1 - right / slow["power"], abs=1e-6), method


@given(law=testing.cells(0.01), n=st.integers(3, 7))
@settings(max_examples=5, deadline=None)
def test_exact_coverage_is_enumeration(law, n):
    found = ask(law, n, paired_slow.INTERVALS)
    for i, method in enumerate(paired_slow.INTERVALS):
        coverage, width = paired_slow.coverage(method, n, law)
        assert found["coverage"].values[i] == pytest.approx(coverage, abs=ROUNDING), method
        # limits of the slow inversion are good to 1e-10
        assert found["interval_width"].values[i] == pytest.approx(width, abs=1e-8), method
    assert found["bias"].values == pytest.approx(np.zeros(4), abs=ROUNDING)
    variance = (law[0] + law[1] - (law[1] - law[0]) ** 2) / n
    assert found["empirical_se"].values == pytest.approx(np.full(4, math.sqrt(variance)), abs=1e-8)


@given(law=testing.cells(0.005), n=st.integers(1, 120))
@FEW
def test_swapping_the_systems_swaps_the_directions(law, n):
    p10, p01, p11, p00 = law
    found, turned = (ask(cells, n, TESTS + ",tango,newcombe") for cells in (law, (p01, p10, p11, p00)))
    for name in ("power", "coverage", "undefined", "interval_width"):
        assert found[name].values == pytest.approx(turned[name].values, abs=ROUNDING, nan_ok=True)
    if abs(p10 - p01) > NO_EFFECT:
        assert found["power_right"].values == pytest.approx(turned["power_right"].values, abs=ROUNDING)
    assert found["miss_below"].values == pytest.approx(turned["miss_above"].values, abs=ROUNDING, nan_ok=True)
    assert found["estimate_mean"].values == pytest.approx(-turned["estimate_mean"].values, abs=ROUNDING, nan_ok=True)


@given(law=testing.cells(0.005), n=st.integers(1, 120))
@FEW
def test_one_sided_tests_swap_with_the_systems(law, n):
    p10, p01, p11, p00 = law
    greater = ask(law, n, TESTS, alternative="greater")["power"].values
    less = ask((p01, p10, p11, p00), n, TESTS, alternative="less")["power"].values
    assert greater == pytest.approx(less, abs=ROUNDING)


@given(testing.accuracies(0.1, 0.6), st.integers(5, 150), st.floats(0, 4))
@FEW
def test_power_in_the_right_direction_grows_with_the_effect(accuracy, n, sd):
    """The sign of a larger effect is never harder to see, as the law of n01 given the total only moves up."""
    result = simstudy.power_curve(
        "paired",
        n_cases=n,
        accuracy_a=accuracy,
        difference=[0.01, 0.05, 0.1, 0.2, 0.35],
        difficulty_sd=sd,
        discordance=None,
        method="mcnemar_exact,mcnemar_midp,mcnemar_chi2",
        engine="exact",
    )
    assert (np.diff(result["power_right"].values, axis=0) >= -ROUNDING).all()


@given(law=testing.cells(0.005), n=st.integers(1, 150), alpha=st.floats(1e-4, 0.45))
@FEW
def test_rates_lie_between_zero_and_one_and_the_exact_test_keeps_its_level(law, n, alpha):
    p10, p01, p11, p00 = law
    null = ((p10 + p01) / 2, (p10 + p01) / 2, p11, p00)
    for cells in (law, null):
        found = ask(cells, n, TESTS + ",tango,newcombe,bonett_price,bootstrap_percentile", alpha=alpha)
        for name in ("power", "power_right", "type_s", "undefined", "coverage", "miss_below", "miss_above"):
            values = found[name].values[np.isfinite(found[name].values)]
            assert ((values >= 0) & (values <= 1)).all(), name
        total = found["coverage"] + found["miss_below"] + found["miss_above"] + found["undefined"]
        defined = np.isfinite(total.values)
        assert (total.values[defined] >= 1 - 1e-9).all()
    size = ask(null, n, "mcnemar_exact,mcnemar_cc", alpha=alpha)["power"].values
    assert size[0] <= alpha + ROUNDING


@given(law=testing.cells(0.005), n=st.integers(2, 120))
@FEW
def test_tango_rejects_exactly_when_the_asymptotic_test_does(law, n):
    found = ask(law, n, "tango,mcnemar_chi2")["power"].values
    assert found[0] == found[1]


@given(law=testing.cells(0.005), n=st.integers(1, 120))
@FEW
def test_sign_flips_are_the_exact_test(law, n):
    found = ask(law, n, "sign_flip_exact,mcnemar_exact")["power"].values
    assert found[0] == pytest.approx(found[1], abs=1e-15)


@given(law=testing.cells(0.02), alpha=st.sampled_from([0.05, 0.01]))
@settings(max_examples=10, deadline=None)
def test_intervals_shrink_with_n(law, alpha):
    widths = [ask(law, n, "tango,newcombe,bonett_price", alpha=alpha)["interval_width"].values for n in (10, 40, 160)]
    assert (np.diff(widths, axis=0) < 0).all()


@given(counts=testing.proportion_counts(60), level=testing.levels(0.8, 0.99))
@FEW
def test_the_width_of_one_proportion_falls_with_n_and_its_rates_add_up(counts, level):
    x, n = counts
    result = simstudy.power_curve("proportion", n_cases=[n, 4 * n], accuracy=x / n, alpha=1 - level, engine="exact")
    total = result["coverage"] + result["miss_below"] + result["miss_above"]
    assert total.values == pytest.approx(np.ones((2, 5)))
    # Wald's interval has no width at 0 and n, which few cases reach often
    width = result["interval_width"].drop_sel({"method": "wald"}).values
    assert (width[1] <= width[0] + ROUNDING).all()


@given(testing.cells(0.001), st.integers(1, 400))
@FEW
def test_the_sum_over_the_discordant_total_is_the_law_of_tables(law, n):
    """Two routes inside the package: solving uses the sum, power curves use the joint law."""
    for method in ("mcnemar_exact", "mcnemar_midp", "mcnemar_cc"):
        by_total = mcnemar_power(n, law[0], law[1], method)[0]
        assert ask(law, n, method)["power"].item() == pytest.approx(by_total, abs=ROUNDING)
