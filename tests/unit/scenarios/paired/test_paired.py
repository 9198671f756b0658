"""Cells, truths and refusals of scenario paired."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
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
