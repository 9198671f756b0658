"""Published values of the statistics, each with its source and the digits that were printed."""

import numpy as np
import pytest

from simstudy import stats

# A value printed to k decimals is met to half a unit of the last one.
DIGITS_3 = 0.5e-3
DIGITS_4 = 0.5e-4
DIGITS_6 = 0.5e-6


class TestCompleteResponseBeforeAndAfterConsolidation:
    """Cavo et al. (2012): 59, 6, 16, 80.

    Worked out in Fagerland, Lydersen & Laake (2017), Statistical Analysis of Contingency Tables, chapter 8, as
    printed by their R package contingencytables (tests/testthat/test-ch8.R). Their difference, row less column, is
    (6 − 16)/161; here A is the column, so that n01 = 6 and n10 = 16.
    """

    table = (16, 6, 161)

    def test_p_values(self):
        assert stats.mcnemar_exact(16, 6) == pytest.approx(0.052479, abs=DIGITS_6)
        assert stats.mcnemar_midp(16, 6) == pytest.approx(0.034690, abs=DIGITS_6)
        assert stats.mcnemar_chi2(16, 6) == pytest.approx(0.033006, abs=DIGITS_6)
        assert stats.mcnemar_cc(16, 6) == pytest.approx(0.055009, abs=DIGITS_6)

    def test_intervals(self):
        assert stats.difference(*self.table) == pytest.approx(-0.0621, abs=DIGITS_4)
        assert stats.tango(*self.table) == pytest.approx((-0.1240, -0.0054), abs=DIGITS_4)
        assert stats.newcombe(16, 6, 59, 161) == pytest.approx((-0.1186, -0.0046), abs=DIGITS_4)
        assert stats.bonett_price(*self.table) == pytest.approx((-0.1195, -0.0032), abs=DIGITS_4)

    def test_wald_has_n_in_the_textbook_and_n_minus_one_here(self):
        low, high = stats.paired_wald(*self.table)
        half = 0.5 * (high - low) * np.sqrt(160 / 161)
        centre = stats.difference(*self.table)
        assert (centre - half, centre + half) == pytest.approx((-0.1184, -0.0058), abs=DIGITS_4)


def test_tango_of_propcis():
    """R package PropCIs 0.3-0, scoreci.mp(25, 28, 618) at 90%, as quoted from its author's run: −.0148, .0247."""
    assert stats.tango(25, 28, 618, 0.90) == pytest.approx((-0.0148, 0.0247), abs=DIGITS_4)


def test_bonett_price_of_vcmeta():
    """R package vcmeta, help page of se.prop.ps(16, 64, 5, 15): estimate .5784314, standard error .05953213."""
    low, high = stats.bonett_price(5, 64, 100)
    assert 0.5 * (low + high) == pytest.approx(0.5784314, abs=0.5e-7)
    assert 0.5 * (high - low) / 1.959963984540054 == pytest.approx(0.05953213, abs=0.5e-8)


@pytest.mark.parametrize(("n10", "n01", "p"), [(4, 26, 0.00013), (68, 96, 0.03500109)])
def test_continuity_correction_of_statpsych(n10, n01, p):
    """R package statpsych, help pages of test.prop.ps: (12, 4, 26, 6) and (156, 96, 68, 80)."""
    assert stats.mcnemar_cc(n10, n01) == pytest.approx(p, abs=0.5e-5 if p < 0.001 else 0.5e-8)


class TestIndependentSamples:
    """Fagerland, Lydersen & Laake (2017), chapter 4, as printed by contingencytables (tests/testthat/test-ch4.R)."""

    def test_epinephrine(self):
        """Perondi et al. (2004): 7 of 34 against 1 of 34."""
        assert stats.newcombe_independent(1, 34, 7, 34) == pytest.approx((0.0189, 0.3404), abs=DIGITS_4)
        assert stats.wald_independent(1, 34, 7, 34) == pytest.approx((0.0292, 0.3238), abs=DIGITS_4)

    def test_fisher(self):
        """Ritland et al. (2007): 0 of 16 against 15 of 72."""
        assert stats.fisher_exact(15, 72, 0, 16) == pytest.approx(0.06287, abs=0.5e-5)

    def test_pearson(self):
        """A lady tasting tea: 3 of 4 against 1 of 4."""
        assert stats.z_pooled(1, 4, 3, 4) == pytest.approx(0.15730, abs=0.5e-5)
        # Fisher (1935): 34/70.
        assert stats.fisher_exact(1, 4, 3, 4) == pytest.approx(34 / 70, rel=1e-13)
        assert stats.fisher_exact(1, 4, 3, 4, "greater") == pytest.approx(17 / 70, rel=1e-13)


def test_clopper_pearson_of_contingencytables():
    """tests/testthat/test-ch8.R: 13 of 16 → .5435, .9595; 10 of 10 → .6915; 0 of 10 → .3085."""
    assert stats.clopper_pearson(13, 16) == pytest.approx((0.5435, 0.9595), abs=DIGITS_4)
    assert stats.clopper_pearson(10, 10) == pytest.approx((0.6915, 1.0), abs=DIGITS_4)
    assert stats.clopper_pearson(0, 10) == pytest.approx((0.0, 0.3085), abs=DIGITS_4)


class TestLesson:
    """The published lesson: two systems on 36 cases, 22 and 30 right, 3 only A, 11 only B."""

    def test_p_values(self):
        assert stats.mcnemar_exact(3, 11) == pytest.approx(0.0574, abs=DIGITS_4)
        assert stats.mcnemar_midp(3, 11) == pytest.approx(0.0352, abs=DIGITS_4)
        assert stats.unpaired_z(22, 30, 36) == pytest.approx(0.035, abs=DIGITS_3)
        assert stats.fisher_exact(22, 36, 30, 36) == pytest.approx(0.064, abs=DIGITS_3)

    def test_intervals(self):
        assert stats.bootstrap_percentile(3, 11, 36) == pytest.approx((0.028, 0.417), abs=DIGITS_3)
        assert stats.tango(3, 11, 36) == pytest.approx((0.020, 0.411), abs=DIGITS_3)
        assert stats.newcombe(3, 11, 19, 36) == pytest.approx((0.017, 0.405), abs=DIGITS_3)


class TestSampleSizes:
    def test_two_proportions(self):
        """The closed form at 5% and power .80 (Fleiss, Levin & Paik 2003, chapter 4), with and without correction."""
        p_b = [0.75, 0.80, 0.90]
        assert stats.n_two_proportions(0.70, p_b).tolist() == [1251, 294, 62]
        assert stats.n_two_proportions(0.70, p_b, corrected=True).tolist() == [1291, 313, 72]

    def test_one_proportion(self):
        assert stats.n_one_proportion(3 / 4, 1 / 20, z=2) == 300

    def test_miller(self):
        """Miller (2024), arXiv:2411.00640: ω² = 1/9, δ = .03, many runs → 969 questions."""
        assert stats.n_paired_mean(1 / 9, 0, 0, np.inf, 0.03) == 969
        assert stats.n_paired_mean(1 / 9, 1 / 6, 1 / 6, np.inf, 0.03) == 969


@pytest.mark.parametrize(
    ("x", "n", "limits"),
    [
        (14, 20, (0.4810, 0.8545)),
        (25, 36, (0.5314, 0.8200)),
        (70, 100, (0.6042, 0.7811)),
        (280, 400, (0.6534, 0.7428)),
        (700, 1000, (0.6709, 0.7276)),
        (2800, 4000, (0.6856, 0.7140)),
    ],
)
def test_wilson_at_an_observed_accuracy_of_seventy_per_cent(x, n, limits):
    """At 36 cases .70 cannot be observed: the printed interval is that of 25 of 36."""
    assert stats.wilson(x, n) == pytest.approx(limits, abs=DIGITS_4)
