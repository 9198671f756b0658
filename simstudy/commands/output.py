"""Results to the screen and to files; progress and notes to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from simstudy.errors import SimstudyError, UnknownNameError

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.evaluation import Progress

FORMATS = ("table", "csv", "json", "markdown")
# attributes: a paragraph below the question, and paragraphs below the tables
INTRODUCTION, IN_WORDS = "introduction", "in_words"


@dataclass(frozen=True)
class Output:
    """Where a result goes.

    Attributes
    ----------
    out, plot : Path or None
    format : str
        One of `FORMATS`.
    quiet : bool
    """

    out: Path | None
    plot: Path | None
    format: str
    quiet: bool

    @property
    def for_people(self) -> bool:
        """Whether sentences belong in the output."""
        return self.format in ("table", "markdown")

    def note(self, text: str) -> None:
        """Say something beside the result.

        Parameters
        ----------
        text : str
        """
        if not self.quiet:
            say(text)


def say(text: str) -> None:
    """Write a line to standard error, where somebody reads it.

    Parameters
    ----------
    text : str

    Notes
    -----
    A standard error that is closed, full or without a reader costs neither the result nor the exit code.
    """
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Let the rest of a stream go nowhere, also what the interpreter still flushes at its end.

    Parameters
    ----------
    stream : text stream
        One that cannot be written to any more.
    """
    with contextlib.suppress(OSError, ValueError):  # a stream without a file behind it has nothing to lose
        descriptor = stream.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def make_output(given: Mapping[str, Any]) -> Output:
    """Check destinations and format, before anything is computed.

    Parameters
    ----------
    given : mapping
        Name of an option → what was typed.

    Returns
    -------
    Output

    Raises
    ------
    RequestError
        For a destination that cannot be written, or an unknown format.
    """
    chosen = "table" if given.get("format") is None else given["format"]
    if chosen not in FORMATS:
        raise UnknownNameError("format", chosen, FORMATS)
    out = plot = None
    if given.get("out") is not None:
        from simstudy.store import check_destination  # late: start-up

        out = check_destination(given["out"])
    if given.get("plot") is not None:
        from simstudy.pages.plotting import check_plot  # late: start-up

        plot = check_plot(given["plot"])
    return Output(out, plot, chosen, bool(given.get("quiet")))


def emit(dataset: xr.Dataset, output: Output) -> None:
    """Save, print and draw a result.

    Parameters
    ----------
    dataset : xarray.Dataset
    output : Output

    Raises
    ------
    SimstudyError
        For a file that could not be written, or a result that a plot cannot show; by then everything else is
        written and printed.
    """
    written: list[Path] = []
    failed: list[SimstudyError] = []
    for destination, write in ((output.out, _save), (output.plot, _draw)):
        if destination is not None:
            try:
                written.append(write(dataset, destination))
            except SimstudyError as error:
                failed.append(error)
    if written:
        output.note(f"Written: {', '.join(map(str, written))}.")
    print_result(dataset, output.format)
    for further in failed[1:]:
        say(f"simstudy: {further}")
    if failed:
        raise failed[0]


def _save(dataset: xr.Dataset, destination: Path) -> Path:
    from simstudy.store import save  # late: start-up

    return save(dataset, destination)


def _draw(dataset: xr.Dataset, destination: Path) -> Path:
    from simstudy.pages.plotting import plot  # late: start-up

    return plot(dataset, destination)


def print_result(dataset: xr.Dataset, chosen: str) -> None:
    """Print a result to standard output.

    Parameters
    ----------
    dataset : xarray.Dataset
        Its attribute ``in_words`` holds paragraphs that follow the tables.
    chosen : str
        One of `FORMATS`.
    """
    from simstudy.pages.flat import to_csv, to_json  # late: start-up
    from simstudy.pages.page import to_markdown, to_table

    writers = {"table": to_table, "csv": to_csv, "json": to_json, "markdown": to_markdown}
    text = writers[chosen](dataset)
    if chosen in ("table", "markdown"):
        text = _with_words(text, dataset, _plain if chosen == "table" else _fenced)
    print(text)


def _with_words(text: str, dataset: xr.Dataset, laid_out: Callable[[str], str]) -> str:
    question, _, tables = text.partition("\n\n")
    above: Sequence[str] = [dataset.attrs[INTRODUCTION]] if INTRODUCTION in dataset.attrs else []
    below: Sequence[str] = dataset.attrs.get(IN_WORDS, ())
    return "\n\n".join([question, *map(laid_out, above), tables, *map(laid_out, below)])


def _plain(paragraph: str) -> str:
    """Wrap a paragraph to the width of a table; one with line breaks is laid out already."""
    import textwrap  # late: start-up

    if "\n" in paragraph:
        return paragraph
    return textwrap.fill(paragraph, 100, break_long_words=False, break_on_hyphens=False)


def _fenced(paragraph: str) -> str:
    return f"```text\n{paragraph}\n```" if "\n" in paragraph else paragraph


@contextlib.contextmanager
def progress(quiet: bool) -> Iterator[Progress | None]:
    """Show a progress bar while something is computed, on a terminal only.

    Parameters
    ----------
    quiet : bool

    Yields
    ------
    callable or None
        Takes (done, total, unit); a total of 0 means that it is not known.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # late: start-up
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("starting", total=None)
        yield lambda done, total, unit: bars.update(task, description=unit, completed=done, total=total or None)
