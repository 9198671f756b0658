"""Accuracies at a margin against a numerical maximum of the likelihood, and where digits could be lost."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import score_test_proportions_2indep

from simstudy.stats._farrington_manning import restricted_rates, score_z
from tests.oracle import independent_slow as slow

TABLES = [
    (x_a, n_a, x_b, n_b, margin)
    for n_a, n_b in ((1, 1), (7, 20), (90, 180))
    for x_a in (0, n_a // 3, n_a - 1, n_a)
    for x_b in (0, 1, n_b // 2, n_b)
    for margin in (0.001, 0.1, 0.5, 0.95)
]


def rates(*table: float) -> tuple[float, ...]:
    return tuple(float(rate) for rate in restricted_rates(*(np.float64(number) for number in table)))


def test_no_accuracies_are_likelier():
    """The search finds the largest likelihood to some 1e-13, and the accuracies to about its square root."""
    for table in TABLES:
        p_a, wrong_a, p_b, wrong_b = rates(*table)
        found = slow.most_likely(*table)
        assert slow.log_likelihood(p_a, *table) >= slow.log_likelihood(found, *table) - 1e-11
        assert p_a == pytest.approx(found, abs=1e-5)
        assert p_a - p_b == pytest.approx(table[4], abs=4e-16)
        assert p_a + wrong_a == pytest.approx(1, abs=4e-16) == p_b + wrong_b


def test_all_tables_at_once_are_those_one_by_one():
    together = restricted_rates(*np.array(TABLES).T)
    np.testing.assert_array_equal(np.stack(together, axis=1), [rates(*table) for table in TABLES])


def cubic(x_a: int, n_a: int, x_b: int, n_b: int, margin: float, linear: int) -> float:
    """Return the middle root of the cubic as statsmodels writes it; its linear coefficient has ``linear`` · diff."""
    n, x, diff = n_a + n_b, x_a + x_b, -margin
    coefficients = [
        n,
        (n_b + 2 * n_a) * diff - n - x,
        (linear * diff - n - 2 * x_a) * diff + x,
        x_a * diff * (1 - diff),
    ]
    return float(np.sort(np.roots(coefficients).real)[1])


@pytest.mark.parametrize(
    ("table", "lost"),
    [((170, 200, 165, 200, 0.1), 0.0297), ((12, 30, 20, 40, 0.2), 0.0744), ((8, 10, 9, 10, 0.3), 0.0901)],
)
def test_the_cubic_of_statsmodels_misses_the_maximum(table, lost):
    """It has count0·diff where nobs0·diff belongs, and loses some log-likelihood; with nobs0 it is right."""
    x_a, n_a, x_b, n_b, margin = table
    theirs = score_test_proportions_2indep(x_b, n_b, x_a, n_a, value=-margin, compare="diff", correction=False)
    ours = rates(*table)[0]
    assert theirs.prop2_null == pytest.approx(cubic(*table, linear=x_a), abs=1e-9)
    assert ours == pytest.approx(cubic(*table, linear=n_a), abs=1e-9)
    likelihoods = [slow.log_likelihood(p_a, *table) for p_a in (ours, theirs.prop2_null)]
    assert likelihoods[0] - likelihoods[1] == pytest.approx(lost, abs=1e-4)


@pytest.mark.parametrize(
    "table",
    [
        (1000, 10**12, 2000, 10**12, 1e-9),
        (10**12 - 2000, 10**12, 10**12 - 1000, 10**12, 1e-9),
        (10**12 - 5, 10**12, 10**12 - 3, 10**12, 1e-10),
    ],
)
def test_rates_near_0_and_1_keep_their_digits(table):
    """The score, in fractions, changes its sign within 1e-14 of the smallest rate."""
    x_a, n_a, x_b, n_b = (Fraction(count) for count in table[:4])
    margin = Fraction(table[4])
    _, wrong_a, p_b, _ = rates(*table)

    def score(p_b: Fraction) -> Fraction:
        p_a = p_b + margin
        return x_b / p_b - (n_b - x_b) / (1 - p_b) + x_a / p_a - (n_a - x_a) / (1 - p_a)

    at = Fraction(p_b) if p_b < wrong_a else 1 - Fraction(wrong_a) - margin
    step = Fraction(min(p_b, wrong_a)) / 10**14
    assert score(at - step) > 0 > score(at + step)


def test_a_table_at_its_margin_has_the_statistic_0_and_exchanging_right_and_wrong_of_both_mirrors_it():
    assert float(score_z(*np.float64([90, 100, 80, 100, 0.1]))) == pytest.approx(0, abs=1e-14)
    for x_a, x_b in itertools.product((0, 3, 20), (0, 11, 33)):
        z = score_z(*np.float64([x_a, 20, x_b, 33, 0.2]))
        assert float(z) == pytest.approx(float(score_z(*np.float64([33 - x_b, 33, 20 - x_a, 20, 0.2]))), abs=1e-13)


def test_the_statistic_is_normal_at_the_margin():
    """10,000 tables of 400 and 300: |z| beyond 5 standard errors of a mean and of a variance by chance: 1e-6."""
    rng = np.random.default_rng(3)
    x_a, x_b = rng.binomial(400, 0.8, 10_000), rng.binomial(300, 0.7, 10_000)
    z = score_z(*(np.asarray(a, np.float64) for a in (x_a, 400, x_b, 300, 0.1)))
    assert abs(z.mean()) * 100 < 5
    assert abs(z.var() - 1) < 5 * np.sqrt(2 / 10_000) + 0.01
    assert scipy_stats.kstest(z, "norm").statistic < 0.03
