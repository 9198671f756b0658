"""``simstudy doctor``."""

from __future__ import annotations

import textwrap
from typing import Any

from simstudy.commands.compare_command import reading
from simstudy.commands.parsing import Invocation, Page, in_options, parse
from simstudy.errors import RecordsError, RequestError
from simstudy.options import DOCTOR, options_of, the_option
from simstudy.visible import visible, visible_json

EXAMPLES = ("simstudy doctor results.csv", "simstudy doctor old.eval new.eval --format json")
WIDTH = 100
NAMES = {
    "n_records": "records",
    "n_cases": "cases",
    "systems": "systems",
    "labels": "labels",
    "judges": "judges",
    "runs": "runs of a case",
    "clusters": "clusters",
    "can": "can be used by",
}


def command(asked: Invocation) -> int:
    """Print what is in files of results; return 0, or 2 where no file could be read."""
    page = Page("simstudy doctor FILE... [OPTIONS]", asked.about, options_of(DOCTOR), EXAMPLES)
    given = parse(page, asked.tokens)
    if given is None:
        return 0
    option = the_option("format", DOCTOR)
    chosen = option.default if given["format"] is None else option.check(given["format"])
    if not given["files"]:
        raise RequestError(f"simstudy doctor needs a file of results: {page.usage}.")
    from simstudy.records.checkup import checkup, refused  # late: start-up
    from simstudy.records.reading import read_records

    found, failures = [], []
    with in_options(page):
        for name in given["files"]:
            try:
                found.append(checkup(read_records([name], reading(given))))
            except RecordsError as error:
                failures.append(error)
                found.append(refused(name, error))
    if chosen == "json":
        print(visible_json(found, indent=2))
    else:
        print(visible("\n\n".join("\n".join(_lines(one)) for one in found)))
    if len(failures) == len(found):
        raise failures[0]
    return 0


def _lines(found: dict[str, Any]) -> list[str]:
    """Lay the findings on one file out for a terminal."""
    sure = "" if found["format_certain"] else " (a guess)"
    if found["format"] is None:
        return [f"{found['file']}: not understood", *_items("missing", found["missing"])]
    lines = [f"{found['file']}: {found['format']}{sure}"]
    for name, words in NAMES.items():
        value = found[name]
        shown = ", ".join(value) if isinstance(value, list) else f"{value:,}"
        if shown and shown != "0":
            lines.append(f"  {words:15} {shown}")
    for name, metric in found["metrics"].items():
        direction = ", lower is better" if metric["lower_is_better"] else ""
        span = "" if metric["values"] == 0 else f" from {metric['lowest']:g} to {metric['highest']:g}"
        mean = "" if metric["mean"] is None else f", mean {metric['mean']:.3f}"
        lost = f", {metric['unreadable']} unreadable" if metric["unreadable"] else ""
        lines.append(f"  metric {name}: {metric['values']} values{span}{mean}{lost}{direction}")
    for system, reasons in found["unreadable"].items():
        listed = ", ".join(f"{times} {reason}" for reason, times in reasons.items())
        lines.append(f"  unreadable in {system}: {listed}")
    lines += [f"  left aside: {times} {reason}" for reason, times in found["left_aside"].items()]
    return [*lines, *_items("missing", found["missing"]), *_items("how it was read", found["remarks"])]


def _items(heading: str, sentences: list[str]) -> list[str]:
    if not sentences:
        return []
    lines = [f"  {heading}"]
    for sentence in sentences:
        lines += textwrap.wrap(sentence, WIDTH, initial_indent="    - ", subsequent_indent="      ")
    return lines
