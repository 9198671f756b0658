"""What is typed for a pilot, and how its report is written."""

import contextlib
import csv
import io
import json

import pytest

from simstudy.commands.parsing import Invocation
from simstudy.commands.pilot_command import command
from simstudy.errors import ParameterError, RequestError

ROWS = "".join(f"{i},{int(i < 30)},{int(5 <= i < 38)}\n" for i in range(40))
SYSTEMS = ("--system-a", "old", "--system-b", "new", "--draws", "100")


@pytest.fixture
def results(tmp_path):
    (tmp_path / "r.csv").write_text("case,old,new\n" + ROWS, encoding="utf-8")
    return str(tmp_path / "r.csv")


def asked(*tokens):
    return Invocation("pilot", tokens, "", "About.")


def test_a_report_in_every_format(results, capsys):
    printed = {}
    for chosen in ("table", "markdown", "json", "csv"):
        assert command(asked(results, *SYSTEMS, "--format", chosen)) == 0
        printed[chosen] = capsys.readouterr().out
    assert printed["markdown"] == f"```text\n{printed['table']}```\n"
    n10 = json.loads(printed["json"])["n10"]
    (row,) = [row for row in csv.DictReader(io.StringIO(printed["csv"])) if row["quantity"] == "n10"]
    assert (n10, row["value"]) == (5, "5")


@pytest.mark.parametrize("target", ["0.9", "power=0.9"])
def test_one_power_is_planned_for(results, target, capsys):
    assert command(asked(results, *SYSTEMS, "--target", target, "--difference", "0.1")) == 0
    assert "power .90" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--target", "0.8,0.9"), "planned for one power"),
        (("--target", "width=0.1"), "planned for power"),
        (("--draws", "0"), "draws is 0; it must be a whole number from 100 to 1000000"),
        (("--difference", "x"), "'x' is no number"),
    ],
)
def test_refusals(results, words, message):
    with pytest.raises(ParameterError, match=message):
        command(asked(results, *SYSTEMS[:4], *words))


def test_a_file_and_two_systems_are_needed(results):
    with pytest.raises(RequestError, match="needs a file of results"):
        command(asked(*SYSTEMS))
    with pytest.raises(RequestError, match="This needs --system-b"):
        command(asked(results, *SYSTEMS[:2]))


def test_a_terminal_shows_how_far_it_is(results, monkeypatch, capsys):
    told = []

    @contextlib.contextmanager
    def bar(quiet):
        yield None if quiet else lambda *at: told.append(at)

    monkeypatch.setattr("simstudy.commands.pilot_command.progress", bar)
    command(asked(results, *SYSTEMS, "--difference", "0.1", "--quiet"))
    assert told == []
    command(asked(results, *SYSTEMS, "--difference", "0.1"))
    assert told == [(0, 3, "differences"), (1, 3, "differences"), (2, 3, "differences")]


def test_notes_name_options_as_they_are_typed(tmp_path, capsys):
    rows = "".join(f"{case},{case % 2},1\n{case}.1,1,0\n" for case in range(5))
    (tmp_path / "runs.csv").write_text("case,old,new\n" + rows, encoding="utf-8")
    command(asked(str(tmp_path / "runs.csv"), *SYSTEMS, "--runs", "first"))
    assert "a guess; --no-split-ids keeps every id" in " ".join(capsys.readouterr().out.split())
