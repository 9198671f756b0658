"""The law of win_rate against quadrature, what protocols make of it, and the sizes that the spec states."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from simstudy.scenarios.win_rate.law import PROTOCOLS, VERDICT_PAIRS, outcome, verdict_pairs
from tests.oracle import win_rate_slow as slow

# adaptive quadrature of the twin, asked for 1e-13 in each of ten pieces
QUADRATURE = 2e-12
# two ways to the same sums of doubles
ROUNDING = 1e-14
# SciPy's binomial probabilities, and sums of some thousand products
SUMMED = 1e-11
# strength, strength_sd, beta, tie_band
SETTINGS = [
    (0.0, 0.0, 0.0, 0.0),
    (0.3, 0.0, 1.0, 0.5),
    (0.0, 1.0, 0.0, 0.25),
    (0.3, 1.0, 1.0, 0.5),
    (-3.0, 0.4, -2.0, 1.0),
    (10.0, 10.0, 10.0, 10.0),
    (-10.0, 2.5, 0.0, 10.0),
    (0.3, 2.5, 10.0, 10.0),
    (2.0, 7.0, 5.0, 0.0),
    (0.0, 10.0, 10.0, 5.0),
]


def by_name(pair: slow.Pair) -> str:
    return f"{pair[0]}_{pair[1]}"


@pytest.mark.parametrize("setting", SETTINGS)
def test_verdict_pairs_have_the_probabilities_of_quadrature(setting: tuple[float, ...]) -> None:
    expected = slow.law(*setting)
    assert [by_name(pair) for pair in expected] == list(VERDICT_PAIRS)
    found = verdict_pairs(*setting)
    np.testing.assert_allclose(found, list(expected.values()), rtol=0, atol=QUADRATURE)
    assert math.fsum(found) == pytest.approx(1, abs=ROUNDING)


def test_one_advantage_by_hand() -> None:
    """At strength log 2 and beta log 3: B is picked with odds 2/3 in pass 1 and 6 in pass 2."""
    found = dict(zip(VERDICT_PAIRS, verdict_pairs(math.log(2), 0.0, math.log(3), 0.0), strict=True))
    expected = {"b_b": 12 / 35, "b_a": 2 / 35, "a_b": 18 / 35, "a_a": 3 / 35}
    assert {name: p for name, p in found.items() if p} == pytest.approx(expected, abs=ROUNDING)


@pytest.mark.parametrize("strength_sd", [0.0, 1.0, 10.0])
def test_without_a_tie_band_ties_are_impossible(strength_sd: float) -> None:
    law = verdict_pairs(0.3, strength_sd, 10.0, 0.0)
    assert [p for name, p in zip(VERDICT_PAIRS, law, strict=True) if "tie" in name] == [0.0] * 5


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_protocols_score_as_told(protocol: str) -> None:
    found = PROTOCOLS[protocol]
    scores = {by_name(pair): slow.score(pair, protocol) for pair in slow.PAIRS}
    assert {name: (found.wins.get(name, 0), found.losses.get(name, 0)) for name in VERDICT_PAIRS} == scores
    assert max(wins + losses for wins, losses in scores.values()) == found.trials
    assert found.readings == (1 if protocol == "one_order" else 2)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_outcomes_are_expectations_of_scores(setting: tuple[float, ...], protocol: str) -> None:
    law = slow.law(*setting)
    trials = 2 if protocol == "averaged_passes" else 1
    win, loss = (sum(p * slow.score(pair, protocol)[i] for pair, p in law.items()) / trials for i in (0, 1))
    found = outcome(verdict_pairs(*setting), PROTOCOLS[protocol])
    assert (found.win, found.loss, found.decisive) == pytest.approx((win, loss, win + loss), abs=QUADRATURE)
    assert found.win_rate == pytest.approx(win / (win + loss), abs=QUADRATURE / (win + loss))


def test_what_cannot_be_decisive_has_no_win_rate() -> None:
    found = outcome([0.0] * 8 + [1.0], PROTOCOLS["averaged"])
    assert (found.win, found.loss, found.decisive) == (0.0, 0.0, 0.0)
    assert math.isnan(found.win_rate)


def test_a_bias_reads_as_a_loss_of_b_in_one_order_alone() -> None:
    law = verdict_pairs(0.0, 1.0, 1.0, 0.0)
    assert outcome(law, PROTOCOLS["one_order"]).win_rate == pytest.approx(0.303265, abs=5e-7)
    for name in ("consistent", "averaged", "averaged_passes"):
        assert outcome(law, PROTOCOLS[name]).win_rate == pytest.approx(0.5, abs=ROUNDING)


def rejection_of_pairs(n_pairs: int, win: float, loss: float) -> float:
    """P(the one-sided exact test rejects at .05) where a pair is one trial."""
    m = np.arange(n_pairs + 1)
    tail = stats.binom.sf(np.array(slow.critical_counts(n_pairs)) - 1, m, win / (win + loss))
    return float(stats.binom.pmf(m, n_pairs, min(win + loss, 1.0)) @ tail)


def test_every_pass_as_a_trial_breaks_the_level() -> None:
    """At 150 pairs .0704 and .0400; the test alone, which implies a win rate of .55 up to 301 trials."""
    law = verdict_pairs(0.0, 1.5, 0.0, 0.0)
    averaged = outcome(law, PROTOCOLS["averaged"])
    assert rejection_of_pairs(150, averaged.win, averaged.loss) == pytest.approx(0.0400048252, abs=1e-9)
    pair = [sum(p for pair, p in zip(slow.PAIRS, law, strict=True) if pair.count("b") == k) for k in range(3)]
    picks = np.ones(1)
    for _ in range(150):
        picks = np.convolve(picks, pair)
    assert picks[slow.critical_counts(300)[300] :].sum() == pytest.approx(0.0704392849, abs=1e-9)


@pytest.mark.parametrize("protocol", ["one_order", "consistent", "averaged"])
def test_rejections_are_those_of_every_outcome(protocol: str) -> None:
    """The same from the joint law of wins and losses, pair after pair, and its tests in fractions."""
    setting = (0.3, 1.0, 1.0, 0.5)
    every = slow.counted_law(20, slow.law(*setting), protocol)
    expected = sum(p for counts, p in every.items() if slow.rejects(*counts))
    found = outcome(verdict_pairs(*setting), PROTOCOLS[protocol])
    assert rejection_of_pairs(20, found.win, found.loss) == pytest.approx(expected, abs=SUMMED)
