"""Study files: one question in TOML.

::

    scenario = "paired"
    question = "power"                    # or "mde", "size"; power where not given
    aims = "what this study is for"       # optional
    method = ["mcnemar_exact", "tango"]   # optional

    [parameters]
    n_cases = [36, 100]                   # a number, a list, or text as on the command line
    difference = "0:0.2:0.05"

    [options]
    replications = 20000
    seed = 1
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simstudy.errors import StudyFileError, UnknownNameError
from simstudy.options import QUESTIONS, keywords, the_option
from simstudy.scenarios import get_scenario
from simstudy.scenarios.declaration import Question
from simstudy.study.plan import Study, make_study

DEEPEST = 20
KEYS = ("scenario", "question", "aims", "method", "parameters", "options")


@dataclass(frozen=True)
class StudyFile:
    """What a study file says: names are checked, values are not."""

    scenario: str
    question: Question
    aims: str
    method: list[str] | None
    parameters: dict[str, Any]
    options: dict[str, Any]

    @property
    def keywords(self) -> dict[str, Any]:
        """What `simstudy.study.plan.make_study` takes beside scenario, parameters and question."""
        return {"method": self.method, "aims": self.aims, **self.options}

    def study(self) -> Study:
        """Return the study that the file asks for, or refuse it."""
        return make_study(self.scenario, self.parameters, question=self.question, **self.keywords)

    def with_settings(self, settings: Sequence[str]) -> StudyFile:
        """Return what the file says with some of it replaced: ``"name=value"``, each name once."""
        parameters, options = get_scenario(self.scenario).by_name, keywords(self.question)
        said: dict[str, str] = {}
        for setting in settings:
            name, equals, text = setting.partition("=")
            name = name.strip().replace("-", "_")
            if not equals:
                raise StudyFileError(f"--set {setting} has no '='; write it as --set n_cases=36,100.")
            _known(f"parameter or option of {self.scenario}", [name], ("method", *parameters, *options))
            if name in said:
                raise StudyFileError(f"--set gives {name} more than once: {said[name]} and {text.strip()}.")
            said[name] = text.strip()
        return replace(
            self,
            method=[name.strip() for name in said["method"].split(",")] if "method" in said else self.method,
            parameters={**self.parameters, **{name: text for name, text in said.items() if name in parameters}},
            options={
                **self.options,
                **{name: the_option(name, self.question).read(said[name]) for name in options if name in said},
            },
        )


def parse_study(text: str, source: str) -> StudyFile:
    """Read a study file; ``source`` is its name in messages, which name the nearest key, parameter or option."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyFileError(f"{source} is no valid TOML: {error}.") from None
    except ValueError:  # Python reads no whole numbers that are longer
        raise StudyFileError(f"{source} holds a number of more than 4,300 digits.") from None
    except RecursionError:
        raise StudyFileError(f"{source}: lists or tables are nested too deep to be read.") from None
    if _depth(data) > DEEPEST:
        raise StudyFileError(f"{source}: lists or tables are nested too deep to be read.")
    try:
        return _said(data)
    except UnknownNameError as error:
        raise StudyFileError(f"{source}: {error}") from None


def _depth(data: object) -> int:
    """Return how deep lists and tables are nested; level by level, because Python's own recursion has a limit."""
    level, depth = [data], 0
    while level and depth <= DEEPEST:
        level = [
            part
            for whole in level
            if isinstance(whole, dict | list)
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
        depth += 1
    return depth


def _said(data: dict[str, Any]) -> StudyFile:
    _known("key of a study file", data, KEYS)
    if "scenario" not in data:
        raise StudyFileError('The study file names no scenario; add a line such as scenario = "paired".')
    question = data.get("question", "power")
    _known("question", [question], QUESTIONS)
    scenario = get_scenario(str(data["scenario"]))
    parameters, options = _table(data, "parameters"), _table(data, "options")
    for name in parameters:
        scenario.parameter(name)
    _known("option", options, keywords(question))
    method = data.get("method")
    names = [method] if isinstance(method, str) else method
    if not (names is None or (isinstance(names, list) and all(isinstance(name, str) for name in names))):
        raise StudyFileError(f'method is {method!r}; write a name or a list of names, as in method = ["tango"].')
    return StudyFile(scenario.name, question, str(data.get("aims", "")), names, parameters, options)


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise StudyFileError(f"{name} is {table!r}; it must be a table that begins with [{name}].")
    return table


def _known(kind: str, given: Collection[Any], allowed: Collection[str]) -> None:
    for name in given:
        if not isinstance(name, str) or name not in allowed:
            raise UnknownNameError(kind, str(name), allowed)
