"""``simstudy replay``."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING, Any, TextIO

from simstudy.commands.answer import needs_subject
from simstudy.commands.output import say
from simstudy.commands.pages_of_options import (
    COMMON,
    DEBUG,
    OUTPUT,
    QUIET,
    SEED,
    UNUSABLE,
    Option,
    parameter_options,
    parameters_of,
    required,
)
from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.commands.subject import errors_of, take_subject
from simstudy.errors import RequestError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REPLICATION = Option("replication", "Which replication, from 0.", "integer")
ROWS = 50_000  # written at a time: as text, all at once would take many times the memory of the numbers
OUT = Option("out", "Write to this file: .csv; standard output where not given.", "text", OUTPUT)
EXAMPLE = (
    "simstudy replay paired --accuracy-a 0.7 --difference 0.1 --n-cases 36 --seed 1 --replication 812 --out cases.csv"
)


def command(asked: Invocation) -> int:
    """Answer ``simstudy replay``.

    Parameters
    ----------
    asked : Invocation

    Returns
    -------
    int
        0.
    """
    subject, rest = take_subject(asked.tokens)
    if subject.study_file:
        raise RequestError("simstudy replay takes a scenario and its parameters, not a study file.")
    if subject.scenario is None:
        return needs_subject("replay", rest, asked.about)
    scenario = subject.scenario
    own = (REPLICATION, SEED, COMMON, UNUSABLE, OUT, QUIET, DEBUG)
    page = Page(
        f"simstudy replay {scenario.name} --replication N [OPTIONS]",
        f"{asked.about} They are the ones that engine full simulated with the same parameters and seed.",
        (*parameter_options(scenario), *own),
        examples=(EXAMPLE,) if scenario.name == "paired" else (),
    )
    given = parse(page, rest)
    if given is None:
        return 0
    required(given, REPLICATION)
    from simstudy.store import check_destination, replacing  # late: start-up
    from simstudy.study.replaying import replay

    out = check_destination(given["out"], [".csv"]) if given["out"] is not None else None
    names = [option.name for option in (REPLICATION, SEED, COMMON, UNUSABLE)]
    options: dict[str, Any] = {name: given[name] for name in names if given[name] is not None}
    options.update(parameters_of(scenario, given))
    with errors_of(scenario):
        columns = replay(scenario, **options)
    if out is None:
        _write_csv(columns, sys.stdout)
        return 0
    with replacing(out) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        _write_csv(columns, file)
    if not given["quiet"]:
        say(f"Written: {out}.")
    return 0


def _write_csv(columns: dict[str, NDArray[np.float64]], file: TextIO) -> None:
    """Write columns as CSV in full precision; a column of whole numbers without decimal points."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    kinds = [int if bool((column == column.round()).all()) else float for column in columns.values()]
    for start in range(0, len(next(iter(columns.values()))), ROWS):
        rows = slice(start, start + ROWS)
        parts = (column[rows].astype(kind).tolist() for column, kind in zip(columns.values(), kinds, strict=True))
        writer.writerows(zip(*parts, strict=True))
