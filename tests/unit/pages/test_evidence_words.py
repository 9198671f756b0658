"""Figures as they are read."""

import math

import pytest

from simstudy.pages.evidence_words import Words, counted, in_100, number, p_words


@pytest.mark.parametrize(
    ("p", "words"),
    [(0.034, "p = .034"), (0.2549, "p = .25"), (0.0004, "p = .0004"), (1e-9, "p < .0001"), (1.0, "p = 1.00")],
)
def test_p_values_in_words(p, words):
    assert p_words(p) == words


def test_rates_are_percent_and_points_and_scores_are_themselves():
    rates, scores = Words(True), Words(False)
    assert [rates.mean(0.75), rates.step(-0.075), rates.amount(-0.01), rates.unit()] == [
        "75%",
        "−7.5",
        "1 point",
        " points",
    ]
    assert [scores.mean(3.456), scores.step(0.5), scores.amount(-0.5), scores.unit()] == ["3.46", "+0.500", "0.500", ""]
    assert rates.step(math.nan) == scores.mean(math.nan) == "–"


@pytest.mark.parametrize(("power", "words"), [(0.214, "21"), (0.9999, "more than 99"), (1.0, "100")])
def test_a_chance_is_so_many_of_100(power, words):
    assert in_100(power) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "–"), (math.nan, "–"), (1234, "1,234"), (0.03125, ".0312"), (-0.05, "−.0500"), (math.inf, "∞")],
)
def test_figures_of_tables(value, words):
    assert number(value) == words


@pytest.mark.parametrize(
    ("value", "mean", "step"),
    [(1234.56, "1,234.6", "+1,234.6"), (-2e4, "−20,000.0", "−20,000.0"), (1e300, "1e+300", "+1e+300")],
)
def test_large_scores_keep_their_digits_and_huge_ones_have_none_to_keep(value, mean, step):
    assert (Words(False).mean(value), Words(False).step(value)) == (mean, step)


def test_one_of_a_thing_is_one():
    assert (counted(1, "case"), counted(2000, "cluster")) == ("1 case", "2,000 clusters")
