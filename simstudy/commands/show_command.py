"""``simstudy show``."""

from __future__ import annotations

from simstudy.commands.output import emit, make_output
from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.errors import RequestError
from simstudy.options import SHOW, options_of


def command(asked: Invocation) -> int:
    """Show a saved result; return 0."""
    page = Page(
        "simstudy show RESULT.nc [OPTIONS]",
        asked.about,
        options_of(SHOW),
        ("simstudy show r.nc --format markdown", "simstudy show r.nc --plot r.png"),
    )
    given = parse(page, asked.tokens)
    if given is None:
        return 0
    if given["file"] is None:
        raise RequestError(f"simstudy show needs a saved result: {page.usage}.")
    output = make_output(given)
    from simstudy.store import load  # late: start-up
    from simstudy.study.asked import beside_of, study_of

    dataset = load(given["file"])
    emit(dataset, output, study_of(dataset), beside_of(dataset))
    return 0
