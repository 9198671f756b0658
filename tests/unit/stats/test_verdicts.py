"""Replies that are a verdict, and replies that only hold one."""

import pytest

from simstudy import stats
from simstudy.errors import ParameterError

FOOLING = ["The answer is correct because...", "NOT CORRECT", "Correct? No.", "Nothing wrong here: CORRECT"]


@pytest.mark.parametrize("reply", FOOLING)
def test_replies_that_fool_loose_parsers_are_unreadable(reply):
    assert stats.parse_verdict(reply) is None


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("correct", True),
        (" CORRECT.\n", True),
        ("Correct!", True),
        ("correct . ", True),
        ("Incorrect", False),
        ("wrong...", False),
        ("Wrong…", False),
        ("", None),
        (" . ", None),
        ("correct?", None),
        ("correct incorrect", None),
        ("«correct»", None),
        ("correctly", None),
    ],
)
def test_a_reply_is_the_word_or_unreadable(reply, verdict):
    assert stats.parse_verdict(reply) is verdict


def test_unreadable_replies_are_counted_and_keep_their_place():
    verdicts, unreadable = stats.read_verdicts(["correct", *FOOLING, "wrong"])
    assert verdicts == [True, None, None, None, None, False]
    assert unreadable == len(FOOLING)
    assert stats.read_verdicts([]) == ([], 0)


def test_words_of_ones_own():
    letters = {"A": "A", "B": "B", "tie": "tie", "C": "tie"}
    assert stats.read_verdicts(["a", "B.", "c", "A or B"], letters) == (["A", "B", "tie", None], 1)
    assert stats.parse_verdict("richtig", {"richtig": 1, "falsch": 0}) == 1
    assert stats.parse_verdict("FALSCH", {"richtig": 1, "falsch": 0}) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({}, "No word is allowed"),
        ({" .": True}, "is empty, stands for None, or stands for two verdicts"),
        ({"yes": None}, "is empty, stands for None"),
        ({"Yes": True, "yes.": False}, "stands for two verdicts"),
    ],
)
def test_words_that_say_nothing_are_refused(words, message):
    with pytest.raises(ParameterError, match=message):
        stats.parse_verdict("yes", words)
    with pytest.raises(ParameterError, match=message):
        stats.read_verdicts([], words)


def test_the_same_word_twice_is_no_conflict():
    assert stats.parse_verdict("yes", {"Yes": True, "yes": True}) is True


@pytest.mark.parametrize("reply", ["correct", "", b"correct"])
def test_a_single_text_is_not_read_letter_by_letter(reply):
    with pytest.raises(ParameterError, match="pass a list of replies, or this one to parse_verdict"):
        stats.read_verdicts(reply)


def test_a_missing_reply_is_no_unreadable_one():
    with pytest.raises(ParameterError, match="A run without a reply has no verdict"):
        stats.read_verdicts(["correct", None])


@pytest.mark.parametrize("words", [None, "yes", ["yes"], {1: True}, {b"yes": True}])
def test_words_that_are_no_words_are_refused(words):
    with pytest.raises(ParameterError, match="word"):
        stats.parse_verdict("yes", words)
    with pytest.raises(ParameterError, match="must be a list of texts"):
        stats.read_verdicts(5)
