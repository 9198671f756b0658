"""From what was typed to an exit code."""

from __future__ import annotations

import contextlib
import importlib
import os
import shlex
import sys
import traceback
from collections.abc import Sequence

from simstudy.errors import InterruptedStudyError, SimstudyError

# name → (module, one line of help); the order is that of the help page
COMMANDS = {
    "power": ("power_command", "Power of methods over a grid of designs. Alone: a small default study."),
    "mde": ("mde_command", "The minimum detectable effect: the smallest effect with the target power."),
    "size": ("size_command", "The sample size from which the target is never lost again."),
    "pilot": ("pilot_command", "What a file of results says about two systems, and about the next set."),
    "list": ("list_command", "The scenarios; of one scenario its parameters, methods and engines."),
    "show": ("show_command", "The table of a saved result again, without computing."),
    "replay": ("replay_command", "The simulated units of one replication, as CSV."),
}
MEMORY = "There is not enough memory for this. Use fewer replications or design points, or --engine counts."


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command and turn every expected failure into one message and an exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        What was typed after ``simstudy``; `sys.argv` where not given.

    Returns
    -------
    int
        The exit code.
    """
    typed = list(sys.argv[1:] if argv is None else argv)
    _tolerate_narrow_encodings()
    try:
        code = _dispatch(typed)
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_left()
    except KeyboardInterrupt:
        return _failed(InterruptedStudyError("Stopped; nothing was written."), typed)
    except MemoryError:
        return _failed(SimstudyError(MEMORY), typed)
    except SimstudyError as error:
        return _failed(error, typed)
    return code


def _dispatch(typed: list[str]) -> int:
    from simstudy.commands.parsing import Invocation, root_help

    if not typed or typed[0] not in COMMANDS:
        return root_help(typed, COMMANDS)
    module, about = COMMANDS[typed[0]]
    # as typed, so that the record of a result names no folder that the user did not name
    asked = Invocation(tuple(typed[1:]), shlex.join(["simstudy", *typed]), about)
    code: int = importlib.import_module(f"simstudy.commands.{module}").command(asked)
    return code


def _failed(error: SimstudyError, typed: list[str]) -> int:
    # what was printed so far comes first
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    if "--debug" in typed:
        traceback.print_exc()
    print(f"simstudy: {error}", file=sys.stderr)
    return error.exit_code


def _reader_left() -> int:
    """Whoever read the output had enough (``| head``): the rest goes nowhere, also what the interpreter flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _tolerate_narrow_encodings() -> None:
    """Print a question mark, rather than fail, where a terminal lacks ± or ─."""
    for stream in (sys.stdout, sys.stderr):
        encoding = (getattr(stream, "encoding", None) or "utf-8").casefold().replace("-", "")
        if encoding != "utf8" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
