"""``simstudy replay``."""

from __future__ import annotations

import csv
import math
import sys
from typing import TYPE_CHECKING, TextIO

from simstudy.commands.output import say
from simstudy.commands.parsing import Invocation, Page, in_options, parameter_options, parse, required
from simstudy.commands.subject import errors_of, needs_subject, take_subject
from simstudy.errors import RequestError
from simstudy.options import REPLAY, keywords, options_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROWS = 50_000  # written at a time: as text, all at once would take many times the memory of the numbers
EXAMPLE = (
    "simstudy replay paired --accuracy-a 0.7 --difference 0.1 --n-cases 36 --seed 1 --replication 812 --out cases.csv"
)


def command(asked: Invocation) -> int:
    """Write the units of one replication; return 0."""
    subject, rest = take_subject(asked.tokens)
    if subject.study_file:
        raise RequestError("simstudy replay takes a scenario and its parameters, not a study file.")
    if subject.scenario is None:
        return needs_subject(asked, rest, files="")
    scenario = subject.scenario
    page = Page(
        f"simstudy replay {scenario.name} --replication N [OPTIONS]",
        f"{asked.about} They are the ones that engine full simulated with the same parameters and seed.",
        (*parameter_options(scenario), *options_of(REPLAY)),
        (EXAMPLE,) if scenario.name == "paired" else (),
    )
    given = parse(page, rest)
    if given is None:
        return 0
    required(given, page, "replication")
    from simstudy.files import check_destination, replacing  # late: start-up
    from simstudy.study.replaying import replay

    out = check_destination(given["out"], [".csv"]) if given["out"] is not None else None
    names = (*scenario.by_name, *keywords(REPLAY))
    with errors_of(scenario), in_options(page):
        columns = replay(scenario, **{name: given[name] for name in names if given[name] is not None})
    if out is None:
        _write_csv(columns, sys.stdout)
        return 0
    with replacing(out) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        _write_csv(columns, file)
    if not given["quiet"]:
        say(f"Written: {out}.")
    return 0


def _write_csv(columns: dict[str, NDArray[np.float64]], file: TextIO) -> None:
    """Write columns as CSV in full precision; whole numbers without decimal points, blanks where a unit is none."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    kinds = [int if _whole_or_blank(column) else float for column in columns.values()]
    for start in range(0, len(next(iter(columns.values()))), ROWS):
        parts = (column[start : start + ROWS].tolist() for column in columns.values())
        cells = (
            [None if math.isnan(number) else kind(number) for number in part]
            for part, kind in zip(parts, kinds, strict=True)
        )
        writer.writerows(zip(*cells, strict=True))


def _whole_or_blank(column: NDArray[np.float64]) -> bool:
    import numpy as np  # late: start-up

    return bool(np.all(np.isnan(column) | (np.isfinite(column) & (column == np.rint(column)))))
