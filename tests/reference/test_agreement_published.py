"""Published and peer values of the statistics of agreement, and figures of the scenarios agreement and stability.

Sources are named at each test. Figures of the scenarios were computed exactly, by enumeration or quadrature, in two
independent programs; they are compared to half a unit of their last digit.
"""

from fractions import Fraction

import numpy as np
import pytest
from statsmodels.stats import inter_rater

import simstudy
from simstudy import stats

# two implementations of one formula
PEER = 1e-10
DIGITS_3, DIGITS_4 = 0.5e-3, 0.5e-4
TABLES = [
    [[60, 5], [15, 20]],
    [[20, 5, 1], [3, 15, 6], [0, 4, 10]],
    [[44, 5, 1], [7, 20, 3], [9, 5, 6]],
    [[2, 0, 1, 0], [4, 9, 0, 0], [0, 3, 8, 1], [0, 0, 2, 5]],
]
MISSING = np.nan


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_agrees_with_statsmodels(table, weights):
    asked = {} if weights == "none" else {"wt": weights}
    peer = inter_rater.cohens_kappa(np.array(table), **asked)
    assert stats.cohen_kappa(table, weights) == pytest.approx(peer.kappa, rel=PEER)
    assert stats.cohen_kappa_standard_error(table, weights) == pytest.approx(peer.std_kappa, rel=PEER)
    limits = stats.cohen_kappa_interval(table, weights)
    assert limits == pytest.approx((peer.kappa_low, peer.kappa_upp), rel=PEER)


def test_tables_agree_with_statsmodels():
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, 4, (80, 2))
    peer, _ = inter_rater.to_table(pairs)
    np.testing.assert_array_equal(stats.agreement_table(*pairs.T), peer)


def test_alpha_of_two_raters_nears_fleiss_kappa():
    """With two raters and no missing rating 1 − alpha is (1 − Fleiss' kappa)·(2n − 1)/(2n)."""
    rng = np.random.default_rng(6)
    first = rng.integers(0, 3, 200)
    second = np.where(rng.random(200) < 0.7, first, rng.integers(0, 3, 200))
    counted, _ = inter_rater.aggregate_raters(np.column_stack([first, second]))
    fleiss = inter_rater.fleiss_kappa(counted)
    alpha = stats.krippendorff_alpha(np.column_stack([first, second]))
    assert 1 - alpha == pytest.approx((1 - fleiss) * 399 / 400, rel=PEER)


def test_krippendorffs_example():
    """Krippendorff (2011), Computing Krippendorff's alpha-reliability: four observers, twelve units."""
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, MISSING, MISSING, MISSING],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, MISSING, 3],
        [MISSING, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, MISSING],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, MISSING],
    ]
    ratings = np.array(observers).T
    for metric, printed in (("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)):
        assert stats.krippendorff_alpha(ratings, metric) == pytest.approx(printed, abs=DIGITS_3)


def test_a_judge_against_a_hundred_labels():
    """60 right answers called correct, 20 wrong ones called wrong, 15 and 5 in disagreement."""
    for disagreement in ((5, 15), (15, 5)):
        found = stats.judge_agreement(60, disagreement[0], disagreement[1], 20)
        assert found.accuracy == pytest.approx(float(Fraction(4, 5)), abs=1e-15)
        assert found.kappa == pytest.approx(float(Fraction(9, 17)), abs=1e-15)
        chance = found.prevalence * found.said_correct + (1 - found.prevalence) * (1 - found.said_correct)
        assert chance == pytest.approx(float(Fraction(23, 40)), abs=1e-15)


def test_a_lazy_judge_has_the_accuracy_of_the_prevalence_and_no_kappa():
    found = simstudy.power_curve(
        "agreement", n_labels=40, prevalence=[0.6, 0.9], sensitivity=1, specificity=0, method="kappa_adjusted"
    )
    np.testing.assert_allclose(found["accuracy"], [0.6, 0.9], rtol=1e-15)
    np.testing.assert_allclose(found["kappa"], 0, atol=1e-15)


def test_one_sided_sizes_of_kappa():
    """At the threshold .6 and equal rates, prevalence .5 and .8, 36 and 100 labels; nominal is .025."""
    found = simstudy.power_curve(
        "agreement",
        n_labels=[36, 100],
        prevalence=[0.5, 0.8],
        kappa=0.6,
        method="kappa_wald,kappa_adjusted",
        engine="exact",
    )["power"]
    assert found.sel({"method": "kappa_wald"}).values == pytest.approx(
        np.array([[0.0514, 0.0601], [0.0444, 0.0422]]), abs=DIGITS_4
    )
    assert found.sel({"method": "kappa_adjusted"}).values == pytest.approx(
        np.array([[0.0160, 0.0293], [0.0250, 0.0269]]), abs=DIGITS_4
    )


def test_two_hundred_labels_give_no_narrow_interval():
    """At kappa .6 the 95% interval of 200 labels is .22 wide; a width of .10 takes some thousand labels."""
    asked = {"prevalence": 0.5, "kappa": 0.6, "method": "kappa_adjusted", "seed": 1}
    exact = simstudy.power_curve("agreement", n_labels=200, engine="exact", **asked)
    assert exact["interval_width"].item() == pytest.approx(0.2212, abs=DIGITS_4)
    simulated = simstudy.power_curve("agreement", n_labels=983, engine="counts", replications=2000, **asked)
    assert simulated["interval_width_mcse"].item() < 0.0001
    assert simulated["interval_width"].item() == pytest.approx(0.100, abs=DIGITS_3)


def test_stability_of_fifty_prompts():
    found = simstudy.power_curve(
        "stability", n_prompts=50, repetitions=5, mean_logit=1.5, prompt_sd=2, threshold=0.4, engine="exact"
    )
    for name, value in (
        ("unstable_share", 0.5230),
        ("minority_share", 0.1514),
        ("pair_disagreement", 0.2560),
        ("majority_error", 0.1020),
        ("power", 0.4613),
    ):
        assert found[name].item() == pytest.approx(value, abs=DIGITS_4), name
