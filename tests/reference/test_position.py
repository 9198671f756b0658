"""Published and peer values of the bias toward a position."""

import math

import numpy as np
import pytest
from scipy import optimize
from statsmodels.discrete.discrete_model import Logit

import simstudy
from simstudy import stats
from simstudy.scenarios import get_scenario
from tests.oracle.kernels import logistic

PRINTED_3 = 5e-4
POSITION = get_scenario("position")


def truth(**values):
    return POSITION.point(
        {"n_pairs": 14, "ability": 2.5, "x_better": 0.5, "tied": 0.0, "tie_band": 0.0, "ability_sd": 0.0, **values}
    ).truth


@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    [(5, 20, 0.09786008, 0.47022380), (10, 30, 0.1833232, 0.5141852), (15, 40, 0.2361295, 0.5313959)],
)
def test_midp_limits_of_an_r_package(x, n, low, high):
    """The examples of ci_p_mid_p in the R package stests, as its documentation prints them: 7 digits."""
    assert stats.midp_proportion(x, n) == pytest.approx((low, high), abs=1e-7)


@pytest.mark.parametrize(("beta", "flips"), [(0.0, 0.140), (0.5, 0.155), (1.2, 0.228), (2.0, 0.380)])
def test_flip_rates_of_a_published_lesson(beta, flips):
    assert truth(beta=beta)["flip_rate"] == pytest.approx(flips, abs=PRINTED_3)
    # σ(u + β)·σ(−u + β) + σ(−u − β)·σ(u − β)
    by_hand = logistic(2.5 + beta) * logistic(beta - 2.5) + logistic(-2.5 - beta) * logistic(2.5 - beta)
    assert truth(beta=beta)["flip_rate"] == pytest.approx(by_hand, abs=1e-15)


@pytest.mark.parametrize(("beta", "flips"), [(0.0, 0.500), (1.2, 0.644)])
def test_flip_rates_of_equal_answers(beta, flips):
    assert truth(beta=beta, tied=1.0)["flip_rate"] == pytest.approx(flips, abs=PRINTED_3)


@pytest.mark.parametrize(("n", "power"), [(14, 0.045), (60, 0.892)])
def test_power_of_the_exact_test(n, power):
    found = simstudy.power_curve("position", n_pairs=n, beta=1.2, method="contradiction_exact", engine="exact")
    assert found["power"].item() == pytest.approx(power, abs=PRINTED_3)


def test_limit_of_the_same_letter_twice_with_ties():
    assert truth(beta=1.2, tie_band=1.0)["beta_strict"] == pytest.approx(1.40, abs=5e-3)


def test_coverage_of_the_clopper_pearson_version():
    """.985 to .99 at n 14 to 140 and beta 1.2, of the replications that have an interval."""
    found = simstudy.power_curve(
        "position", n_pairs=[14, 30, 60, 100, 140], beta=1.2, method="contradiction_exact", engine="exact"
    )
    some = 1 - (1 - found["flip_rate"]) ** found["n_pairs"]
    given_some = (found["coverage"].squeeze() / some).values
    assert given_some.min() >= 0.985
    assert given_some.max() <= 0.992


def _verdicts(rng, size, ability, beta):
    """Verdict pairs on pairs of which X is better, and the design of both passes: one row per verdict."""
    first = rng.random(size) < 1 / (1 + np.exp(-(ability + beta)))
    second = rng.random(size) < 1 / (1 + np.exp(-(-ability + beta)))
    letters = [["B", "A"][int(v)] for v in first], [["B", "A"][int(v)] for v in second]
    side = np.repeat([1.0, -1.0], size)
    return stats.verdict_counts(*letters), side, np.concatenate([first, second]).astype(float)


def test_the_fit_is_that_of_statsmodels():
    counts, side, picked_first = _verdicts(np.random.default_rng(6), 400, 1.4, 0.6)
    fit = stats.fit_position(counts, [0] * 9)
    peer = Logit(picked_first, np.column_stack([side, np.ones_like(side)])).fit(disp=0, tol=1e-12)
    assert (fit.ability, fit.beta) == pytest.approx(tuple(peer.params), abs=1e-8)
    assert (fit.se, fit.se) == pytest.approx(tuple(peer.bse), rel=1e-6)
    covariance = peer.cov_params()
    assert fit.correlation == pytest.approx(covariance[0, 1] / covariance[0, 0], abs=1e-6)


def test_the_fit_maximises_the_likelihood_of_pairs_of_both_kinds():
    """The likelihood is written verdict pair by verdict pair and maximised by a simplex."""
    pairs = [("A", "A"), ("A", "B"), ("B", "A"), ("B", "B")]
    x_better, y_better = dict(zip(pairs, (20, 50, 4, 6), strict=True)), dict(zip(pairs, (15, 5, 40, 8), strict=True))

    def minus_log_likelihood(parameters):
        ability, beta = parameters
        total = 0.0
        for table, t in ((x_better, 1), (y_better, -1)):
            for (ab, ba), n in table.items():
                for letter, u in ((ab, t * ability), (ba, -t * ability)):
                    total += n * math.log(logistic(u + beta) if letter == "A" else logistic(-u - beta))
        return -total

    found = optimize.minimize(minus_log_likelihood, (0.5, 0.0), method="Nelder-Mead", tol=1e-10)
    as_counts = [[t["A", "A"], t["A", "B"], 0, t["B", "A"], t["B", "B"], 0, 0, 0, 0] for t in (x_better, y_better)]
    fit = stats.fit_position(*as_counts)
    assert (fit.ability, fit.beta) == pytest.approx(tuple(found.x), abs=1e-6)


def test_observed_flips_tell_a_judge_whose_passes_lean_on_each_other():
    """A judge that repeats its first winner never flips, and a fitted model expects flips all the same."""
    stands_by_x, stands_by_y = [0, 70, 0, 20, 0, 0, 0, 0, 0], [0] * 9
    fit = stats.fit_position(stands_by_x, stands_by_y)
    assert fit.beta == pytest.approx(0, abs=1e-15)
    assert fit.flips_observed == 0
    assert fit.flips_expected == pytest.approx(2 * (7 / 9) * (2 / 9))
