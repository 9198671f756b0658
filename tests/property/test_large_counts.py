"""Counts near the largest that are taken: intervals and tests against their normal limit, in exact numbers.

Methods of one family differ by some 1/√(np) of the width, of which the smallest sample here makes 1.4e-5.
"""

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from simstudy import stats

# A busy machine is no failure: no deadline per example.
unhurried = settings(deadline=None, max_examples=30)
Z = 1.959963984540054
# share of the half-width: what methods of one family may differ by, and what limits with 16 digits can show
METHODS, DIGITS = 5e-5, 1e-15
# share of a p-value near .05, which answers some five times as strongly to a share of the statistic
TESTS = 3e-4
# whole numbers beyond 2**53 are rounded to even ones, in the arguments as well
SIZES = st.sampled_from([10**12, 10**13, 10**14, 10**15, 9 * 10**15])
PERCENT = st.integers(5, 95)


def root(fraction):
    """Return the square root of a fraction to 30 digits."""
    scale = 10**60
    return Fraction(isqrt(fraction.numerator * scale // fraction.denominator), 10**30)


def check_limits(name, limits, estimate, error):
    """Compare limits with estimate ± z·error, relative to the half-width."""
    for limit, side in zip(limits, (-Z, Z), strict=True):
        slack = METHODS * Z * float(error) + DIGITS * max(1.0, abs(float(estimate)))
        assert abs(limit - float(estimate + Fraction(side) * error)) < slack, name


@unhurried
@given(SIZES, PERCENT)
def test_intervals_of_one_proportion(n, percent):
    x = n * percent // 100 + 1
    p = Fraction(x, n)
    names = ("wald", "agresti_coull", "wilson", "clopper_pearson", "jeffreys", "midp_proportion")
    for name in names:
        check_limits(name, getattr(stats, name)(x, n), p, root(p * (1 - p) / n))
    logit = Fraction(float(np.log(x) - np.log(n - x)))
    error = root(Fraction(1, x) + Fraction(1, n - x))
    for name in ("log_preference_exact", "log_preference_midp"):
        check_limits(name, getattr(stats, name)(n - x, x), logit, error)
    for name in ("position_bias_exact", "position_bias_midp", "position_bias_score"):
        check_limits(name, getattr(stats, name)(x, n - x), logit / 2, error / 2)
    check_limits("first_share_limits", stats.first_share_limits(x, n - x), logit, error)


@unhurried
@given(SIZES, PERCENT, PERCENT, st.sampled_from([1, 3, 10]))
def test_intervals_and_tests_of_two_proportions(n, percent_a, percent_b, times):
    n_a, n_b = n // times, n
    x_a, x_b = n_a * percent_a // 100, n_b * percent_b // 100
    p_a, p_b = Fraction(x_a, n_a), Fraction(x_b, n_b)
    error = root(p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b)
    for name in ("wald_independent", "newcombe_independent"):
        check_limits(name, getattr(stats, name)(x_a, n_a, x_b, n_b), p_b - p_a, error)
    # two standard errors apart: p-values that tell a wrong statistic from a right one
    x_b = int(n_b * (p_a + 2 * root(p_a * (1 - p_a) * (Fraction(1, n_a) + Fraction(1, n_b)))))
    p_b = Fraction(x_b, n_b)
    z = float((p_b - p_a) / root(p_a * (1 - p_a) * (Fraction(1, n_a) + Fraction(1, n_b))))
    for name in ("z_pooled", "z_unpooled"):
        assert getattr(stats, name)(x_a, n_a, x_b, n_b) == pytest.approx(2 * special.ndtr(-z), rel=TESTS)


@unhurried
@given(SIZES, st.integers(1, 40), st.integers(1, 40))
def test_intervals_and_tests_of_pairs(n, percent_a, percent_b):
    only_a, only_b, both = n * percent_a // 100, n * percent_b // 100, n // 10
    estimate = Fraction(only_b - only_a, n)
    error = root((Fraction(only_a + only_b, n) - estimate**2) / n)
    for name in ("paired_wald", "paired_t_interval", "bonett_price", "tango"):
        check_limits(name, getattr(stats, name)(only_a, only_b, n), estimate, error)
    check_limits("newcombe", stats.newcombe(only_a, only_b, both, n), estimate, error)
    only_b = int(only_a + 2 * root(Fraction(2 * only_a)))
    z = float((only_b - only_a) / root(Fraction(only_a + only_b)))
    for name in ("mcnemar_chi2", "mcnemar_cc", "mcnemar_exact", "mcnemar_midp"):
        assert getattr(stats, name)(only_a, only_b) == pytest.approx(2 * special.ndtr(-z), rel=TESTS), name
    for name in ("paired_z", "paired_t"):
        assert getattr(stats, name)(only_a, only_b, n) == pytest.approx(2 * special.ndtr(-z), rel=TESTS), name


def test_differences_of_nearly_one_direction():
    """All cases but one: n·m and (n01 − n10)² are then nearly equal, and their difference would lose its digits."""
    for n in (10**8, 10**12, 10**15):
        exact = root(Fraction(n - 1, n * n * (n - 1)))
        assert stats.paired_standard_error(0, n - 1, n)[1] == pytest.approx(float(exact), rel=1e-14)


def kappa_by_hand(table):
    """Return Cohen's kappa and its standard error by Fleiss, Cohen & Everitt (1969), equation 13, in fractions."""
    n = sum(map(sum, table))
    share = [[Fraction(cell, n) for cell in row] for row in table]
    rows, columns = [sum(row) for row in share], [sum(column) for column in zip(*share, strict=True)]
    observed, chance = share[0][0] + share[1][1], rows[0] * columns[0] + rows[1] * columns[1]
    off = sum(share[i][1 - i] * (columns[i] + rows[1 - i]) ** 2 for i in (0, 1)) * (1 - observed) ** 2
    on = sum(share[i][i] * (1 - chance - (columns[i] + rows[i]) * (1 - observed)) ** 2 for i in (0, 1))
    last = (observed * chance - 2 * chance + observed) ** 2
    return (observed - chance) / (1 - chance), root((on + off - last) / n / (1 - chance) ** 4)


@unhurried
@given(st.integers(6, 15), st.lists(st.integers(1, 1000), min_size=3, max_size=3), st.booleans())
def test_kappa_where_one_category_is_nearly_all(digits, rest, spread):
    fn, fp, tn = (count * 10 ** (digits // 2) for count in rest) if spread else rest
    cells = (10**digits, fn, fp, tn)
    table = [[cells[0], fn], [fp, tn]]
    kappa, error = kappa_by_hand(table)
    for found in (stats.kappa(*cells), stats.cohen_kappa(table)):
        assert found == pytest.approx(float(kappa), rel=1e-13, abs=1e-15)
    for found in (stats.kappa_standard_error(*cells), stats.cohen_kappa_standard_error(table)):
        assert found == pytest.approx(float(error), rel=1e-12)


@unhurried
@given(SIZES, PERCENT)
def test_intervals_of_a_corrected_rate(n, percent):
    """Rogan and Gladen's with a perfect judge, and prediction power with useless verdicts, are the plain rate."""
    right = n * percent // 100
    p = Fraction(right, n)
    low, high = stats.rogan_gladen_interval(right, n, n, n, n, n)
    check_limits("rogan_gladen_interval", (low, high), p, root(p * (1 - p) / n))
    check_limits("wilson_rate", stats.wilson_rate(float(p), n), p, root(p * (1 - p) / n))
    assert stats.rate_mcse(float(p), n) == pytest.approx(float(root(p * (1 - p) / n)), rel=METHODS)


@unhurried
@given(SIZES, PERCENT)
def test_margins(n, percent):
    """At a difference of two standard errors above the margin every method says nearly Φ(−2)."""
    x = n * percent // 100
    p = Fraction(x, n)
    margin = 0.05
    error = root(2 * p * (1 - p) / n)
    x_b = int((p - Fraction(margin) + 2 * error) * n)
    if x_b > 0:
        q = Fraction(x_b, n)
        z = float((q - p + Fraction(margin)) / root((p * (1 - p) + q * (1 - q)) / n))
        for name in ("noninferiority_wald_independent", "noninferiority_farrington_manning"):
            found = getattr(stats, name)(x, n, x_b, n, margin)
            assert found == pytest.approx(special.ndtr(-z), rel=TESTS), name


@unhurried
@given(SIZES.filter(lambda n: n <= 10**15))
def test_probes_see_what_their_size_lets_them_see(n):
    """Of n telling units, evenly split: limits of ±z·2/√n, and 80% power at (z + z_.8)·2/√n."""
    probe = stats.bias_probe(against=n // 2, toward=n // 2)
    assert (probe.low, probe.high) == pytest.approx((-2 * Z / n**0.5, 2 * Z / n**0.5), rel=METHODS)
    # the root is found to 1e-10 in log-odds
    assert probe.smallest == pytest.approx(2 * (Z + special.ndtri(0.8)) / n**0.5, rel=METHODS, abs=1e-10)


@pytest.mark.parametrize("size", [10**7, 3 * 10**9, 10**10])
def test_flips_of_many_gaps_are_nearly_normal(size):
    """The sum of s halves and s wholes, doubled, has the variance 5s; its law differs from a normal one by 1/√s."""
    total = 2 * isqrt(5 * size)
    total -= (total - size) % 2
    expected = 2 * special.ndtr(-total / np.sqrt(5.0 * size))
    assert stats.gap_sign_flip(total, size, size) == pytest.approx(expected, rel=2 / np.sqrt(size))


@unhurried
@given(SIZES)
def test_majorities_of_many_verdicts(n):
    assert stats.majority_error(n + 1, 0.5 + 1 / n**0.5) == pytest.approx(special.ndtr(-2), rel=METHODS)
