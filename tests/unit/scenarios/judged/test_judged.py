"""Law, truths and refusals of scenario judged."""

import itertools
import math

import numpy as np
import pytest

import simstudy
from simstudy import stats
from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios import get_scenario
from simstudy.scenarios.judged import PAIRS, OnTables, larger_score
from simstudy.scenarios.random_effects import conditional_logit
from tests.oracle import judged_slow

JUDGED = get_scenario("judged")
STRICT = {"p_fn": 0.3, "extra_fn": 0.3, "p_fp": 0.02}
GOOD = {"p_fn": 0.08, "extra_fn": 0.1, "p_fp": 0.05}
SYSTEMS = {"n_cases": 100, "accuracy_a": 0.7, "difference": 0.05}
# adaptive quadrature promises 1e-12
QUADRATURE = 1e-11


def point(**values):
    defaults = {p.name: p.default for p in JUDGED.parameters if p.default is not None}
    return JUDGED.point({**defaults, **SYSTEMS, **values})


@pytest.mark.parametrize("judge", [STRICT, GOOD, {"p_fn": 0, "extra_fn": 0, "p_fp": 1}])
@pytest.mark.parametrize("reworded", [(0, 0.8), (1, 0.3)])
@pytest.mark.parametrize("sd", [0, 1.5])
def test_the_law_is_the_sum_over_all_that_may_happen(judge, reworded, sd):
    asked = point(difficulty_sd=sd, reworded_a=reworded[0], reworded_b=reworded[1], n_labels=30, **judge)
    logits = conditional_logit(0.7, sd), conditional_logit(0.75, sd)
    expected = judged_slow.law(logits, sd, reworded, **judge)
    (n_labelled, joint), (n_others, verdicts) = asked.laws
    assert (n_labelled, n_others) == (30, 70)
    assert joint == pytest.approx(list(expected.values()), abs=QUADRATURE)
    sums = [sum(p for (_, v), p in expected.items() if v == verdict) for verdict in judged_slow.PAIRS]
    assert verdicts == pytest.approx(sums, abs=QUADRATURE)


def test_truths_follow_from_the_law():
    asked = point(difficulty_sd=0, reworded_b=0.8, n_labels=30, **GOOD)
    truth = asked.truth
    assert truth["sensitivity_a"] == pytest.approx(0.92)
    assert truth["sensitivity_b"] == pytest.approx(0.84)
    assert truth["specificity"] == pytest.approx(0.95)
    assert truth["judged_accuracy_a"] == pytest.approx(0.7 * 0.92 + 0.3 * 0.05)
    assert truth["judged_accuracy_b"] == pytest.approx(0.75 * 0.84 + 0.25 * 0.05)
    assert truth["judged_difference"] == pytest.approx(truth["judged_accuracy_b"] - truth["judged_accuracy_a"])
    # errors alike on both shrink the difference; those on reworded answers are subtracted
    assert truth["judged_difference"] == pytest.approx(0.05 * (1 - 0.08 - 0.05) - 0.1 * 0.75 * 0.8)
    assert truth["discordance"] == pytest.approx(0.7 * 0.25 + 0.3 * 0.75)
    joint = dict(zip(itertools.product(PAIRS, PAIRS), asked.laws[0][1], strict=True))
    discordant = sum(p for (_, v), p in joint.items() if v in PAIRS[:2])
    assert truth["judged_discordance"] == pytest.approx(discordant)
    for name, systems in (("kappa_a", [0]), ("kappa_b", [1]), ("kappa", [0, 1])):
        cells = np.zeros((2, 2))
        for (t, v), p in joint.items():
            for s in systems:
                cells[t[s], v[s]] += p / len(systems)
        agreed, chance = np.trace(cells), cells.sum(0) @ cells.sum(1)
        assert truth[name] == pytest.approx((agreed - chance) / (1 - chance)), name
    assert (truth["judge_calls"], truth["labels"]) == (200, 30)
    assert point().truth["labels"] == 0
    # a judge that accepts everything agrees by chance alone
    assert point(p_fn=0, extra_fn=0, p_fp=1).truth["kappa"] == pytest.approx(0)


def test_a_perfect_judge_makes_it_scenario_paired():
    perfect = {"p_fn": 0, "extra_fn": 0, "p_fp": 0}
    names = ["mcnemar_midp", "tango", "newcombe", "bonett_price"]
    asked = {**SYSTEMS, "difficulty_sd": 1.5, "method": names, "engine": "exact"}
    found, expected = simstudy.power_curve("judged", **asked, **perfect), simstudy.power_curve("paired", **asked)
    for name in ("power", "power_right", "empirical_se", "coverage", "interval_width"):
        np.testing.assert_allclose(found[name], expected[name], atol=1e-12, err_msg=name)


@pytest.mark.parametrize("n_labels", [1, 40, 100])
def test_labels_change_nothing_for_methods_that_do_not_read_them(n_labels):
    names = ["mcnemar_midp", "unpaired_z", "newcombe", "larger_score"]
    asked = {**SYSTEMS, "reworded_b": 0.8, "engine": "exact"}
    plain = simstudy.power_curve("judged", method=names, **asked)
    # labels are refused where no method reads them
    labelled = simstudy.power_curve("judged", method=[*names, "labels_only"], n_labels=n_labels, **asked)
    labelled = labelled.sel({"method": names})
    for name in ("power", "power_wrong", "coverage", "coverage_own", "bias", "empirical_se"):
        np.testing.assert_allclose(labelled[name], plain[name], atol=1e-12, err_msg=name)


@pytest.mark.parametrize(
    ("systems", "judge", "expected"),
    [
        ((11 / 18, 15 / 18), STRICT, (0.058, 0.103, 0.288, 0.700)),
        ((11 / 18, 15 / 18), GOOD, (0.001, 0.0001, 0, 0)),
        ((0.70, 0.75), STRICT, (0.226, 0.548, 0.987, 1)),
        ((0.70, 0.75), GOOD, (0.033, 0.043, 0.070, 0.137)),
    ],
)
def test_the_risk_of_shipping_the_worse_system(systems, judge, expected):
    """P(significant and wrong): exact values, printed to three decimals (one to four); 22 and 30 of 36 right."""
    a, b = systems
    found = simstudy.power_curve(
        "judged",
        n_cases=[36, 100, 400, 1251],
        accuracy_a=a,
        difference=b - a,
        difficulty_sd=0,
        reworded_b=0.8,
        engine="exact",
        **judge,
    )
    # .0425 and .1365 are printed as .043 and .137: half a unit, and rounding
    assert found["power_wrong"].values.ravel() == pytest.approx(expected, abs=5.1e-4)


def test_the_larger_score_decides_unless_the_scores_tie():
    counts = np.array([[3, 3], [2, 5], [5, 2]]).T
    assert larger_score(*counts).tolist() == [1, 0, 0]
    assert larger_score(*counts, "greater").tolist() == [1, 0, 1]
    assert larger_score(*counts, "less").tolist() == [1, 1, 0]
    found = simstudy.power_curve("judged", n_cases=2, accuracy_a=0.7, difference=0.1, method="larger_score")
    p10, p01 = (JUDGED.law({**point().values, "difference": 0.1})[1])[:2]
    tie = (1 - p10 - p01) ** 2 + 2 * p10 * p01
    assert found["power"].item() == pytest.approx(1 - tie)
    assert found["power_wrong"].item() == pytest.approx(1 - (1 - p10) ** 2 - 2 * p10 * p01)


def test_corrections_are_called_with_tables():
    counts = [np.array([k, 2 * k]) for k in range(20)]
    labelled = np.arange(16).reshape(4, 4)
    expected = [stats.ppi_difference(k * labelled, k * np.arange(16, 20), tuned=True) for k in (1, 2)]
    assert OnTables("ppi_difference", "tuned")(*counts).tolist() == expected
    low, high = OnTables("ppi_difference_interval")(*counts, level=0.5)
    assert (low < high).all()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"p_fn": 0.7, "extra_fn": 0.4}, r"add up to 1.1.*extra_fn must lie in \[0, 0.3\]"),
        ({"p_fp": 1.1}, r"p_fp is 1.1; it must be a number in \[0, 1\]"),
        ({"reworded_b": -0.1}, r"reworded_b is -0.1; it must be a number in \[0, 1\]"),
        ({"n_labels": 101}, "n_labels is 101 and n_cases 100.*whole number from 1 to 100"),
        ({"n_labels": 0}, "n_labels is 0; it must be a whole number from 1"),
        ({"difference": 0.4}, "puts the accuracy of B at 1.1"),
    ],
)
def test_points_that_cannot_exist_are_refused(values, words):
    with pytest.raises(ParameterError, match=words):
        point(**values)
    with pytest.raises(ParameterError, match=words):
        simstudy.power_curve("judged", method="mcnemar_midp,labels_only", **{**SYSTEMS, "n_labels": 9, **values})


@pytest.mark.parametrize("method", ["labels_only", "rogan_gladen", "rogan_gladen_pooled", "ppi", "ppi_pp"])
def test_corrections_need_labels(method):
    with pytest.raises(RefusedError, match=f"{method} needs --n-labels"):
        simstudy.power_curve("judged", method=method, **SYSTEMS)


def test_a_judge_no_better_than_chance_is_undefined_and_counted():
    found = simstudy.power_curve(
        "judged", method="rogan_gladen,ppi_pp", n_labels=50, p_fn=0.6, extra_fn=0, p_fp=0.6, replications=500, **SYSTEMS
    )
    own, tuned = found["undefined"].values
    # sensitivity .4 and specificity .4 of 50 labels: both systems above 1 in few of 500
    assert own > 0.97
    assert tuned == 0
    assert found["power"].values[0] <= 1 - own


def test_all_cases_labelled():
    found = simstudy.power_curve("judged", method="labels_only,ppi,ppi_pp", n_labels=100, replications=300, **SYSTEMS)
    assert found["undefined"].values.tolist() == [0, 1, 0]
    assert found["empirical_se"].values[2] == pytest.approx(found["empirical_se"].values[0], rel=0.2)
    assert math.isnan(found["estimate_mean"].values[1])


def test_effects_keep_the_accuracy_of_b_possible():
    assert JUDGED.effect_range({"accuracy_a": 0.7}) == pytest.approx((-0.7, 0.3))
    assert JUDGED.estimand(point().values) == 0.05


def test_sizes_and_effects_of_methods_that_do_not_read_labels():
    """A size is that of scenario paired with the judged cells; power is reached there and not one case before."""
    asked = {"accuracy_a": 0.7, "difference": 0.05, "method": "mcnemar_midp", **GOOD}
    n = int(simstudy.size("judged", **asked)["answer"].item())
    around = simstudy.power_curve("judged", n_cases=[n - 1, n], **asked, engine="exact")["power_right"].values.ravel()
    assert around[0] < 0.8 <= around[1]
    effect = simstudy.mde("judged", n_cases=400, accuracy_a=0.7, **GOOD)["answer"].item()
    at = simstudy.power_curve("judged", n_cases=400, accuracy_a=0.7, difference=effect, **GOOD)
    assert at["power_right"].item() == pytest.approx(0.8, abs=1e-6)


def test_a_size_is_not_below_the_labels():
    asked = {"accuracy_a": 0.7, "difference": 0.2, "n_labels": 150, **GOOD}
    assert JUDGED.smallest_size({"n_labels": 150}) == 150
    found = simstudy.size("judged", method="mcnemar_midp,ppi_pp", replications=2000, target=0.9, **asked)["answer"]
    assert (found.values >= 150).all()


def test_the_labels_alone_are_scenario_paired_with_as_many_cases():
    systems = {"accuracy_a": 0.7, "difference": 0.1, "engine": "exact"}
    found = simstudy.power_curve("judged", n_cases=90, n_labels=40, method="labels_only", **systems)
    expected = simstudy.power_curve("paired", n_cases=40, method="tango", **systems)
    for name in ("power", "coverage", "interval_width", "empirical_se"):
        assert found[name].item() == pytest.approx(expected[name].item(), abs=1e-12), name


def test_more_cases_do_not_help_the_labels_alone():
    asked = {"accuracy_a": 0.7, "difference": 0.05, "n_labels": 200, "method": "labels_only"}
    power = simstudy.power_curve("judged", n_cases=[200, 2000], **asked)["power_right"].values.ravel()
    assert power[0] == pytest.approx(power[1], abs=1e-12)
    assert power[0] < 0.8
    assert simstudy.size("judged", **asked, largest=4000)["status"].item() != "found"


def test_no_difference_is_seen_where_the_judge_turns_every_order():
    """P(significant and right) has no MDE with the strict judge: even a B that is always right is judged worse."""
    found = simstudy.mde("judged", n_cases=400, accuracy_a=0.7, reworded_b=0.8, **STRICT)
    assert found.attrs["target"] == "power_right=0.8"
    assert found["status"].item() == "misled"


@pytest.mark.parametrize("name", ["rogan_gladen", "rogan_gladen_pooled"])
def test_a_cut_of_accuracies_is_said_in_the_note(name):
    # cut by itself in tests of the statistics: here what `simstudy list` tells
    assert "accuracies cut to [0, 1]" in get_scenario("judged").method(name).note
