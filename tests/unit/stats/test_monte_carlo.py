"""Monte Carlo standard errors by hand and against simulation."""

import math

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError


def test_by_hand():
    assert stats.rate_mcse(0.8, 1600) == pytest.approx(0.01, abs=1e-16)
    assert stats.mean_mcse(3.0, 900) == pytest.approx(0.1, abs=1e-16)
    assert stats.empirical_se_mcse(2.0, 201) == pytest.approx(0.1, abs=1e-16)
    gain, mcse = stats.relative_precision(1.0, 0.5, 0.6, 65)
    assert gain == pytest.approx(300, abs=1e-12)
    assert mcse == pytest.approx(200 * 4 * 0.8 / 8, abs=1e-12)


def test_a_rate_of_zero_is_not_known_exactly():
    """Trap 13: 0 of 1000 has no naive error, and a Wilson interval up to z²/(R + z²)."""
    assert stats.rate_mcse(0.0, 1000) == 0.0
    z2 = 1.959963984540054**2
    assert stats.wilson_half_width(0.0, 1000) == pytest.approx(0.5 * z2 / (1000 + z2), rel=1e-12)


def test_wilson_rate_is_wilson():
    x, n = np.arange(41), 40
    np.testing.assert_allclose(stats.wilson_rate(x / n, n), stats.wilson(x, n), rtol=0, atol=1e-15)
    assert stats.wilson_rate([0.0, 1.0], 10)[0][0] == 0.0
    assert stats.wilson_rate([0.0, 1.0], 10)[1][1] == 1.0


def test_undefined_is_nan():
    for value in (
        stats.rate_mcse(0.5, 0),
        stats.rate_mcse(np.nan, 100),
        stats.mean_mcse(1.0, 0),
        stats.empirical_se_mcse(1.0, 1),
        stats.wilson_half_width(0.5, 0),
        stats.wilson_half_width(0.0, 0),
        stats.relative_precision(1.0, 0.0, 0.0, 100)[0],
        stats.relative_precision(1.0, 1.0, 0.0, 1)[1],
    ):
        assert np.isnan(value)
    assert np.isnan(stats.wilson_rate([np.nan, 0.5], 100)[0]).tolist() == [True, False]


def test_a_rate_outside_the_unit_interval_is_refused():
    with pytest.raises(ValueError, match=r"rate must lie between 0 and 1; it holds 1\.5"):
        stats.rate_mcse([0.5, np.nan, 1.5], 10)
    with pytest.raises(ValueError, match="replications must lie between 0"):
        stats.mean_mcse(1.0, -1)


def test_errors_are_those_of_simulation():
    """4000 studies of 400 replications of two correlated normal estimates, seed fixed.

    A standard deviation over 4000 studies has a relative error of about 1.1% (2% for the ratio, which is skew);
    the bands are four times that, a false alarm below 1e-4 for all four together. The formulas are themselves
    accurate to about 1/R.
    """
    rng = np.random.default_rng(13)
    studies, runs, rho = 4000, 400, 0.5
    a = rng.standard_normal((studies, runs))
    b = 0.8 * (rho * a + math.sqrt(1 - rho**2) * rng.standard_normal((studies, runs)))
    assert a.mean(axis=1).std() == pytest.approx(stats.mean_mcse(1.0, runs), rel=0.045)
    assert a.std(axis=1, ddof=1).std() == pytest.approx(stats.empirical_se_mcse(1.0, runs), rel=0.045)
    assert (a > 0.5).mean(axis=1).std() == pytest.approx(stats.rate_mcse(0.3085375, runs), rel=0.045)
    gains = 100 * ((a.std(axis=1, ddof=1) / b.std(axis=1, ddof=1)) ** 2 - 1)
    gain, mcse = stats.relative_precision(1.0, 0.8, rho, runs)
    assert gains.mean() == pytest.approx(gain, abs=4 * mcse / math.sqrt(studies) + 200 / runs)
    assert gains.std() == pytest.approx(mcse, rel=0.08)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: stats.empirical_se_mcse(-0.5, 100), "se must lie between 0 and inf; it holds -0.5"),
        (lambda: stats.mean_mcse([0.1, -0.2], 100), "sd must lie between 0 and inf; it holds -0.2"),
        (lambda: stats.rate_mcse(1.2, 100), "rate must lie between 0 and 1; it holds 1.2"),
        (lambda: stats.wilson_rate(np.ma.masked_array([0.5, 0.2], [True, False]), 100), "rate has masked values"),
        (lambda: stats.mean_mcse("0.5", 100), "sd must hold numbers"),
    ],
)
def test_what_no_simulation_has_is_refused(call, words):
    with pytest.raises(ParameterError, match=words):
        call()
    assert np.isnan([stats.mean_mcse(np.nan, 100), stats.empirical_se_mcse(np.nan, 100)]).all()
