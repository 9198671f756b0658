"""``simstudy mde``."""

from __future__ import annotations

from simstudy.commands.answer import answer, answer_file, needs_subject, scenario_page, typed_study
from simstudy.commands.pages_of_options import TARGET, Option
from simstudy.commands.parsing import Invocation, parse
from simstudy.commands.subject import take_subject

SIGN = Option("sign", "Which effects: positive (default; negative with alternative less), negative, or both.")
EXAMPLE = "simstudy mde paired --accuracy-a 0.7 --n-cases 36,100,400,1251 --difficulty-sd 0,1.5,3 --target 0.8"


def command(asked: Invocation) -> int:
    """Answer ``simstudy mde``.

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
        return answer_file("mde", subject, rest, asked.typed, lambda dataset: [])
    if subject.scenario is None:
        return needs_subject("mde", rest, asked.about)
    scenario = subject.scenario
    example = EXAMPLE if scenario.name == "paired" else ""
    solved = scenario.effect.name if scenario.effect else None
    given = parse(scenario_page("mde", scenario, [TARGET, SIGN], solved, example), rest)
    if given is None:
        return 0
    return answer(typed_study("mde", scenario, given, ["sign"]), given, asked.typed, lambda dataset: [])
