"""Scenario win_rate: the rule and its parts against every outcome, protocols and their costs, solving, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import simstudy
from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios import get_scenario
from tests.oracle import win_rate_slow as slow

WIN_RATE = get_scenario("win_rate")
METHODS = ["one_order", "consistent", "averaged", "averaged_passes"]
READINGS = {"one_order": 1, "consistent": 2, "averaged": 2, "averaged_passes": 2}
# quadrature of the law, and sums of some thousand products
SUMMED = 1e-11
N = 14
# a bound that binds at few pairs, with which the parts of the rule can disagree either way
BOUND = "0.8"
JUDGE = {"strength": 0.6, "strength_sd": 0.8, "beta": 0.4, "tie_band": 0.5}


def power(method=METHODS, **asked):
    return simstudy.power_curve("win_rate", engine="exact", method=method, **asked)


def operating(n, judge, protocol, bound="0.55"):
    """Everything that a rule can be asked for, summed over every number of wins and losses of n pairs."""
    law = slow.law(**judge)
    every = slow.counted_law(n, law, protocol)
    parts = {pair: (slow.rejects(*pair), slow.reaches(*pair, bound)) for pair in every}

    def probability(test, rate):
        return math.fsum(p for pair, p in every.items() if parts[pair] == (test, rate))

    decided = {pair: p for pair, p in every.items() if sum(pair)}
    share = math.fsum(decided.values())
    adopted = {pair: p for pair, p in decided.items() if parts[pair] == (True, True)}
    win, loss = (sum(q * slow.score(pair, protocol)[i] for pair, q in law.items()) for i in (0, 1))
    distances = math.fsum(p * abs(w / (w + x) - 0.5) for (w, x), p in adopted.items())
    return {
        "power": probability(True, True),
        "adopt": probability(True, True),
        "adopt_by_test": probability(True, True) + probability(True, False),
        "adopt_by_rate": probability(True, True) + probability(False, True),
        "blocked_by_test": probability(False, True),
        "blocked_by_rate": probability(True, False),
        "win_rate": math.fsum(p * w / (w + x) for (w, x), p in decided.items()) / share,
        "decisive_share": (win + loss) / (2 if protocol == "averaged_passes" else 1),
        # distances from a win rate of ½: of what is adopted, and of the truth
        "type_m": distances / sum(adopted.values()) / abs(win / (win + loss) - 0.5),
    }


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("strength", [0.6, -0.6])
def test_the_rule_and_its_parts_are_those_of_every_outcome(strength, method):
    judge = {**JUDGE, "strength": strength}
    found = power(method, n_pairs=N, min_win_rate=float(BOUND), **judge)
    for name, value in operating(N, judge, method, BOUND).items():
        # distances are divided by a power
        tolerance = SUMMED / found["power"].item() if name == "type_m" else SUMMED
        assert found[name].item() == pytest.approx(value, abs=tolerance), name


def test_either_part_can_block():
    found = power("averaged", n_pairs=N, min_win_rate=float(BOUND), **JUDGE)
    assert found["blocked_by_test"].item() > 0.01
    assert found["blocked_by_rate"].item() > 0.01
    by_parts = found["adopt"] + found["blocked_by_test"], found["adopt"] + found["blocked_by_rate"]
    np.testing.assert_allclose(by_parts, (found["adopt_by_rate"], found["adopt_by_test"]), atol=SUMMED)


def test_the_bound_binds_from_302_decisive_pairs_on():
    """In one order without ties all pairs are decisive; the exceptions up to 320 are those of the whole numbers."""
    asked = {"strength": 0.5, "strength_sd": 0.0, "beta": 0.4}
    found = power("one_order", n_pairs=[5, 150, 300, 301, 302, 303, 320, 321, 400], **asked)[
        "blocked_by_rate"
    ].squeeze()
    assert (found.values[:4] == 0).all()
    assert found.values[4] > 0
    assert (found.values[5:7] == 0).all()
    assert (found.values[7:] > 0).all()


@pytest.mark.parametrize("strength", [0.0, -0.3])
def test_whom_nothing_makes_stronger_is_adopted_falsely(strength):
    found = power(n_pairs=60, strength=strength, beta=-0.4)
    np.testing.assert_array_equal(found["power_wrong"], found["power"])
    np.testing.assert_array_equal(found["power_right"], 0)
    assert (found["power"] > 0).all()


def test_an_adoption_of_the_stronger_is_right():
    found = power(n_pairs=60, strength=0.3, beta=-0.4)
    np.testing.assert_array_equal(found["power_right"], found["power"])
    np.testing.assert_array_equal(found["power_wrong"], 0)


def test_where_strength_is_nothing_there_is_no_distance_to_exaggerate():
    assert math.isnan(power("averaged", n_pairs=40, strength=0.0)["type_m"].item())


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_a_trial_a_pair_keeps_the_level(alpha):
    found = power(METHODS[:3], n_pairs=[10, 40, 150], strength=0.0, tie_band=[0.0, 0.7], alpha=alpha)
    assert (found["adopt_by_test"] <= alpha).all()


def test_a_bias_toward_the_first_counts_against_b_in_one_order_alone():
    """The advantage of B in pass 1 is its strength less the bias."""
    found = power(n_pairs=150, strength=[0.0, 0.5], beta=[-0.5, 0.0, 0.5])["power"]
    one, both = found.sel({"method": "one_order"}), found.sel({"method": "averaged"})
    shifted = one.sel(strength=0.5, beta=[0.0, 0.5]).values, one.sel(strength=0.0, beta=[-0.5, 0.0]).values
    np.testing.assert_allclose(*shifted, atol=SUMMED)
    assert one.sel(strength=0.0, beta=-0.5) > 0.7
    assert one.sel(strength=0.0, beta=0.5) < 1e-4
    assert (both.sel(strength=0.0) <= 0.05).all()
    np.testing.assert_allclose(both.sel(beta=-0.5), both.sel(beta=0.5), atol=SUMMED)


def test_systems_that_change_places_change_their_wins():
    asked = {"n_pairs": N, "strength_sd": 0.8, "tie_band": 0.5}
    b, a = (power(strength=strength, **asked) for strength in (0.4, -0.4))
    np.testing.assert_allclose(a["win_rate"], 1 - b["win_rate"], atol=SUMMED)
    np.testing.assert_allclose(a["decisive_share"], b["decisive_share"], atol=SUMMED)
    np.testing.assert_allclose(a["miss_below"], b["miss_above"], atol=SUMMED)
    law = slow.law(strength=0.4, strength_sd=0.8, beta=0.0, tie_band=0.5)
    for method in METHODS:
        every = slow.counted_law(N, law, method)
        expected = math.fsum(p for (wins, losses), p in every.items() if slow.rejects(losses, wins))
        assert a["power"].sel({"method": method}).item() == pytest.approx(expected, abs=SUMMED)


def test_more_strength_is_adopted_more():
    found = power(n_pairs=40, strength=np.linspace(-1, 1, 9).round(2).tolist(), beta=0.4, tie_band=0.5)["power"]
    assert (found.diff("strength") > 0).all()


def test_a_higher_bar_adopts_less():
    found = power(n_pairs=40, strength=0.6, min_win_rate=[0.5, 0.7, 0.8, 0.99])
    assert (found["power"].diff("min_win_rate") <= 0).all()
    assert (found["blocked_by_rate"].diff("min_win_rate") >= 0).all()
    for name in ("adopt_by_test", "win_rate"):
        np.testing.assert_array_equal(found[name].std("min_win_rate"), 0)


def test_without_ties_agreement_and_the_mean_of_both_orders_are_one():
    found = power(n_pairs=40, strength=0.3, beta=0.7)
    for name in ("power", "win_rate", "decisive_share", "judge_calls"):
        assert found[name].sel({"method": "consistent"}) == found[name].sel({"method": "averaged"}), name


# ---- what protocols pay, and what they need


@pytest.mark.parametrize("n", [1, 150])
def test_each_protocol_pays_its_own_readings(n):
    found = power(n_pairs=n, strength=0.3)["judge_calls"]
    assert found.to_series().to_dict() == {method: READINGS[method] * n for method in METHODS}


def test_each_protocol_pays_its_readings_of_the_pairs_that_it_needs():
    found = simstudy.size("win_rate", strength=1.5, method=METHODS[:3])
    pairs = found["answer"].squeeze().to_series()
    assert pairs["one_order"] > pairs["averaged"]
    expected = {method: READINGS[method] * n for method, n in pairs.items()}
    assert found["judge_calls"].squeeze().to_series().to_dict() == expected


def enumerated(n, strength, method):
    """P(adopt) where all pairs have one strength and a trial each: a sum over decisive pairs and wins."""
    law = slow.law(strength, 0.0, 0.0, 0.5)
    win, loss = (sum(p * slow.score(pair, method)[i] for pair, p in law.items()) for i in (0, 1))
    m = np.arange(n + 1)
    by_rate = [max(-(-11 * int(k) // 20), 1) for k in m]
    needed = np.maximum(slow.critical_counts(n), by_rate)
    return float(stats.binom.pmf(m, n, win + loss) @ stats.binom.sf(needed - 1, m, win / (win + loss)))


@pytest.mark.parametrize("method", METHODS[:3])
def test_size_is_the_smallest_number_from_which_power_is_kept(method):
    found = simstudy.size("win_rate", strength=1.5, strength_sd=0, tie_band=0.5, method=method)
    reached = np.array([enumerated(n, 1.5, method) >= 0.8 for n in range(1, 61)])
    assert found["answer"].item() == np.flatnonzero(~reached)[-1] + 2
    assert found["first"].item() == np.flatnonzero(reached)[0] + 1


@pytest.mark.parametrize("method", METHODS[:3])
def test_the_smallest_strength_seen_has_the_power(method):
    found = simstudy.mde("win_rate", n_pairs=60, strength_sd=0, tie_band=0.5, method=method)["answer"].item()
    assert enumerated(60, found, method) == pytest.approx(0.8, abs=1e-6)
    assert enumerated(60, found - 0.01, method) < 0.8


def test_parts_and_adoption_are_targets():
    """The win rate is .731, near a bound of .7: the test is soon satisfied, the rate is not."""
    asked = {"strength": 1.0, "strength_sd": 0.0, "min_win_rate": 0.7}
    by_rule, by_test = (
        int(simstudy.size("win_rate", target=target, method="one_order", largest=300, **asked)["answer"].item())
        for target in ("adopt=0.8", "adopt_by_test=0.8")
    )
    assert by_test < by_rule
    assert power("one_order", n_pairs=by_rule, **asked)["adopt"].item() >= 0.8
    assert power("one_order", n_pairs=by_test, **asked)["adopt_by_test"].item() >= 0.8


def test_what_is_no_stronger_needs_no_number_of_pairs():
    for strength in (0.0, -0.3):
        found = simstudy.size("win_rate", strength=strength, largest=200)
        assert np.isnan(found["answer"]).all()
        assert np.isnan(found["judge_calls"]).all()


def test_one_pair_adopts_nothing():
    found = power(n_pairs=1, strength=2.0)
    assert (found["power"] == 0).all()
    assert (found["adopt_by_rate"] > 0.5).all()
    assert np.isnan(simstudy.mde("win_rate", n_pairs=1, method="averaged")["answer"].item())


# ---- what is refused


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"n_pairs": 0}, "n_pairs is 0"),
        ({"n_pairs": 10.5}, "n_pairs is 10.5"),
        ({"n_pairs": "1/2/3"}, "n_pairs: '1/2/3' is no number"),
        ({"strength": math.nan}, "strength is nan"),
        ({"strength": math.inf}, "strength is inf"),
        ({"strength": "abc"}, "strength: 'abc' is no number"),
        ({"strength": "1/2/3"}, "strength: '1/2/3' is no number"),
        ({"strength_sd": -1}, "strength_sd is -1"),
        ({"beta": 11}, "beta is 11"),
        ({"tie_band": -0.1}, "tie_band is -0.1"),
        ({"min_win_rate": 0}, "min_win_rate is 0"),
        ({"min_win_rate": 1}, "min_win_rate is 1"),
        ({"min_win_rate": "half"}, "min_win_rate: 'half' is no number"),
    ],
)
def test_impossible_values_are_refused(values, words):
    with pytest.raises(ParameterError, match=words):
        power(**{"n_pairs": 20, "strength": 0.3, **values})


def test_an_unknown_protocol_names_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean averaged"):
        power("avraged", n_pairs=20, strength=0.3)


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_the_rule_has_one_direction(alternative):
    asked = {"n_pairs": 20, "strength": 0.3, "alternative": alternative}
    if alternative == "less":
        with pytest.raises(RefusedError, match="alternative less does not fit"):
            power(**asked)
    else:
        np.testing.assert_array_equal(power(**asked)["power"], power(n_pairs=20, strength=0.3)["power"])


def test_replayed_pairs_are_those_that_are_counted():
    judge = {"strength": 0.3, "strength_sd": 1.0, "beta": 0.5, "tie_band": 0.5}
    units = simstudy.replay("win_rate", replication=3, n_pairs=50, **judge)
    pick = {1: "b", -1: "a", 0: "tie"}
    said = [(pick[int(one)], pick[int(two)]) for one, two in zip(units["verdict_1"], units["verdict_2"], strict=True)]
    assert [said.count(pair) for pair in slow.PAIRS] == slow.counts(1, 3, 50, *judge.values())
