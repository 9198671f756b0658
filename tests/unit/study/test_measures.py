"""Measures by hand arithmetic, and how close simulation has to come."""

import math

import numpy as np
import pytest

import simstudy
from simstudy import power_curve
from simstudy.pages.page import to_table
from simstudy.scenarios import get_scenario
from simstudy.scenarios.decisions import DOWN, UP
from simstudy.scenarios.measure import MEASURES
from simstudy.stats.agreement import kappa_bootstrap
from simstudy.study.measures import Cell, Sums, elsewhere, measures, precise_enough, take_over, wilson
from simstudy.study.methods_on_rows import FEATURES, Evaluated
from tests.small.families import Families
from tests.small.weeks import Weeks

PAIRED = get_scenario("paired")
POINT = PAIRED.point({"n_cases": 10, "accuracy_a": 0.5, "difference": 0.1, "difficulty_sd": 0})
METHOD = PAIRED.method("paired_z")
NAN = math.nan
# five kinds of replications: rejected upward (twice), downward, not rejected, undefined
VERDICTS = Evaluated(
    code=np.array([UP, UP, DOWN, 0, 0], np.int8),
    undefined=np.array([False, False, False, False, True]),
    estimate=np.array([0.4, 0.2, -0.3, 0.1, NAN]),
    low=np.array([0.2, 0.1, -0.5, -0.1, NAN]),
    high=np.array([0.6, 0.3, -0.1, 0.3, NAN]),
)
COUNTS = np.array([2.0, 1.0, 1.0, 5.0, 1.0])


def summed(weights, exact):
    sums = Sums()
    sums.add(VERDICTS, weights, POINT.estimand, exact)
    return sums


def test_simulated_measures_by_hand():
    found = measures(summed(COUNTS, False), POINT, METHOD, 10)
    assert found["power"] == pytest.approx(0.4)
    assert found["power_mcse"] == pytest.approx(math.sqrt(0.4 * 0.6 / 10))
    assert found["power_right"] == pytest.approx(0.3)
    assert found["type_s"] == pytest.approx(1 / 4)
    assert found["type_s_mcse"] == pytest.approx(math.sqrt(0.25 * 0.75 / 4))
    # |estimates| among the four rejections: .4, .4, .2, .3
    assert found["type_m"] == pytest.approx(0.325 / 0.1)
    assert found["type_m_mcse"] == pytest.approx(np.std([0.4, 0.4, 0.2, 0.3], ddof=1) / 2 / 0.1)
    assert found["undefined"] == pytest.approx(0.1)
    estimates = [0.4, 0.4, 0.2, -0.3, 0.1, 0.1, 0.1, 0.1, 0.1]
    assert found["estimate_mean"] == pytest.approx(np.mean(estimates))
    assert found["bias"] == pytest.approx(np.mean(estimates) - 0.1)
    assert found["bias_mcse"] == pytest.approx(np.std(estimates, ddof=1) / 3)
    assert found["empirical_se"] == pytest.approx(np.std(estimates, ddof=1))
    assert found["empirical_se_mcse"] == pytest.approx(np.std(estimates, ddof=1) / 4)
    # .1 lies in [.1, .3] (at its edge) and [−.1, .3]; below [.2, .6]; above [−.5, −.1]; undefined does not cover
    assert found["coverage"] == pytest.approx(0.6)
    assert found["miss_above"] == pytest.approx(0.2)
    assert found["miss_below"] == pytest.approx(0.1)
    widths = [0.4, 0.4, 0.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]
    assert found["interval_width"] == pytest.approx(np.mean(widths))
    assert found["interval_width_mcse"] == pytest.approx(np.std(widths, ddof=1) / 3)


def test_exact_measures_by_hand():
    found = measures(summed(COUNTS / 10, True), POINT, METHOD, 0)
    simulated = measures(summed(COUNTS, False), POINT, METHOD, 10)
    for name, value in found.items():
        if name.endswith("_mcse"):
            assert value == 0
        elif name == "empirical_se":
            assert value == pytest.approx(simulated[name] * math.sqrt(8 / 9))
        elif not name.endswith(("_low", "_high")):
            assert value == pytest.approx(simulated[name])
    assert found["power_low"] == found["power_high"] == found["power"]


def test_every_measure_is_described():
    found = measures(summed(COUNTS, False), POINT, METHOD, 10)
    # only an estimator with a mean of its own has the coverage of it
    described = {name for measure in MEASURES for name in measure.variables}
    assert described - set(found) == {"coverage_own", "coverage_own_mcse"}
    assert set(found) <= described
    assert VERDICTS.features.shape == (len(FEATURES), 5)


def test_what_never_rejects_has_no_direction_and_no_error_of_it():
    verdicts = Evaluated(np.zeros(1, np.int8), np.zeros(1, bool), np.array([0.1]), None, None)
    sums = Sums()
    sums.add(verdicts, np.array([1000.0]), POINT.estimand, False)
    found = measures(sums, POINT, METHOD, 1000)
    assert found["power"] == 0
    # the naive error of 0 of 1000 is 0; the Wilson limit says what is known
    assert found["power_high"] == pytest.approx(0.003827, abs=1e-6)
    # an error of 0 would say that the undefined is known exactly
    assert all(math.isnan(found[name]) for name in ("type_s", "type_s_mcse", "type_m", "type_m_mcse"))


def test_a_method_that_is_always_undefined():
    nothing = np.array([NAN])
    verdicts = Evaluated(np.zeros(1, np.int8), np.ones(1, bool), nothing, nothing, nothing)
    sums = Sums()
    sums.add(verdicts, np.array([50.0]), POINT.estimand, False)
    found = measures(sums, POINT, METHOD, 50)
    assert (found["power"], found["undefined"], found["coverage"]) == (0, 1, 0)
    assert all(math.isnan(found[name]) for name in ("bias", "empirical_se", "interval_width", "bias_mcse"))


def test_a_single_defined_replication_has_no_standard_deviation():
    sums = Sums()
    sums.add(VERDICTS, np.array([0, 1.0, 0, 0, 4]), POINT.estimand, False)
    found = measures(sums, POINT, METHOD, 5)
    assert found["bias"] == pytest.approx(0.1)
    assert math.isnan(found["empirical_se"])
    assert math.isnan(found["empirical_se_mcse"])


def direction(method, **values):
    base = {"n_cases": 10, "accuracy_a": 0.5, "difficulty_sd": 0, "margin": 0.1}
    chosen = PAIRED.method(method)
    return chosen.decision.direction(PAIRED.point({**base, **values}), chosen)


@pytest.mark.parametrize(
    ("method", "difference", "expected"),
    [
        ("tango", 0.1, 1),
        ("tango", -0.1, -1),
        ("tango", 0.0, 0),
        ("noninferiority_tango", -0.05, 1),
        ("noninferiority_tango", -0.1, 0),
        ("noninferiority_tango", -0.2, -1),
        ("equivalence_tango", 0.05, 1),
        ("equivalence_tango", -0.2, -1),
    ],
)
def test_which_rejections_are_right(method, difference, expected):
    assert direction(method, difference=difference) == expected


def test_a_scenario_without_an_effect_has_no_right_direction():
    proportion = get_scenario("proportion")
    point = proportion.point({"n_cases": 3, "accuracy": 0.5})
    wilson_method = proportion.method("wilson")
    assert wilson_method.decision.direction(point, wilson_method) == 0
    assert wilson_method.decision.truth(point, wilson_method) is None


def test_wilson_limits_of_a_simulated_rate():
    assert wilson(0.7, 0) == (0.7, 0.7)
    # the published interval of 70 of 100
    assert wilson(0.7, 100) == pytest.approx((0.6042, 0.7811), abs=5e-5)


def test_precision_is_never_reached_by_a_rate_of_zero_alone():
    few = {"power_low": 0.0, "power_high": wilson(0, 1000)[1], "power": 0.0}
    many = {"power_low": 0.0, "power_high": wilson(0, 100_000)[1], "power": 0.0}
    assert not precise_enough([few], 0.0005)
    assert precise_enough([many], 0.0005)
    assert not precise_enough([many, few], 0.0005)
    assert precise_enough([{"coverage": 0.9, "coverage_low": 0.89, "coverage_high": 0.91}], 0.0052)


def test_undefined_intervals_are_counted():
    found = power_curve(
        "independent", n_per_system=3, accuracy_a=0.02, difference=0.96, method=["z_pooled", "z_unpooled"]
    )
    unpooled = found.sel({"method": "z_unpooled"})
    shares = [float(unpooled[name]) for name in ("coverage", "miss_below", "miss_above", "undefined")]
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    assert math.isnan(found["coverage"].sel({"method": "z_pooled"}))


def test_one_rejection_has_no_monte_carlo_error():
    found = power_curve(
        "paired",
        engine="counts",
        n_cases=100,
        accuracy_a=0.99,
        difference=0.005,
        difficulty_sd=1,
        replications=1000,
        seed=7,
        method="mcnemar_exact",
    ).isel({"method": 0})
    assert float(found["power"]) * 1000 == pytest.approx(1)
    assert math.isnan(found["type_m_mcse"])
    assert float(found["type_s_high"]) > 0.5


def test_impossible_rejections_have_no_direction():
    found = power_curve(
        "paired",
        n_cases=400,
        accuracy_a=0.9,
        difference=0.05,
        discordance=0.05,
        alternative="less",
        method="unpaired_z",
    )
    assert float(found["power"][0]) == 0
    assert math.isnan(found["type_s"][0])


def test_a_gap_is_exaggerated_as_far_as_it_aims():
    """Type M is a ratio to what the method estimates, the gap, and not to the bonus in logits."""
    found = power_curve("self_preference", n_pairs=60, bonus=0.5, method="gap_t", engine="exact")
    assert float(found["type_m"][0]) == pytest.approx(2.410, abs=5e-4)
    assert float(found["power_right"][0]) < 0.3


@pytest.mark.parametrize(
    ("truth", "covered", "below", "above"),
    # of [.2, .6] twice, [.1, .3], [−.5, −.1], [−.1, .3] five times and one that is undefined
    [(0.1, 6, 1, 2), (0.3, 8, 1, 0), (-0.1, 6, 0, 3)],
)
@pytest.mark.parametrize("exact", [False, True])
def test_a_limit_that_equals_the_truth_covers_it(truth, covered, below, above, exact):
    sums = Sums()
    sums.add(VERDICTS, COUNTS, truth, exact, truth)
    found = measures(sums, POINT, METHOD, 10)
    expected = [covered / 10, below / 10, above / 10]
    assert [found[name] for name in ("coverage", "miss_below", "miss_above")] == pytest.approx(expected)
    # the mean of the estimator was given as the truth here
    assert sums.own == covered


def test_intervals_without_an_end_cover_and_have_no_width():
    low, high = np.array([-math.inf, 0.0, 0.2]), np.array([0.3, 0.4, math.inf])
    verdicts = Evaluated(np.zeros(3, np.int8), np.zeros(3, bool), np.array([0.1, 0.2, 0.4]), low, high)
    sums = Sums()
    sums.add(verdicts, np.array([1.0, 4.0, 3.0]), 0.1, False)
    found = measures(sums, POINT, METHOD, 8)
    assert (found["coverage"], found["miss_above"], found["unbounded"]) == (5 / 8, 3 / 8, 4 / 8)
    assert found["interval_width"] == pytest.approx(0.4)


def test_a_true_effect_that_is_rounding_is_no_effect():
    """Differences of accuracies leave some 1e-17 of a null effect; a ratio to that would say nothing."""
    point = PAIRED.point({**POINT.values, "difference": 1e-13})
    assert 0 < abs(point.estimand) < 1e-12
    assert math.isnan(measures(summed(COUNTS, False), point, METHOD, 10)["type_m"])


OWN = [Families(), Weeks()]


def test_measures_of_another_point_come_from_there():
    """The lesson of weeks at no decline, say: the variables named at a point replace those of the point itself."""
    for scenario in OWN:
        point = scenario.point(scenario.example)
        found = {name: dict(there.values) for there, names in elsewhere(point) for name in names}
        wanted = {v: {**point.values, **m.at} for m in scenario.measures if m.at for v in m.variables}
        assert found == wanted
    assert any(measure.at for scenario in OWN for measure in scenario.measures)


def test_only_what_was_found_elsewhere_is_taken_over():
    cells = {"a": Cell("exact", 0, [{"power": 0.5, "bias": 0.1}, {"power": 0.4}])}
    others = {"a": Cell("exact", 0, [{"power": 0.9, "bias": 0.2}, {"power": 0.8}])}
    take_over(cells, others, ["bias", "width"])
    assert cells["a"].by_level == [{"power": 0.5, "bias": 0.2}, {"power": 0.4}]


def _tables(n):
    return [(a, b, c, n - a - b - c) for a in range(n + 1) for b in range(n + 1 - a) for c in range(n + 1 - a - b)]


def test_methods_that_draw_have_an_error_where_the_law_is_exact():
    """The variance of a sum over tables, each with draws of its own: half the squared change by another set of them."""
    asked = {"n_labels": 6, "prevalence": 0.6, "sensitivity": 0.9, "specificity": 0.8, "kappa_threshold": -0.25}
    found = simstudy.power_curve("agreement", method="kappa_bootstrap", engine="exact", resamples=100, seed=3, **asked)
    tables = np.array(_tables(6))
    cells = np.array([0.6 * 0.9, 0.6 * 0.1, 0.4 * 0.2, 0.4 * 0.8])
    share = np.exp(
        [
            math.lgamma(7) + sum(k * math.log(p) - math.lgamma(k + 1) for k, p in zip(t, cells, strict=False))
            for t in tables
        ]
    )
    low, high = (
        np.array(ends)
        for ends in zip(
            *(kappa_bootstrap(*tables.T, seed=seed, resamples=100) for seed in (3, 3 + 2**63)), strict=False
        )
    )
    change = (low[0] > -0.25).astype(float) - (low[1] > -0.25)
    assert found["power"].item() == pytest.approx(share[low[0] > -0.25].sum(), rel=1e-9)
    assert found["power_mcse"].item() == pytest.approx(math.sqrt((share**2 * 0.5 * change**2).sum()), rel=1e-9)
    width = np.nan_to_num(high - low)
    defined = share[~np.isnan(low[0])].sum()
    error = math.sqrt((share**2 * 0.5 * (width[0] - width[1]) ** 2).sum()) / defined
    assert found["interval_width_mcse"].item() == pytest.approx(error, rel=1e-9)
    assert found["power_low"].item() < found["power"].item() < found["power_high"].item()
    table = to_table(found)
    assert "exact but for its own draws: kappa_bootstrap." in table
    assert "All figures are exact." not in table
    assert "kappa_bootstrap: draws random numbers itself, and errors hold that too." in table


@pytest.mark.slow
def test_errors_of_draws_are_about_as_large_as_seeds_differ():
    """Forty seeds know a standard deviation to 11%: beyond .7 or 1.35 of the error once in some 500 runs."""
    asked = {"n_labels": 10, "prevalence": 0.6, "kappa": 0.7, "kappa_threshold": 0.2, "resamples": 200}
    runs = [
        simstudy.power_curve("agreement", method="kappa_bootstrap", engine="exact", seed=seed, **asked)
        for seed in range(1, 41)
    ]
    for name in ("coverage", "interval_width", "miss_below"):
        spread = np.std([run[name].item() for run in runs], ddof=1)
        error = math.sqrt(np.mean([run[f"{name}_mcse"].item() ** 2 for run in runs]))
        assert 0.7 < spread / error < 1.35, name
