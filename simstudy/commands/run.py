"""From what was typed to an exit code."""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import shlex
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence

from simstudy.commands.output import discard, say
from simstudy.commands.without_dask import hidden_dask
from simstudy.errors import ComputationError, InterruptedStudyError, SimstudyError

# name → (module, one line of help); the order is that of the help page
COMMANDS = {
    "power": ("power_mde_size", "Power of methods over a grid of designs. Alone: a small default study."),
    "mde": ("power_mde_size", "The minimum detectable effect: the smallest effect with the target power."),
    "size": ("power_mde_size", "The sample size from which the target is never lost again."),
    "compare": ("compare_command", "Your own results: who is better, how sure, and what this set could not have seen."),
    "pilot": ("compare_command", "Another name of compare, for two systems."),
    "doctor": (
        "doctor_command",
        "What is in files of results, how they were understood, and which commands can use them.",
    ),
    "list": ("list_command", "The scenarios; of one scenario its parameters, methods and engines."),
    "show": ("show_command", "The table of a saved result again, without computing."),
    "replay": ("replay_command", "The simulated units of one replication, as CSV."),
}
MEMORY = "There is not enough memory for this. Ask for less at once: smaller sizes, fewer values or fewer repetitions."
# no room, no device, no reader, no file behind the stream, a file too large
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EPIPE, errno.EBADF, errno.EFBIG)
NARROWEST = 40  # columns; help pages are tables, which need some


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command and turn every expected failure into one message and an exit code."""
    typed = list(sys.argv[1:] if argv is None else argv)
    _ready_streams()
    _ready_environment()
    ended_by: list[int] = []
    with _ending_like_ctrl_c(ended_by), hidden_dask():
        code = _code(typed)
    return 128 + ended_by[0] if ended_by else code


def _code(typed: list[str]) -> int:
    try:
        return _answered(typed)
    except KeyboardInterrupt:
        return _failed(InterruptedStudyError("Stopped; nothing was written."), typed)
    except MemoryError:
        return _failed(SimstudyError(MEMORY), typed)
    except SimstudyError as error:
        return _failed(error, typed)


@contextlib.contextmanager
def _ending_like_ctrl_c(received: list[int]) -> Iterator[None]:
    """Let SIGTERM and SIGHUP, which would leave a half-written file behind, stop the work as Ctrl-C does."""

    def stop(number: int, _: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    asked = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    # nohup ignores one, and may go on doing so; only the main thread may set any
    ours = [number for number in asked if signal.getsignal(number) == signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        ours = []
    for number in ours:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _answered(typed: list[str]) -> int:
    from simstudy.commands.parsing import Invocation

    try:
        if typed and typed[0] in COMMANDS:
            module, about = COMMANDS[typed[0]]
            # as typed, so that the record of a result names no folder that the user did not name
            asked = Invocation(typed[0], tuple(typed[1:]), shlex.join(["simstudy", *typed]), about)
        else:
            module, asked = "no_command", Invocation("", tuple(typed), "", "")
        code: int = importlib.import_module(f"simstudy.commands.{module}").command(asked)
        sys.stdout.flush()
    except OSError as error:
        return _unwritten(error)
    except SystemExit as error:
        # rich leaves in this way where the reader of a help page had enough
        if isinstance(error.__context__, BrokenPipeError):
            return 0
        raise
    return code


def _failed(error: SimstudyError, typed: list[str]) -> int:
    # what was printed so far comes first
    try:
        sys.stdout.flush()
    except OSError:
        discard(sys.stdout)
    if "--debug" in typed:
        say(traceback.format_exc())
    say(f"simstudy: {error}")
    return error.exit_code


def _unwritten(error: OSError) -> int:
    """Tell a reader who had enough (``| head``) from an output that cannot be written, and both from the rest."""
    if error.filename is not None or error.errno not in UNWRITABLE:
        raise error
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    discard(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return 0
    raise ComputationError(f"Could not write the output: {error.strerror}.") from error


def _ready_environment() -> None:
    """Take away settings of libraries that would keep them from being imported, and that change nothing here."""
    os.environ.pop("MPLBACKEND", None)  # no window is opened
    if not os.environ.get("NUMBA_NUM_THREADS", "1").strip().lstrip("0").isdecimal():
        del os.environ["NUMBA_NUM_THREADS"]


def _ready_streams() -> None:
    """Make sure that something can be printed, whatever the terminal is."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # closed (2>&-): else the next file opened would take its number; encodable whatever is printed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8", errors="replace"))  # noqa: SIM115  # to the end
            continue
        if stream is sys.stdout and hasattr(stream, "reconfigure"):
            # half characters of file names and JSON, which no encoding can write
            stream.reconfigure(errors="backslashreplace")
        encoding = (getattr(stream, "encoding", None) or "utf-8").casefold().replace("-", "")
        if encoding != "utf8" and hasattr(stream, "reconfigure"):
            # a question mark, rather than a failure, where a terminal lacks ± or ─
            stream.reconfigure(errors="replace")
    width = shutil.get_terminal_size().columns
    if "COLUMNS" in os.environ or width < NARROWEST:
        os.environ["COLUMNS"] = str(max(width, NARROWEST))
