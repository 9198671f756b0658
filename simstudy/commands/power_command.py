"""``simstudy power``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simstudy.commands.answer import answer, answer_file, scenario_page, typed_study
from simstudy.commands.pages_of_options import OUTPUTS, SEED, Option
from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.commands.subject import take_subject
from simstudy.errors import RefusedError
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Scenario

if TYPE_CHECKING:
    import xarray as xr

USAGE = "simstudy power [SCENARIO | FILE.toml | FILE.py:CLASS] [OPTIONS]"
SEEN = Option("target", "The power from which an effect counts as seen in the closing lines (default 0.8).")
EXAMPLES = (
    "simstudy power paired --accuracy-a 0.7 --difference 0:0.2:0.05 --n-cases 36,100,400",
    "simstudy power experiments/paired.toml --set n_cases=36,100",
)


def command(asked: Invocation) -> int:
    """Answer ``simstudy power``.

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
        return answer_file("power", subject, rest, asked.typed, lambda dataset: _words(dataset, None))
    if subject.scenario is None:
        return _default_study(rest, asked)
    example = EXAMPLES[0] if subject.scenario.name == "paired" else ""
    page = scenario_page("power", subject.scenario, [SEEN], example=example)
    given = parse(page, rest)
    if given is None:
        return 0
    _check_target(given["target"], subject.scenario)
    study = typed_study("power", subject.scenario, given)
    return answer(study, given, asked.typed, lambda dataset: _words(dataset, given["target"]))


def _check_target(target: str | None, scenario: Scenario) -> None:
    """Refuse a target for the closing lines before anything is computed."""
    if target is None:
        return
    from simstudy.study.target import parse_target  # late: start-up

    wanted = parse_target(target, scenario)
    if wanted.name != "power":
        raise RefusedError(f"--target is '{target}'; here it is the power from which an effect counts as seen: 0.8.")


def _words(dataset: xr.Dataset, target: str | None) -> list[str]:
    from simstudy.commands.in_words import power_words  # late: start-up

    return power_words(dataset, target)


def _default_study(tokens: Sequence[str], asked: Invocation) -> int:
    names = ", ".join(scenario_names())
    page = Page(
        USAGE,
        f"{asked.about} Scenarios: {names}; each has its own options: simstudy power paired --help.",
        (SEED, SEEN, *OUTPUTS),
        examples=EXAMPLES,
    )
    given = parse(page, tokens)
    if given is None:
        return 0
    from simstudy.commands import default_study  # late: start-up

    _check_target(given["target"], get_scenario("paired"))
    code = answer(
        default_study.study(given["seed"]), given, asked.typed, lambda d: default_study.words(d, given["target"])
    )
    if not given["quiet"] and not given["dry_run"]:
        default_study.hint()
    return code
