"""What a method that does not fit the design feigns and misses."""

from __future__ import annotations

import pytest

import simstudy
from simstudy import scenarios
from tests.small.nulls import Own
from tests.unit.pages.notes.told import told

PAIRED = {"n_cases": 36, "accuracy_a": 0.7}


def test_a_mistake_is_held_against_a_method_that_fits() -> None:
    asked = {"difference": 0.2, "difficulty_sd": [0, 3], "method": "mcnemar_exact,unpaired_z", **PAIRED}
    words = told("mistakes", simstudy.power_curve("paired", **asked))
    assert words.startswith("unpaired_z looks stronger than it is at difficulty_sd 0: it rejects .5788 against .4477")
    assert "with difference 0 there its type I error is .0525 against .0278 for mcnemar_exact (level 0.05)" in words
    assert "unpaired_z misses what mcnemar_exact sees at difficulty_sd 3" in words


def test_alone_it_is_held_against_the_usual_method() -> None:
    words = told("mistakes", simstudy.power_curve("paired", difference=0.1, method="unpaired_z", **PAIRED))
    assert words.startswith("unpaired_z does not fit this design; with difference 0 there its type I error is .0231")


def test_a_rule_is_called_by_its_outcome() -> None:
    asked = {"n_pairs": 50, "strength": 0.5, "method": "averaged,averaged_passes"}
    words = told("mistakes", simstudy.power_curve("win_rate", **asked))
    assert "it says 'adopt B' in .6288 against .5310 for averaged; with strength 0 there 'adopt B' comes out" in words
    assert "reject" not in words
    assert "level" not in words


def test_no_word_without_a_mistake_or_where_it_is_simulated() -> None:
    assert told("mistakes", simstudy.power_curve("paired", difference=0.1, method="tango", **PAIRED)) == ""
    drawn = {"engine": "counts", "replications": 200, "method": "tango,unpaired_z"}
    assert told("mistakes", simstudy.power_curve("paired", difference=0.1, **drawn, **PAIRED)) == ""


def test_decisions_with_a_null_of_their_own_are_compared_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at the null of the scenario, ½. Of 50 tosses at .7 one side nearly always has more."""
    from scipy.stats import binom

    monkeypatch.setitem(scenarios._registered, "coin_own", Own())
    words = told("mistakes", simstudy.power_curve("coin_own", n=50, p=0.8, bar=0.7, method=["test", "careless"]))
    heads = binom(50, 0.7)
    assert f"with p 0.7 there its type I error is {f'{1 - heads.pmf(25):.4f}'[1:]} against .0305 for test" in words
    assert "0.5" not in words
