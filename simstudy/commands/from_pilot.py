"""``simstudy size paired --pilot FILE``: parameters taken from a file of results, each one said."""

from __future__ import annotations

import contextlib
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from simstudy.commands.output import say
from simstudy.commands.parsing import Page, required
from simstudy.errors import RecordsError, RefusedError
from simstudy.options import FILE, PILOT, options_of
from simstudy.ranges import parse_values
from simstudy.visible import visible_line

if TYPE_CHECKING:
    from simstudy.records.pairing import PairedOutcomes
    from simstudy.records.parameters import PilotParameters

# what the file gives takes the place of these
TAKEN = ("accuracy_a", "logit_a", "logit_b", "difficulty_sd", "discordance", "correlation")
# options that name the systems and say what is made of their values; the others say how the file is laid out
OF_PAIRS = ("system_a", "system_b", "runs", "threshold")
OF_FILE = {option.name: option for option in options_of(PILOT) if option.heading == FILE and option.kind != "argument"}
# as Python says them: runs=first, run_column
_SET = re.compile(rf"\b({'|'.join(OF_FILE)})=(\w[\w.]*\w|\w)")
_NAMED = re.compile(rf"\b({'|'.join(name for name in OF_FILE if name.endswith('_column'))})\b")


def reading(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was said on the layout of a file, for `simstudy.records.results_file.read_results`."""
    names = [name for name in OF_FILE if name not in OF_PAIRS]
    return {name: given[name] for name in names if given[name] is not None}


def take_parameters(given: dict[str, Any], page: Page) -> list[str]:
    """Fill in the parameters that a pilot gives, in place; return a paragraph on where each comes from."""
    if given["pilot"] is None:
        stray = [option for option in page.options if option.heading == FILE and given[option.name] is not None]
        if stray:
            raise RefusedError(f"{stray[0].typed} says how a file of results is read: it needs --pilot FILE besides.")
        return []
    required(given, page, "system_a", "system_b")
    said = next((name for name in TAKEN if given[name] is not None), None)
    if said:
        raise RefusedError(
            f"--pilot takes accuracy_a and discordance from the file, and {said} is given too: leave out one of them."
        )
    from simstudy.records.pairing import pair_systems  # late: start-up
    from simstudy.records.results_file import read_results

    with options_as_typed():
        results = read_results(given["pilot"], **reading(given))
        outcomes = pair_systems(
            results, given["system_a"], given["system_b"], runs=given["runs"], threshold=given["threshold"]
        )
    found = _parameters(outcomes, given["difference"])
    unusable = given["unusable"]
    for name, value in found.values.items():
        if given[name] is None:
            given[name] = value if name == "unusable" else repr(value)
    notes = [
        *map(typed_words, outcomes.notes),
        *(n for n in found.notes if unusable is None or not n.startswith("unusable")),
    ]
    if given["format"] in ("csv", "json") and not given["quiet"]:
        for note in notes:
            say(note)
    heading = f"Taken from {given['pilot']}, {given['system_b']} (B) against {given['system_a']} (A):"
    return ["\n".join([visible_line(heading), *(line for note in notes for line in _item(note))])]


def _item(note: str) -> list[str]:
    return textwrap.wrap(
        visible_line(note), 100, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False
    )


def _parameters(outcomes: PairedOutcomes, differences: str | None) -> PilotParameters:
    from simstudy.records.parameters import pilot_parameters  # late: start-up

    asked: list[float | None] = [None]
    if differences is not None:
        values = parse_values("difference", differences, proportion=True)
        asked = [float(value) for value in values] if isinstance(values, list) else [float(values)]
    found = [pilot_parameters(outcomes, difference) for difference in asked]
    shares = {parameters.values["discordance"] for parameters in found}
    if len(shares) > 1:
        raise RefusedError(
            "These differences do not allow one discordance at the pilot's accuracy of A: ask for one difference at a "
            "time."
        )
    return found[0]


@contextlib.contextmanager
def options_as_typed() -> Iterator[None]:
    """Let what is said of a file name the options of the command line, not the keywords of Python."""
    try:
        yield
    except RecordsError as error:
        raise RecordsError(typed_words(str(error))) from error


def typed_words(text: str) -> str:
    """Return a sentence about a file of results with its options as they are typed: --run-column, --runs first."""
    return _NAMED.sub(lambda found: OF_FILE[found[1]].typed, _SET.sub(_as_typed, text))


def _as_typed(found: re.Match[str]) -> str:
    option, value = OF_FILE[found[1]], found[2]
    if option.kind != "switch":
        return f"{option.typed} {value}"
    return option.typed if value == "True" else f"--no-{option.typed[2:]}"
