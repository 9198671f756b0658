"""What becomes of a request: it is run, watched, and put into one of a few classes."""

from __future__ import annotations

import contextlib
import gc
import io
import multiprocessing
import os
import re
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from tests.hostile.folder import contents
from tests.hostile.request import Request

SECONDS = 60.0
BYTES = 2 * 2**30
LONGEST = 2000  # characters of a sentence
NEW = "new"  # what a request may write begins with this
TOO_LARGE = 99  # exit code of a process that has ended itself
CLASSES = (
    "fine",
    "traceback",
    "more than one sentence",
    "wrong exit code",
    "not named",
    "wrote over",
    "too slow",
    "too large",
)
# what a terminal obeys or an encoding cannot write
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]")


@dataclass(frozen=True)
class Outcome:
    """What a request left behind; ``code`` is None where it had to be stopped."""

    code: int | None
    out: str
    err: str
    seconds: float
    peak: int
    written: tuple[str, ...]
    changed: tuple[str, ...]


def classify(request: Request, outcome: Outcome) -> str:
    """Return the class of an outcome: the worst that can be said of it."""
    found = {
        "traceback": "Traceback" in outcome.err or "Traceback" in outcome.out,
        "too large": outcome.peak > BYTES,
        "too slow": outcome.code is None or outcome.seconds > SECONDS,
        "wrote over": bool(outcome.changed) or not _may_write(outcome),
        "wrong exit code": outcome.code not in request.codes,
        "more than one sentence": not _one_sentence(outcome),
        "not named": bool(outcome.code) and not _named(request, outcome.err),
    }
    return next((name for name, holds in found.items() if holds), "fine")


def _may_write(outcome: Outcome) -> bool:
    return all(outcome.code == 0 and Path(name).name.startswith(NEW) for name in outcome.written)


def _one_sentence(outcome: Outcome) -> bool:
    """Whether a refusal is one visible line and an answer is one that has something in it."""
    if UNSEEN.search(outcome.out) or UNSEEN.search(outcome.err):
        return False
    if outcome.code == 0:
        if "Warning" in outcome.err:
            return False
        return bool(outcome.out.strip() or outcome.written)
    lines = outcome.err.splitlines()
    return len(lines) == 1 and lines[0].startswith("simstudy: ") and len(lines[0]) < LONGEST and not outcome.out


def _named(request: Request, message: str) -> bool:
    """Whether a message has every word, options as they are typed or as they are called in Python."""
    text = message.casefold()
    told = (text, text.replace("-", "_"))
    return all(any(word.casefold() in form for word in words.split("|") for form in told) for words in request.says)


def observed(request: Request, folder: Path, kill: bool = False) -> Outcome:
    """Run a request in this process and in a folder; where it may be killed, memory ends it too."""
    from simstudy.__main__ import main

    before = contents(folder)
    out, err = io.StringIO(), io.StringIO()
    code: int | None = 1
    gc.collect()
    start = time.perf_counter()
    with contextlib.chdir(folder), _watched(kill) as peak:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(list(request.words))
            except (Exception, SystemExit):  # whatever comes out is what is looked for
                err.write(traceback.format_exc())
        seconds = time.perf_counter() - start
    after = contents(folder)
    return Outcome(
        code,
        out.getvalue(),
        err.getvalue(),
        seconds,
        peak[0],
        tuple(name for name in after if name not in before),
        tuple(name for name, content in before.items() if after.get(name) != content),
    )


@contextlib.contextmanager
def _watched(kill: bool) -> Iterator[list[int]]:
    """Watch the memory of this process: the largest resident size, looked at every few milliseconds."""
    peak, done = [0], threading.Event()

    def watch() -> None:
        while not done.is_set():
            peak[0] = max(peak[0], _resident())
            if kill and peak[0] > BYTES:
                os._exit(TOO_LARGE)
            done.wait(0.01)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        done.set()
        watcher.join()


def _resident() -> int:
    """Return the resident size; 0 where the system does not say it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def watched(request: Request, folder: Path) -> Outcome:
    """Run a request in a process that is ended after its time or its memory."""
    context = multiprocessing.get_context("fork")  # with everything imported, and nothing simulated yet
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, request, folder))
    before, start = contents(folder), time.perf_counter()
    process.start()
    there.close()
    try:
        if here.poll(SECONDS + 5):
            found: Outcome = here.recv()
            process.join()
            return found
    except EOFError:  # it ended itself
        process.join()
    finally:
        here.close()
    too_large = process.exitcode == TOO_LARGE
    process.kill()
    process.join()
    after = contents(folder)
    for name in set(after) - set(before):
        (folder / name).unlink()  # what was half written when it was killed
    changed = tuple(name for name, content in before.items() if after.get(name) != content)
    seconds = time.perf_counter() - start
    return Outcome(None, "", f"ended with {process.exitcode}", seconds, BYTES + 1 if too_large else 0, (), changed)


def _send(there: Connection, request: Request, folder: Path) -> None:
    there.send(observed(request, folder, kill=True))
    there.close()
