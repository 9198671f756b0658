"""Operating characteristics of the statistics, enumerated exactly, against published and specified values."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simstudy import stats

# Values printed to four decimals; enumeration itself errs by 1e-12.
DIGITS_4 = 0.5e-4
DIGITS_3 = 0.5e-3
# The logits .847 / 1.386 of independent systems.
ACCURACY_A, ACCURACY_B = 1 / (1 + np.exp(-0.847)), 1 / (1 + np.exp(-1.386))


def paired_law(n, p10, p01):
    """All tables of n cases with their probabilities."""
    n10, n01 = np.indices((n + 1, n + 1))
    inside = n10 + n01 <= n
    n10, n01 = n10[inside], n01[inside]
    cells = np.stack([n10, n01, n - n10 - n01], axis=-1)
    return n10, n01, scipy_stats.multinomial.pmf(cells, n, [p10, p01, 1 - p10 - p01])


def rejection(test, n, p10, p01):
    n10, n01, weight = paired_law(n, p10, p01)
    return weight[test(n10, n01) <= 0.05].sum()


def paired_coverage(interval, n, p10, p01):
    n10, n01, weight = paired_law(n, p10, p01)
    low, high = interval(n10, n01, n)
    # A difference on the lattice of the limits counts as covered where a limit meets it.
    return weight[(low <= p01 - p10 + 1e-12) & (high >= p01 - p10 - 1e-12)].sum()


def coverage(interval, n, p):
    x = np.arange(n + 1)
    low, high = interval(x, n)
    return scipy_stats.binom.pmf(x, n, p)[(low <= p) & (p <= high)].sum()


def test_power_of_mcnemar_with_independent_errors():
    p10, p01 = ACCURACY_A * (1 - ACCURACY_B), ACCURACY_B * (1 - ACCURACY_A)
    assert rejection(stats.mcnemar_exact, 100, p10, p01) == pytest.approx(0.3105, abs=DIGITS_4)
    assert rejection(stats.mcnemar_midp, 100, p10, p01) == pytest.approx(0.3631, abs=DIGITS_4)


@pytest.mark.parametrize(("p_b", "power", "tolerance"), [(ACCURACY_B, 0.3708, DIGITS_4), (ACCURACY_A, 0.051, DIGITS_3)])
def test_power_and_size_of_unpaired_z_with_independent_errors(p_b, power, tolerance):
    x = np.arange(101)
    weight = np.outer(scipy_stats.binom.pmf(x, 100, ACCURACY_A), scipy_stats.binom.pmf(x, 100, p_b))
    assert weight[stats.unpaired_z(x[:, None], x, 100) <= 0.05].sum() == pytest.approx(power, abs=tolerance)


@pytest.mark.parametrize(("n", "p_b", "power"), [(1251, 0.75, 0.800), (294, 0.80, 0.803), (62, 0.90, 0.810)])
def test_true_power_of_z_pooled_at_the_closed_form_size(n, p_b, power):
    x = np.arange(n + 1)
    weight = np.outer(scipy_stats.binom.pmf(x, n, 0.7), scipy_stats.binom.pmf(x, n, p_b))
    with np.errstate(all="raise", under="ignore"):
        p = stats.z_pooled(x[:, None], n, x, n)
    assert weight[p <= 0.05].sum() == pytest.approx(power, abs=DIGITS_3)


def test_card_et_al_power_and_exaggeration():
    """Card et al. (2020): accuracy .80, agreement .975, difference .02, n 500: simulated .800 and 1.118."""
    n10, n01, weight = paired_law(500, 0.0025, 0.0225)
    rejected = stats.mcnemar_exact(n10, n01) <= 0.05
    power = weight[rejected].sum()
    type_m = (weight * np.abs(stats.difference(n10, n01, 500)))[rejected].sum() / power / 0.02
    assert power == pytest.approx(0.7976, abs=DIGITS_4)
    assert type_m == pytest.approx(1.1158, abs=DIGITS_4)


def test_sign_test_at_a_true_rate_of_sixty_five_per_cent():
    """Card et al. (2020), one sample against one half."""
    k = np.arange(101)
    assert scipy_stats.binom.pmf(k, 100, 0.65)[stats.mcnemar_exact(100 - k, k) <= 0.05].sum() == pytest.approx(
        0.8276, abs=DIGITS_4
    )
    k = np.arange(26)
    right = (stats.mcnemar_exact(25 - k, k) <= 0.05) & (k > 12)
    assert scipy_stats.binom.pmf(k, 25, 0.65)[right].sum() == pytest.approx(0.3061, abs=DIGITS_4)


@pytest.mark.parametrize(("rate", "first", "last"), [(0.6, 158, 169), (0.7, 37, 42), (0.8, 18, 18), (0.9, 8, 11)])
def test_the_sign_test_is_saw_toothed(rate, first, last):
    """One-sided 5%, power .80: first reached, and never lost again up to 300 votes."""
    reached = []
    for n in range(1, 301):
        k = np.arange(n + 1)
        reached.append(scipy_stats.binom.pmf(k, n, rate)[stats.mcnemar_exact(n - k, k, "greater") <= 0.05].sum() >= 0.8)
    assert 1 + int(np.argmax(reached)) == first
    assert 301 - int(np.argmin(reached[::-1])) == last


def test_coverage_of_one_accuracy():
    assert coverage(stats.wald, 36, 0.7) == pytest.approx(0.9245, abs=DIGITS_4)
    assert coverage(stats.wilson, 36, 0.7) == pytest.approx(0.9565, abs=DIGITS_4)
    lowest = min(coverage(stats.wilson, 36, p) for p in np.linspace(0.004, 0.006, 401))
    assert lowest == pytest.approx(0.8373, abs=2 * DIGITS_4)


@pytest.mark.parametrize(("n", "average"), [(10, 0.769), (30, 0.875), (100, 0.922), (300, 0.939)])
def test_average_coverage_of_wald_under_uniform_accuracy(n, average):
    """Bowyer et al. (2025). ∫ P(covers | p) dp is a sum of beta probabilities: nothing is simulated."""
    x = np.arange(n + 1)
    low, high = stats.wald(x, n)
    law = scipy_stats.beta(x + 1, n - x + 1)
    assert (law.cdf(high) - law.cdf(low)).sum() / (n + 1) == pytest.approx(average, abs=DIGITS_3)


def test_clopper_pearson_never_covers_less_than_its_level():
    for n in (5, 36):
        assert min(coverage(stats.clopper_pearson, n, p) for p in np.linspace(0.001, 0.999, 500)) >= 0.95


def test_the_bootstrap_fails_with_few_one_sided_discordant_cases():
    assert paired_coverage(stats.bootstrap_percentile, 36, 0.0, 0.05) == pytest.approx(0.834, abs=DIGITS_3)
    assert paired_coverage(stats.bootstrap_percentile, 36, 0.02, 0.08) == pytest.approx(0.910, abs=DIGITS_3)
    for interval in (stats.tango, stats.bonett_price):
        assert paired_coverage(interval, 36, 0.0, 0.05) > 0.95


def test_coverage_with_fourteen_expected_discordant_cases():
    """Over differences off the lattice of 1/36: bootstrap .93 to .95, Tango .936 to .959 (mean .948)."""
    shares = [((14 / 36 - d) / 2, (14 / 36 + d) / 2) for d in np.linspace(0, 14 / 36, 30)[:-1] + 0.0003]
    bootstrap = [paired_coverage(stats.bootstrap_percentile, 36, *share) for share in shares]
    tango = [paired_coverage(stats.tango, 36, *share) for share in shares]
    assert min(bootstrap) > 0.925
    assert max(bootstrap) < 0.965
    assert np.mean(tango) == pytest.approx(0.949, abs=2e-3)


def test_undefined_replications_must_not_be_dropped():
    """Trap 19: dropping the tables where paired_z is undefined would inflate its rejection rate."""
    n10, n01, weight = paired_law(8, 0.02, 0.05)
    p = stats.paired_z(n10, n01, 8)
    undefined = np.isnan(p)
    counted = weight[p <= 0.05].sum()
    assert weight[undefined].sum() > 0.5
    assert counted < 0.5 * counted / weight[~undefined].sum()
