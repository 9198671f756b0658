"""Solving: answers against looking at every size or effect, and every status."""

import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import InterruptedStudyError, ParameterError, RefusedError, UnknownNameError
from simstudy.solve import curve, reasons
from simstudy.study.plan import collected_units, usable_units
from tests.oracle import paired_slow

# brentq stops at 1e-10 in the effect
ROOT = 1e-8


def exact_curve(scenario, sizes, measure, **parameters):
    """The measure at every size, each as a power question of its own."""
    size = {"paired": "n_cases", "independent": "n_per_system", "proportion": "n_cases"}[scenario]
    result = simstudy.power_curve(scenario, engine="exact", **{size: list(sizes)}, **parameters)
    return result[measure].isel({"method": 0}).values


EVERY_SIZE = [
    pytest.param(0.02, 0.12, 200, id="quick"),
    pytest.param(0.01, 0.05, 450, id="one-sided discordance"),
    pytest.param(0.1, 0.17, 700, id="much discordance"),
]


@pytest.mark.parametrize("midp", [False, True])
@pytest.mark.parametrize(("p10", "p01", "largest"), EVERY_SIZE)
def test_size_is_what_looking_at_every_size_finds(midp, p10, p01, largest):
    def reached(n):
        return paired_slow.mcnemar_power(n, p10, p01, midp=midp) >= 0.8

    found = simstudy.size(
        "paired",
        accuracy_a=0.5,
        difference=p01 - p10,
        discordance=p10 + p01,
        method="mcnemar_midp" if midp else "mcnemar_exact",
    )
    first, settled = paired_slow.smallest_sizes(reached, largest)
    assert found["answer"].item() == settled
    assert found["first"].item() == first
    assert found["checked_to"].item() >= settled
    assert found["status"].item() == "found"


@pytest.mark.parametrize("win_rate", [0.7, 0.8, 0.9])
def test_first_and_last_differ_where_the_curve_is_saw_toothed(win_rate):
    """With every case discordant the test is a sign test, the most saw-toothed of all."""
    effect = {"accuracy_a": 1 - win_rate, "difference": 2 * win_rate - 1, "discordance": 1}
    found = simstudy.size("paired", alternative="greater", method="mcnemar_exact", **effect)
    power = exact_curve("paired", range(1, 301), "power", alternative="greater", method="mcnemar_exact", **effect)
    reached = power >= 0.8
    assert found["first"].item() == np.argmax(reached) + 1
    assert found["answer"].item() == np.flatnonzero(~reached).max() + 2


@pytest.mark.parametrize(
    ("scenario", "method", "target", "measure", "parameters"),
    [
        ("proportion", "wilson", "half_width=0.08", "interval_width", {"accuracy": 0.7}),
        ("proportion", "clopper_pearson", "width=0.3", "interval_width", {"accuracy": 0.1}),
        ("proportion", "wald", "coverage=0.94", "coverage", {"accuracy": 0.4}),
        ("independent", "z_pooled", "power=0.7", "power", {"accuracy_a": 0.5, "difference": 0.35}),
        ("independent", "fisher_exact", "power=0.7", "power", {"accuracy_a": 0.5, "difference": 0.35}),
        ("paired", "paired_z", "power_right=0.75", "power_right", {"accuracy_a": 0.5, "difference": 0.2}),
        ("paired", "tango", "half_width=0.2", "interval_width", {"accuracy_a": 0.5, "difference": 0.1}),
    ],
)
def test_sizes_of_other_scenarios_and_targets(scenario, method, target, measure, parameters):
    found = simstudy.size(scenario, method=method, target=target, **parameters)
    name, value = target.split("=")
    curve = exact_curve(scenario, range(1, int(found["checked_to"].item()) + 1), measure, method=method, **parameters)
    curve = curve * (0.5 if name == "half_width" else 1)
    reached = curve <= float(value) if "width" in name else curve >= float(value)
    lost = np.flatnonzero(~reached)
    assert found["answer"].item() == (lost.max() + 2 if len(lost) else 1)
    first_checked = int(found["checked_from"].item())
    assert found["first"].item() == np.argmax(reached[first_checked - 1 :]) + first_checked
    assert found["engine"].item() == "exact"


def test_a_size_beyond_the_largest_is_outside_the_range():
    found = simstudy.size("paired", accuracy_a=0.7, difference=0.05, method="mcnemar_midp", largest=500)
    assert found["status"].item() == "outside the range"
    assert math.isnan(found["answer"].item())
    assert math.isnan(found["first"].item())


def test_at_no_effect_no_size_has_power():
    found = simstudy.size("paired", accuracy_a=0.7, difference=0.0, method="mcnemar_exact", largest=2000)
    assert found["status"].item() == "outside the range"


@pytest.mark.parametrize("largest", [0, 1.5, True])
def test_a_bad_largest_size_is_refused(largest):
    with pytest.raises(ParameterError, match="largest is"):
        simstudy.size("paired", accuracy_a=0.7, difference=0.05, largest=largest)


def test_unusable_units_are_collected_in_addition():
    plain = simstudy.size("paired", accuracy_a=0.7, difference=0.2, method="mcnemar_midp")
    lossy = simstudy.size("paired", accuracy_a=0.7, difference=0.2, method="mcnemar_midp", unusable=0.3)
    usable = int(plain["answer"].item())
    assert lossy["answer"].item() == collected_units(usable, 0.3)
    assert usable_units(int(lossy["answer"].item()), 0.3) == usable
    assert usable_units(int(lossy["answer"].item()) - 1, 0.3) < usable


@pytest.mark.parametrize("unusable", [0.0, 0.1, 0.3, 0.5, 0.9])
def test_collected_and_usable_units(unusable):
    for usable in range(1, 300):
        n = collected_units(usable, unusable)
        assert usable_units(n, unusable) >= usable
        assert usable_units(n - 1, unusable) < usable


@pytest.mark.parametrize("unusable", [0.0, 0.6])
@pytest.mark.parametrize("method", ["mcnemar_midp", "paired_z"])
def test_the_curve_is_the_power_at_each_size(unusable, method):
    effect = {"accuracy_a": 0.5, "difference": 0.49, "discordance": 0.5, "method": method, "unusable": unusable}
    found = simstudy.size("paired", curve=True, **effect)
    sizes = found["curve_size"].values[0]
    assert (np.diff(sizes) == 1).all()
    assert sizes[0] <= found["answer"].item() <= sizes[-1]
    power = simstudy.power_curve("paired", n_cases=sizes, engine="exact", **effect)["power"].values[:, 0]
    assert found["curve_value"].values[0] == pytest.approx(power, abs=1e-10)


@pytest.mark.parametrize("method", ["mcnemar_exact", "mcnemar_midp", "paired_z", "newcombe", "bootstrap_percentile"])
@pytest.mark.parametrize("sign", ["positive", "negative"])
def test_the_mde_has_the_target_power(method, sign):
    found = simstudy.mde("paired", n_cases=30, accuracy_a=0.6, difficulty_sd=1, method=method, sign=sign)
    effect = found["answer"].item()
    assert (effect > 0) == (sign == "positive")
    power = simstudy.power_curve(
        "paired", n_cases=30, accuracy_a=0.6, difficulty_sd=1, method=method, difference=effect, engine="exact"
    )
    assert power["power"].item() == pytest.approx(0.8, abs=ROOT * 100)
    assert found["low"].item() == found["high"].item() == effect
    assert found["replications"].item() == 0


def test_both_signs_are_a_dimension():
    both = simstudy.mde("paired", n_cases=[30, 60], accuracy_a=0.8, sign="both", method="mcnemar_midp,tango")
    assert both["answer"].dims == ("n_cases", "sign", "method")
    for sign in ("positive", "negative"):
        alone = simstudy.mde("paired", n_cases=[30, 60], accuracy_a=0.8, sign=sign, method="mcnemar_midp,tango")
        np.testing.assert_array_equal(both["answer"].sel(sign=sign).values, alone["answer"].values)


def test_no_effect_that_can_exist_is_an_answer():
    """Five cases with three in ten discordant: no difference can be significant, so nothing is detectable."""
    found = simstudy.mde("paired", n_cases=5, accuracy_a=0.5, discordance=0.3, method="mcnemar_exact")
    assert found["status"].item() == "unreachable"
    assert math.isnan(found["answer"].item())


def test_an_effect_of_a_sign_that_cannot_exist_is_unreachable():
    """Accuracy .2 with half of the cases discordant: B is better by at least .1."""
    found = simstudy.mde("paired", n_cases=1000, accuracy_a=0.2, discordance=0.5, sign="both", method="mcnemar_midp")
    assert found["status"].values[:, 0].tolist() == ["outside the range", "unreachable"]


def test_a_one_sided_test_looks_for_effects_of_its_own_sign():
    asked = {"n_cases": 100, "accuracy_a": 0.6, "method": "mcnemar_midp"}
    less = simstudy.mde("paired", alternative="less", **asked)
    assert less["answer"].item() < 0
    assert less.identical(simstudy.mde("paired", alternative="less", sign="negative", **asked))
    assert simstudy.mde("paired", alternative="greater", **asked)["answer"].item() > 0
    for sign, alternative in (("positive", "less"), ("negative", "greater")):
        with pytest.raises(RefusedError, match=f"sign {sign} does not fit alternative {alternative}"):
            simstudy.mde("paired", sign=sign, alternative=alternative, **asked)
    with pytest.raises(RefusedError, match="one sign only"):
        simstudy.mde("paired", sign="both", alternative="less", **asked)


def test_sizes_for_an_effect_against_a_one_sided_test_are_refused():
    asked = {"accuracy_a": 0.6, "method": "mcnemar_midp", "alternative": "less"}
    with pytest.raises(RefusedError, match="looks for difference below the null"):
        simstudy.size("paired", difference=[0.1, 0.2], **asked)
    both = simstudy.size("paired", difference=[-0.2, 0.2], **asked)
    assert both["status"].values[:, 0].tolist() == ["found", "outside the range"]
    assert both["reason"].values[:, 0].tolist() == ["", reasons.WRONG_SIDE]


def test_a_level_above_the_target_is_outside_the_range():
    found = simstudy.mde("paired", n_cases=100, accuracy_a=0.6, method="mcnemar_midp", target=0.1, alpha=0.4)
    assert found["status"].item() == "outside the range"


def _reason(found):
    return found["reason"].item(), found["searched_from"].item(), found["searched_to"].item()


def test_missing_effects_say_why_and_what_was_searched():
    blind = simstudy.mde("paired", n_cases=5, accuracy_a=0.5, discordance=0.3, method="mcnemar_exact")
    assert _reason(blind) == (reasons.NOT_REACHED, 0.0, 0.3)
    easy = simstudy.mde("paired", n_cases=100, accuracy_a=0.6, method="mcnemar_midp", target=0.1, alpha=0.4)
    assert _reason(easy)[0] == reasons.NULL_REACHES
    below = {"n_cases": 1000, "accuracy_a": 0.2, "discordance": 0.5, "sign": "negative", "method": "mcnemar_midp"}
    assert _reason(simstudy.mde("paired", **below)) == (reasons.NO_SUCH_EFFECT, 0.0, pytest.approx(0.1))


def test_missing_sizes_say_why_and_what_was_searched():
    asked = {"accuracy_a": 0.7, "method": "mcnemar_midp"}
    assert _reason(simstudy.size("paired", difference=0.05, largest=500, **asked)) == (reasons.MISSED, 1, 500)
    assert _reason(simstudy.size("paired", difference=0, **asked))[0] == reasons.AT_NULL
    lossy = simstudy.size("paired", difference=0.05, largest=500, unusable=0.5, **asked)
    assert _reason(lossy) == (reasons.MISSED, 2, 500)
    judge = simstudy.size("agreement", prevalence=0.5, kappa=0.5, method="kappa_adjusted")
    assert _reason(judge)[0] == reasons.WRONG_SIDE
    labels = {"accuracy_a": 0.7, "difference": 0.05, "n_labels": 200, "method": "labels_only", "largest": 3000}
    assert _reason(simstudy.size("judged", **labels))[0] == reasons.READS_FEWER
    wilson = simstudy.size("proportion", accuracy=0.7, target="coverage=0.95", method="wilson", largest=3000)
    assert _reason(wilson) == (reasons.LOST_AGAIN, 1, 3000)
    found = simstudy.size("paired", difference=0.2, **asked)
    assert found["reason"].item() == ""


@pytest.mark.parametrize("engine", ["auto", "counts"])
def test_power_that_is_lost_again_is_said(engine):
    """Without a disagreement kappa has no standard error: near kappa 1 the large-sample interval decides nothing."""
    asked = {"n_labels": 100, "prevalence": 0.7}
    found = simstudy.mde("agreement", engine=engine, **asked)
    assert found["lost_again"].values.tolist() == [True, False]
    power = simstudy.power_curve("agreement", kappa=[0.9, 0.97], method="kappa_wald", **asked)["power"].values[:, 0]
    assert power[0] > 0.8 > power[1]


def test_exact_solving_says_how_far_it_is():
    told = []
    asked = {"accuracy_a": 0.5, "method": ["unpaired_z", "paired_z"], "target": "power_right=0.75"}
    simstudy.size("paired", difference=0.3, progress=lambda *what: told.append(what), **asked)
    assert (1, 0, "evaluations for answer 1 of 2") in told
    assert (1, 2, "answers") in told
    assert told[-1] == (2, 2, "answers")
    # the count begins anew with each answer, and goes up by one
    counts = [done for done, total, unit in told if unit.endswith("1 of 2")]
    assert counts == list(range(1, len(counts) + 1))


def test_stopping_says_how_many_evaluations_were_made():
    def stop(done, total, unit):
        if unit == "evaluations" and done == 3:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedStudyError, match="0 answers were done of 1, and 3 evaluations"):
        simstudy.size("paired", accuracy_a=0.5, difference=0.2, method="paired_z", progress=stop)


def test_a_search_that_costs_too_much_goes_on_with_counts(monkeypatch):
    asked = {"accuracy_a": 0.5, "difference": 0.2, "method": "paired_z", "seed": 3}
    exact = simstudy.size("paired", **asked)
    monkeypatch.setattr(curve, "POWER_SECONDS", 1e-4)
    counted = simstudy.size("paired", **asked)
    assert (exact["engine"].item(), counted["engine"].item()) == ("exact", "counts")
    # fixed seed; the interval misses for one seed in twenty
    assert counted["low"].item() <= exact["answer"].item() <= counted["high"].item()
    # who asks for exact answers gets them
    assert simstudy.size("paired", engine="exact", **asked)["answer"].item() == exact["answer"].item()


def test_non_inferiority_starts_at_its_margin():
    asked = {"n_cases": 200, "accuracy_a": 0.7, "margin": 0.1, "method": "noninferiority_tango"}
    effect = simstudy.mde("paired", **asked)["answer"].item()
    assert -0.1 < effect < 0.1
    power = simstudy.power_curve("paired", difference=[-0.1, effect], engine="exact", **asked)["power"].values[:, 0]
    assert power[0] <= 0.06
    assert power[1] == pytest.approx(0.8, abs=ROOT * 100)


def test_equivalence_has_no_smallest_effect():
    with pytest.raises(RefusedError, match="no smallest effect"):
        simstudy.mde("paired", n_cases=100, accuracy_a=0.7, margin=0.1, method="equivalence_tango")


def test_levels_are_a_dimension_and_comparisons_divide_them():
    asked = {"n_cases": 100, "accuracy_a": 0.7, "method": "mcnemar_midp"}
    levels = simstudy.mde("paired", alpha=[0.05, 0.01], **asked)
    assert levels["answer"].dims == ("alpha", "method")
    assert levels["answer"].values[1, 0] == simstudy.mde("paired", alpha=0.05, comparisons=5, **asked)["answer"].item()
    assert levels["answer"].values[0, 0] < levels["answer"].values[1, 0]
    # a stricter level needs more cases
    sizes = simstudy.size("paired", alpha=[0.05, 0.01], accuracy_a=0.7, difference=0.1, method="mcnemar_midp")
    assert sizes["answer"].values[0, 0] < sizes["answer"].values[1, 0]


def test_a_swept_question_is_its_points():
    swept = simstudy.size("paired", accuracy_a=[0.5, 0.7], difference=[0.1, 0.2], method="mcnemar_midp")
    assert swept["answer"].dims == ("accuracy_a", "difference", "method")
    for a in (0.5, 0.7):
        alone = simstudy.size("paired", accuracy_a=a, difference=0.2, method="mcnemar_midp")
        assert swept["answer"].sel(accuracy_a=a, difference=0.2).item() == alone["answer"].item()


def test_answers_are_described():
    for found, name in (
        (simstudy.mde("paired", n_cases=50, accuracy_a=0.7), "mde"),
        (simstudy.size("paired", difference=0.2, accuracy_a=0.7, curve=True), "n_cases"),
    ):
        assert found.attrs["solved_for"] == name
        assert found.attrs["target"] == "power=0.8"
        for variable in (*found.data_vars, *found.coords):
            assert found[variable].attrs["long_name"], variable
            assert found[variable].attrs["units"], variable


REFUSED = [
    (simstudy.mde, "proportion", {"n_cases": 30, "accuracy": 0.5}, RefusedError, "no parameter that is an effect"),
    (simstudy.mde, "paired", {"n_cases": 30, "logit_a": 0, "logit_b": 1}, RefusedError, "logits"),
    (simstudy.mde, "paired", {"n_cases": 30, "accuracy_a": 0.5, "difference": 0.1}, RefusedError, "solves for"),
    (simstudy.mde, "paired", {"n_cases": 30, "accuracy_a": 0.5, "sign": "plus"}, UnknownNameError, "sign"),
    (simstudy.mde, "paired", {"n_cases": 30, "accuracy_a": 0.5, "target": "width=0.1"}, RefusedError, "no width"),
    (
        simstudy.mde,
        "paired",
        {"n_cases": 30, "accuracy_a": 0.5, "target": "half_width=0.1", "method": "tango"},
        RefusedError,
        "question about size",
    ),
    (simstudy.size, "paired", {"n_cases": 30, "accuracy_a": 0.5, "difference": 0.1}, RefusedError, "solves for"),
    (simstudy.size, "proportion", {"accuracy": 0.5}, ParameterError, "needs a target"),
    (simstudy.size, "proportion", {"accuracy": 0.5, "target": "power=0.8"}, RefusedError, "decides nothing"),
    (simstudy.size, "paired", {"accuracy_a": 0.5, "difference": 0.1, "methods": "tango"}, UnknownNameError, "methods"),
    (
        simstudy.size,
        "paired",
        {"accuracy_a": 0.5, "difference": 0.1, "method": "noninferiority_tango"},
        RefusedError,
        "needs --margin",
    ),
]


@pytest.mark.parametrize(("ask", "scenario", "given", "error", "words"), REFUSED, ids=range(len(REFUSED)))
def test_questions_that_mean_nothing_are_refused(ask, scenario, given, error, words):
    with pytest.raises(error, match=words):
        ask(scenario, **given)


@pytest.mark.parametrize("engine", ["counts", "full"])
def test_simulated_answers_hold_the_exact_one(engine):
    """Fixed seed; each interval has level 95%, so eight of them miss more than twice in about one of 170 seeds."""
    asked = {"accuracy_a": 0.7, "difficulty_sd": 1, "method": "mcnemar_midp,paired_z"}
    quick = {"engine": engine, "replications": 4000, "seed": 11}
    hits = []
    for ask, given in (("mde", {"n_cases": 60}), ("size", {"difference": 0.25})):
        solve = getattr(simstudy, ask)
        exact, simulated = solve("paired", **given, **asked), solve("paired", **given, **asked, **quick)
        assert set(simulated["engine"].values.tolist()) == {engine}
        assert (simulated["low"] <= simulated["answer"]).all()
        assert (simulated["answer"] <= simulated["high"]).all()
        slack = 1 if ask == "size" else 0
        inside = (simulated["low"] <= exact["answer"] + slack) & (exact["answer"] - slack <= simulated["high"])
        hits.extend(inside.values.tolist())
        # whatever the interval, the answer is close: within a tenth
        assert simulated["answer"].values == pytest.approx(exact["answer"].values, rel=0.1)
    assert sum(hits) >= len(hits) - 1


def test_simulated_questions_without_an_answer():
    few = {"engine": "counts", "replications": 500, "method": "mcnemar_exact"}
    none = simstudy.mde("paired", n_cases=5, accuracy_a=0.5, discordance=0.3, **few)
    assert none["status"].item() == "unreachable"
    much = simstudy.size("paired", accuracy_a=0.7, difference=0.0, largest=100, **few)
    assert much["status"].item() == "outside the range"


@pytest.mark.parametrize("accuracy_a", [0.7, 0.62])
def test_a_simulated_mde_at_the_edge_of_what_can_exist(accuracy_a):
    found = simstudy.mde(
        "paired", n_cases=12, accuracy_a=accuracy_a, difficulty_sd=0, engine="counts", method="paired_z,mcnemar_midp"
    )
    answers = found["answer"].values[found["status"].values == "found"]
    assert ((answers > 0) & (answers < 1 - accuracy_a)).all()


def test_a_precision_decides_the_replications_of_a_solution():
    found = simstudy.mde("paired", n_cases=50, accuracy_a=0.6, engine="counts", mcse=0.01, method="mcnemar_midp")
    # p(1 − p)/R ≤ mcse² at p = .8 needs 1600, the next of 1000, 2000, ...
    assert found["replications"].item() == 2000
