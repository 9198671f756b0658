"""Intervals of kappa for few labels: the twin, by hand, their corners, and what they cover by listing every table."""

import math

import numpy as np
import pytest
from scipy.special import gammaln

import simstudy
from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import agreement_slow as slow

# both routes carry some 1e-15; the twin halves an interval of width 2 a hundred times
ROUNDING = 1e-12
DIGITS_4, DIGITS_3 = 0.5e-4, 0.5e-3
Z_SQUARED = 3.841458820694124
SMALL = np.array([t for t, _ in slow.multinomial(6, [0.25] * 4)])
LARGE = [(60, 5, 15, 20), (8, 0, 0, 7), (1, 0, 0, 199), (30, 0, 0, 6), (3, 0, 0, 1), (900, 3, 2, 95)]
TABLES = np.vstack([SMALL, LARGE])


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("name", ["kappa_few", "kappa_wilson_po"])
def test_limits_are_those_of_the_twin(name, level):
    expected = [getattr(slow, name)(*table, level) for table in TABLES.tolist()]
    found = np.array(getattr(stats, name)(*TABLES.T, level)).T
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING)


def test_published_limits():
    assert stats.kappa_few(8, 0, 0, 7) == pytest.approx((0.5907, 1), abs=DIGITS_4)
    assert stats.kappa_few(13, 0, 0, 12) == pytest.approx((0.7332, 1), abs=DIGITS_4)
    assert stats.kappa_few(60, 15, 5, 20) == pytest.approx((0.3435, 0.6943), abs=DIGITS_4)


@pytest.mark.parametrize("half", [1, 2, 10, 500])
def test_agreement_in_equal_halves_has_a_closed_form(half):
    """(n − z²)/(n + z²), also where that lies below 0; the adjusted limit where it is lower."""
    n = 2 * half
    score = (n - Z_SQUARED) / (n + Z_SQUARED)
    adjusted = stats.kappa_adjusted(half, 0, 0, half)[0]
    assert stats.kappa_few(half, 0, 0, half)[0] == pytest.approx(min(score, adjusted), abs=ROUNDING)


@pytest.mark.parametrize("cells", [(8, 7), (3, 40), (1, 1), (1, 10**6), (500, 500)])
def test_the_score_limit_solves_its_equation(cells):
    both, neither = cells
    n, h = both + neither, (both + neither) ** 2 / (2 * both * neither)
    k = stats.kappa_few(both, 0, 0, neither)[0]
    if k < stats.kappa_adjusted(both, 0, 0, neither)[0]:
        left, right = n * (1 - k), Z_SQUARED * ((1 - k) * (1 - 2 * k) + h * k * (2 - k))
        assert left == pytest.approx(right, rel=1e-9)


def test_only_tables_without_a_disagreement_differ_from_the_adjusted_interval():
    low, high = stats.kappa_few(*TABLES.T)
    adjusted_low, adjusted_high = stats.kappa_adjusted(*TABLES.T)
    np.testing.assert_array_equal(high, adjusted_high)
    disagreed = TABLES[:, 1] + TABLES[:, 2] > 0
    np.testing.assert_array_equal(low[disagreed], adjusted_low[disagreed])
    both_kinds = ~disagreed & (TABLES[:, 0] > 0) & (TABLES[:, 3] > 0)
    assert (low[both_kinds] <= adjusted_low[both_kinds]).all()
    assert (low[both_kinds] < adjusted_low[both_kinds]).any()


@pytest.mark.parametrize("interval", [stats.kappa_few, stats.kappa_wilson_po, stats.kappa_adjusted])
def test_everything_in_one_cell_is_undefined(interval):
    nothing, right, wrong, alone, opposed = (0, 0, 0, 0), (9, 0, 0, 0), (0, 0, 0, 9), (0, 9, 0, 0), (0, 5, 5, 0)
    low, high = interval(*np.array([nothing, right, wrong, alone, opposed]).T)
    # labels of one kind and verdicts of the other have a kappa, 0
    np.testing.assert_array_equal(np.isnan(low), [True, True, True, False, False])
    np.testing.assert_array_equal(np.isnan(high), np.isnan(low))


@pytest.mark.parametrize("interval", [stats.kappa_few, stats.kappa_wilson_po])
def test_huge_counts_and_extreme_levels_have_limits(interval):
    low, high = interval(7 * 10**15, 1, 1, 2 * 10**15)
    assert 0.999 < low < high <= 1
    for level in (1e-16, 1 - 1.2e-16):
        # the centre of the adjusted limits lies .011 below kappa
        low, high = interval(60, 15, 5, 20, level)
        assert -1 <= low <= 9 / 17 + ROUNDING
        assert 9 / 17 - 0.011 <= high <= 1
    with pytest.raises(ParameterError, match="confidence level"):
        interval(60, 15, 5, 20, 1.0)


def judges(kappa, prevalence):
    """Cells of equal error rates, of equal margins, and of a lenient judge (sensitivity .98) where there is one."""
    v_squared = (2 * prevalence - 1) ** 2
    rate = 0.5 + 0.5 * kappa / (1 - v_squared * (1 - kappa))
    yield prevalence * rate, prevalence * (1 - rate), (1 - prevalence) * (1 - rate), (1 - prevalence) * rate
    apart = (1 - kappa) * prevalence * (1 - prevalence)
    yield prevalence - apart, apart, apart, 1 - prevalence - apart
    # kappa = 2π(1 − π)(Se + Sp − 1)/(π + s − 2πs), s = πSe + (1 − π)(1 − Sp), solved for Sp
    low, high = 0.0, 1.0
    if kappa_of(prevalence, 0.98, 1.0) < kappa:
        return
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if kappa_of(prevalence, 0.98, middle) < kappa else (low, middle)
    yield prevalence * 0.98, prevalence * 0.02, (1 - prevalence) * (1 - low), (1 - prevalence) * low


def kappa_of(prevalence, sensitivity, specificity):
    said = prevalence * sensitivity + (1 - prevalence) * (1 - specificity)
    chance = prevalence * said + (1 - prevalence) * (1 - said)
    return (prevalence * sensitivity + (1 - prevalence) * specificity - chance) / (1 - chance)


def covered(n, intervals):
    """Mean and lowest coverage, and largest P(lower limit > kappa), over the grid, given that kappa is defined."""
    tables = np.array([t for t in np.ndindex(n + 1, n + 1, n + 1) if sum(t) <= n]).T
    tables = np.vstack([tables, n - tables.sum(axis=0)]).astype(float)
    tables = tables[:, (tables[0] < n) & (tables[3] < n)]
    ways = math.lgamma(n + 1) - gammaln(tables + 1).sum(axis=0)
    found = {name: ([], []) for name in intervals}
    limits = {name: interval(*tables) for name, interval in intervals.items()}
    for kappa in np.arange(0.02, 0.981, 0.04):
        for prevalence in (0.5, 0.7, 0.9):
            for cells in judges(kappa, prevalence):
                law = np.exp(ways + np.log(cells) @ tables)
                for name, (low, high) in limits.items():
                    inside = (low <= kappa) & (kappa <= high)
                    found[name][0].append(law[inside].sum() / law.sum())
                    found[name][1].append(law[low > kappa].sum() / law.sum())
    return {name: (np.mean(inside), min(inside), max(above)) for name, (inside, above) in found.items()}


@pytest.mark.parametrize(
    ("n", "adjusted", "few", "wilson"),
    [
        (10, (0.963, 0.892, 0.056), (0.966, 0.912, 0.056), (0.967, 0.846, 0.022)),
        (15, (0.959, 0.911, 0.059), (0.962, 0.911, 0.059), (0.965, 0.860, 0.022)),
        (20, (0.957, 0.912, 0.046), (0.960, 0.912, 0.046), (0.966, 0.886, 0.025)),
        pytest.param(50, (0.952, 0.911, 0.037), (0.954, 0.916, 0.034), (0.966, 0.911, 0.023), marks=pytest.mark.slow),
        # another program prints .952 and .967 for the second and third mean
        pytest.param(
            100, (0.950, 0.913, 0.045), (0.9514, 0.913, 0.037), (0.9662, 0.921, 0.025), marks=pytest.mark.slow
        ),
    ],
)
def test_what_the_intervals_cover(n, adjusted, few, wilson):
    """Kappa .02 to .98 in steps of .04, prevalence .5, .7, .9, three kinds of judges."""
    asked = {"adjusted": stats.kappa_adjusted, "few": stats.kappa_few, "wilson": stats.kappa_wilson_po}
    found = covered(n, asked)
    for name, expected in (("adjusted", adjusted), ("few", few), ("wilson", wilson)):
        assert found[name] == pytest.approx(expected, abs=DIGITS_3), name


@pytest.mark.parametrize(
    ("n", "few", "adjusted", "coverage", "width"),
    [(30, 0.2420, 0.2434, 0.9803, 0.4753), (100, 0.7411, 0.7411, 0.9525, 0.2577)],
)
def test_how_often_a_good_judge_is_certified(n, few, adjusted, coverage, width):
    """Kappa .8 (sensitivity = specificity = .9132), prevalence .7, threshold .6."""
    found = simstudy.power_curve(
        "agreement", n_labels=n, prevalence=0.7, kappa=0.8, method="kappa_few,kappa_adjusted", engine="exact"
    )
    assert found["power"].values == pytest.approx([few, adjusted], abs=DIGITS_4)
    assert found["coverage"].values[0] == pytest.approx(coverage, abs=DIGITS_4)
    assert found["interval_width"].values[0] == pytest.approx(width, abs=DIGITS_4)
