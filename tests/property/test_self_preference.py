"""What holds for self-preference at any quality of the answers and any position preference."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simstudy
from simstudy import stats
from simstudy.scenarios import get_scenario
from simstudy.scenarios.self_preference import CLASSES

SCENARIO = get_scenario("self_preference")
# a busy machine is no failure
unhurried = settings(deadline=None, max_examples=60)
seldom = settings(deadline=None, max_examples=10)
logits = st.floats(-6, 6)
abilities = st.floats(0, 6)
shares = st.floats(0, 1)
spreads = st.sampled_from([0.0, 0.4, 2.0])
# sums and products of sixteen probabilities
ROUNDING = 1e-11


def values(n_pairs=10, **more):
    return {"n_pairs": n_pairs, "ability": 2.5, "beta": 0.0, "tied": 0.0, "judge_pair_sd": 0.0, **more}


def law(**more):
    return dict(zip(CLASSES, SCENARIO.law(values(**more))[0], strict=True))


@unhurried
@given(logits, abilities, logits, shares)
def test_plus_to_minus_is_the_bonus_whatever_the_answers_and_the_position(bonus, ability, beta, tied):
    """P(plus)/P(minus) = e^bonus, over all pairs and so over every share of tied ones."""
    truth = SCENARIO.truth(values(bonus=bonus, ability=ability, beta=beta, tied=tied))
    assert truth["plus"] / truth["minus"] == pytest.approx(math.exp(bonus), rel=ROUNDING)
    assert truth["log_ratio"] == pytest.approx(bonus, abs=ROUNDING)


@unhurried
@given(logits, logits)
def test_the_ratio_holds_in_every_single_unit(bonus, logit):
    """One order of one pair, where a judge without a bonus picks the own system with logit `logit`."""
    own, third = 1 / (1 + math.exp(-logit - bonus)), 1 / (1 + math.exp(-logit))
    assert own * (1 - third) / ((1 - own) * third) == pytest.approx(math.exp(bonus), rel=1e-9)


@unhurried
@given(st.floats(-3, 3), abilities, logits, shares, spreads)
def test_the_opposite_bonus_mirrors_the_law(bonus, ability, beta, tied, sd):
    more = {"ability": ability, "beta": beta, "tied": tied, "judge_pair_sd": sd}
    one, other = law(bonus=bonus, **more), law(bonus=-bonus, **more)
    assert math.fsum(one.values()) == pytest.approx(1, abs=ROUNDING)
    for size in ("half", "whole"):
        up = math.fsum(p for name, p in one.items() if name.startswith(f"{size}_up"))
        down = math.fsum(p for name, p in other.items() if name.startswith(f"{size}_down"))
        assert up == pytest.approx(down, abs=ROUNDING)
    assert one["cross"] == pytest.approx(other["cross"], abs=ROUNDING)
    assert one["agree"] == pytest.approx(other["agree"], abs=ROUNDING)


@unhurried
@given(st.floats(-4, 4), st.floats(0.01, 2), abilities, logits, shares, spreads)
def test_the_gap_grows_with_the_bonus(bonus, more, ability, beta, tied, sd):
    rest = {"ability": ability, "beta": beta, "tied": tied, "judge_pair_sd": sd}
    small, large = (SCENARIO.truth(values(bonus=b, **rest)) for b in (bonus, bonus + more))
    assert small["gap"] < large["gap"]
    assert small["log_ratio"] < large["log_ratio"]
    assert small["win_rate_third"] == large["win_rate_third"] == 0.5


@seldom
@given(st.integers(2, 12), st.floats(0.1, 2), abilities, st.floats(-2, 2), spreads)
def test_the_opposite_bonus_has_the_same_power(n, bonus, ability, beta, sd):
    asked = {"n_pairs": n, "ability": ability, "beta": beta, "judge_pair_sd": sd, "engine": "exact"}
    methods = "gap_t,sign_flip_exact,judge_mcnemar_midp"
    one, other = (simstudy.power_curve("self_preference", bonus=b, method=methods, **asked) for b in (bonus, -bonus))
    for name in ("power", "power_right", "undefined", "coverage"):
        # the windows of mirrored laws leave out other parts
        np.testing.assert_allclose(one[name], other[name], atol=1e-9)


@unhurried
@given(st.integers(0, 400), st.integers(0, 400), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_limits_of_the_bonus_hold_the_estimate_and_mirror(minus, plus, level):
    for limits in (stats.log_preference_exact, stats.log_preference_midp):
        low, high = limits(minus, plus, level)
        mirrored = limits(plus, minus, level)
        if minus + plus == 0:
            assert np.isnan([low, high, *mirrored]).all()
            continue
        # limits are iterated to 1e-12 of their bracket, in shares
        np.testing.assert_allclose([low, high], [-mirrored[1], -mirrored[0]], rtol=1e-8, atol=1e-8)
        assert low <= stats.log_preference(minus, plus) <= high
        wider = limits(minus, plus, 0.999)
        assert wider[0] <= low
        assert high <= wider[1]


@st.composite
def gaps(draw):
    return draw(st.lists(st.sampled_from([-2, -1, 0, 1, 2]), min_size=2, max_size=40))


@unhurried
@given(gaps(), st.sampled_from(["two-sided", "greater", "less"]))
def test_sign_flips_read_total_and_sizes_alone(doubled, alternative):
    d = np.array(doubled)
    sizes = (np.abs(d) == 1).sum(), (np.abs(d) == 2).sum()
    found = stats.gap_sign_flip(d.sum(), *sizes, alternative)
    assert found == pytest.approx(stats.sign_flip_exact(d, alternative), rel=1e-12)
    opposite = {"two-sided": "two-sided", "greater": "less", "less": "greater"}[alternative]
    assert found == stats.gap_sign_flip(-d.sum(), *sizes, opposite)


@unhurried
@given(gaps(), st.integers(1, 4))
def test_gap_intervals_hold_the_mean_and_shrink(doubled, times):
    d = np.array(doubled)
    total, squares, n = d.sum(), (d**2).sum(), len(d)
    for interval in (stats.gap_z_interval, stats.gap_t_interval):
        low, high = interval(total, squares, n)
        more_low, more_high = interval(times * total, times * squares, times * n)
        if len(set(doubled)) == 1:
            assert np.isnan([low, high]).all()
        else:
            assert low <= stats.mean_gap(total, n) <= high
            assert more_high - more_low <= (high - low) * (1 + 1e-12)
