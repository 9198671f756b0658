"""``simstudy list``."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.commands.subject import errors_of, find_subject
from simstudy.errors import RequestError
from simstudy.options import LIST, options_of, the_option
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Measure, Method, Parameter, Rule, Scenario, Values, profile_text
from simstudy.study.words import number
from simstudy.visible import visible_json

WIDTH = 100
ROLES = {"size": "size solves for it", "effect": "the effect; mde solves for it"}


def command(asked: Invocation) -> int:
    """Describe all scenarios, or one; return 0."""
    # the first word, unless it is the value of an option
    before = ("", *asked.tokens)
    words = [w for w, b in zip(asked.tokens, before, strict=False) if not w.startswith("-") and b != "--format"]
    page = Page(
        "simstudy list [SCENARIO | FILE.py:CLASS]", asked.about, options_of(LIST), examples=("simstudy list paired",)
    )
    given = parse(page, [token for token in asked.tokens if token not in words[:1]])
    if given is None:
        return 0
    option = the_option("format", LIST)
    as_json = option.check(given["format"] or option.default) == "json"
    if not words:
        overview = {name: get_scenario(name).title for name in scenario_names()}
        print(visible_json(overview, indent=2) if as_json else "\n".join(_overview()))
        return 0
    subject = find_subject(words[0])
    if subject.scenario is None:
        raise RequestError(f"simstudy list describes scenarios; {words[0]} is a study file.")
    with errors_of(subject.scenario):
        print(visible_json(declared(subject.scenario), indent=2) if as_json else "\n".join(described(subject.scenario)))
    return 0


def _overview() -> list[str]:
    names = scenario_names()
    width = max(map(len, names))
    lines = [f"{name:<{width}}  {get_scenario(name).title}" for name in names]
    return ["Scenarios", *(f"  {line}" for line in lines), "", "simstudy list paired: its parameters and methods."]


def declared(scenario: Scenario) -> dict[str, Any]:
    """Return what a scenario declares as plain values: names as they are in requests, null where nothing is said."""
    parameters = [
        {
            "name": p.name,
            "words": p.help,
            "unit": p.unit,
            "allowed": p.interval,
            "default": profile_text(p.default) if isinstance(p.default, tuple) else p.default,
            "required": p.required,
            "solved_by": {"size": "size", "effect": "mde"}.get(p.role or ""),
        }
        for p in scenario.parameters
    ]
    methods = [
        {
            "name": m.name,
            "words": m.label,
            "source": m.source,
            "by_default": m.name in scenario.default_methods,
            "needs": list(m.needs),
            "misuse": m.misuse,
            "note": m.note or None,
        }
        for m in scenario.methods
    ]
    measures = [
        {"name": m.name, "words": m.words, "unit": m.unit, "targets": list(m.targets)} for m in scenario.measures
    ]
    return {
        "scenario": scenario.name,
        "title": scenario.title,
        "mechanism": scenario.mechanism,
        "estimand": scenario.estimand_words,
        "parameters": parameters,
        "alternatives": [[list(names) for names in group.alternatives] for group in scenario.groups],
        "methods": methods,
        "measures": measures,
        "engines": list(scenario.engines),
    }


def described(scenario: Scenario) -> list[str]:
    """Return everything that a scenario declares, as lines of text."""
    lines = [f"{scenario.name}: {scenario.title}", "", *_item("", f"{scenario.mechanism}.")]
    lines += _item("", f"Estimand: {scenario.estimand_words}.")
    lines += ["", "Parameters"]
    for parameter in scenario.parameters:
        lines += _item(f"--{parameter.name.replace('_', '-')}", _parameter(parameter))
    lines += [f"  Say either {ways_of(group.alternatives)}." for group in scenario.groups]
    lines += ["", "Methods (* by default)"]
    for method in scenario.methods:
        star = "*" if method.name in scenario.default_methods else ""
        lines += _item(f"{method.name}{star}", _method(method, scenario))
    if scenario.measures:
        lines += ["", "Measures beside those of every scenario"]
        for measure in scenario.measures:
            lines += _item(measure.name, _measure(measure))
    return [*lines, "", f"Engines: {', '.join(scenario.engines)}.", _questions(scenario)]


def _item(name: str, text: str) -> list[str]:
    heading = [f"  {name}"] if name else []
    indent = "      " if name else "  "
    # words with hyphens and long addresses stay whole
    wrapper = textwrap.TextWrapper(
        WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    return [*heading, *wrapper.wrap(text)]


def ways_of(alternatives: tuple[tuple[str, ...], ...]) -> str:
    """Return in how many ways a group of parameters can be said, in words."""
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


def _method(method: Method, scenario: Scenario) -> str:
    calls = {"p-value": method.p_value, "interval": method.interval, "estimate": method.estimate}
    gives = ", ".join(words for words, call in calls.items() if call is not None)
    parts = [method.label, *([f"gives {gives}"] if gives else [])]
    if isinstance(method.decision, Rule):
        asks = " and ".join(f"{part.words} ({part.name})" for part in method.decision.parts)
        parts.append(f"a rule, {method.decision.passes} where {asks}")
    elif method.decision.claims:
        parts.append(f"claims {method.decision.claims}")
    if method.needs:
        parts.append(f"needs {', '.join(method.needs)}")
    for name, cost in method.costs.items():
        parts.append(f"pays {name}, {scenario.units[name][0]}{_at_example(cost, scenario)}")
    if method.misuse:
        parts.append("does not fit this design; shown because people use it")
    if method.note:
        parts.append(method.note)
    return f"{'; '.join(parts)}. Source: {method.source}."


def _at_example(cost: Callable[[Values], float], scenario: Scenario) -> str:
    """Say what is paid at the size of the scenario's example, where it has one."""
    if scenario.size is None or scenario.size.name not in scenario.example:
        return ""
    size = scenario.size.name
    return f": {number(cost(scenario.example))} at {size} {number(scenario.example[size])}"


def _measure(measure: Measure) -> str:
    aims = ", ".join(measure.targets)
    bound = "at least" if measure.better == "more" else "at most"
    target = f"a target, as in --target {aims}=VALUE: {bound} so much" if aims else "no target"
    return f"{measure.words}; unit: {measure.unit}; {target}."


def _questions(scenario: Scenario) -> str:
    questions = ["power", *(["mde"] if scenario.effect else []), *(["size"] if scenario.size else [])]
    questions += ["replay"] if scenario.kernel else []
    return f"Questions: {', '.join(questions)}."
