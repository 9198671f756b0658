"""``simstudy show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simstudy.commands.output import emit, make_output
from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.errors import RequestError
from simstudy.options import SHOW, options_of

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.plan import Study

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
    from simstudy.study.asked import beside_of, study_of

    dataset = load(given["file"])
    study = study_of(dataset)
    missing = _missing(dataset, study)
    named = f"{', '.join(missing[:MOST_NAMED])}{' and more' if len(missing) > MOST_NAMED else ''}"
    lacking = RequestError(
        f"{given['file']} is a part of a result that cannot be shown without what was dropped from it: {named}."
    )
    if "method" in missing:
        raise lacking
    try:
        emit(dataset, output, study, beside_of(dataset))
    except (LookupError, TypeError, ValueError, StopIteration) as error:
        # what is there is shown, where a page can be made of it
        if isinstance(error, RequestError) or not missing:
            raise
        raise lacking from error
    return 0


def _missing(dataset: xr.Dataset, study: Study) -> list[str]:
    """Return what a whole result of the study holds, and this one does not."""
    measured = str(dataset.attrs.get("performance_measures", "")).split(", ")
    groups = [
        ("answer", "low", "high", "status", "reason"),
        ("searched_from", "searched_to"),
        ("curve_size", "curve_value"),
    ]
    of_answers = [names for names in groups if any(name in dataset for name in names) or names[0] == "answer"]
    held = measured if study.solved is None else [name for names in of_answers for name in names]
    names = ["method", "engine", *study.grid.swept, *held]
    # a measure that is 0 everywhere is left out of whole results too
    return [name for name in names if name and name != "unbounded" and name not in dataset.variables]
