"""Scenario position: law, truths, operating characteristics against the twin, refusals."""

import functools
import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from tests.oracle import position_slow as slow

# two ways to the same sums of doubles
ROUNDING = 1e-14
# adaptive quadrature of the twin, asked for 1e-12
QUADRATURE = 1e-10
# SciPy's multinomial probabilities are good to some 1e-13
SUMMED = 1e-11
POSITION = get_scenario("position")
DEFAULTS = {"beta": 1.2, "ability": 2.5, "x_better": 0.5, "tied": 0.0, "tie_band": 0.0, "ability_sd": 0.0}
SETTINGS = [
    {},
    {"beta": 0.0, "ability": 0.0},
    {"beta": -0.7, "ability": 1.5, "x_better": 0.9, "tied": 0.3, "tie_band": 0.8},
    {"x_better": 1.0, "tie_band": 1.0},
    {"tied": 1.0, "tie_band": 2.0},
    {"ability_sd": 2.0},
    {"beta": -0.7, "ability": 1.5, "x_better": 0.9, "tied": 0.3, "tie_band": 0.8, "ability_sd": 0.4},
    {"ability": 6.0, "x_better": 0.2, "tie_band": 1.0, "ability_sd": 10.0},
]


@functools.cache
def law_at(values):
    """The twin's law, once for all tests of a setting: some take half a second of quadrature."""
    return slow.law(**dict(values))


def point(**values):
    return POSITION.point({"n_pairs": 20, **DEFAULTS, **values})


def power(**asked):
    return simstudy.power_curve("position", engine="exact", **asked)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_law_is_the_one_of_the_mechanism(setting):
    expected = law_at(tuple({**DEFAULTS, **setting}.items()))
    ((n, found),) = point(**setting).laws
    assert n == 20
    tolerance = QUADRATURE if "ability_sd" in setting else ROUNDING
    np.testing.assert_allclose(found, list(expected.values()), rtol=0, atol=tolerance)
    assert math.fsum(found) == pytest.approx(1, abs=ROUNDING)


@pytest.mark.parametrize("ability_sd", [0.0, 10.0])
def test_without_a_tie_band_ties_are_impossible(ability_sd):
    ((_, law),) = point(beta=10.0, ability=20.0, ability_sd=ability_sd).laws
    assert [p for name, p in zip(POSITION.columns, law, strict=True) if "tie" in name] == [0.0] * 5


@pytest.mark.parametrize("setting", SETTINGS)
def test_truths_are_the_expectations_of_what_is_counted(setting):
    values = {**DEFAULTS, **setting}
    law, truth = law_at(tuple(values.items())), point(**setting).truth

    def mean(score):
        return sum(p * score(*pair) for pair, p in law.items())

    def won(letter, mine):
        return 0.5 if letter == "tie" else float(letter == mine)

    shown_first = mean(lambda a, b: (a == "A") + (b == "A"))
    shown_second = mean(lambda a, b: (a == "B") + (b == "B"))
    one, other = mean(lambda a, _: won(a, "A")), mean(lambda _, b: won(b, "B"))
    floor = slow.law(**{**values, "beta": 0.0})
    expected = {
        "flip_rate": mean(lambda a, b: a == b and a != "tie"),
        "flip_rate_floor": floor["A", "A"] + floor["B", "B"],
        "disagreement": mean(lambda a, b: (a, b) not in {("A", "B"), ("B", "A"), ("tie", "tie")}),
        "first_position_share": shown_first / (shown_first + shown_second),
        "win_rate_one_order": one,
        "win_rate_both": (one + other) / 2,
        "win_rate_true": (1 - values["tied"]) * values["x_better"] + values["tied"] / 2,
        "lead_from_position": (one - (one + other) / 2) / (one - 0.5) if abs(one - 0.5) > 1e-9 else math.nan,
        "beta_strict": math.log(law["A", "A"] / law["B", "B"]) / 2,
        "beta_share": math.log(shown_first / shown_second),
        "judge_calls": 40,
    }
    tolerance = QUADRATURE if "ability_sd" in setting else 1e-12
    assert truth == pytest.approx(expected, abs=tolerance, nan_ok=True)


def test_a_judge_without_a_lead_owes_nothing_to_position():
    assert math.isnan(point(beta=0.0).truth["lead_from_position"])
    # position makes the whole lead where the answers are as good as each other
    assert point(tied=1.0).truth["lead_from_position"] == pytest.approx(1)


@pytest.mark.parametrize("midp", [False, True])
@pytest.mark.parametrize("setting", [SETTINGS[0], SETTINGS[2], SETTINGS[6]])
def test_power_coverage_and_bias_are_those_of_every_outcome(setting, midp):
    values = {**DEFAULTS, **setting}
    law = slow.law(**values)
    toward, against = (sum(law[pair] for pair in pairs) for pairs in (slow.TOWARD, slow.AGAINST))
    expected = slow.operating(14, toward, against, midp)
    found = power(n_pairs=14, method="contradiction_midp" if midp else "contradiction_exact", **values)
    for name in ("power", "power_right", "coverage", "estimate_mean", "unbounded"):
        assert found[name].item() == pytest.approx(expected[name], abs=SUMMED), name
    # the test is defined without a contradiction, p = 1
    assert found["undefined"].item() == 0


def test_one_pair_decides_nothing():
    found = power(n_pairs=1, method="contradiction_exact,contradiction_midp", **DEFAULTS)
    assert (found["power"] == 0).all()
    flips = found["flip_rate"].item()
    # the one interval there can be is open in one direction, and covers: without a contradiction there is none
    np.testing.assert_allclose(found["coverage"], flips, atol=1e-12)
    np.testing.assert_allclose(found["unbounded"], flips, atol=1e-12)


def test_without_ties_the_same_letter_twice_is_the_midp_test():
    found = power(n_pairs=40, method="contradiction_midp,contradiction_strict", **DEFAULTS)["power"].values
    assert found[0] == pytest.approx(found[1], abs=1e-13)


def test_with_ties_the_same_letter_twice_aims_elsewhere():
    found = power(n_pairs=4000, method="contradiction_midp,contradiction_strict", **{**DEFAULTS, "tie_band": 1.0})
    assert found["bias"].values[0] == pytest.approx(0, abs=2e-3)
    limit = found["beta_strict"].item() - 1.2
    assert limit == pytest.approx(0.2014, abs=5e-5)
    # the mean of ½·log((N1 + ½)/(N2 + ½)) differs from its limit by O(1/n): about 1e-3 here
    assert found["bias"].values[1] == pytest.approx(limit, abs=5e-3)
    assert found["coverage"].values[0] == pytest.approx(0.95, abs=0.01)
    assert found["coverage"].values[1] < 0.7
    assert found["coverage_own"].values[1] == pytest.approx(0.95, abs=0.01)


def test_the_share_of_the_first_position_is_blunted_by_ability():
    asked = {"n_pairs": 140, "method": "contradiction_exact,first_share_z", "beta": [0.0, 0.5]}
    found = power(**asked)["power"].transpose("beta", "method").values
    # its size falls far below the level, since an able judge's two letters oppose each other
    assert found[0, 1] < 0.001
    assert found[1, 1] < found[1, 0] / 4
    # where nothing can be told apart the two verdicts are independent, and so is the test right
    free = power(n_pairs=140, method="first_share_z", beta=0.0, ability=0.0)["power"].item()
    assert free == pytest.approx(0.05, abs=0.01)


def test_solving_reaches_the_target_and_not_below():
    n = simstudy.size("position", beta=1.2, method="contradiction_exact")["answer"].item()
    assert power(n_pairs=int(n), beta=1.2, method="contradiction_exact")["power"].item() >= 0.8
    smallest = simstudy.mde("position", n_pairs=60, method="contradiction_midp")["answer"].item()
    assert power(n_pairs=60, beta=smallest, method="contradiction_midp")["power"].item() == pytest.approx(0.8, abs=1e-6)


def test_what_no_pair_has_is_refused():
    for said in ({"ability": 2.0}, {"x_better": 0.3}, {"ability": [1.0, 2.0]}):
        with pytest.raises(RefusedError, match=f"{next(iter(said))} means nothing at tied 1"):
            power(n_pairs=20, beta=1.0, tied=1, **said)
    with pytest.raises(RefusedError, match="ability_sd means nothing at tied 1"):
        power(n_pairs=20, beta=1.0, tied=1, ability_sd=2)
    found = power(n_pairs=20, beta=0.0, tied=1, ability_sd=0)
    assert found["flip_rate"].item() == pytest.approx(0.5)
    assert found["win_rate_true"].item() == 0.5


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"beta": 11}, "beta is 11"),
        ({"ability": -21}, "ability is -21"),
        ({"tie_band": -0.1}, "tie_band is -0.1"),
        ({"ability_sd": 11}, "ability_sd is 11"),
        ({"tied": 1.5}, "tied is 1.5"),
        ({"n_pairs": 0}, "n_pairs is 0"),
    ],
)
def test_values_out_of_range_are_refused(values, words):
    with pytest.raises(ParameterError, match=words):
        power(**{"n_pairs": 20, "beta": 1.0, **values})


def test_replayed_pairs_are_counted():
    judge = {**DEFAULTS, "tie_band": 0.5, "tied": 0.2}
    units = simstudy.replay("position", replication=3, n_pairs=50, **judge)
    assert set(np.unique(units["truth"])) == {-1, 0, 1}
    assert units["verdict_ab"].shape == (50,)
    assert set(units["ability"]) == {2.5}
    spread = simstudy.replay("position", replication=3, n_pairs=50, **{**judge, "ability_sd": 1.0})
    assert len(set(spread["ability"])) == 50
    np.testing.assert_array_equal(spread["truth"], units["truth"])
