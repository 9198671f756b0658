"""``simstudy size paired --pilot FILE``: parameters taken from a file of results, each one said."""

from __future__ import annotations

import textwrap
from typing import Any

from simstudy.commands.output import say
from simstudy.commands.pages_of_options import numbers, required
from simstudy.commands.pilot_options import SYSTEM_A, SYSTEM_B, reading
from simstudy.errors import RefusedError
from simstudy.records.pairing import PairedOutcomes, pair_systems
from simstudy.records.parameters import PilotParameters, pilot_parameters
from simstudy.records.results_file import read_results

TAKEN = ("accuracy_a", "logit_a", "logit_b", "difficulty_sd", "discordance")


def take_parameters(given: dict[str, Any]) -> list[str]:
    """Fill in the parameters that a pilot gives.

    Parameters
    ----------
    given : dict
        Name of an option → what was typed; completed in place.

    Returns
    -------
    list of str
        A paragraph on where each parameter comes from.

    Raises
    ------
    RequestError
        For a file that cannot be read or paired, or a parameter that is said besides.
    """
    required(given, SYSTEM_A, SYSTEM_B)
    said = next((name for name in TAKEN if given[name] is not None), None)
    if said:
        raise RefusedError(
            f"--pilot takes accuracy_a and discordance from the file, and {said} is given too: leave out one of them."
        )
    results = read_results(given["pilot"], **reading(given))
    outcomes = pair_systems(
        results, given["system_a"], given["system_b"], runs=given["runs"], threshold=given["threshold"]
    )
    found = _parameters(outcomes, numbers("difference", given["difference"]))
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


def _parameters(outcomes: PairedOutcomes, differences: list[float] | None) -> PilotParameters:
    asked: list[float | None] = [*differences] if differences else [None]
    found = [pilot_parameters(outcomes, difference) for difference in asked]
    shares = {parameters.values["discordance"] for parameters in found}
    if len(shares) > 1:
        raise RefusedError(
            "These differences do not allow one discordance at the pilot's accuracy of A: ask for one difference at a "
            "time."
        )
    return found[0]
