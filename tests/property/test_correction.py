"""What holds for every correction, whatever the labels and verdicts."""

from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simstudy import stats

# rounding of sums in another order, on numbers of size 1
ROUNDING = 1e-9
quickly = settings(deadline=None, max_examples=80)
small = st.integers(0, 30)
cells = st.tuples(
    st.lists(st.lists(small, min_size=4, max_size=4), min_size=4, max_size=4), st.lists(small, min_size=4, max_size=4)
).map(lambda drawn: (np.array(drawn[0]), np.array(drawn[1])))
FUNCTIONS = [
    (stats.rogan_gladen_difference, stats.rogan_gladen_difference_interval),
    (
        partial(stats.rogan_gladen_difference, pooled=True),
        partial(stats.rogan_gladen_difference_interval, pooled=True),
    ),
    (stats.ppi_difference, stats.ppi_difference_interval),
    (partial(stats.ppi_difference, tuned=True), partial(stats.ppi_difference_interval, tuned=True)),
]
every = st.sampled_from(FUNCTIONS)
# the pairs with A and B exchanged
SWAPPED = [1, 0, 2, 3]


@quickly
@given(every, cells)
def test_exchanging_the_systems_changes_the_sign(functions, tables):
    estimate, interval = functions
    labelled, others = tables
    turned = labelled[np.ix_(SWAPPED, SWAPPED)], others[SWAPPED]
    np.testing.assert_allclose(estimate(*turned), -estimate(labelled, others), atol=ROUNDING)
    low, high = interval(labelled, others, 0.9)
    np.testing.assert_allclose(interval(*turned, 0.9), (-high, -low), atol=ROUNDING)


@quickly
@given(every, cells, st.floats(0.5, 0.98))
def test_intervals_hold_the_estimate_and_grow_with_the_level(functions, tables, level):
    estimate, interval = functions
    low, high = interval(*tables, level)
    wide = interval(*tables, 0.99)
    if not np.isnan(low):
        assert -1 <= wide[0] <= low + ROUNDING
        assert high - ROUNDING <= wide[1] <= 1
        # an accuracy that is cut to [0, 1] moves the interval with it
        assert low - ROUNDING <= np.clip(estimate(*tables), -1, 1) <= high + ROUNDING


@quickly
@given(every, cells)
def test_ten_times_the_cases_have_the_same_estimate_and_a_narrower_interval(functions, tables):
    estimate, interval = functions
    labelled, others = tables
    few, many = interval(labelled, others, 0.5), interval(10 * labelled, 10 * others, 0.5)
    if functions is not FUNCTIONS[3]:
        # the tuned weight has a divisor of n - 1
        np.testing.assert_allclose(estimate(10 * labelled, 10 * others), estimate(labelled, others), atol=ROUNDING)
    if not np.isnan(few[0]) and few[0] > -1 and few[1] < 1:
        assert many[1] - many[0] < few[1] - few[0] + ROUNDING


@quickly
@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 60))
def test_a_judge_without_errors_leaves_the_labels_and_verdicts_as_they_are(n10, n01, n11):
    labelled = np.diag([n10, n01, n11, 3])
    others = np.array([n01, n10, 5, n11])
    labels_and_verdicts = np.diag(labelled) + others
    total = labels_and_verdicts.sum()
    expected = (labels_and_verdicts[1] - labels_and_verdicts[0]) / total
    for pooled in (False, True):
        if n10 and n01 and n11:
            np.testing.assert_allclose(stats.rogan_gladen_difference(labelled, others, pooled), expected, atol=ROUNDING)


values = st.floats(-100, 100)


@quickly
@given(st.data())
def test_means_are_equivariant_and_do_not_depend_on_the_order(data):
    n, m = data.draw(st.integers(2, 12)), data.draw(st.integers(2, 12))
    labels, verdicts = (np.array(data.draw(st.lists(values, min_size=n, max_size=n))) for _ in range(2))
    others = np.array(data.draw(st.lists(values, min_size=m, max_size=m)))
    order = data.draw(st.permutations(range(n)))
    shift = data.draw(values)
    for mean in (stats.ppi_mean, stats.ppi_pp_mean):
        found = mean(labels, verdicts, others)
        np.testing.assert_allclose(mean(labels[order], verdicts[order], others[::-1]), found, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(mean(labels + shift, verdicts, others), found + shift, rtol=1e-6, atol=1e-6)
    # the tuned weight does not depend on where the verdicts have their zero
    moved = stats.ppi_pp_mean(labels, verdicts + 1.0, others + 1.0)
    np.testing.assert_allclose(moved, stats.ppi_pp_mean(labels, verdicts, others), rtol=1e-6, atol=1e-6)
