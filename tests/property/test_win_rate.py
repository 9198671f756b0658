"""Properties of the adoption rule and of the law of win_rate."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simstudy.scenarios.win_rate.law import PROTOCOLS, VERDICT_PAIRS, outcome, verdict_pairs
from simstudy.stats import win_rate as rule

# A busy machine is no failure: no deadline per example.
unhurried = settings(deadline=None, max_examples=60)
COUNT = st.integers(0, 3000)
LEVEL = st.floats(0.001, 0.499)
BOUND = st.integers(0, 100).map(lambda hundredths: hundredths / 100)
# the nodes of the law err by up to 2e-13
NODES = 4e-13
# the same sums of doubles in another order
ROUNDING = 1e-14


@st.composite
def judges(draw, ties=True):
    return {
        "strength": draw(st.floats(-10, 10)),
        "strength_sd": draw(st.floats(0, 10)),
        "beta": draw(st.floats(-10, 10)),
        "tie_band": draw(st.floats(0, 10)) if ties else 0.0,
    }


def law(judge, **changed):
    return verdict_pairs(**{**judge, **changed}).reshape(3, 3)


EXCHANGED = [1, 0, 2]


@unhurried
@given(COUNT, COUNT, LEVEL, BOUND)
def test_adoption_is_both_parts_and_what_is_needed(wins, losses, alpha, bound):
    found = rule.adopt(wins, losses, alpha, bound)
    assert found.adopt == (found.test_rejects and found.rate_reached) == (not found.blocked_by)
    if wins + losses:
        assert found.test_rejects == (found.needed_by_test is not None and wins >= found.needed_by_test)
        assert found.rate_reached == (wins >= found.needed_by_rate)
        assert found.low <= found.win_rate <= found.high
    assert found.adopt == (rule.adoption_p(wins, losses, bound) <= alpha * (1 + 1e-12))


@unhurried
@given(COUNT, COUNT, LEVEL)
def test_the_limits_do_not_contradict_the_test(wins, losses, alpha):
    found = rule.adopt(wins, losses, alpha)
    if abs(found.p_value / alpha - 1) > 1e-9:
        assert found.test_rejects == (found.low >= 0.5)


@unhurried
@given(COUNT, COUNT)
def test_one_win_more_never_takes_an_adoption_away(wins, losses):
    assert rule.win_rate_exact_p(wins + 1, losses) <= rule.win_rate_exact_p(wins, losses) + 1e-14
    assert rule.adopt(wins + 1, losses).adopt or not rule.adopt(wins, losses).adopt


@unhurried
@given(COUNT, COUNT)
def test_wins_and_losses_mirror_each_other(wins, losses):
    greater, less = rule.win_rate_exact_p(wins, losses), rule.win_rate_exact_p(losses, wins, "less")
    assert greater == less
    assert rule.win_rate_exact_p(wins, losses, "two-sided") == rule.win_rate_exact_p(losses, wins, "two-sided")
    if wins + losses:
        assert math.isclose(rule.decisive_win_rate(wins, losses) + rule.decisive_win_rate(losses, wins), 1)
        low, high = rule.win_rate_interval(wins, losses)
        mirrored = rule.win_rate_interval(losses, wins)
        np.testing.assert_allclose((low, high), (1 - mirrored[1], 1 - mirrored[0]), rtol=0, atol=1e-12)


@unhurried
@given(judges())
def test_probabilities_are_probabilities(judge):
    found = law(judge)
    assert (found >= 0).all()
    assert math.isclose(math.fsum(found.ravel()), 1, abs_tol=1e-14)
    for protocol in PROTOCOLS.values():
        trial = outcome(found.ravel(), protocol)
        assert 0 < trial.decisive <= 1 + 1e-14
        assert 0 <= trial.win_rate <= 1


@unhurried
@given(judges())
def test_a_strength_of_the_other_sign_exchanges_systems_and_passes(judge):
    mirrored = law(judge, strength=-judge["strength"])[EXCHANGED][:, EXCHANGED].T
    np.testing.assert_allclose(law(judge), mirrored, rtol=0, atol=ROUNDING)


@unhurried
@given(judges())
def test_a_bias_of_the_other_sign_exchanges_the_passes(judge):
    np.testing.assert_allclose(law(judge), law(judge, beta=-judge["beta"]).T, rtol=0, atol=ROUNDING)


@unhurried
@given(judges(ties=False))
def test_without_ties_contradictions_have_the_odds_of_the_bias(judge):
    """(A, B), the first shown twice, against (B, A): e^(2·beta) in every pair, whatever its advantage."""
    found = dict(zip(VERDICT_PAIRS, law(judge).ravel(), strict=True))
    assert math.isclose(math.log(found["a_b"] / found["b_a"]), 2 * judge["beta"], rel_tol=1e-9, abs_tol=1e-12)


@unhurried
@given(judges())
def test_contradictions_with_half_the_ties_have_the_odds_of_the_bias(judge):
    """(A, B) + (A, tie) against (B, A) + (tie, A): the odds e^(2·beta) with ties too, as in scenario position."""
    found = dict(zip(VERDICT_PAIRS, law(judge).ravel(), strict=True))
    odds = (found["a_b"] + found["a_tie"]) / (found["b_a"] + found["tie_a"])
    assert math.isclose(math.log(odds), 2 * judge["beta"], rel_tol=1e-9, abs_tol=1e-12)


@unhurried
@given(judges(ties=False))
def test_without_ties_averaged_is_consistent(judge):
    found = law(judge).ravel()
    assert outcome(found, PROTOCOLS["averaged"]) == outcome(found, PROTOCOLS["consistent"])


@unhurried
@given(judges(), st.floats(0.01, 3))
def test_more_strength_wins_more_and_loses_less(judge, more):
    for protocol in PROTOCOLS.values():
        weak = outcome(law(judge).ravel(), protocol)
        strong = outcome(law(judge, strength=judge["strength"] + more).ravel(), protocol)
        assert strong.win >= weak.win - NODES
        assert strong.loss <= weak.loss + NODES


@unhurried
@given(judges())
def test_without_a_strength_both_orders_are_fair(judge):
    found = law(judge, strength=0.0).ravel()
    for name in ("consistent", "averaged", "averaged_passes"):
        assert math.isclose(outcome(found, PROTOCOLS[name]).win_rate, 0.5, abs_tol=1e-9)


@unhurried
@given(judges())
def test_both_orders_decide_more_than_agreement_does(judge):
    found = law(judge).ravel()
    consistent, averaged = (outcome(found, PROTOCOLS[name]) for name in ("consistent", "averaged"))
    assert averaged.win >= consistent.win
    assert averaged.loss >= consistent.loss
