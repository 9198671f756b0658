"""``simstudy size``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simstudy.commands.answer import answer, answer_file, needs_subject, scenario_page, typed_study
from simstudy.commands.pages_of_options import Option
from simstudy.commands.parsing import Invocation, parse
from simstudy.commands.pilot_options import PILOT, READING
from simstudy.commands.subject import take_subject
from simstudy.errors import RefusedError

if TYPE_CHECKING:
    import xarray as xr

TARGET = Option(
    "target",
    "What to reach: a power such as 0.8 (the default), half_width=0.05, width=0.1, coverage=0.95 or power_right=0.8.",
)
CURVE = Option("curve", "Add the target's measure at the sizes around each answer.", "flag")
LARGEST = Option("largest", "Largest size that is considered (default 1000000).", "integer")
EXAMPLES = {
    "paired": "simstudy size paired --accuracy-a 0.7 --difference 0.05,0.1 --discordance 0.15 --target 0.8",
    "proportion": "simstudy size proportion --accuracy 0.75 --target half_width=0.05 --method wald,wilson",
}


def command(asked: Invocation) -> int:
    """Answer ``simstudy size``.

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
        return answer_file("size", subject, rest, asked.typed, _words)
    if subject.scenario is None:
        return needs_subject("size", rest, asked.about)
    scenario = subject.scenario
    own = (TARGET, CURVE, LARGEST)
    from_pilot = (PILOT, *READING) if scenario.name == "paired" else ()
    solved = scenario.size.name if scenario.size else None
    page = scenario_page("size", scenario, [*own, *from_pilot], solved, EXAMPLES.get(scenario.name, ""))
    given = parse(page, rest)
    if given is None:
        return 0
    notes = _take_pilot(given) if from_pilot else []
    study = typed_study("size", scenario, given, ["curve", "largest"])
    return answer(study, given, asked.typed, lambda dataset: [*notes, *_words(dataset)])


def _words(dataset: xr.Dataset) -> list[str]:
    from simstudy.commands.in_words import size_words  # late: start-up

    return size_words(dataset)


def _take_pilot(given: dict[str, Any]) -> list[str]:
    if given["pilot"] is None:
        stray = next((option for option in READING if given[option.name] is not None), None)
        if stray:
            raise RefusedError(f"{stray.typed} says how a file of results is read: it needs --pilot FILE besides.")
        return []
    from simstudy.commands.from_pilot import take_parameters  # late: start-up

    return take_parameters(given)
