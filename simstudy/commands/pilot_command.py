"""``simstudy pilot``."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simstudy.commands.from_pilot import options_as_typed, reading, typed_words
from simstudy.commands.output import make_output, progress
from simstudy.commands.parsing import Invocation, Page, in_options, parse, required
from simstudy.errors import ParameterError, RequestError
from simstudy.options import PILOT, options_of, the_option
from simstudy.ranges import parse_values
from simstudy.visible import visible_json

if TYPE_CHECKING:
    from simstudy.records.pilot_report import PilotReport

OF_PLAN = ("method", "alpha", "seed", "draws")
EXAMPLE = "simstudy pilot results.csv --system-a old --system-b new --difference 0.05,0.1 --target 0.8"


def command(asked: Invocation) -> int:
    """Print what a file of results says; return 0."""
    page = Page("simstudy pilot FILE --system-a A --system-b B [OPTIONS]", asked.about, options_of(PILOT), (EXAMPLE,))
    given = parse(page, asked.tokens)
    if given is None:
        return 0
    output = make_output(given)
    if given["file"] is None:
        raise RequestError(f"simstudy pilot needs a file of results: {page.usage}.")
    required(given, page, "system_a", "system_b")
    from simstudy.records.pilot_report import PilotQuestion, answer  # late: start-up
    from simstudy.records.planning import Plan

    with in_options(page):
        said = {name: given[name] for name in OF_PLAN} | {"target": _power(given["target"])}
        plan = Plan(**{name: value for name, value in said.items() if value is not None})
    level = the_option("level", PILOT).default if given["level"] is None else given["level"]
    with progress(output.quiet) as bar, in_options(page), options_as_typed():
        report = answer(
            PilotQuestion(plan, level, given["difference"]),
            given["file"],
            given["system_a"],
            given["system_b"],
            runs=given["runs"],
            threshold=given["threshold"],
            reading=reading(given),
            progress=bar,
        )
    report = replace(report, notes=tuple(map(typed_words, report.notes)))
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
    power = parse_values("target", value, proportion=True)
    if isinstance(power, list):
        raise ParameterError(f"target is '{text}'; a pilot is planned for one power: --target 0.8.")
    return float(power)


def _written(report: PilotReport, chosen: str) -> str:
    if chosen == "json":
        return visible_json(report.as_dict(), indent=2)
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
