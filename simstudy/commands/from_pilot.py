"""``simstudy size paired --pilot FILE``: parameters taken from a file of results, each one said."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simstudy.commands.output import say
from simstudy.commands.parsing import Page, required
from simstudy.errors import RefusedError
from simstudy.options import FILE, PILOT, options_of
from simstudy.ranges import parse_values

if TYPE_CHECKING:
    from simstudy.records.pairing import PairedOutcomes
    from simstudy.records.parameters import PilotParameters

# what the file gives takes the place of these
TAKEN = ("accuracy_a", "logit_a", "logit_b", "difficulty_sd", "discordance", "correlation")
# options that name the systems and say what is made of their values; the others say how the file is laid out
OF_PAIRS = ("system_a", "system_b", "runs", "threshold")


def reading(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was said on the layout of a file, for `simstudy.records.results_file.read_results`."""
    named = [option.name for option in options_of(PILOT) if option.heading == FILE and option.kind != "argument"]
    names = [name for name in named if name not in OF_PAIRS]
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

    results = read_results(given["pilot"], **reading(given))
    outcomes = pair_systems(
        results, given["system_a"], given["system_b"], runs=given["runs"], threshold=given["threshold"]
    )
    found = _parameters(outcomes, given["difference"])
    unusable = given["unusable"]
    for name, value in found.values.items():
        if given[name] is None:
            given[name] = value if name == "unusable" else repr(value)
    notes = [*outcomes.notes, *(n for n in found.notes if unusable is None or not n.startswith("unusable"))]
    if given["format"] in ("csv", "json") and not given["quiet"]:
        say("\n".join(notes))
    heading = f"Taken from {given['pilot']}, {given['system_b']} (B) against {given['system_a']} (A):"
    return ["\n".join([heading, *(line for note in notes for line in _item(note))])]


def _item(note: str) -> list[str]:
    return textwrap.wrap(note, 100, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)


def _parameters(outcomes: PairedOutcomes, differences: str | None) -> PilotParameters:
    from simstudy.records.parameters import pilot_parameters  # late: start-up

    asked: list[float | None] = [None]
    if differences is not None:
        values = parse_values("difference", differences)
        asked = [float(value) for value in values] if isinstance(values, list) else [float(values)]
    found = [pilot_parameters(outcomes, difference) for difference in asked]
    shares = {parameters.values["discordance"] for parameters in found}
    if len(shares) > 1:
        raise RefusedError(
            "These differences do not allow one discordance at the pilot's accuracy of A: ask for one difference at a "
            "time."
        )
    return found[0]
