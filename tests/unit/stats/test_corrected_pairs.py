"""Corrected differences of two systems against exact fractions and the infinitesimal jackknife."""

import math

import numpy as np
import pytest
from scipy.special import ndtri

from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import judged_slow as slow

Z = ndtri(0.975)

PAIRS = slow.PAIRS


def tables(labelled, others):
    """Counts of cases given one by one."""
    table, rest = np.zeros((4, 4), int), np.zeros(4, int)
    for right_a, right_b, says_a, says_b in labelled:
        table[PAIRS.index((right_a, right_b)), PAIRS.index((says_a, says_b))] += 1
    for verdict in others:
        rest[PAIRS.index(verdict)] += 1
    return table, rest


def drawn(seed, n_labelled=40, n_others=60, sensitivity=0.8, specificity=0.85):
    """Cases of two systems of accuracies .6 and .7."""
    rng = np.random.default_rng(seed)
    right = rng.random((n_labelled + n_others, 2)) < [0.6, 0.7]
    says = np.where(right, rng.random(right.shape) < sensitivity, rng.random(right.shape) > specificity)
    rows = np.column_stack([right, says]).tolist()
    return [tuple(row) for row in rows[:n_labelled]], [tuple(row[2:]) for row in rows[n_labelled:]]


def steps(pairs):
    return [int(b) - int(a) for a, b in pairs]


@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_corrected_difference_is_the_plug_in_and_its_error_the_infinitesimal_jackknife(seed, pooled):
    labelled, others = drawn(seed)

    def statistic(weights):
        return slow.rogan_gladen_of_weights(labelled, others, weights, pooled)

    estimate = statistic([1.0] * 100)
    # here nothing is cut
    assert stats.rogan_gladen_difference(*tables(labelled, others), pooled) == pytest.approx(estimate, abs=1e-12)
    margin = Z * slow.standard_error(statistic, 100)
    limits = stats.rogan_gladen_difference_interval(*tables(labelled, others), pooled=pooled)
    # central differences of step 1e-5 err by about 1e-10 of the derivatives
    assert limits == pytest.approx((estimate - margin, estimate + margin), abs=1e-8)


@pytest.mark.parametrize("tuned", [False, True])
@pytest.mark.parametrize("sensitivity", [0.1, 0.5, 0.95])
def test_prediction_powered_differences_are_those_of_exact_fractions(tuned, sensitivity):
    labelled, others = drawn(5, sensitivity=sensitivity)
    labels, verdicts, rest = steps(c[:2] for c in labelled), steps(c[2:] for c in labelled), steps(others)
    estimate, variance = slow.ppi(labels, verdicts, rest, tuned)
    margin = Z * math.sqrt(variance)
    limits = pytest.approx((float(estimate) - margin, float(estimate) + margin), abs=1e-12)
    table, of_others = tables(labelled, others)
    assert stats.ppi_difference(table, of_others, tuned) == pytest.approx(float(estimate), abs=1e-12)
    assert stats.ppi_difference_interval(table, of_others, tuned=tuned) == limits
    mean, interval = (
        (stats.ppi_pp_mean, stats.ppi_pp_mean_interval) if tuned else (stats.ppi_mean, stats.ppi_mean_interval)
    )
    assert mean(labels, verdicts, rest) == pytest.approx(float(estimate), abs=1e-12)
    assert interval(labels, verdicts, rest) == limits


def test_each_system_is_cut_by_itself():
    # 10 and 60 of 116 answers are accepted, at sensitivity 1 and specificity 3/4
    table = np.zeros((4, 4), int)
    table[2, 2], table[3, 3], table[3, 2] = 8, 6, 2
    rest = np.array([0, 50, 0, 50])
    assert stats.rogan_gladen(10, 116, 8, 8, 6, 8) == 0
    assert stats.rogan_gladen_difference(table, rest) == stats.rogan_gladen(60, 116, 8, 8, 6, 8)


def test_rates_of_each_system_need_labels_of_both_kinds_and_pooled_rates_of_one():
    table = np.zeros((4, 4), int)
    # every labelled answer of B is right
    table[1, 1], table[2, 2] = 5, 7
    rest = np.array([3, 4, 5, 6])
    assert math.isnan(stats.rogan_gladen_difference(table, rest))
    assert np.isnan(stats.rogan_gladen_difference_interval(table, rest)).all()
    assert stats.rogan_gladen_difference(table, rest, pooled=True) == pytest.approx((4 + 5 - 3) / 30)


def test_a_judge_no_better_than_chance_cannot_be_corrected_but_is_ignored_by_tuning():
    labelled, others = drawn(1, n_labelled=200, sensitivity=0.4, specificity=0.4)
    assert math.isnan(stats.rogan_gladen_difference(*tables(labelled, others)))
    labels = steps(case[:2] for case in labelled)
    assert stats.ppi_difference(*tables(labelled, others), tuned=True) == pytest.approx(np.mean(labels))


def test_differences_broadcast_over_tables_in_front():
    found = [tables(*drawn(seed)) for seed in range(3)]
    stacked = [np.array(part) for part in zip(*found, strict=True)]
    for function in (stats.rogan_gladen_difference, stats.ppi_difference):
        np.testing.assert_array_equal(function(*stacked), [function(*one) for one in found])
    low, high = stats.rogan_gladen_difference_interval(*stacked)
    assert low.shape == high.shape == (3,)
    assert stats.ppi_mean(np.ones((2, 3)), np.ones((2, 3)), np.zeros((2, 5))).shape == (2,)


@pytest.mark.parametrize(
    ("labelled", "others", "words"),
    [
        (np.zeros((3, 3)), np.zeros(4), r"labelled has the shape \(3, 3\)"),
        (np.zeros((4, 4)), np.zeros(3), r"they must be \(..., 4, 4\) and \(..., 4\)"),
        (np.zeros((2, 4, 4)), np.zeros(4), "same dimensions in front"),
        (np.full((4, 4), 0.5), np.zeros(4), "labelled must hold whole numbers"),
        (np.zeros((4, 4)), np.full(4, -1), "unlabelled must not be negative"),
    ],
)
def test_tables_of_another_form_are_refused(labelled, others, words):
    for function in (
        stats.rogan_gladen_difference,
        stats.rogan_gladen_difference_interval,
        stats.ppi_difference,
        stats.ppi_difference_interval,
    ):
        with pytest.raises(ParameterError, match=words):
            function(labelled, others)
