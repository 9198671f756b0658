"""Agreement with scipy.stats and statsmodels, where they have the same statistic."""

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats import contingency_tables, proportion

from simstudy import stats

# Two implementations through different special functions.
PEER = 1e-10
TABLES = [(a, b) for a, b in itertools.product([0, 1, 2, 5, 9, 40, 300], repeat=2) if a + b]
SHARES = [(0, 1), (1, 1), (0, 10), (3, 10), (9, 10), (25, 36), (400, 1000)]
PAIRS_OF_SHARES = [(a, b) for a, b in itertools.combinations([(3, 10), (9, 10), (25, 36), (30, 36), (400, 1000)], 2)]


@pytest.mark.parametrize(("n10", "n01"), TABLES)
def test_mcnemar(n10, n01):
    table = [[5, n10], [n01, 5]]
    exact = contingency_tables.mcnemar(table, exact=True).pvalue
    assert stats.mcnemar_exact(n10, n01) == pytest.approx(exact, rel=PEER)
    chi2 = contingency_tables.mcnemar(table, exact=False, correction=False).pvalue
    assert stats.mcnemar_chi2(n10, n01) == pytest.approx(chi2, rel=PEER)
    if n10 != n01:
        # At n10 = n01 statsmodels computes (0 − 1)²/m; the correction cannot exceed the difference it corrects.
        corrected = contingency_tables.mcnemar(table, exact=False, correction=True).pvalue
        assert stats.mcnemar_cc(n10, n01) == pytest.approx(corrected, rel=PEER)
    for alternative in ("greater", "less"):
        one_sided = scipy_stats.binomtest(n01, n10 + n01, 0.5, alternative).pvalue
        assert stats.mcnemar_exact(n10, n01, alternative) == pytest.approx(one_sided, rel=PEER, abs=1e-300)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_paired_t(alternative):
    a = np.random.default_rng(1).random((20, 40)) < 0.6
    b = np.random.default_rng(2).random((20, 40)) < 0.7
    n10, n01 = (a & ~b).sum(axis=1), (b & ~a).sum(axis=1)
    expected = scipy_stats.ttest_rel(b.astype(int), a.astype(int), axis=1, alternative=alternative).pvalue
    np.testing.assert_allclose(stats.paired_t(n10, n01, 40, alternative), expected, rtol=PEER)


def test_paired_t_interval():
    d = np.repeat([-1, 1, 0], [3, 11, 22])
    expected = scipy_stats.ttest_1samp(d, 0).confidence_interval(0.9)
    assert stats.paired_t_interval(3, 11, 36, 0.9) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_sign_flips(alternative):
    differences = np.random.default_rng(8).integers(-4, 6, size=9)
    expected = scipy_stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative=alternative
    ).pvalue
    assert stats.sign_flip_exact(differences, alternative) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("wald", "normal"),
        ("wilson", "wilson"),
        ("agresti_coull", "agresti_coull"),
        ("clopper_pearson", "beta"),
    ],
)
def test_one_proportion(name, method, level):
    for x, n in SHARES:
        expected = proportion.proportion_confint(x, n, 1 - level, method)
        # statsmodels leaves Wilson's rounding error at the ends and, for some methods, limits past them.
        low, high = np.clip(expected, 0, 1)
        assert getattr(stats, name)(x, n, level) == pytest.approx((low, high), abs=1e-12)


def test_jeffreys():
    """statsmodels has the bare quantiles; the limits at the ends are those of Brown, Cai & DasGupta (2001)."""
    for x, n in SHARES:
        low, high = proportion.proportion_confint(x, n, 0.05, "jeffreys")
        expected = (0.0 if x == 0 else low, 1.0 if x == n else high)
        assert stats.jeffreys(x, n) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), PAIRS_OF_SHARES)
def test_two_proportions(a, b):
    counts, sizes = np.array([b[0], a[0]]), np.array([b[1], a[1]])
    _, pooled = proportion.proportions_ztest(counts, sizes)
    assert stats.z_pooled(*a, *b) == pytest.approx(pooled, rel=PEER)
    _, larger = proportion.proportions_ztest(counts, sizes, alternative="larger")
    assert stats.z_pooled(*a, *b, "greater") == pytest.approx(larger, rel=PEER)
    unpooled = proportion.test_proportions_2indep(*b, *a, method="wald").pvalue
    assert stats.z_unpooled(*a, *b) == pytest.approx(unpooled, rel=PEER)
    for name, method in (("newcombe_independent", "newcomb"), ("wald_independent", "wald")):
        expected = proportion.confint_proportions_2indep(*b, *a, method=method)
        assert getattr(stats, name)(*a, *b) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_fisher(alternative):
    rng = np.random.default_rng(5)
    for _ in range(60):
        n_a, n_b = (int(n) for n in rng.integers(1, 60, 2))
        x_a, x_b = int(rng.integers(0, n_a + 1)), int(rng.integers(0, n_b + 1))
        expected = scipy_stats.fisher_exact([[x_b, n_b - x_b], [x_a, n_a - x_a]], alternative).pvalue
        assert stats.fisher_exact(x_a, n_a, x_b, n_b, alternative) == pytest.approx(expected, rel=1e-10)
