"""What holds for every table of a judge against labels, for raters, and for repeated verdicts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simstudy
from simstudy import stats
from simstudy.scenarios.agreement import kernel as agreement
from simstudy.scenarios.stability import kernel as stability

# a busy machine is no failure, and the first example may compile a kernel
unhurried = settings(deadline=None, max_examples=60)
ROUNDING = 1e-12
cells = st.tuples(*(st.integers(0, 60) for _ in range(4)))
levels = st.sampled_from([0.5, 0.8, 0.95, 0.99])
weights = st.sampled_from(["none", "linear", "quadratic"])
tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 30), min_size=k, max_size=k), min_size=k, max_size=k)
)
shares = st.floats(0.05, 0.95)
seeds = st.integers(0, 2**64 - 1)


@unhurried
@given(cells, levels)
def test_intervals_hold_kappa_and_lie_inside(table, level):
    centre = stats.kappa(*table)
    assert np.isnan(centre) or -1 <= centre <= 1
    low, high = stats.kappa_wald(*table, level)
    assert np.isnan(low) == (not stats.kappa_standard_error(*table) > 0)
    if not np.isnan(low):
        assert -1 <= low <= centre + ROUNDING
        assert centre - ROUNDING <= high <= 1
    for interval in (stats.kappa_adjusted, stats.kappa_few, stats.kappa_wilson_po):
        low, high = interval(*table, level)
        assert np.isnan(low) == np.isnan(high) == np.isnan(centre)
        assert np.isnan(low) or -1 <= low < high <= 1


@unhurried
@given(cells, levels)
def test_roles_and_names_may_change_places(table, level):
    tp, fn, fp, tn = table
    for other in ((tp, fp, fn, tn), (tn, fp, fn, tp)):
        np.testing.assert_allclose(stats.kappa(*other), stats.kappa(*table), rtol=0, atol=ROUNDING)
        for interval in (stats.kappa_wald, stats.kappa_adjusted, stats.kappa_few, stats.kappa_wilson_po):
            np.testing.assert_allclose(interval(*other, level), interval(*table, level), rtol=0, atol=ROUNDING)


@unhurried
@given(cells, st.integers(2, 9))
def test_kappa_keeps_and_its_error_shrinks_with_more_of_the_same(table, factor):
    more = [factor * cell for cell in table]
    np.testing.assert_allclose(stats.kappa(*more), stats.kappa(*table), rtol=0, atol=ROUNDING)
    error = stats.kappa_standard_error(*table)
    np.testing.assert_allclose(stats.kappa_standard_error(*more) * np.sqrt(factor), error, rtol=1e-9, atol=1e-15)


@unhurried
@given(tables, weights, st.randoms())
def test_kappa_of_any_table(table, weight, random):
    table = np.array(table)
    found = stats.cohen_kappa(table, weight)
    np.testing.assert_allclose(found, stats.cohen_kappa(table.T, weight), rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(found, stats.cohen_kappa(table[::-1, ::-1], weight), rtol=0, atol=ROUNDING)
    order = list(range(len(table)))
    random.shuffle(order)
    plain = stats.cohen_kappa(table[np.ix_(order, order)])
    np.testing.assert_allclose(plain, stats.cohen_kappa(table), rtol=0, atol=ROUNDING)
    if not np.isnan(found):
        assert found <= 1 + ROUNDING
        assert stats.pabak(table) <= 1


@unhurried
@given(st.lists(cells, min_size=1, max_size=5), st.integers(0, 2**32))
def test_bootstrap_rows_do_not_see_each_other(rows, seed):
    together = np.array(stats.kappa_bootstrap(*np.array(rows).T, seed, 50))
    alone = np.array([stats.kappa_bootstrap(*row, seed, 50) for row in rows]).T
    np.testing.assert_array_equal(together, alone)


ratings = st.lists(
    st.lists(st.sampled_from([1.0, 2.0, 3.0, 5.0, np.nan]), min_size=3, max_size=3), min_size=2, max_size=12
)


@unhurried
@given(ratings, st.sampled_from(["nominal", "ordinal", "interval"]), st.randoms())
def test_alpha_sees_neither_the_order_nor_the_scale(units, metric, random):
    table = np.array(units)
    found = stats.krippendorff_alpha(table, metric)
    shuffled = units.copy()
    random.shuffle(shuffled)
    np.testing.assert_allclose(stats.krippendorff_alpha(np.array(shuffled)[:, ::-1], metric), found, atol=ROUNDING)
    np.testing.assert_allclose(stats.krippendorff_alpha(10 - 2 * table, metric), found, atol=ROUNDING)
    assert np.isnan(found) or found <= 1


verdicts = st.integers(2, 7).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 1), min_size=k, max_size=k), min_size=1, max_size=8)
)


@unhurried
@given(verdicts, st.randoms())
def test_repeated_verdicts(rows, random):
    table = np.array(rows)
    shuffled = table[random.sample(range(len(table)), len(table))][:, ::-1]
    for statistic, most in ((stats.unstable_share, 1), (stats.minority_share, 0.5), (stats.pair_disagreement, 1)):
        found = statistic(table)
        assert 0 <= found <= most
        assert statistic(shuffled) == pytest.approx(found, abs=1e-15)
        assert statistic(1 - table) == pytest.approx(found, abs=1e-15)
        assert (found == 0) == (stats.unstable_share(table) == 0)
    np.testing.assert_array_equal(stats.majority_verdict(1 - table), 1 - stats.majority_verdict(table))


@unhurried
@given(seeds, st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 30), st.tuples(*(shares,) * 4))
def test_more_labels_change_none_that_are_there(key, replication, few, more, rates):
    small, large = np.empty((few, 2)), np.empty((few + more, 2))
    agreement.cases(key, replication, small, few, *rates)
    agreement.cases(key, replication, large, few + more, *rates)
    np.testing.assert_array_equal(small, large[:few])


@unhurried
@given(seeds, st.integers(0, 2**32 - 1), st.integers(1, 20), st.integers(1, 20), st.integers(2, 9), st.floats(-4, 4))
def test_more_prompts_change_none_that_are_there(key, replication, few, more, repetitions, logit):
    small, large = np.empty((few, 4)), np.empty((few + more, 4))
    stability.cases(key, replication, small, few, repetitions, logit, 1.5)
    stability.cases(key, replication, large, few + more, repetitions, logit, 1.5)
    np.testing.assert_array_equal(small, large[:few])


@unhurried
@given(seeds, st.integers(1, 9), st.lists(st.integers(1, 599), max_size=3, unique=True))
def test_blocks_of_replications_give_the_same_rows(key, n, cuts):
    for simulate, width, rest in (
        (agreement.simulate, 5, (0.6, 0.8, 0.7, 0.1)),
        (stability.simulate, 2, (3, 0.5, 1.0)),
    ):
        whole = np.full((600, width), -1)
        simulate(key, 5, whole, n, *rest)
        for start, stop in zip([0, *sorted(cuts)], [*sorted(cuts), 600], strict=True):
            block = np.full((stop - start, width), -1)
            simulate(key, 5 + start, block, n, *rest)
            np.testing.assert_array_equal(block, whole[start:stop])
        assert (whole.sum(axis=1) == n).all()


@settings(deadline=None, max_examples=15)
@given(st.integers(5, 25), shares, st.floats(0.1, 0.9), st.floats(0.0, 0.8))
def test_the_adjusted_interval_certifies_better_judges_more_often(n, prevalence, kappa, threshold):
    found = simstudy.power_curve(
        "agreement",
        n_labels=n,
        prevalence=prevalence,
        kappa=[kappa, kappa + 0.5 * (1 - kappa), 1.0],
        kappa_threshold=threshold,
        method="kappa_adjusted",
        engine="exact",
    )["power"].values[:, 0]
    assert (np.diff(found) >= -1e-9).all()
