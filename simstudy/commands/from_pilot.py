"""``simstudy power|mde|size SCENARIO --pilot FILE``: parameters taken from files of results, each one said."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from simstudy.commands.compare_command import reading
from simstudy.commands.output import say
from simstudy.commands.parsing import Page
from simstudy.errors import RefusedError
from simstudy.options import FILE
from simstudy.ranges import parse_values
from simstudy.scenarios.declaration import Scenario
from simstudy.visible import visible_line

if TYPE_CHECKING:
    from simstudy.records.paired_values import PairedValues
    from simstudy.records.parameters import Taken

# what is taken whatever else is given, and what cannot be given beside it, by scenario
TAKEN = {"paired": "accuracy and discordance", "clustered": "accuracy and the spread of clusters"}
NOT_BESIDE = {
    "paired": ("accuracy_a", "logit_a", "logit_b", "difficulty_sd", "discordance", "correlation"),
    "clustered": ("accuracy_a", "cluster_sd", "interaction_sd"),
}
EFFECTS = ("difficulty_sd", "cluster_interaction_sd")


def take_parameters(given: dict[str, Any], page: Page, question: str, scenario: Scenario) -> list[str]:
    """Fill in the parameters that files give, in place; return a paragraph on where each comes from."""
    if given["pilot"] is None:
        stray = [option for option in page.options if option.heading == FILE and given[option.name] is not None]
        if stray:
            raise RefusedError(f"{stray[0].typed} says how a file of results is read: it needs --pilot FILE besides.")
        return []
    said = next((name for name in NOT_BESIDE[scenario.name] if given[name] is not None), None)
    if said:
        raise RefusedError(
            f"--pilot takes {TAKEN[scenario.name]} from the file, and --{said.replace('_', '-')} is given too: leave "
            "out one of them."
        )
    pairs, remarks = _pairs(given, scenario)
    found = _taken(pairs, given, question, scenario)
    # what is given by hand stands, and what is solved for is not taken
    kept = {"n_cases", "n_clusters"} if question == "size" else set()
    kept |= {name for name in found.values if given[name] is not None}
    for name, value in found.values.items():
        if name not in kept:
            given[name] = value if name == "unusable" else repr(value)
    notes = [*remarks, *(note for note in found.notes if note.partition(" = ")[0] not in kept)]
    if given["format"] in ("csv", "json") and not given["quiet"]:
        for note in notes:
            say(note)
    files = ", ".join(given["pilot"])
    heading = f"Taken from {files}, {pairs.system_b} (B) against {pairs.system_a} (A):"
    return ["\n".join([visible_line(heading), *(line for note in notes for line in _item(note))])]


def _item(note: str) -> list[str]:
    return textwrap.wrap(
        visible_line(note), 100, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False
    )


def _pairs(given: dict[str, Any], scenario: Scenario) -> tuple[PairedValues, list[str]]:
    """Read the files and pair two systems; return remarks on how that was done too."""
    from simstudy.records.compared import Asked, two_systems  # late: start-up
    from simstudy.records.reading import read_records
    from simstudy.records.reduced import RUN_RULES

    runs = given["runs"]
    if "runs" in scenario.by_name:
        # a word says what becomes of the runs of the file, a number is the parameter; runs are kept by default
        given["runs"] = None if runs in RUN_RULES else runs
        runs = runs if runs in RUN_RULES else "clustered"
    names = ("system_a", "system_b", "metric", "threshold")
    records = read_records(given["pilot"], reading(given))
    return two_systems(records, Asked(**{name: given[name] for name in names}, runs=runs))


def _taken(pairs: PairedValues, given: dict[str, Any], question: str, scenario: Scenario) -> Taken:
    from simstudy.records.parameters import of_clustered, of_paired  # late: start-up

    solved = question == "mde"
    asked: list[float | None] = [None]
    if given["difference"] is not None and not solved:
        values = parse_values("difference", given["difference"], proportion=True)
        asked = [float(value) for value in values] if isinstance(values, list) else [float(values)]
    if scenario.name == "clustered":
        by_hand = [name for name in EFFECTS if given[name] is not None]
        if len(by_hand) == 1:
            raise RefusedError(
                f"{by_hand[0]} is given by hand: give {' and '.join(EFFECTS)} both, or leave both to the file."
            )
        return of_clustered(pairs, asked[0], solved=solved, fitted=not by_hand)
    found = [of_paired(pairs, difference, solved=solved) for difference in asked]
    if len({parameters.values["discordance"] for parameters in found}) > 1:
        raise RefusedError(
            "These differences do not allow one discordance at the file's accuracy of A: ask for one difference at a "
            "time."
        )
    return found[0]
