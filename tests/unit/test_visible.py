"""Text from outside made safe to look at."""

import json

import pytest

from simstudy.errors import RequestError, UnknownNameError
from simstudy.visible import LONGEST_WORD, visible, visible_json, visible_line

HOSTILE = "a\x1b[31mb\x07c\x9bd\u202ee\u2066f\u2028g\ud800h\ti\rj\x7fk\0l"
SEEN = r"a\x1b[31mb\x07c\x9bd\u202ee\u2066f\u2028g\ud800h\ti\rj\x7fk\x00l"


def test_what_cannot_be_seen_is_written_out():
    assert visible(HOSTILE) == SEEN
    assert visible("one\ntwo") == "one\ntwo"
    assert visible_line("one\ntwo") == r"one\ntwo"


@pytest.mark.parametrize("text", ["plain", "é ± ─ 中 👩\u200d🔬", "nbsp\u00a0", r"a\x1b"])
def test_other_text_stays(text):
    assert visible(text) == visible_line(text) == text


def test_long_words_are_cut_in_the_middle():
    assert visible_line("9" * LONGEST_WORD) == "9" * LONGEST_WORD
    assert visible_line(f"a {'9' * 5000} b") == f"a {'9' * 60}...(5000 characters)...{'9' * 60} b"


def test_json_says_the_same_without_them():
    written = visible_json({"name": HOSTILE, "é": [1, None]}, indent=2)
    assert json.loads(written) == {"name": HOSTILE, "é": [1, None]}
    assert visible(written) == written
    assert "é" in written


def test_every_error_is_one_visible_line():
    assert str(RequestError(f"no {HOSTILE}\nhere")) == f"no {SEEN}\\nhere"
    assert str(UnknownNameError("method", 5, ["tango"])) == "There is no method '5'. Allowed: tango."
