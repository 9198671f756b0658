"""From what was typed to an exit code."""

import importlib

import pytest

from simstudy.commands.run import COMMANDS, run
from simstudy.errors import CheckFailedError, ComputationError, InterruptedStudyError


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_module_and_a_line(name):
    module, about = COMMANDS[name]
    assert callable(importlib.import_module(f"simstudy.commands.{module}").command)
    assert about.endswith(".")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (CheckFailedError("a gate"), 1, "a gate"),
        (ComputationError("no room"), 3, "no room"),
        (InterruptedStudyError("stopped"), 130, "stopped"),
        (KeyboardInterrupt(), 130, "Stopped; nothing was written."),
        (MemoryError(), 3, "There is not enough memory"),
    ],
)
def test_expected_failures_are_one_message(error, code, words, monkeypatch, capsys):
    def fails(_):
        raise error

    monkeypatch.setattr("simstudy.commands.list_command.command", fails)
    assert run(["list"]) == code
    assert capsys.readouterr().err.startswith(f"simstudy: {words}")


def test_other_failures_are_not_hidden(monkeypatch):
    def fails(_):
        raise ZeroDivisionError

    monkeypatch.setattr("simstudy.commands.list_command.command", fails)
    with pytest.raises(ZeroDivisionError):
        run(["list"])
