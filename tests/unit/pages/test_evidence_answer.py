"""The answer: its first sentence, and what this set sees."""

import numpy as np
import pytest

from simstudy.pages.evidence_answer import answer
from simstudy.pages.evidence_words import p_words
from simstudy.records.compared import Asked, compare_counts, compare_records
from simstudy.records.question import Question
from tests.unit.pages.test_evidence_text import records


def test_a_difference_that_is_found_is_the_first_sentence():
    report = compare_counts("62,8,16,14", Question())
    (r,) = report.records()
    assert answer(report)[0] == (
        "No difference was found between A and B: 78% against 70% on the same 100 cases, difference +8 points, "
        f"95% interval −{-100 * r['low']:.1f} to +{100 * r['high']:.1f}, {p_words(r['p_value'])}; "
        "this set finds 10 points in only 53 of 100 such evaluations."
    )
    found = compare_counts("62,3,25,10", Question())
    assert answer(found)[0].startswith(
        "B is better than A: 87% against 65% on the same 100 cases, difference +22 points"
    )


def test_one_case_is_one():
    assert "on a single case, difference" in answer(compare_counts("0,1,0,0", Question()))[0]


def test_many_systems_name_those_not_told_from_the_best():
    generator = np.random.default_rng(1)
    values = {
        name: (generator.random(80) < rate).astype(int).tolist() for name, rate in (("x", 0.9), ("y", 0.88), ("z", 0.3))
    }
    said = answer(compare_records(records(values), Asked(), Question()))
    assert "has the best mean" in said[0]
    assert "z" not in said[0].split("not told from it")[-1]


def test_a_small_difference_is_not_shown_as_none():
    report = compare_counts("52,6,15,27", Question())
    assert "95% interval +0.02 to +18.4" in answer(report)[0]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ("25,3,7,5", "The smallest difference that this set finds in 80 of 100 is 20.5 points either way; half of it"),
        ("1,1,1,1", "This set finds no difference that can exist in 80 of 100: it is too small."),
        ("95,2,2,1", "The smallest difference that this set finds in 80 of 100 is −"),
    ],
)
def test_the_smallest_difference_is_said_in_the_directions_in_which_there_is_one(counts, words):
    assert any(sentence.startswith(words) for sentence in answer(compare_counts(counts, Question())))


def test_the_reason_is_said_where_no_test_is_possible():
    alike = compare_records(records({"x": [0.5, 0.7], "y": [0.6, 0.8]}), Asked(), Question())
    assert "No test is possible: all differences are alike" in answer(alike)[0]
    alone = compare_records(records({"x": [0.5], "y": [0.6]}), Asked(), Question())
    assert "No test is possible: there is one case" in answer(alone)[0]


def test_a_mean_at_the_bound_is_on_no_side_of_it():
    even = compare_records(records({"x": [1, 0, 1, 0]}), Asked(against=0.5), Question())
    assert "It is not told from 50% (equal to it, p = 1.00)." in answer(even)


def test_two_rates_say_where_test_and_interval_disagree():
    # pooled z p = .043, and Newcombe's interval begins at −.007
    report = compare_counts("5/8,9/9", Question())
    (r,) = report.records()
    assert (r["p_value"] <= 0.05) != (r["low"] > 0 or r["high"] < 0)
    assert any("do not agree" in sentence for sentence in answer(report))
