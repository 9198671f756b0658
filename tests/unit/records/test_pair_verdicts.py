from __future__ import annotations

from pathlib import Path

import pytest

from simstudy.records.coded import Coded
from simstudy.records.pair_verdicts import tally
from simstudy.records.reading import read_records

CASES = Path(__file__).parents[2] / "cases"


def test_the_place_says_nothing_about_the_system() -> None:
    found = tally(
        Coded.of(["m", "n", "m", "m", None]), Coded.of(["n", "m", "n", "n", "n"]), Coded.of(["A", "A", "tie", "?", "A"])
    )
    assert (found.won, found.tied, found.lost) == ({"m": 1, "n": 1}, {"m": 1, "n": 1}, {"n": 1, "m": 1})
    assert found.unreadable == {"?": 1}
    assert found.rate("m") == 0.5
    assert "m wins 1, loses 1, ties 1 (win rate 0.500 with ties as halves)" in found.says()
    assert "1 verdicts cannot be read" in found.says()


def test_a_verdict_may_name_the_system() -> None:
    found = tally(Coded.of(["b", "b"]), Coded.of(["a", "a"]), Coded.of(["a", "b"]))
    assert found.won == {"a": 1, "b": 1}


def test_two_kinds_of_tie() -> None:
    records = read_records(CASES / "votes.csv")
    found = tally(*(records.further[name] for name in ("first", "second", "verdict")))
    assert (found.won["alpha"], found.lost["alpha"], found.tied["alpha"]) == (32, 20, 20)
    assert found.rate("alpha") == pytest.approx(42 / 72)
    assert found.says() in [remark.says for remark in records.remarks]
