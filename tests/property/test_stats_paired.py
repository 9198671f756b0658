"""Properties of the paired statistics that no single value can show."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simstudy import stats

TESTS = (stats.mcnemar_exact, stats.mcnemar_midp, stats.mcnemar_chi2, stats.mcnemar_cc)
WITH_N = (stats.paired_z, stats.paired_t)
INTERVALS = (
    stats.tango,
    stats.bonett_price,
    stats.paired_wald,
    stats.paired_t_interval,
    stats.bootstrap_percentile,
)
# A busy machine is no failure: no deadline per example.
unhurried = settings(deadline=None, max_examples=60)
LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
# Limits of mirrored tables take other paths to the same root, which is iterated to 1e-13.
MIRRORED = 1e-12


@st.composite
def tables(draw, largest=3000):
    n = draw(st.integers(1, largest))
    m = draw(st.integers(0, n))
    n01 = draw(st.integers(0, m))
    return m - n01, n01, n


@st.composite
def full_tables(draw):
    n10, n01, n = draw(tables(400))
    return n10, n01, draw(st.integers(0, n - n10 - n01)), n


@unhurried
@given(tables(30_000))
def test_p_values_lie_in_the_unit_interval_and_ignore_names_two_sided(table):
    n10, n01, n = table
    for test in TESTS:
        assert 0 <= test(n10, n01) <= 1
        assert test(n10, n01) == test(n01, n10)
        assert test(n10, n01, "greater") == test(n01, n10, "less")
    for test in WITH_N:
        p = test(n10, n01, n)
        assert np.isnan(p) or 0 <= p <= 1
        np.testing.assert_equal(p, test(n01, n10, n))
        np.testing.assert_equal(test(n10, n01, n, "greater"), test(n01, n10, n, "less"))


@unhurried
@given(tables(2000))
def test_midp_lies_between_half_the_exact_p_and_the_exact_p(table):
    n10, n01, _ = table
    exact, midp = stats.mcnemar_exact(n10, n01), stats.mcnemar_midp(n10, n01)
    assert 0.5 * exact <= midp * (1 + 1e-12)
    assert midp <= exact * (1 + 1e-12)


@unhurried
@given(st.integers(1, 2000))
def test_the_p_value_falls_as_the_discordant_cases_lean_one_way(m):
    n01 = np.arange((m + 1) // 2, m + 1)
    for test in TESTS:
        assert (np.diff(test(m - n01, n01)) <= 0).all()


@unhurried
@given(tables(500))
def test_one_sided_exact_tails_share_the_observed_table_alone(table):
    n10, n01, _ = table
    both = stats.mcnemar_midp(n10, n01, "greater") + stats.mcnemar_midp(n10, n01, "less")
    assert both == pytest.approx(1.0, abs=1e-13)


@unhurried
@given(tables(), LEVELS)
def test_swapping_the_systems_mirrors_the_interval(table, level):
    n10, n01, n = table
    for interval in INTERVALS[:-1]:
        low, high = interval(n10, n01, n, level)
        mirrored = interval(n01, n10, n, level)
        np.testing.assert_allclose([low, high], [-mirrored[1], -mirrored[0]], rtol=0, atol=MIRRORED)
    assert stats.difference(n10, n01, n) == -stats.difference(n01, n10, n)


@unhurried
@given(tables(60))
def test_swapping_mirrors_the_bootstrap(table):
    """At levels without ties: a quantile is the smallest value that reaches q, and a tie would lean to one side."""
    n10, n01, n = table
    low, high = stats.bootstrap_percentile(n10, n01, n, 0.9321)
    mirrored = stats.bootstrap_percentile(n01, n10, n, 0.9321)
    assert (low, high) == (-mirrored[1], -mirrored[0])


@unhurried
@given(full_tables(), LEVELS)
def test_newcombe_is_mirrored_lies_inside_and_contains_the_estimate(table, level):
    n10, n01, n11, n = table
    low, high = stats.newcombe(n10, n01, n11, n, level)
    mirrored = stats.newcombe(n01, n10, n11, n, level)
    np.testing.assert_allclose([low, high], [-mirrored[1], -mirrored[0]], rtol=0, atol=MIRRORED)
    assert -1 <= low <= stats.difference(n10, n01, n) <= high <= 1


@unhurried
@given(full_tables(), LEVELS)
def test_newcombe_is_mirrored_when_right_and_wrong_change_places(table, level):
    n10, n01, n11, n = table
    n00 = n - n10 - n01 - n11
    low, high = stats.newcombe(n10, n01, n11, n, level)
    turned_low, turned_high = stats.newcombe(n01, n10, n00, n, level)
    # Where an arm vanishes a rounding error stands under the root.
    np.testing.assert_allclose([low, high], [-turned_high, -turned_low], rtol=0, atol=1e-7)


@unhurried
@given(tables(), LEVELS)
def test_intervals_contain_the_estimate_and_stay_inside(table, level):
    n10, n01, n = table
    estimate = stats.difference(n10, n01, n)
    for interval in (stats.tango, stats.paired_wald, stats.paired_t_interval):
        low, high = interval(n10, n01, n, level)
        assert np.isnan(low) or -1 <= low <= estimate <= high <= 1
    # Bonett and Price centre at the adjusted difference, which is nearer 0.
    low, high = stats.bonett_price(n10, n01, n, level)
    assert -1 <= low <= estimate * n / (n + 2) <= high <= 1


@unhurried
@given(tables(), LEVELS)
def test_tango_leaves_out_zero_exactly_where_mcnemar_chi2_rejects(table, level):
    n10, n01, n = table
    low, high = stats.tango(n10, n01, n, level)
    assert (low > 0 or high < 0) == (stats.mcnemar_chi2(n10, n01) < 1 - level)


@unhurried
@given(tables(), LEVELS)
def test_a_higher_level_gives_a_wider_interval(table, level):
    for interval in INTERVALS:
        low, high = interval(*table, level)
        wide_low, wide_high = interval(*table, 0.5 + 0.5 * level)
        assert np.isnan(low) or (wide_low <= low and high <= wide_high)


@unhurried
@given(tables(200), st.integers(2, 6))
def test_intervals_shrink_with_n(table, factor):
    """The same shares from more cases."""
    n10, n01, n = table
    for interval in (stats.tango, stats.bonett_price, stats.paired_wald):
        low, high = interval(n10, n01, n)
        more_low, more_high = interval(*(factor * count for count in table))
        # Wald is cut at ±1, and undefined at n = 1.
        assert np.isnan(low) or more_high - more_low <= high - low + 1e-12


@unhurried
@given(st.lists(tables(800), min_size=1, max_size=12), LEVELS)
def test_rows_of_an_array_do_not_see_each_other(rows, level):
    columns = np.array(rows).T
    for interval in INTERVALS:
        together = np.array(interval(*columns, level)).T
        np.testing.assert_array_equal(together, [interval(*row, level) for row in rows])


@unhurried
@given(tables(300), st.floats(-1, 1))
def test_tango_z_is_antisymmetric(table, delta):
    n10, n01, n = table
    assert stats.tango_z(n10, n01, n, delta) == -stats.tango_z(n01, n10, n, -delta)


@unhurried
@given(tables(), st.floats(0.01, 0.9), st.floats(0.001, 0.05))
def test_a_wider_margin_is_easier_to_meet(table, margin, more):
    for test in (stats.noninferiority_tango, stats.equivalence_tango):
        assert test(*table, margin + more) <= test(*table, margin) * (1 + 1e-9) + 1e-300


@unhurried
@given(st.lists(st.integers(-6, 6), max_size=25))
def test_sign_flips_see_magnitudes_and_the_sum_alone(differences):
    p = stats.sign_flip_exact(differences)
    assert 0 < p <= 1
    assert p == stats.sign_flip_exact([-d for d in differences])
    assert p == stats.sign_flip_exact([*differences, 0])
    scaled = stats.sign_flip_exact([3 * d for d in differences])
    assert p == pytest.approx(scaled, rel=1e-12)
    greater = stats.sign_flip_exact(differences, "greater")
    assert greater == stats.sign_flip_exact([-d for d in differences], "less")
