"""``simstudy pilot``."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from simstudy.commands.output import make_output
from simstudy.commands.pages_of_options import DEBUG, FORMAT, QUIET, Option, numbers, required
from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.commands.pilot_options import READING, RUNS, SYSTEM_A, SYSTEM_B, reading
from simstudy.errors import ParameterError, RequestError

if TYPE_CHECKING:
    from simstudy.records.pilot_report import PilotReport

FILE = Option("file", "Results as .csv, .tsv or .jsonl: long (case, system, correct) or wide (a column per system).")
DIFFERENCE = Option("difference", "Differences that matter, for which the cases needed are wanted: 0.05,0.1.")
TARGET = Option("target", "Power wanted (default 0.8).")
METHOD = Option("method", "The McNemar test to plan for (default mcnemar_midp).")
ALPHA = Option("alpha", "Two-sided level of the test, in (0, 1) (default 0.05).", "number")
LEVEL = Option("level", "Confidence level of the intervals, in (0, 1) (default 0.95).", "number")
SEED = Option("seed", "Seed of the posterior draws (default 1).", "integer")
DRAWS = Option("draws", "Posterior draws, up to 1000000 (default 2000).", "integer")
MOST_DRAWS = 1_000_000
PLANNING = (DIFFERENCE, TARGET, METHOD, ALPHA, LEVEL, SEED, DRAWS)
EXAMPLE = "simstudy pilot results.csv --system-a old --system-b new --difference 0.05,0.1 --target 0.8"


def command(asked: Invocation) -> int:
    """Answer ``simstudy pilot``.

    Parameters
    ----------
    asked : Invocation

    Returns
    -------
    int
        0.
    """
    page = Page(
        "simstudy pilot FILE --system-a A --system-b B [OPTIONS]",
        asked.about,
        (*READING, *PLANNING, FORMAT, QUIET, DEBUG),
        argument=FILE,
        examples=(EXAMPLE,),
    )
    given = parse(page, asked.tokens)
    if given is None:
        return 0
    output = make_output(given)
    if given.get("file") is None:
        raise RequestError(f"simstudy pilot needs a file of results: {page.usage}.")
    required(given, SYSTEM_A, SYSTEM_B)
    if (given["draws"] or 0) > MOST_DRAWS:
        raise ParameterError(f"draws is {given['draws']}; it must be at most {MOST_DRAWS}.")
    from simstudy.records.pilot_report import pilot  # late: start-up

    options = {option.name: given[option.name] for option in (METHOD, ALPHA, LEVEL, SEED, DRAWS, RUNS)}
    options.update(target=_power(given["target"]), threshold=given["threshold"], **reading(given))
    report = pilot(
        given["file"],
        given["system_a"],
        given["system_b"],
        difference=numbers("difference", given["difference"]),
        **{name: value for name, value in options.items() if value is not None},
    )
    print(_written(report, output.format))
    if not output.for_people:
        for note in report.notes:
            output.note(note)
    return 0


def _power(text: str | None) -> float | None:
    if text is None:
        return None
    name, _, value = text.rpartition("=")
    if name.strip() not in ("", "power"):
        raise ParameterError(f"target is '{text}'; a pilot is planned for power: --target 0.8.")
    values = numbers("target", value) or []
    if len(values) != 1:
        raise ParameterError(f"target is '{text}'; a pilot is planned for one power: --target 0.8.")
    return values[0]


def _written(report: PilotReport, chosen: str) -> str:
    if chosen == "json":
        return json.dumps(report.as_dict(), ensure_ascii=False, indent=2)
    if chosen == "csv":
        return _csv(report.to_records())
    from simstudy.pages.pilot_text import pilot_lines  # late: start-up

    text = "\n".join(pilot_lines(report))
    return text if chosen == "table" else f"```text\n{text}\n```"


def _csv(records: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().removesuffix("\n")
