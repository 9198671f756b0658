"""``simstudy show``."""

from __future__ import annotations

from simstudy.commands.output import emit, make_output
from simstudy.commands.parsing import Invocation, Page, in_options, parse
from simstudy.errors import RequestError
from simstudy.options import SHOW, options_of

# of what is missing
MOST_NAMED = 4


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
    from simstudy.study.asked import beside_of, dropped, study_of

    dataset = load(given["file"])
    study = study_of(dataset, given["file"])
    missing = dropped(dataset, study)
    named = f"{', '.join(missing[:MOST_NAMED])}{' and more' if len(missing) > MOST_NAMED else ''}"
    lacking = RequestError(
        f"{given['file']} is a part of a result that cannot be shown without what was dropped from it: {named}."
    )
    if "method" in missing:
        raise lacking
    try:
        with in_options(page):
            emit(dataset, output, study, beside_of(dataset))
    except (LookupError, TypeError, ValueError, StopIteration) as error:
        # what is there is shown, where a page can be made of it
        if isinstance(error, RequestError) or not missing:
            raise
        raise lacking from error
    return 0
