"""From what was typed to an exit code."""

import importlib
import os
import signal
import threading

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


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of another kind")
@pytest.mark.parametrize(("number", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_signals_stop_the_work_as_ctrl_c_does(number, code, monkeypatch, capsys):
    def ended(_):
        signal.raise_signal(getattr(signal, number))

    # what started these tests may ignore it, as nohup does
    before = signal.signal(getattr(signal, number), signal.SIG_DFL)
    try:
        monkeypatch.setattr("simstudy.commands.list_command.command", ended)
        assert run(["list"]) == code
        assert capsys.readouterr().err == "simstudy: Stopped; nothing was written.\n"
        assert signal.getsignal(getattr(signal, number)) == signal.SIG_DFL
    finally:
        signal.signal(getattr(signal, number), before)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of another kind")
def test_a_signal_that_nohup_ignores_stops_nothing(monkeypatch):
    def hung_up(_):
        signal.raise_signal(signal.SIGHUP)
        return 0

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        monkeypatch.setattr("simstudy.commands.list_command.command", hung_up)
        assert run(["list"]) == 0
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_other_threads_set_no_signals(capsys):
    codes = []
    thread = threading.Thread(target=lambda: codes.append(run(["list"])))
    thread.start()
    thread.join()
    assert codes == [0]


def test_settings_that_keep_libraries_from_being_imported_are_taken_away(monkeypatch):
    for given, left in (("0", None), ("-1", None), ("two", None), ("", None), ("04", "04"), ("2", "2")):
        monkeypatch.setenv("NUMBA_NUM_THREADS", given)
        monkeypatch.setenv("MPLBACKEND", "nothing")
        run(["list"])
        assert os.environ.get("NUMBA_NUM_THREADS") == left
        assert "MPLBACKEND" not in os.environ
