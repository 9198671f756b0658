"""``simstudy pilot``."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from simstudy.commands.from_pilot import reading
from simstudy.commands.output import make_output
from simstudy.commands.parsing import Invocation, Page, parse, required
from simstudy.errors import ParameterError, RequestError
from simstudy.options import PILOT, options_of, the_option
from simstudy.ranges import parse_values

if TYPE_CHECKING:
    from simstudy.records.pilot_report import PilotReport

# what `simstudy.records.pilot_report.pilot` takes as it was typed
PLAIN = ("runs", "threshold", "method", "alpha", "level", "seed", "draws")
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
    if given["draws"] is not None:
        the_option("draws", PILOT).check(given["draws"])
    options = {name: given[name] for name in PLAIN} | {"target": _power(given["target"])} | reading(given)
    from simstudy.records.pilot_report import pilot  # late: start-up

    report = pilot(
        given["file"],
        given["system_a"],
        given["system_b"],
        difference=the_option("difference", PILOT).check(given["difference"]),
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
    power = parse_values("target", value)
    if isinstance(power, list):
        raise ParameterError(f"target is '{text}'; a pilot is planned for one power: --target 0.8.")
    return float(power)


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
