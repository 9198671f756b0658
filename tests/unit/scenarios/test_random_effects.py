"""Integrals over a normal difficulty, and their inverses."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simstudy.scenarios import random_effects
from tests.oracle import paired_slow

# adaptive quadrature promises 1e-12; the trapezoid rule comes closer
QUADRATURE = 1e-11


@pytest.mark.parametrize("sd", [0, 0.05, 0.5, 1.5, 3, 10, 20])
@pytest.mark.parametrize("logit", [-6, -0.3, 0, 0.847, 4])
def test_marginal_accuracies_are_the_integral(logit, sd):
    assert random_effects.marginal_accuracy(logit, sd) == pytest.approx(paired_slow.accuracy(logit, sd), abs=QUADRATURE)


@pytest.mark.parametrize("sd", [0, 1.5, 3, 10])
@pytest.mark.parametrize("logits", [(0.847, 1.386), (-2, 3), (0, 0)])
def test_joint_cells_are_the_integral(logits, sd):
    cells = random_effects.joint_cells(*logits, sd)
    assert cells == pytest.approx(paired_slow.cells(*logits, sd), abs=QUADRATURE)
    assert math.fsum(cells) == pytest.approx(1, abs=1e-15)


@given(st.floats(1e-9, 1 - 1e-9), st.floats(0, 20))
@settings(max_examples=60, deadline=None)
def test_conditional_logits_are_the_inverse(accuracy, sd):
    logit = random_effects.conditional_logit(accuracy, sd)
    # the promise is 1e-10
    assert random_effects.marginal_accuracy(logit, sd) == pytest.approx(accuracy, abs=1e-12)


@pytest.mark.parametrize("accuracy", [1e-15, 1e-9, 0.5, 1 - 1e-9, 1 - 1e-15])
@pytest.mark.parametrize("sd", [0.0, 1.0, 20.0])
def test_extreme_accuracies_have_a_logit(accuracy, sd):
    logit = random_effects.conditional_logit(accuracy, sd)
    assert math.isfinite(logit)
    assert random_effects.marginal_accuracy(logit, sd) == pytest.approx(accuracy, abs=1e-13)


def test_at_zero_difficulty_errors_are_independent():
    a, b = (1 / (1 + math.exp(-logit)) for logit in (0.847, 1.386))
    expected = (a * (1 - b), (1 - a) * b, a * b, (1 - a) * (1 - b))
    assert random_effects.joint_cells(0.847, 1.386, 0.0) == pytest.approx(expected, abs=1e-15)


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.01, 9))
@settings(max_examples=30, deadline=None)
def test_a_difficulty_is_recovered_from_its_discordance(a, b, sd):
    logits = (random_effects.conditional_logit(x, sd) for x in (a, b))
    p10, p01, *_ = random_effects.joint_cells(*logits, sd)
    found = random_effects.difficulty_from_discordance(a, b, p10 + p01)
    back = random_effects.joint_cells(*(random_effects.conditional_logit(x, found) for x in (a, b)), found)
    assert back[0] + back[1] == pytest.approx(p10 + p01, abs=1e-11)


def test_discordance_falls_with_difficulty_at_fixed_accuracies():
    found = []
    for sd in (0, 0.5, 1.5, 3, 6, 10):
        logits = (random_effects.conditional_logit(x, sd) for x in (0.7, 0.75))
        found.append(sum(random_effects.joint_cells(*logits, sd)[:2]))
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("discordance", [0.41, 0.0501])
def test_a_discordance_that_no_difficulty_gives_has_none(discordance):
    assert math.isnan(random_effects.difficulty_from_discordance(0.7, 0.75, discordance))


def trapezoid(function, sd):
    """The same rule with a step 20 times as fine, in extended precision: exact but for rounding."""
    z = np.arange(-520, 521).astype(np.longdouble) / 40
    weights = np.exp(-z * z / 2)
    return float((weights * function(np.longdouble(sd) * z)).sum() / weights.sum())


@pytest.mark.parametrize("sd", [0.3, 0.9, 1.0, 1.1, 1.5, 3])
@pytest.mark.parametrize("logits", [(0, 0), (-0.125, 0.5), (1, -2)])
def test_errors_are_below_what_is_said(logits, sd):
    """The module says 5e-15 for one logistic and 5e-14 for products; both are largest at sd 1."""
    a, b = logits

    def right(d):
        return 1 / (1 + np.exp(d - a))

    def both(d):
        return right(d) / (1 + np.exp(d - b))

    assert abs(random_effects.marginal_accuracy(a, sd) - trapezoid(right, sd)) < 5e-15
    assert abs(random_effects.joint_cells(a, b, sd)[2] - trapezoid(both, sd)) < 5e-14
