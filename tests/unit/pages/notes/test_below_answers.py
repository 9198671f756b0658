"""Notes below tables of answers: signs, reasons for missing ones, power that is lost again, what was checked."""

from __future__ import annotations

import pytest

from simstudy import mde, mde_from, power_curve, size
from simstudy.pages.notes.below_answers import SENTENCES
from simstudy.solve import search as why
from tests.unit.pages import factory
from tests.unit.pages.notes.told import told

JUDGE = {"n_labels": 100, "prevalence": 0.7}
FOUND = mde("paired", n_cases=36, accuracy_a=0.7, method="mcnemar_midp")


@pytest.mark.parametrize("reason", SENTENCES)
def test_an_answer_that_is_there_has_no_reason(reason: str) -> None:
    assert told(reason, FOUND) == ""


def test_interval() -> None:
    assert told("interval", factory.mde()) == "[, ]: interval for the answer, from Monte Carlo error."
    assert told("interval", factory.mde(simulated=())) == ""


def test_first() -> None:
    assert told("first", factory.size()).startswith("n_cases: from there on power=0.8 is not lost again")
    dataset = factory.size()
    dataset["first"] = dataset["answer"]
    assert told("first", dataset) == ""


@pytest.mark.parametrize(
    ("reason", "asked", "words"),
    [
        (
            why.NOT_REACHED,
            {"n_cases": [5, 6], "accuracy_a": 0.5, "discordance": 0.3},
            "unreachable: no difference that can exist on this side, from 0 to 0.3, reaches power=0.8.",
        ),
        (
            why.NOT_REACHED,
            {"n_cases": 5, "accuracy_a": 0.5, "discordance": [0.2, 0.3]},
            "unreachable: no difference that can exist on the side that was searched reaches power=0.8.",
        ),
        (
            why.NO_SUCH_EFFECT,
            {"n_cases": 1000, "accuracy_a": 0.2, "discordance": 0.5, "sign": "negative"},
            "unreachable: no difference below 0 can exist with these values.",
        ),
        (
            why.NULL_REACHES,
            {"n_cases": 1000, "accuracy_a": 0.2, "discordance": 0.5},
            "outside the range: power=0.8 is reached at difference 0.1 already, the least on the side that was "
            "searched.",
        ),
    ],
)
def test_effects(reason: str, asked: dict, words: str) -> None:
    assert told(reason, mde("paired", method="mcnemar_midp", **asked)) == words


@pytest.mark.parametrize(
    ("reason", "asked", "words"),
    [
        (why.AT_NULL, {"difference": 0}, "there is nothing to be found, so power stays near the level at any n_cases."),
        (
            why.WRONG_SIDE,
            {"difference": [0.2, -0.2], "alternative": "less"},
            "the truth lies on the side that the method does not decide for",
        ),
        (
            why.MISSED,
            {"difference": 0.05, "largest": 500},
            "power=0.8 is missed at every n_cases that was looked at, from 1 to 500; --largest sets how far, "
            "and where it is simulated --replications.",
        ),
    ],
)
def test_sizes(reason: str, asked: dict, words: str) -> None:
    said = told(reason, size("paired", method="mcnemar_midp", accuracy_a=0.7, **asked))
    assert said.startswith(f"outside the range: {words}")


def test_a_judge_that_turns_the_difference_round() -> None:
    """The judged difference is -.0325: more cases make the wrong answer surer."""
    misled = size("judged", accuracy_a=0.9, difference=0.05, reworded_b=0.8, method="mcnemar_midp")
    assert "makes the wrong answer surer; fewer errors help" in told(why.MISLED, misled)
    assert told(why.MISLED, size("judged", accuracy_a=0.7, difference=0.1, method="mcnemar_midp")) == ""


def test_methods_are_named_where_others_have_an_answer() -> None:
    found = size("proportion", accuracy=0.7, target="coverage=0.95", method=["wilson", "clopper_pearson"], largest=2000)
    assert told(why.LOST_AGAIN, found) == (
        "outside the range (wilson): coverage=0.95 is reached, but lost again and again between n_cases 1 and 2000."
    )


def test_what_simulation_does_not_tell() -> None:
    asked = {"accuracy": 0.7, "method": "wilson", "target": "coverage=0.95", "engine": "counts", "largest": 150}
    words = told(why.UNTOLD, size("proportion", replications=1000, **asked))
    assert words.startswith("outside the range: up to n_cases 150 some values lie within their Monte Carlo error")
    assert words.endswith("more --replications do, or --engine exact.")


def test_a_method_that_reads_fewer_units_is_named_as_the_reason() -> None:
    asked = {"accuracy_a": 0.7, "difference": 0.05, "n_labels": 200, "largest": 3000}
    assert told(why.READS_FEWER, size("judged", method="labels_only", **asked)).endswith(
        "is missed up to n_cases 3000, and more changes nothing: the method reads fewer units than that."
    )


def test_answers_read_off_a_grid_say_nothing_of_what_lies_beyond() -> None:
    grid = power_curve("paired", n_cases=60, accuracy_a=0.7, difference=[0.05, 0.1], method="tango")
    assert told(why.NOT_REACHED, mde_from(grid)) == "outside the range: power=0.8 is not reached in the grid."
    assert told(why.NULL_REACHES, mde_from(grid, 0.05)) == (
        "outside the range: power=0.05 is reached by the least difference in the grid already."
    )


def test_lost_again() -> None:
    lost = mde("agreement", method="kappa_wald,kappa_adjusted", **JUDGE)
    assert told("lost again at larger", lost) == "kappa_wald: power=0.8 is lost again at larger kappa."
    assert told("lost again at smaller", lost) == ""
    assert told("lost again at larger", mde("agreement", method="kappa_adjusted", **JUDGE)) == ""
    mirrored = lost.assign(searched_from=-lost["searched_from"], searched_to=-lost["searched_to"])
    assert told("lost again at smaller", mirrored) == "kappa_wald: power=0.8 is lost again at smaller kappa."


def test_checked() -> None:
    found = size("paired", accuracy_a=0.7, difference=[0.1, 0.15], discordance=0.2, method="mcnemar_midp")
    ends = [[int(v) for v in found[name].values.ravel()] for name in ("checked_from", "checked_to")]
    assert told("checked", found) == (
        f"Every n_cases was checked from {ends[0][0]} to {ends[1][0]} (difference 0.1), "
        f"from {ends[0][1]} to {ends[1][1]} (difference 0.15)."
    )
    one = found.isel(difference=[0])
    assert told("checked", one) == f"Every n_cases from {ends[0][0]} to {ends[1][0]} was checked."
    many = size("paired", accuracy_a=0.7, difference=[i / 50 for i in range(5, 12)], method="mcnemar_midp")
    assert told("checked", many).startswith("Around each answer every single n_cases was checked")
    assert told("checked", FOUND) == ""


def test_collected() -> None:
    asked = {"accuracy_a": 0.7, "difference": 0.1, "method": "mcnemar_exact"}
    assert told("collected", size("paired", unusable=0.1, **asked)) == (
        "n_cases counts units to collect: a share of 0.1 is lost, so that for example 264 collected leave 237 usable "
        "ones."
    )
    assert told("collected", size("paired", **asked)) == ""
