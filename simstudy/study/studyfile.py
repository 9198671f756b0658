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

import inspect
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import xarray as xr

from simstudy.errors import StudyFileError, UnknownNameError
from simstudy.scenarios import get_scenario
from simstudy.solve.questions import mde, size
from simstudy.study.evaluation import Progress
from simstudy.study.power_curve import power_curve

QUESTIONS = {"power": power_curve, "mde": mde, "size": size}
KEYS = ("scenario", "question", "aims", "method", "parameters", "options")
OPTIONS = (
    "engine",
    "replications",
    "mcse",
    "seed",
    "alpha",
    "alternative",
    "threads",
    "common_random_numbers",
    "comparisons",
    "unusable",
)


@dataclass(frozen=True)
class StudyFile:
    """A question as a file holds it.

    Attributes
    ----------
    scenario, question, aims : str
    method : list of str or None
    parameters, options : dict
    """

    scenario: str
    question: str
    aims: str
    method: list[str] | None
    parameters: dict[str, Any]
    options: dict[str, Any]

    def answer(self, progress: Progress | None = None) -> xr.Dataset:
        """Return the answer.

        Parameters
        ----------
        progress : callable, optional
            Called with (done, total, unit).

        Returns
        -------
        xarray.Dataset
        """
        ask = QUESTIONS[self.question]
        result: xr.Dataset = ask(
            self.scenario, method=self.method, progress=progress, **self.options, **self.parameters
        )
        if self.aims:
            result.attrs["aims"] = self.aims
        return result


def option_names(question: str) -> tuple[str, ...]:
    """Return the options of a question.

    Parameters
    ----------
    question : {"power", "mde", "size"}

    Returns
    -------
    tuple of str
    """
    own = inspect.signature(QUESTIONS[question]).parameters
    extra = [n for n in own if n not in ("scenario", "method", "progress", "parameters", "asked", *OPTIONS)]
    return (*OPTIONS, *extra)


def parse_study(text: str, source: str) -> StudyFile:
    """Read a study file.

    Parameters
    ----------
    text : str
        TOML.
    source : str
        Name of the file, for messages.

    Returns
    -------
    StudyFile

    Raises
    ------
    StudyFileError
        If it is no TOML, or a key, parameter or option does not exist: the message names the nearest one.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyFileError(f"{source} is no valid TOML: {error}.") from None
    try:
        return _study(data)
    except UnknownNameError as error:
        raise StudyFileError(f"{source}: {error}") from None


def _study(data: dict[str, Any]) -> StudyFile:
    _known("key of a study file", data, KEYS)
    if "scenario" not in data:
        raise StudyFileError('The study file names no scenario; add a line such as scenario = "paired".')
    question = data.get("question", "power")
    _known("question", [question], QUESTIONS)
    scenario = get_scenario(str(data["scenario"]))
    parameters, options = _table(data, "parameters"), _table(data, "options")
    for name in parameters:
        scenario.parameter(name)
    _known("option", options, option_names(question))
    method = data.get("method")
    names = [method] if isinstance(method, str) else method
    if not (names is None or (isinstance(names, list) and all(isinstance(name, str) for name in names))):
        raise StudyFileError(f'method is {method!r}; write a name or a list of names, as in method = ["tango"].')
    return StudyFile(scenario.name, question, str(data.get("aims", "")), names, dict(parameters), dict(options))


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise StudyFileError(f"{name} is {table!r}; it must be a table that begins with [{name}].")
    return table


def _known(kind: str, given: Any, allowed: Any) -> None:
    for name in given:
        if not isinstance(name, str) or name not in allowed:
            raise UnknownNameError(kind, str(name), allowed)


def with_settings(study: StudyFile, settings: Sequence[str]) -> StudyFile:
    """Return a study with some parameters or options replaced.

    Parameters
    ----------
    study : StudyFile
    settings : sequence of str
        ``"name=value"``: a parameter of the scenario, an option, or ``method``.

    Returns
    -------
    StudyFile

    Raises
    ------
    StudyFileError
        For text without ``=``, or a name that does not exist.
    """
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise StudyFileError(f"--set {setting} has no '='; write it as --set n_cases=36,100.")
        options = option_names(study.question)
        if name == "method":
            study = replace(study, method=[part.strip() for part in text.split(",")])
        elif name in options:
            study = replace(study, options={**study.options, name: _value(text)})
        elif name in get_scenario(study.scenario).by_name:
            study = replace(study, parameters={**study.parameters, name: text.strip()})
        else:
            allowed = ["method", *get_scenario(study.scenario).by_name, *options]
            raise UnknownNameError(f"parameter or option of {study.scenario}", name, allowed)
    return study


def _value(text: str) -> Any:
    """Return an option's value as TOML would read it; text where it would not."""
    try:
        return tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        parts = [part.strip() for part in text.split(",")]
        try:
            numbers = [float(part) for part in parts]
        except ValueError:
            return text.strip()
        return numbers if len(numbers) > 1 else numbers[0]
