"""What is asked, validated: methods, options, units that are lost, and what a study says of itself."""

import pytest

import simstudy
from simstudy.errors import GridError, ParameterError, RefusedError, UnknownNameError
from simstudy.options import LARGEST_SIZE
from simstudy.scenarios import get_scenario
from simstudy.study.plan import ask, collected_units, make_methods, make_study, usable_units

PAIRED = get_scenario("paired")
ASKED = {"n_cases": [10, 20], "accuracy_a": 0.6, "difference": 0.1}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (None, ["mcnemar_exact", "mcnemar_midp", "tango"]),
        ("tango", ["tango"]),
        ("tango, newcombe", ["tango", "newcombe"]),
        (("tango", "newcombe"), ["tango", "newcombe"]),
    ],
)
def test_methods_in_every_form(given, names):
    assert [m.name for m in make_methods(PAIRED, given)] == names


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("tanga", UnknownNameError, "Did you mean tango"),
        ("tango,tango", ParameterError, "tango more than once"),
        ([], ParameterError, "empty list"),
    ],
)
def test_wrong_methods_are_worded(given, error, words):
    with pytest.raises(error, match=words):
        make_methods(PAIRED, given)


def test_a_study_names_what_it_is_about():
    study = make_study("paired", ASKED, method=["tango", "unpaired_z"])
    assert study.scenario is PAIRED
    assert (study.effect, study.size) == ("difference", "n_cases")
    assert study.method("tango") is PAIRED.method("tango")
    assert study.misused == ("unpaired_z",)
    # difficulty_sd is a default, and was not said
    assert study.said == ASKED
    alone = make_study("proportion", {"n_cases": 10, "accuracy": 0.5})
    assert (alone.effect, alone.size, alone.misused) == ("", "n_cases", ())


def test_a_study_describes_itself_so_that_it_can_be_asked_again():
    study = make_study("paired", ASKED, method="tango", alpha=[0.05, 0.01], seed=7, unusable=0.1)
    told = study.describe()
    assert told["parameters"] == {**ASKED, "difficulty_sd": 1.5}
    assert told["defaults"] == ["difficulty_sd"]
    assert (told["question"], told["method"], told["options"]["seed"]) == ("power", ["tango"], 7)
    assert "target" not in told
    size = make_study(
        "paired", {"accuracy_a": 0.6, "difference": 0.1}, question="size", target="half_width=.1", method="tango"
    )
    assert size.describe()["target"] == "half_width=0.1"


def test_questions_have_what_they_solve_for():
    size = ask("paired", "size", {"accuracy_a": 0.6, "difference": 0.1})
    assert (size.solved.name, size.target.words, size.sign, size.largest) == (
        "n_cases",
        "power=0.8",
        "positive",
        LARGEST_SIZE,
    )
    mde = ask("paired", "mde", {"n_cases": 30, "accuracy_a": 0.6, "alternative": "less"})
    assert (mde.solved.name, mde.sign) == ("difference", "negative")
    power = ask("paired", "power", ASKED)
    assert (power.solved, power.target) == (None, None)
    # what counts as seen may be said of power too
    assert ask("paired", "power", ASKED, target="power=0.9").target.value == 0.9


REFUSED = [
    ({"method": "equivalence_tango"}, RefusedError, "needs --margin"),
    ({"alpha": [0.05, 0.05]}, ParameterError, "alpha has a value more than once"),
    ({"unusable": 0.95}, ParameterError, "nothing usable is left"),
    ({"curve": "yes"}, ParameterError, "curve is 'yes'; it must be true or false"),
    ({"target": "pwer=0.8"}, UnknownNameError, "Did you mean power"),
    ({"target": "width=0.1", "method": "mcnemar_exact"}, RefusedError, "has no interval"),
    (
        {"n_cases": 30, "difference": 0.1, "margin": 0.1, "method": "tango"},
        RefusedError,
        "margin is read by noninferiority_.* alone",
    ),
    (
        {"difference": 0, "margin": 0.1, "method": "noninferiority_tango", "alternative": "less"},
        RefusedError,
        "claims non-inferiority: alternative less does not fit it",
    ),
    ({"accuracy_a": [0.7, 0.95], "difference": 0.1}, GridError, "accuracy_a 0.95"),
    (
        {"n_cases": 30, "difference": 0.1, "margin": 0.1},
        RefusedError,
        "margin is read by noninferiority_tango, .* and by no default method: ask for one of them, or leave margin out",
    ),
    ({"accuracy_b": 0.7}, UnknownNameError, "no parameter of paired 'accuracy_b'"),
    ({"seed": -1}, ParameterError, "seed is -1"),
]


@pytest.mark.parametrize(("given", "error", "words"), REFUSED, ids=[", ".join(given) for given, _, _ in REFUSED])
def test_power_questions_that_do_not_fit_are_refused(given, error, words):
    own = {name: value for name, value in given.items() if name in ("method", "target", "curve")}
    asked = {**ASKED, **{name: value for name, value in given.items() if name not in own}}
    with pytest.raises(error, match=words):
        _ = ask("paired", "power", asked, **own).engines


@pytest.mark.parametrize("target", [0.8, "half_width=0.1", "power=0.8"])
def test_power_takes_no_target_where_nothing_is_decided(target):
    asked = {"n_cases": 36, "accuracy": 0.7}
    with pytest.raises(RefusedError, match="power takes no target with scenario proportion, where nothing") as found:
        ask("proportion", "power", asked, target=target, method="wilson")
    assert str(found.value).endswith("is decided; size takes one, as in half_width=0.05.")
    # the remedy that it names works
    assert ask("proportion", "size", {"accuracy": 0.7}, target="half_width=0.05").question == "size"


SOLVED = [
    ("mde", {"n_cases": 30, "accuracy_a": 0.6}, {"sign": "up"}, UnknownNameError, "positive, negative, both"),
    ("mde", {"n_cases": 30, "accuracy_a": 0.6, "alternative": "less"}, {"sign": "both"}, RefusedError, "one sign only"),
    (
        "mde",
        {"n_cases": 30, "accuracy_a": 0.6, "alternative": "less"},
        {"sign": "positive"},
        RefusedError,
        "sign positive does not fit alternative less",
    ),
    (
        "mde",
        {"n_cases": 30, "accuracy_a": 0.6, "alternative": "greater"},
        {"sign": "negative"},
        RefusedError,
        "sign negative does not fit alternative greater",
    ),
    (
        "mde",
        {"n_cases": 30, "accuracy_a": 0.6},
        {"target": "coverage=0.9", "method": "tango"},
        RefusedError,
        "target coverage is a question about size",
    ),
    ("size", {"accuracy_a": 0.6, "difference": 0.1}, {"largest": 0}, ParameterError, "largest is 0"),
    ("size", {"accuracy_a": 0.6, "difference": 0.1}, {"largest": 1.5}, ParameterError, "largest is 1.5"),
    ("size", {"accuracy_a": 0.6, "difference": 0.1}, {"largest": True}, ParameterError, "largest is True"),
]


@pytest.mark.parametrize(("question", "asked", "own", "error", "words"), SOLVED)
def test_questions_that_solve_and_do_not_fit_are_refused(question, asked, own, error, words):
    with pytest.raises(error, match=words):
        ask("paired", question, asked, **own)


def test_a_claim_of_one_direction_has_effects_of_one_sign():
    study = ask("agreement", "mde", {"n_labels": 50, "prevalence": 0.6}, sign="positive")
    exceeds = [m.name for m in study.methods if not m.decision.two_directions]
    assert exceeds
    with pytest.raises(RefusedError, match=r"claims that the null is exceeded.*sign negative does not fit it"):
        ask("agreement", "mde", {"n_labels": 50, "prevalence": 0.6}, sign="negative")
    # a margin claim may be asked for effects below the null of the scenario
    margin = {"n_cases": 50, "accuracy_a": 0.6, "margin": 0.1}
    assert ask("paired", "mde", margin, sign="negative", method="noninferiority_tango").sign == "negative"


def test_some_limits_exist_for_a_single_level():
    verbosity = get_scenario("verbosity")
    one = next(method.name for method in verbosity.methods if method.one_level)
    levels = {**verbosity.example, "alpha": [0.05, 0.01]}
    with pytest.raises(RefusedError, match=r"at one level: give alpha a single value"):
        ask("verbosity", "power", levels, method=one)


def test_a_scenario_without_an_effect_or_a_size_has_no_such_question():
    with pytest.raises(RefusedError, match="has no parameter that is an effect"):
        ask("proportion", "mde", {"n_cases": 30, "accuracy": 0.5})

    class Unsized(type(get_scenario("proportion"))):
        name = "unsized"
        parameters = tuple(p for p in get_scenario("proportion").parameters if p.role != "size")

    with pytest.raises(RefusedError, match="Scenario unsized has no size to solve for"):
        make_study(Unsized(), {"accuracy": 0.5}, question="size", target="width=0.1")


@pytest.mark.parametrize("unusable", [0.0, 0.1, 0.3, 0.5, 0.9])
def test_collected_and_usable_units(unusable):
    for usable in range(1, 300):
        n = collected_units(usable, unusable)
        assert usable_units(n, unusable) >= usable
        assert usable_units(n - 1, unusable) < usable


@pytest.mark.parametrize(
    ("n", "unusable", "usable"), [(10, 0.9, 1), (100, 0.8, 20), (1000, 0.1, 900), (9, 0.9, 0), (11, 0.5, 5)]
)
def test_products_that_are_whole_but_for_rounding_are_whole(n, unusable, usable):
    assert usable_units(n, unusable) == usable
    assert not usable or usable_units(collected_units(usable, unusable), unusable) == usable


def test_points_have_usable_units_only():
    study = make_study("paired", {**ASKED, "n_cases": [10, 25]}, unusable=0.3)
    assert [point.values["n_cases"] for point in study.points] == [7, 17]
    assert study.usable({"n_cases": 100, "margin": 0.1}) == {"n_cases": 70, "margin": 0.1}
    whole = make_study("paired", ASKED)
    assert whole.usable({"n_cases": 100}) == {"n_cases": 100}


def test_too_few_units_for_the_declaration_are_said_with_what_was_lost():
    with pytest.raises(ParameterError, match=r"^unusable is 0\.5: of n_cases 1 nothing usable"):
        _ = make_study("paired", {**ASKED, "n_cases": 1}, unusable=0.5).points
    # a single one is enough
    (point,) = make_study("paired", {**ASKED, "n_cases": 2}, unusable=0.5).points
    assert point.values["n_cases"] == 1


def test_engines_are_planned_for_each_point_and_method():
    study = make_study("paired", {**ASKED, "n_cases": [10, 100_000]}, method="mcnemar_exact,newcombe")
    assert study.engines == [["exact", "exact"], ["counts", "counts"]]


def test_a_scenario_is_known_by_its_name():
    with pytest.raises(UnknownNameError, match="scenario"):
        simstudy.power_curve("pair")


def test_intervals_have_a_confidence_below_one():
    asked = {"n_cases": 9, "accuracy_a": 0.7, "difference": 0.1}
    with pytest.raises(RefusedError, match="alpha is 1e-17 for a single test, and tango has an interval"):
        make_study("paired", asked, method="tango", alpha=[1e-17, 0.05])
    assert make_study("paired", asked, method="mcnemar_exact", alpha=1e-300)
    assert make_study("paired", asked, method="tango", alpha=1e-16)
