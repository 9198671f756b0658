"""Which parameters of a scenario are in force, given what was said."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from simstudy.errors import ParameterError, RefusedError
from simstudy.scenarios.declaration import Question, Scenario


def in_force(
    scenario: Scenario,
    said: Sequence[str],
    question: Question,
    solved: str | None = None,
    spared: Collection[str] = (),  # required parameters that may be missing
) -> tuple[str, ...]:
    """Return the parameters in force: said ones, and those with a default that no other alternative replaces."""
    for name in said:
        scenario.parameter(name)
    if solved is not None and solved in said:
        raise RefusedError(f"{solved} is what {question} solves for: do not give it.")
    _check_solved(scenario, said, question, solved)
    reach = [*said, solved] if solved else said
    # alternatives that are not in force
    others = [names for group in scenario.groups for names in group.alternatives if names != group.chosen(reach)]
    excluded = {name for names in others for name in names}
    open_ = [p for p in scenario.parameters if p.name not in said and p.name not in excluded and p.name != solved]
    missing = [p.name for p in open_ if p.required and p.name not in spared]
    if missing:
        described = "; ".join(_describe(scenario, name) for name in missing)
        raise ParameterError(f"{scenario.name} needs {_listed(missing)}: {described}.")
    given = [p.name for p in scenario.parameters if p.name in said]
    return tuple(given + [p.name for p in open_ if p.default is not None])


def _check_solved(scenario: Scenario, said: Sequence[str], question: Question, solved: str | None) -> None:
    """Refuse what the solved parameter takes the place of."""
    for group in scenario.groups:
        if any(solved in names for names in group.alternatives):
            other = [n for names in group.alternatives if solved not in names for n in names if n in said]
            if other:
                raise RefusedError(
                    f"{question} solves for {solved}, which takes the place of {_listed(other)}: leave that out."
                )


def _describe(scenario: Scenario, name: str) -> str:
    parameter = scenario.by_name[name]
    other = [
        " and ".join(names)
        for group in scenario.groups
        if any(name in names for names in group.alternatives)
        for names in group.alternatives
        if name not in names
    ]
    instead = f" (or say {' or '.join(other)})" if other else ""
    return f"--{name.replace('_', '-')}, {parameter.help}, {parameter.interval}{instead}"


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in words."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
