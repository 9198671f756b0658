"""Where results and notes go."""

import io
import sys
from pathlib import Path

import pytest

from simstudy import power_curve
from simstudy.commands.output import emit, make_output, progress, say
from simstudy.errors import RequestError, UnknownNameError
from simstudy.study.asked import study_of
from simstudy.study.words import Beside

DATASET = power_curve("paired", n_cases=10, accuracy_a=0.6, difference=0.1, method="mcnemar_exact")
STUDY = study_of(DATASET)


def test_destinations_are_checked_before_anything_is_computed(tmp_path):
    made = make_output({"out": str(tmp_path / "r.nc"), "format": None, "quiet": False})
    assert (made.out, made.plot, made.format, made.quiet) == (tmp_path / "r.nc", None, "table", False)
    assert made.for_people
    assert not make_output({"format": "json"}).for_people
    with pytest.raises(RequestError, match=r"a table is printed: --format csv > r\.csv$"):
        make_output({"out": "r.csv"})
    with pytest.raises(UnknownNameError, match="Did you mean json"):
        make_output({"format": "jason"})


@pytest.mark.parametrize("chosen", ["table", "markdown"])
def test_paragraphs_stand_around_the_tables(chosen, capsys):
    emit(DATASET, make_output({"format": chosen}), STUDY, Beside("What is asked. " * 12, ("One.", "a  b\nc  d")))
    printed = capsys.readouterr().out
    assert printed.index("What is asked.") < printed.index("mcnemar_exact  " if chosen == "table" else "| mcnemar")
    assert printed.endswith("One.\n\na  b\nc  d\n" if chosen == "table" else "One.\n\n```text\na  b\nc  d\n```\n")
    if chosen == "table":
        assert max(map(len, printed.splitlines())) <= 100


@pytest.mark.parametrize("chosen", ["json", "csv"])
def test_records_have_no_paragraphs(chosen, capsys):
    emit(DATASET, make_output({"format": chosen}), STUDY, Beside(closing=("One.",)))
    assert "One." not in capsys.readouterr().out


def test_what_was_written_is_said(tmp_path, capsys):
    out = tmp_path / "r.nc"
    emit(DATASET, make_output({"out": str(out)}), STUDY, Beside())
    assert out.exists()
    assert capsys.readouterr().err == f"Written: {out}.\n"
    emit(DATASET, make_output({"out": str(out), "quiet": True}), STUDY, Beside())
    assert capsys.readouterr().err == ""


def test_a_picture_that_cannot_be_drawn_comes_last(tmp_path, capsys):
    with pytest.raises(RequestError):
        emit(DATASET, make_output({"plot": str(tmp_path / "r.svg")}), STUDY, Beside())
    assert "mcnemar_exact" in capsys.readouterr().out


def test_nothing_is_said_without_a_standard_error(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    say("unheard")
    with progress(False) as bar:
        assert bar is None


def test_a_bar_is_shown_on_a_terminal_alone(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress(True) as bar:
        assert bar is None
    with progress(False) as bar:
        bar(1, 10, "replications")
        bar(1, 0, "answers")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_standard_error_costs_nothing(monkeypatch):
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stderr", full)
        say("lost")
