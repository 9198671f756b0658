"""Sentences about answers that are missing, and about power that is lost again."""

from __future__ import annotations

import pytest

from simstudy import mde, size
from simstudy.pages.solved import solved_notes

JUDGE = {"n_labels": 100, "prevalence": 0.7}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (
            {"n_cases": 5, "accuracy_a": 0.5, "discordance": 0.3},
            "unreachable: no difference that can exist on this side",
        ),
        ({"n_cases": 5, "accuracy_a": 0.5, "discordance": 0.3}, "from 0 to 0.3, reaches power=0.8."),
        (
            {"n_cases": [5, 6], "accuracy_a": 0.5, "discordance": 0.3},
            "unreachable: no difference that can exist on this side, from 0 to 0.3, reaches power=0.8.",
        ),
        (
            {"n_cases": 5, "accuracy_a": 0.5, "discordance": [0.2, 0.3]},
            "unreachable: no difference that can exist on the side that was searched reaches power=0.8.",
        ),
        (
            {"n_cases": 1000, "accuracy_a": 0.2, "discordance": 0.5, "sign": "negative"},
            "unreachable: no difference below 0 can exist with these values.",
        ),
        (
            {"n_cases": 1000, "accuracy_a": 0.2, "discordance": 0.5},
            "outside the range: power=0.8 is reached at difference 0.1 already",
        ),
    ],
)
def test_effects(asked, words):
    (note,) = solved_notes(mde("paired", method="mcnemar_midp", **asked))
    assert words in note


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"difference": 0}, "there is nothing to be found, so power stays near the level at any n_cases."),
        ({"difference": [0.2, -0.2], "alternative": "less"}, "on the side that the method does not decide for"),
        (
            {"difference": 0.05, "largest": 500},
            "power=0.8 is missed at every n_cases that was looked at, from 1 to 500; --largest sets how far, "
            "and where it is simulated --replications.",
        ),
    ],
)
def test_sizes(asked, words):
    notes = solved_notes(size("paired", method="mcnemar_midp", accuracy_a=0.7, **asked))
    assert any(note.startswith("outside the range: ") and words in note for note in notes)


def test_methods_are_named_where_others_have_an_answer():
    found = size("proportion", accuracy=0.7, target="coverage=0.95", method=["wilson", "clopper_pearson"], largest=2000)
    assert solved_notes(found) == [
        "outside the range (wilson): coverage=0.95 is reached, but lost again and again between n_cases 1 and 2000."
    ]


def test_a_method_that_reads_fewer_units_is_named_as_the_reason():
    asked = {"accuracy_a": 0.7, "difference": 0.05, "n_labels": 200, "largest": 3000}
    (note,) = solved_notes(size("judged", method="labels_only", **asked))
    assert note.endswith(
        "is missed up to n_cases 3000, and more changes nothing: the method reads fewer units than that."
    )


def test_power_that_is_lost_again_is_said_below_the_table():
    assert solved_notes(mde("agreement", **JUDGE)) == ["kappa_wald: power=0.8 is lost again at larger kappa."]
    assert solved_notes(mde("agreement", method="kappa_adjusted", **JUDGE)) == []
