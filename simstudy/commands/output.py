"""Results to the screen and to files; progress and notes to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from simstudy.errors import RequestError, SimstudyError
from simstudy.files import check_destination
from simstudy.options import SHOW, the_option
from simstudy.pages.shown import EVERYTHING, Shown, read_shown
from simstudy.visible import visible, visible_line

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.plan import Study
    from simstudy.study.simulated_points import Progress
    from simstudy.study.words import Beside

# rows of the tables that are printed: more of them nobody reads
MOST_ROWS = 60


@dataclass(frozen=True)
class Output:
    """Where a result goes."""

    out: Path | None
    plot: Path | None
    format: str
    quiet: bool
    shown: Shown = EVERYTHING

    @property
    def for_people(self) -> bool:
        """Whether sentences belong in the output."""
        return self.format in ("table", "markdown")

    def note(self, text: str) -> None:
        """Say something beside the result."""
        if not self.quiet:
            say(visible_line(text))


def say(text: str) -> None:
    """Write a line to standard error, where somebody reads it."""
    if sys.stderr is None:
        return
    try:
        print(visible(text), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Let the rest of a stream go nowhere, also what the interpreter still flushes at its end."""
    with contextlib.suppress(OSError, ValueError):  # a stream without a file behind it has nothing to lose
        descriptor = stream.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def make_output(given: Mapping[str, Any]) -> Output:
    """Check destinations and format, before anything is computed."""
    option = the_option("format", SHOW)
    chosen = option.default if given.get("format") is None else option.check(given["format"])
    out = plot = None
    if given.get("out") is not None:
        out = _saved_as(given["out"])
    if given.get("plot") is not None:
        from simstudy.pages.plotting import check_plot  # late: start-up

        plot = check_plot(given["plot"])
    shown = read_shown(given.get("select"), given.get("x"), given.get("panels"))
    if plot is None and (shown.x or shown.panels):
        typed = "--x" if shown.x else "--panels"
        raise RequestError(f"{typed} says how to draw: it needs --plot FILE.")
    return Output(out, plot, chosen, bool(given.get("quiet")), shown)


def _saved_as(typed: str) -> Path:
    from simstudy.store import ENDINGS  # late: start-up

    printed = {".csv": "csv", ".json": "json", ".md": "markdown", ".txt": "table"}.get(Path(typed).suffix.lower())
    if printed:
        raise RequestError(f"--out saves the whole result, as .nc; a table is printed: --format {printed} > {typed}")
    return check_destination(typed, ENDINGS)


def emit(dataset: xr.Dataset, output: Output, study: Study, beside: Beside) -> None:
    """Save, draw and print a result; what failed is raised when everything else is written and printed."""
    written: list[Path] = []
    failed: list[SimstudyError] = []
    part = output.shown.of(dataset)
    if output.shown.selected:
        # closing words are about all of the result
        beside = replace(beside, closing=())
    try:
        if output.out:
            from simstudy.store import save  # late: start-up

            written.append(save(dataset, output.out))
    except SimstudyError as error:
        failed.append(error)
    try:
        if output.plot:
            from simstudy.pages.plotting import plot  # late: start-up

            written.append(plot(part, output.plot, study=study, shown=output.shown))
    except SimstudyError as error:
        failed.append(error)
    if written:
        output.note(f"Written: {', '.join(map(str, written))}.")
    print(_printed(part, output.format, study, beside))
    for further in failed[1:]:
        say(f"simstudy: {further}")
    if failed:
        raise failed[0]


def _printed(dataset: xr.Dataset, chosen: str, study: Study, beside: Beside) -> str:
    """Return a result as text; paragraphs stand beside tables, for people."""
    from simstudy.pages import json_csv, page  # late: start-up

    if chosen in ("json", "csv"):
        return json_csv.to_json(dataset, study) if chosen == "json" else json_csv.to_csv(dataset, study)
    lay_out = page.to_table if chosen == "table" else page.to_markdown
    return visible(lay_out(dataset, study=study, beside=beside, most=MOST_ROWS))


@contextlib.contextmanager
def progress(quiet: bool) -> Iterator[Progress | None]:
    """Show a progress bar while something is computed, on a terminal only."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # late: start-up
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("starting", total=None)
        yield lambda done, total, unit: bars.update(task, description=unit, completed=done, total=total or None)
