"""How a file of results is read: what `simstudy pilot` and `simstudy size --pilot` share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simstudy.commands.pages_of_options import Option

FILE = "The file of results"
PILOT = Option(
    "pilot",
    "Take accuracy, discordance, lost pairs and (unless it is given) the difference from this file of results.",
    group=FILE,
)
SYSTEM_A = Option("system_a", "System A, as the file calls it.", group=FILE)
SYSTEM_B = Option("system_b", "System B; a difference is B minus A.", group=FILE)
RUNS = Option(
    "runs",
    "Repeated runs of a case: first, majority, or clustered (all runs kept, cases as clusters).",
    group=FILE,
)
THRESHOLD = Option("threshold", "Values at or above it count as right; needed for fractions only.", "number", FILE)
LAYOUT = Option("layout", "long (a row per case and system) or wide (a column per system); guessed.", group=FILE)
COLUMNS = tuple(
    Option(f"{part}_column", f"Name of the column of {words}; guessed.", group=FILE)
    for part, words in (
        ("case", "cases"),
        ("system", "systems (long)"),
        ("value", "outcomes (long)"),
        ("run", "runs"),
        ("cluster", "clusters of cases"),
    )
)
SPLIT_IDS = Option("split_ids", "Whether ids such as 1, 1.1, 1.2 are runs of case 1 (default: yes).", "switch", FILE)
READING = (SYSTEM_A, SYSTEM_B, RUNS, THRESHOLD, LAYOUT, *COLUMNS, SPLIT_IDS)


def reading(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was said on the layout of a file.

    Parameters
    ----------
    given : mapping
        Name of an option → what was typed; None where it was not.

    Returns
    -------
    dict
        Keyword arguments of `simstudy.records.results_file.read_results`.
    """
    options = (LAYOUT, *COLUMNS, SPLIT_IDS)
    return {option.name: given[option.name] for option in options if given[option.name] is not None}
