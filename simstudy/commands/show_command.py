"""``simstudy show``."""

from __future__ import annotations

from simstudy.commands.output import emit, make_output
from simstudy.commands.pages_of_options import DEBUG, FORMAT, PLOT, QUIET, Option
from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.errors import RequestError

FILE = Option("file", "A result that was saved with --out: .nc.")


def command(asked: Invocation) -> int:
    """Answer ``simstudy show``.

    Parameters
    ----------
    asked : Invocation

    Returns
    -------
    int
        0.
    """
    page = Page(
        "simstudy show RESULT.nc [OPTIONS]",
        asked.about,
        (FORMAT, PLOT, QUIET, DEBUG),
        argument=FILE,
        examples=("simstudy show r.nc --format markdown", "simstudy show r.nc --plot r.png"),
    )
    given = parse(page, asked.tokens)
    if given is None:
        return 0
    if given.get("file") is None:
        raise RequestError(f"simstudy show needs a saved result: {page.usage}.")
    output = make_output(given)
    from simstudy.store import load  # late: start-up

    emit(load(given["file"]), output)
    return 0
