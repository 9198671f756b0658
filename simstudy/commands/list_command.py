"""``simstudy list``."""

from __future__ import annotations

import textwrap

from simstudy.commands.pages_of_options import DEBUG
from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.commands.subject import errors_of, find_subject
from simstudy.errors import RequestError
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Method, Parameter, Scenario
from simstudy.study.words import number

WIDTH = 100
ROLES = {"size": "size solves for it", "effect": "the effect; mde solves for it"}


def command(asked: Invocation) -> int:
    """Answer ``simstudy list``.

    Parameters
    ----------
    asked : Invocation

    Returns
    -------
    int
        0.
    """
    words = [token for token in asked.tokens if not token.startswith("-")]
    page = Page("simstudy list [SCENARIO | FILE.py:CLASS]", asked.about, (DEBUG,), examples=("simstudy list paired",))
    given = parse(page, [token for token in asked.tokens if token not in words[:1]])
    if given is None:
        return 0
    if not words:
        print("\n".join(overview()))
        return 0
    subject = find_subject(words[0])
    if subject.scenario is None:
        raise RequestError(f"simstudy list describes scenarios; {words[0]} is a study file.")
    with errors_of(subject.scenario):
        print("\n".join(described(subject.scenario)))
    return 0


def overview() -> list[str]:
    """Return a line on each scenario.

    Returns
    -------
    list of str
    """
    names = scenario_names()
    width = max(map(len, names))
    lines = [f"{name:<{width}}  {get_scenario(name).title}" for name in names]
    return ["Scenarios", *(f"  {line}" for line in lines), "", "simstudy list paired: its parameters and methods."]


def described(scenario: Scenario) -> list[str]:
    """Return everything that a scenario declares, as text.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    list of str
    """
    lines = [f"{scenario.name}: {scenario.title}", "", *_item("", f"{scenario.mechanism}.")]
    lines += _item("", f"Estimand: {scenario.estimand_words}.")
    lines += ["", "Parameters"]
    for parameter in scenario.parameters:
        lines += _item(f"--{parameter.name.replace('_', '-')}", _parameter(parameter))
    lines += [f"  Say either {_ways(group.alternatives)}." for group in scenario.groups]
    lines += ["", "Methods (* by default)"]
    for method in scenario.methods:
        star = "*" if method.name in scenario.default_methods else ""
        lines += _item(f"{method.name}{star}", _method(method))
    return [*lines, "", f"Engines: {', '.join(_engines(scenario))}.", _questions(scenario)]


def _item(name: str, text: str) -> list[str]:
    heading = [f"  {name}"] if name else []
    indent = "      " if name else "  "
    # words with hyphens and long addresses stay whole
    wrapper = textwrap.TextWrapper(
        WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    return [*heading, *wrapper.wrap(text)]


def _ways(alternatives: tuple[tuple[str, ...], ...]) -> str:
    return " or ".join(" and ".join(names) for names in alternatives)


def _parameter(parameter: Parameter) -> str:
    parts = [parameter.help, parameter.interval, f"unit: {parameter.unit}"]
    if parameter.default is not None:
        parts.append(f"default {number(parameter.default)}")
    elif not parameter.required:
        parts.append("unset unless it is given")
    if parameter.role:
        parts.append(ROLES[parameter.role])
    if parameter.null is not None:
        parts.append(f"null value {parameter.null if isinstance(parameter.null, str) else number(parameter.null)}")
    return f"{'; '.join(parts)}."


def _method(method: Method) -> str:
    gives = [
        words
        for words, call in (
            ("p-value", method.p_value),
            ("interval", method.interval),
            ("estimate", method.estimate),
        )
        if call is not None
    ]
    parts = [method.label, f"gives {', '.join(gives)}"]
    if method.decision.claims:
        parts.append(f"claims {method.decision.claims}")
    if method.needs:
        parts.append(f"needs {', '.join(method.needs)}")
    if method.misuse:
        parts.append("does not fit this design; shown because people use it")
    if method.note:
        parts.append(method.note)
    return f"{'; '.join(parts)}. Source: {method.source}."


def _engines(scenario: Scenario) -> list[str]:
    return list(scenario.engines)


def _questions(scenario: Scenario) -> str:
    questions = ["power", *(["mde"] if scenario.effect else []), *(["size"] if scenario.size else [])]
    questions += ["replay"] if scenario.kernel else []
    return f"Questions: {', '.join(questions)}."
