"""All notes: under tables, and the closing words."""

from __future__ import annotations

import pytest

import simstudy
from simstudy.errors import UnknownNameError
from simstudy.pages.notes import ABOVE, CLOSING, UNDER_TABLES, closing_words, note, notes_of
from simstudy.study.asked import study_of


def test_every_note_has_a_name_of_its_own() -> None:
    names = [note.name for note in (*ABOVE, *UNDER_TABLES, *CLOSING)]
    assert len(set(names)) == len(names)
    assert [note(name).name for name in names] == names


def test_a_note_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean undefined"):
        note("undefind")


def test_lines_and_closing_words_by_question() -> None:
    power = simstudy.power_curve("paired", n_cases=36, accuracy_a=0.7, difference=[0, 0.1], method="tango")
    lines, closing = notes_of(study_of(power), power), closing_words(study_of(power), power)
    assert lines[0] == "All figures are exact."
    assert any(line.startswith("Smallest difference") for line in lines)
    assert closing[-1].startswith("Smallest difference seen with power 0.8 (exact): .2292.")
    # what the closing words answer is not said twice
    answered = notes_of(study_of(power), power, has_closing=True)
    assert answered == [line for line in lines if not line.startswith("Smallest")]
    mde = simstudy.mde("paired", n_cases=36, accuracy_a=0.7, method="tango")
    assert closing_words(study_of(mde), mde) == []
    size = simstudy.size("paired", difference=0.2, accuracy_a=0.7, method="tango")
    assert [words.split()[0] for words in closing_words(study_of(size), size)] == ["Every"]
