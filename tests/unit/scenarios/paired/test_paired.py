"""Cells, truths and refusals of scenario paired."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simstudy
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.study.asked import study_of
from tests.oracle import paired_slow

PAIRED = get_scenario("paired")

# adaptive quadrature promises 1e-12; the trapezoid rule comes closer
QUADRATURE = 1e-11


def point(**values):
    return PAIRED.point({"n_cases": 100, **values})


def test_cells_by_discordance():
    law = point(accuracy_a=0.7, difference=0.05, discordance=0.375).laws[0][1]
    assert law == pytest.approx((0.1625, 0.2125, 0.5375, 0.0875), abs=1e-15)


def test_published_cells_at_middling_difficulty():
    law = point(accuracy_a=0.7, difference=0.05, difficulty_sd=1.5).laws[0][1]
    assert law[:2] == pytest.approx((0.12208, 0.17208), abs=5e-6)


def test_truths():
    truth = point(accuracy_a=0.7, difference=0.05, difficulty_sd=1.5).truth
    p10, p01, p11, p00 = paired_slow.cells(truth["logit_a"], truth["logit_b"], 1.5)
    assert (truth["accuracy_a"], truth["accuracy_b"]) == pytest.approx((0.7, 0.75), abs=QUADRATURE)
    assert truth["discordance"] == pytest.approx(p10 + p01, abs=QUADRATURE)
    assert truth["concordant"] == pytest.approx(p11 + p00, abs=QUADRATURE)
    assert truth["phi"] == pytest.approx((p11 - 0.7 * 0.75) / math.sqrt(0.7 * 0.3 * 0.75 * 0.25), abs=1e-9)
    assert (truth["judge_calls"], truth["labels"]) == (200, 100)


def test_a_discordance_above_independent_errors_has_no_difficulty():
    truth = point(accuracy_a=0.7, difference=0.02, discordance=0.58).truth
    assert math.isnan(truth["difficulty_sd"])
    assert math.isnan(truth["logit_a"])
    assert truth["discordance"] == pytest.approx(0.58)
    with pytest.raises(RefusedError, match="independent errors give"):
        PAIRED.kernel_arguments(point(accuracy_a=0.7, difference=0.02, discordance=0.58).values, (0.05,), "two-sided")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"accuracy_a": 0.9, "difference": 0.1, "difficulty_sd": 1}, r"\(-0\.9, 0\.1\)"),
        ({"accuracy_a": 0.9, "difference": -0.9, "difficulty_sd": 1}, r"\(-0\.9, 0\.1\)"),
        ({"accuracy_a": 0.5, "difference": 0.2, "discordance": 0.1}, r"\[0\.2, 0\.8\]"),
        ({"accuracy_a": 0.97, "difference": 0.02, "discordance": 0.05}, r"\[0\.02, 0\.04\]"),
        ({"accuracy_a": 0.5, "difference": 0.2, "discordance": 0}, r"in \(0, 1\]"),
        ({"accuracy_a": 0.5, "difference": 0.2, "difficulty_sd": 11}, r"in \[0, 10\]"),
    ],
)
def test_impossible_points_are_refused_with_the_range(values, words):
    with pytest.raises(ParameterError, match=words):
        point(**values)


@given(st.floats(0.02, 0.98), st.floats(0.001, 0.999), st.floats(0.001, 0.999))
@settings(max_examples=200)
def test_the_range_of_effects_is_the_range_of_points(a, discordance, share):
    """Just inside the stated range a point exists, just outside none does."""
    values = {"n_cases": 10, "accuracy_a": a, "discordance": discordance}
    low, high = PAIRED.effect_range(values)
    if high - low < 1e-6:
        return
    PAIRED.point({**values, "difference": low + share * (high - low)})
    for outside in (low - 1e-6, high + 1e-6):
        with pytest.raises(ParameterError):
            PAIRED.point({**values, "difference": outside})


@given(st.floats(0.02, 0.98), st.floats(0, 10), st.floats(-0.9, 0.9))
@settings(max_examples=60, deadline=None)
def test_cells_are_probabilities_with_the_margins_that_were_said(a, sd, difference):
    b = a + difference
    if not 1e-6 < b < 1 - 1e-6:
        return
    p10, p01, p11, p00 = PAIRED.law({"accuracy_a": a, "difference": difference, "difficulty_sd": sd})[0]
    assert min(p10, p01, p11, p00) >= 0
    assert p10 + p01 + p11 + p00 == pytest.approx(1, abs=1e-14)
    assert (p10 + p11, p01 + p11) == pytest.approx((a, b), abs=1e-11)


def test_the_estimand_of_logits_is_the_difference_of_marginal_accuracies():
    values = {"n_cases": 10, "logit_a": 0.847, "logit_b": 1.386, "difficulty_sd": 1.5}
    expected = paired_slow.accuracy(1.386, 1.5) - paired_slow.accuracy(0.847, 1.5)
    assert PAIRED.point(values).estimand == pytest.approx(expected, abs=QUADRATURE)


@given(st.floats(0.02, 0.98), st.floats(-0.98, 0.98), st.floats(0.001, 0.999))
@settings(max_examples=60, deadline=None)
def test_a_correlation_has_its_own_range_of_effects(a, phi, share):
    """Just inside the stated range a point exists, with this phi; just outside none does."""
    values = {"n_cases": 10, "accuracy_a": a, "correlation": phi}
    low, high = PAIRED.effect_range(values)
    if high - low < 1e-6:
        return
    found = PAIRED.point({**values, "difference": low + share * (high - low)})
    assert min(found.laws[0][1]) >= 0
    assert found.truth["phi"] == pytest.approx(phi, abs=1e-6)
    for outside in (low - 1e-6, high + 1e-6):
        with pytest.raises(ParameterError):
            PAIRED.point({**values, "difference": outside})


def test_an_impossible_correlation_is_refused_with_the_range():
    with pytest.raises(ParameterError, match=r"0\.9 cannot occur.*\[-0\.242535625, 0\.7276068751\]"):
        point(accuracy_a=0.75, difference=0.1, correlation=0.9)
    with pytest.raises(ParameterError, match=r"\[-1, 1\]"):
        point(accuracy_a=0.5, difference=0.0, correlation=1.1)
    with pytest.raises(RefusedError, match="discordance and correlation cannot be given together"):
        simstudy.power_curve("paired", n_cases=9, accuracy_a=0.5, difference=0, correlation=0, discordance=0.5)
    with pytest.raises(RefusedError, match="logit_a and correlation cannot be given together"):
        simstudy.power_curve("paired", n_cases=9, logit_a=0, logit_b=0, correlation=0)


@pytest.mark.parametrize("phi", [0.05, 0.4, 0.7])
def test_single_cases_are_simulated_at_the_difficulty_that_gives_the_correlation(phi):
    values = point(accuracy_a=0.75, difference=0.1, correlation=phi).values
    _, logit_a, logit_b, sd = PAIRED.kernel_arguments(values, (0.05,), "two-sided")
    p10, p01, p11, p00 = paired_slow.cells(logit_a, logit_b, sd)
    spread = math.sqrt((p10 + p11) * (p01 + p00) * (p01 + p11) * (p10 + p00))
    assert (p11 * p00 - p10 * p01) / spread == pytest.approx(phi, abs=1e-9)
    assert (p10 + p11, p01 + p11) == pytest.approx((0.75, 0.85), abs=1e-9)


def test_a_negative_correlation_has_no_difficulty():
    values = point(accuracy_a=0.75, difference=0.1, correlation=-0.1).values
    with pytest.raises(RefusedError, match=r"gives correlation -0\.1 at .* \(independent errors give 0\)"):
        PAIRED.kernel_arguments(values, (0.05,), "two-sided")


def test_correlation_0_is_no_shared_difficulty():
    independent = point(accuracy_a=0.7, difference=0.1, difficulty_sd=0).laws[0][1]
    assert point(accuracy_a=0.7, difference=0.1, correlation=0).laws[0][1] == pytest.approx(independent, abs=1e-15)


BY_DISCORDANCE = [m.name for m in PAIRED.methods if m.name not in ("newcombe", "unpaired_z")]


def test_discordance_alone_is_enough_where_nobody_reads_the_accuracies():
    asked = {"n_cases": 30, "difference": 0.15, "discordance": 0.3, "margin": 0.1, "method": BY_DISCORDANCE}
    without = simstudy.power_curve("paired", **asked)
    spared = without["power"].values
    for accuracy_a in (0.2, 0.7):
        given_too = simstudy.power_curve("paired", accuracy_a=accuracy_a, **asked)["power"].values
        assert spared == pytest.approx(given_too, abs=1e-12)
    assert without["engine"].values.tolist() == ["exact"] * len(BY_DISCORDANCE)
    unknown = ("accuracy_a", "accuracy_b", "logit_a", "logit_b", "difficulty_sd", "phi")
    assert all(np.isnan(without[name].item()) for name in unknown)
    assert without["concordant"].item() == pytest.approx(0.7)
    assert without["judge_calls"].item() == 60
    assert study_of(without).said == {"n_cases": 30, "difference": 0.15, "discordance": 0.3, "margin": 0.1}


def test_sizes_and_effects_by_discordance_alone():
    """An accuracy at which every difference within the discordance can exist changes no answer."""
    by = {"discordance": 0.2, "method": ["mcnemar_midp", "tango"]}
    for ask, more in ((simstudy.size, {"difference": 0.1}), (simstudy.mde, {"n_cases": 100})):
        answers = [ask("paired", **by, **more, **known)["answer"].values for known in ({}, {"accuracy_a": 0.5})]
        assert answers[0] == pytest.approx(answers[1], abs=1e-6)


@pytest.mark.parametrize(
    "change", [{"method": "newcombe"}, {"method": ["tango", "unpaired_z"]}, {"engine": "full"}, {"discordance": None}]
)
def test_whoever_reads_the_accuracies_asks_for_them(change):
    with pytest.raises(ParameterError, match="paired needs accuracy_a: --accuracy-a"):
        simstudy.power_curve("paired", **{"n_cases": 30, "difference": 0.1, "discordance": 0.2, **change})
    with pytest.raises(ParameterError, match="paired needs accuracy_a"):
        simstudy.replay("paired", replication=0, n_cases=5, difference=0.1, discordance=0.2)


def test_a_discordance_alone_bounds_the_difference():
    with pytest.raises(ParameterError, match=r"discordance 0\.2 cannot occur with difference 0\.3: .* \[0\.3, 1\]"):
        simstudy.power_curve("paired", n_cases=30, difference=0.3, discordance=0.2)
    assert PAIRED.effect_range({"discordance": 0.2}) == (-0.2, 0.2)


@pytest.mark.parametrize("known", [{"accuracy_a": 0.4, "discordance": 1}, {"accuracy_a": 0.6, "correlation": -1}])
def test_where_a_single_difference_can_exist_none_is_solved_for(known):
    only = round(1 - 2 * known["accuracy_a"], 10)
    with pytest.raises(RefusedError, match=f"beside the other parameters difference can only be {only:g}"):
        simstudy.mde("paired", n_cases=100, **known)
    assert simstudy.power_curve("paired", n_cases=10, difference=only, **known)["discordance"].item() == pytest.approx(
        1
    )


def test_limits_of_paired_z_are_cut_and_its_note_says_so():
    method = PAIRED.method("paired_z")
    # −2/3 ± 1.96·(1/3) without the cut: −1.32 to −.01
    low, high = method.interval.resolve()(2, 0, 3, level=0.95)
    assert low == -1.0
    assert high == pytest.approx(-2 / 3 + 1.959964 / 3, abs=1e-6)
    assert "limits cut to [−1, 1]" in method.note
