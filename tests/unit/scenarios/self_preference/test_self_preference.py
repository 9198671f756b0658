"""The law, the truths and the refusals of scenario self_preference."""

import functools
import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.self_preference import CLASSES, pair_class
from tests.oracle import self_preference_slow as slow

SCENARIO = get_scenario("self_preference")
POINTS = [
    {"bonus": 0.0},
    {"bonus": 1.0, "beta": 0.7, "tied": 0.3},
    {"bonus": -0.8, "ability": 1.2, "beta": -1.5, "tied": 0.5, "judge_pair_sd": 2.0},
    {"bonus": 0.4, "tied": 1.0, "judge_pair_sd": 0.5},
    {"bonus": 2.0, "ability": 0.0, "judge_pair_sd": 4.0},
]
# adaptive quadrature of the twin, asked for 1e-12
QUADRATURE = 1e-11


@functools.cache
def patterns_at(place):
    """The patterns of a pair at one of the points, by the twin: seconds of quadrature."""
    return slow.patterns(**POINTS[place])


def point(n_pairs=10, **values):
    return SCENARIO.point(
        {"ability": 2.5, "beta": 0.0, "tied": 0.0, "judge_pair_sd": 0.0, "n_pairs": n_pairs, **values}
    )


@pytest.mark.parametrize("place", range(len(POINTS)))
def test_the_law_is_that_of_all_patterns(place):
    expected = dict.fromkeys(CLASSES, 0.0)
    for pattern, p in patterns_at(place).items():
        expected[slow.class_of(pattern)] += p
    ((_, found),) = point(**POINTS[place]).laws
    np.testing.assert_allclose(found, list(expected.values()), rtol=0, atol=QUADRATURE)
    assert math.fsum(found) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("place", range(len(POINTS)))
def test_truths_are_means_over_all_patterns(place):
    truth, patterns = point(**POINTS[place]).truth, patterns_at(place)
    gaps = [(slow.orders(pattern), p) for pattern, p in patterns.items()]
    gap = slow.mean_gap(patterns)
    plus, minus = (math.fsum(p * units[side] / 2 for units, p in gaps) for side in (0, 1))
    square = math.fsum(p * (up - down) ** 2 / 4 for (up, down), p in gaps)
    own, third = (math.fsum(p * sum(v[at : at + 2]) / 2 for v, p in patterns.items()) for at in (0, 2))
    expected = {
        "gap": gap,
        "gap_sd": math.sqrt(square - gap**2),
        "gap_or": slow.mean_gap(patterns, slow.either),
        "win_rate_own": own,
        "win_rate_third": third,
        "plus": plus,
        "minus": minus,
        "discordance": plus + minus,
        "log_ratio": math.log(plus / minus),
        "judge_calls": 40,
    }
    assert truth == pytest.approx(expected, abs=QUADRATURE)


def test_every_pattern_has_its_class_and_its_projections():
    """What the projections make of a class is what the pattern says."""
    for pattern in slow.patterns(0.5):
        (plus, minus), (up, down) = slow.orders(pattern), slow.either(pattern)
        name = pair_class(pattern[:2], pattern[2:])
        assert name == slow.class_of(pattern)
        expected = {
            "total2": plus - minus,
            "squares4": (plus - minus) ** 2,
            "halves": abs(plus - minus) == 1,
            "wholes": abs(plus - minus) == 2,
            "plus": plus,
            "minus": minus,
            "or_total": up - down,
            "or_squares": up + down,
        }
        assert {key: weights.get(name, 0) for key, weights in SCENARIO.projections.items()} == expected


def test_a_judge_without_a_bonus_has_no_effect_by_rounding():
    for sd in (0.0, 1.0, 2.7, 10.0):
        truth = point(bonus=0.0, beta=0.3, judge_pair_sd=sd).truth
        assert truth["gap"] == truth["log_ratio"] == 0
        assert truth["plus"] == pytest.approx(truth["minus"], rel=1e-13)


def test_the_lesson_added_arrays_of_bool():
    """Its statistic on the pairs of a replication: two verdicts for the own system count like one."""
    n, values = 140, {"bonus": 1.0, "beta": 0.4}
    replayed = simstudy.replay("self_preference", replication=5, n_pairs=n, seed=3, **values)
    own = [replayed[f"own_judge_{order}"].astype(bool) for order in ("first", "second")]
    third = [replayed[f"third_judge_{order}"].astype(bool) for order in ("first", "second")]
    added = (own[0] + own[1]) / 2 - (third[0] + third[1]) / 2
    meant = sum(o.astype(int) for o in own) / 2 - sum(t.astype(int) for t in third) / 2
    counts = np.zeros((1, len(CLASSES) - 1), np.int64)
    SCENARIO.kernel.functions()[0](3, 5, counts, *SCENARIO.kernel_arguments(point(n, **values).values, (0.05,), ""))
    row = dict(zip(CLASSES, counts[0].tolist(), strict=False))
    sums = {
        key: sum(weight * row[name] for name, weight in weights.items())
        for key, weights in SCENARIO.projections.items()
    }
    assert sums["or_total"] == 2 * added.sum()
    assert sums["or_squares"] == 4 * (added**2).sum()
    assert sums["total2"] == 2 * meant.sum() > sums["or_total"]
    assert sums["squares4"] == 4 * (meant**2).sum()


def test_undefined_gaps_are_counted():
    """One pair has no spread; the McNemar tests and the sign flips are defined, the bonus is not without discord."""
    methods = "gap_z,gap_t,gap_or,sign_flip_exact,judge_mcnemar_exact,judge_mcnemar_midp"
    found = simstudy.power_curve("self_preference", n_pairs=1, bonus=0.5, method=methods, engine="exact")
    assert found["undefined"].values.tolist() == [1, 1, 1, 0, 0, 0]
    assert found["power"].values.tolist() == [0] * 6
    ((_, law),) = point(bonus=0.5).laws
    coverage = found["coverage"].values[4]
    assert coverage <= 1 - law[CLASSES.index("agree")] + 1e-12


def test_limits_at_infinity_are_defined():
    found = simstudy.power_curve(
        "self_preference", n_pairs=3, bonus=3.0, method="judge_mcnemar_midp", engine="exact", ability=0, tied=0
    )
    nothing = point(bonus=3.0, ability=0.0).laws[0][1][CLASSES.index("agree")] ** 3
    assert found["undefined"].item() == 0
    assert 0.95 < found["coverage"].item() <= 1 - nothing + 1e-12
    assert found["unbounded"].item() > 0.5
    assert np.isfinite(found["interval_width"].item())


def test_ability_without_a_better_answer_is_refused():
    asked = {"n_pairs": 20, "bonus": 0.5, "method": "gap_t"}
    with pytest.raises(RefusedError, match="ability means nothing at tied 1"):
        simstudy.power_curve("self_preference", tied=1, ability=2, **asked)
    one, other = (simstudy.power_curve("self_preference", tied=tied, **asked)["gap"].item() for tied in (1, 0.999999))
    assert one == pytest.approx(other, abs=1e-5)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"n_pairs": 0, "bonus": 1}, "n_pairs is 0"),
        ({"n_pairs": 10, "bonus": 21}, r"bonus is 21; it must be a number in \[-20, 20\]"),
        ({"n_pairs": 10, "bonus": 1, "ability": -1}, r"ability is -1; it must be a number in \[0, 20\]"),
        ({"n_pairs": 10, "bonus": 1, "tied": 1.5}, "tied is 1.5"),
        ({"n_pairs": 10, "bonus": 1, "judge_pair_sd": -1}, "judge_pair_sd is -1"),
        ({"n_pairs": 10}, "self_preference needs bonus"),
    ],
)
def test_impossible_points_are_refused(values, message):
    with pytest.raises(ParameterError, match=message):
        simstudy.power_curve("self_preference", **values)
