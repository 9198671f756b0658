"""What was asked, in words."""

from dataclasses import replace

import pytest

from simstudy.study.plan import make_study
from simstudy.study.words import Asked, asked, first_clause, level, listing, number


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (36, "36"),
        (0.1, "0.1"),
        (0.30000000000000004, "0.3"),
        (1e-6, "1e-06"),
        (2.0, "2"),
        (0.7333333333, "0.7333"),
        (123456.789, "123456.789"),
        (0.9999999999999999, "0.9999999999999999"),
        (1.0, "1"),
    ],
)
def test_numbers(value, words):
    assert number(value) == words


def test_long_lists_are_shortened_in_the_middle():
    assert listing([1, 2, 3]) == "1, 2, 3"
    assert listing([0.733333333, 0.733333334]) == "0.733333333, 0.733333334"
    assert listing(list(range(1, 21))) == "1, 2, …, 20 (20 values)"


def test_the_opening_sentence():
    study = make_study("paired", {"n_cases": [36, 100], "accuracy_a": 0.7, "difference": 0.1}, method="tango")
    words = asked(study)
    assert words.heading == "Power: two systems answer the same cases (paired)"
    assert words.how == (
        "n_cases 36, 100; accuracy_a 0.7; difference 0.1; difficulty_sd 1.5 (default); alpha 0.05, two-sided; tango."
    )
    assert words.sentence == f"{words.heading}; {words.how}"
    own = replace(study, words=Asked("How often", "two systems", "36 cases"))
    assert asked(own).sentence == "How often: two systems; 36 cases."


@pytest.mark.parametrize(
    ("scenario", "question", "given", "words"),
    [
        ("paired", "power", {"n_cases": 36, "accuracy_a": 0.7, "difference": 0.1}, "Power"),
        ("proportion", "power", {"n_cases": 36, "accuracy": 0.7}, "Coverage"),
        ("paired", "mde", {"n_cases": 36, "accuracy_a": 0.7}, "Smallest detectable effect for power=0.8"),
        ("paired", "size", {"accuracy_a": 0.7, "difference": 0.1}, "Smallest n_cases for power=0.8"),
    ],
)
def test_what_is_asked(scenario, question, given, words):
    assert asked(make_study(scenario, given, question=question)).what == words


def test_remarks_are_left_out_of_labels():
    assert first_clause("how often; never where 0") == "how often"
    assert first_clause("how often") == "how often"


def test_levels():
    study = make_study(
        "paired",
        {"n_cases": 36, "accuracy_a": 0.7, "difference": 0.1},
        alpha=[0.05, 0.01],
        comparisons=3,
        alternative="less",
        unusable=0.1,
    )
    words = level(study)
    assert "0.05, 0.01 divided by 3 comparisons (Bonferroni)" in words
    assert "one-sided (A better)" in words
    assert "0.1 of the units unusable" in words
