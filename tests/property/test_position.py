"""Properties of pairwise verdicts, the bias toward a position and its law."""

import math

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

import simstudy
from simstudy import stats
from simstudy.scenarios import get_scenario

# A busy machine is no failure: no deadline per example.
unhurried = settings(deadline=None, max_examples=60)
few = settings(deadline=None, max_examples=15)
POSITION = get_scenario("position")
SHARE = st.floats(0, 1)
TABLES = st.lists(st.integers(0, 40), min_size=9, max_size=9)


@st.composite
def judges(draw, ties=True):
    return {
        "beta": draw(st.floats(-10, 10)),
        "ability": draw(st.floats(0, 20)),
        "x_better": draw(SHARE),
        "tied": draw(SHARE),
        "tie_band": draw(st.floats(0, 10)) if ties else 0.0,
        "ability_sd": draw(st.floats(0, 10)),
    }


def law(judge, **changed):
    point = POSITION.point({"n_pairs": 10, **judge, **changed})
    return dict(zip(POSITION.columns, point.laws[0][1], strict=True))


def projected(cells, name):
    return math.fsum(k * cells[column] for column, k in POSITION.projections[name].items())


@unhurried
@given(judges())
def test_the_odds_of_contradictions_are_those_of_the_bias_alone(judge):
    """N1 : N2 = e^(2·beta), whatever abilities, truth and tie band. Products of logistics carry some 1e-15 each."""
    cells = law(judge)
    odds = projected(cells, "n1") / projected(cells, "n2")
    assert math.isclose(math.log(odds), 2 * judge["beta"], rel_tol=1e-9, abs_tol=1e-12)


@unhurried
@given(judges())
def test_contradictions_of_a_pair_have_a_closed_form(judge):
    """P(N1 class) = e^β/(2·cosh β + 2·cosh(u − τ)) at the pull u of pass AB, averaged over it; N2 has e^−β."""
    cells, beta = law(judge), judge["beta"]
    z = np.linspace(-9, 9, 4001)
    density = np.exp(-0.5 * z**2) / np.exp(-0.5 * z**2).sum()
    abilities = judge["ability"] + judge["ability_sd"] * z
    pulls = {1: (1 - judge["tied"]) * judge["x_better"], -1: (1 - judge["tied"]) * (1 - judge["x_better"])}
    pulls[0] = judge["tied"]
    for name, sign in (("n1", 1), ("n2", -1)):
        expected = math.fsum(
            weight
            * density
            @ (math.exp(sign * beta) / (2 * math.cosh(beta) + 2 * np.cosh(abilities * t - judge["tie_band"])))
            for t, weight in pulls.items()
        )
        assert math.isclose(projected(cells, name), expected, rel_tol=1e-9)


@unhurried
@given(judges())
def test_the_passes_may_change_places(judge):
    """The mirror of N1 : N2, (A, A) + (tie, A) against (B, B) + (B, tie), has the same odds."""
    cells = law(judge)
    odds = (cells["aa"] + cells["tie_a"]) / (cells["bb"] + cells["b_tie"])
    assert math.isclose(math.log(odds), 2 * judge["beta"], rel_tol=1e-9, abs_tol=1e-12)


@unhurried
@given(judges())
def test_a_bias_of_the_other_sign_mirrors_the_law(judge):
    """beta → −beta exchanges the letters; with the names of the answers exchanged too, the truth stays in its place."""
    mirrored = law(judge, beta=-judge["beta"], x_better=1 - judge["x_better"])
    exchanged = {"a": "b", "b": "a", "tie": "tie"}
    for column, p in law(judge).items():
        first, second = (column[0], column[1]) if len(column) == 2 else column.split("_")
        letters = (exchanged[first], exchanged[second])
        name = "".join(letters) if "tie" not in letters else "_".join(letters)
        assert math.isclose(p, mirrored[name], rel_tol=1e-9, abs_tol=1e-15)


@unhurried
@given(judges())
def test_exchanging_the_answers_exchanges_the_passes(judge):
    here, there = (np.reshape(list(law(judge, x_better=x).values()), (3, 3)) for x in _both(judge))
    np.testing.assert_allclose(here, there.T, rtol=1e-9, atol=1e-15)


def _both(judge):
    return judge["x_better"], 1 - judge["x_better"]


@unhurried
@given(judges())
def test_rates_are_rates_and_flips_are_disagreements(judge):
    truth = POSITION.point({"n_pairs": 10, **judge}).truth
    rates = [
        "flip_rate",
        "flip_rate_floor",
        "disagreement",
        "first_position_share",
        "win_rate_one_order",
        "win_rate_both",
        "win_rate_true",
    ]
    assert all(-1e-15 <= truth[name] <= 1 + 1e-15 for name in rates)
    assert truth["flip_rate"] <= truth["disagreement"] + 1e-15
    assert math.isclose(math.fsum(law(judge).values()), 1, abs_tol=1e-14)


@unhurried
@given(judges(ties=False))
def test_without_ties_bias_only_adds_contradictions(judge):
    truth = POSITION.point({"n_pairs": 10, **judge}).truth
    assert truth["flip_rate"] >= truth["flip_rate_floor"] - 1e-15
    assert math.isclose(truth["flip_rate"], truth["disagreement"], abs_tol=1e-15)


@unhurried
@given(st.floats(0.51, 0.95), st.floats(-3, 3), st.lists(st.floats(0, 6), min_size=2, max_size=2).map(sorted))
def test_flips_fall_with_the_spread_at_a_fixed_accuracy(accuracy, beta, spreads):
    """Accuracy: the mean over the orders of P(the better answer is picked), the win rate where X always is better."""
    asked = {"n_pairs": 10, "beta": beta, "x_better": 1.0, "tied": 0.0, "tie_band": 0.0}

    def truth(ability, sd):
        return POSITION.point({**asked, "ability": ability, "ability_sd": sd}).truth

    abilities = [brentq(lambda a, sd=sd: truth(a, sd)["win_rate_both"] - accuracy, 0, 20, xtol=1e-12) for sd in spreads]
    less, more = (truth(*pair)["flip_rate"] for pair in zip(abilities, spreads, strict=True))
    assert more <= less + 1e-10


@unhurried
@given(judges(ties=False))
def test_spread_only_takes_flips_away_from_independent_verdicts(judge):
    """Both orders are right more often at a higher ability, so that their covariance over pairs is positive."""
    cells = law(judge, x_better=1.0, tied=0.0)
    first, second = cells["aa"] + cells["ab"], cells["ab"] + cells["bb"]
    assert cells["aa"] + cells["bb"] <= first * (1 - second) + second * (1 - first) + 1e-14


@few
@given(st.integers(1, 80), st.floats(0, 4), st.floats(0.05, 1), st.floats(0, 4), SHARE, st.floats(0, 2))
def test_power_grows_with_the_bias_in_either_direction(n, beta, more, ability, tied, tie_band):
    asked = {"n_pairs": n, "ability": ability, "tied": tied, "tie_band": tie_band, "engine": "exact"}
    assume(tied < 1)
    powers = [
        simstudy.power_curve("position", beta=b, method="contradiction_exact", **asked)["power"].item()
        for b in (beta, beta + more, -beta - more)
    ]
    # without ties, and with them too in this range, contradictions grow no rarer as the bias grows
    assert powers[1] >= powers[0] - 1e-12
    assert math.isclose(powers[1], powers[2], abs_tol=1e-10)


@few
@given(st.floats(-1.5, 1.5), st.floats(0, 3), SHARE, SHARE, st.floats(0, 1.5), st.floats(0, 3))
def test_the_estimate_finds_the_bias(beta, ability, x_better, tied, tie_band, ability_sd):
    """At a million pairs, by counts: all contradictions are above 1,000, so the error is below .02 by far."""
    assume(tied < 1)
    judge = {"beta": beta, "ability": ability, "x_better": x_better, "tied": tied, "tie_band": tie_band}
    judge["ability_sd"] = ability_sd
    asked = {"n_pairs": 10**6, "method": "contradiction_z", "engine": "counts", "replications": 100, "seed": 3}
    found = simstudy.power_curve("position", **judge, **asked)
    assert abs(found["bias"].item()) < 0.02


@unhurried
@given(TABLES)
def test_exchanging_letters_and_passes_exchanges_the_contradictions(table):
    """(A, tie) becomes (tie, B): the letters alone would turn N1 into the N2 of the other order of passes."""
    mirrored = np.reshape(table, (3, 3))[[1, 0, 2]][:, [1, 0, 2]].T.ravel()
    n1, n2 = stats.contradictions(table)
    assert stats.contradictions(mirrored) == (n2, n1)
    np.testing.assert_allclose(stats.position_bias(n2, n1), -stats.position_bias(n1, n2), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(stats.flip_rate(mirrored), stats.flip_rate(table))
    np.testing.assert_array_equal(stats.verdict_disagreement(mirrored), stats.verdict_disagreement(table))
    share = stats.first_position_share(table)
    np.testing.assert_allclose(stats.first_position_share(mirrored), 1 - share, rtol=0, atol=1e-15)


@unhurried
@given(st.lists(st.tuples(st.sampled_from("XYT"), st.sampled_from("XYT")), min_size=1, max_size=30), st.randoms())
def test_neither_order_nor_coding_of_pairs_matters(winners, random):
    names = {"X": "X", "Y": "Y", "T": "tie"}
    pairs = [(names[a], names[b]) for a, b in winners]
    by_winner = stats.verdict_counts_of_winners(*zip(*pairs, strict=True))
    letters = [({"X": "A", "Y": "B"}.get(a, a), {"X": "B", "Y": "A"}.get(b, b)) for a, b in pairs]
    random.shuffle(letters)
    np.testing.assert_array_equal(by_winner, stats.verdict_counts(*zip(*letters, strict=True)))
    both = stats.win_rates(by_winner)[2]
    wins = sum({"X": 1, "tie": 0.5}.get(winner, 0) for pair in pairs for winner in pair)
    assert math.isclose(both, wins / (2 * len(pairs)))


@unhurried
@given(st.integers(0, 3000), st.integers(0, 3000), st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_intervals_of_the_bias_are_nested_around_the_estimate(n1, n2, level):
    assume(n1 + n2 > 0)
    low, high = stats.position_bias_midp(n1, n2, level)
    outer_low, outer_high = stats.position_bias_exact(n1, n2, level)
    assert outer_low <= low < high <= outer_high
    assert outer_low <= stats.position_bias(n1, n2) <= outer_high


@unhurried
@given(st.text(), st.text())
def test_only_the_words_themselves_are_verdicts(before, after):
    reply = f"{before}correct{after}"
    verdict = stats.parse_verdict(reply)
    alone = reply.strip().rstrip(".,;:!… \t\n\r\v\f").casefold()
    assert verdict is {"correct": True, "incorrect": False}.get(alone)
