"""Corrections against published numbers and against ppi-python; what they cover."""

import itertools
import math

import numpy as np
import pytest
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy.special import ndtri
from scipy.stats import binom

from simstudy import stats

# sums in another order
PEER = 1e-12
Z = ndtri(0.975)


def test_lang_and_reiczigel_interval():
    """Prevalence .4 of 1000, Se .9 and Sp .7 of 200 each: .1667, [.0564, .2627] (the authors' R function)."""
    counts = (400, 1000, 180, 200, 140, 200)
    assert stats.rogan_gladen(*counts) == pytest.approx(0.1667, abs=5e-5)
    assert stats.rogan_gladen_interval(*counts) == pytest.approx((0.0564, 0.2627), abs=5e-5)


def units(seed):
    """Labels, verdicts and unlabelled verdicts: numbers in even seeds, differences of two systems in odd ones."""
    rng = np.random.default_rng(seed)
    n = m = rng.integers(3, 60)
    if seed % 2:
        labels, verdicts, others = (rng.integers(-1, 2, size).astype(float) for size in (n, n, m))
        return labels, np.where(rng.random(n) < rng.random(), labels, verdicts), others
    labels = rng.normal(size=n)
    return labels, rng.uniform(-1, 2) * labels + rng.normal(size=n), rng.normal(size=m)


@pytest.mark.parametrize("seed", range(40))
def test_ppi_python_agrees(seed):
    """Its variances have the divisor n, ours n − 1: in groups of one size the widths have the ratio √(n/(n − 1))."""
    given = units(seed)
    wider = math.sqrt(len(given[0]) / (len(given[0]) - 1))
    for peer, mean, interval in (
        ({"lam": 1}, stats.ppi_mean, stats.ppi_mean_interval),
        ({}, stats.ppi_pp_mean, stats.ppi_pp_mean_interval),
    ):
        assert mean(*given) == pytest.approx(np.squeeze(ppi_mean_pointestimate(*given, **peer)), abs=PEER)
        low, high = (np.asarray(limit).item() for limit in ppi_mean_ci(*given, alpha=0.1, **peer))
        centre, margin = 0.5 * (low + high), 0.5 * (high - low) * wider
        assert interval(*given, level=0.9) == pytest.approx((centre - margin, centre + margin), abs=PEER)


def coverage(n_right, n_wrong, n_judged, interval, sensitivity=0.9, specificity=0.8, theta=0.7):
    """Exact coverage of a corrected accuracy with so many right and wrong labelled answers."""
    accepted = theta * sensitivity + (1 - theta) * (1 - specificity)
    k, i, j = np.ix_(*(np.arange(n + 1) for n in (n_judged, n_right, n_wrong)))
    weight = binom.pmf(k, n_judged, accepted) * binom.pmf(i, n_right, sensitivity) * binom.pmf(j, n_wrong, specificity)
    low, high = interval(k, n_judged, i, n_right, j, n_wrong)
    return float(weight[(low <= theta) & (theta <= high)].sum())


def share_held_fixed(accepted, judged, right_accepted, right, wrong_rejected, wrong):
    """The mistake: an interval with the sampling of the labels alone."""
    share, se, sp = accepted / judged, right_accepted / right, wrong_rejected / wrong
    youden = np.where(se + sp > 1, se + sp - 1, np.nan)
    theta = (share + sp - 1) / youden
    margin = Z / youden * np.sqrt(theta**2 * se * (1 - se) / right + (1 - theta) ** 2 * sp * (1 - sp) / wrong)
    return theta - margin, theta + margin


def test_trap_7_the_judged_share_is_estimated_too():
    """100 labelled and 100 judged answers, Se .9, Sp .8, true share .7: .952 against .766."""
    found = {}
    for interval in (stats.rogan_gladen_interval, share_held_fixed):
        # the labelled answers are a sample of their own: outside 50 to 88 right ones lies less than 2e-5
        parts = [binom.pmf(n, 100, 0.7) * coverage(n, 100 - n, 100, interval) for n in range(50, 89, 2)]
        found[interval] = sum(parts) / sum(binom.pmf(n, 100, 0.7) for n in range(50, 89, 2))
    assert found[stats.rogan_gladen_interval] == pytest.approx(0.9517, abs=5e-4)
    assert found[share_held_fixed] == pytest.approx(0.766, abs=1e-3)


def test_trap_7_resampling_the_labels_alone_is_the_same_mistake():
    """The percentile bootstrap of the labels, judged share held fixed, covers about .74.

    1,500 replications have a standard error of .0113: a true .74 lies within .05 with probability above .9999.
    """
    rng = np.random.default_rng(7)
    cells = [0.63, 0.07, 0.24, 0.06]
    covered = 0
    for _ in range(1500):
        share = rng.binomial(100, 0.69) / 100
        boot = rng.multinomial(100, rng.multinomial(100, cells) / 100, size=400)
        se, sp = boot[:, 0] / (boot[:, 0] + boot[:, 1]), boot[:, 2] / (boot[:, 2] + boot[:, 3])
        theta = np.clip((share + sp - 1) / (se + sp - 1), 0, 1)
        low, high = np.percentile(theta, [2.5, 97.5])
        covered += low <= 0.7 <= high
    assert covered / 1500 == pytest.approx(0.742, abs=0.05)


@pytest.mark.parametrize(("n", "theta"), itertools.product([20, 60], [0.05, 0.5, 0.95]))
def test_the_corrected_interval_covers_with_few_labels_and_extreme_shares(n, theta):
    """Exact coverage stays between .93 and 1 where the adjusted counts matter most."""
    found = coverage(n, n, n, stats.rogan_gladen_interval, theta=theta)
    assert 0.93 <= found <= 1
    assert math.isfinite(found)
