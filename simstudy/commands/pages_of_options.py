"""What can be asked for on the command line, and how it reaches the library."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from simstudy.errors import RequestError
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Parameter, Scenario
from simstudy.study.words import number

Kind = Literal["text", "integer", "number", "flag", "switch", "texts"]
PARAMETERS = "Parameters of {}"
ANSWERING = "How it is answered"
OUTPUT = "What comes out"
LARGEST_WHOLE_FLOAT = 2.0**53


@dataclass(frozen=True)
class Option:
    """One option of a command.

    Attributes
    ----------
    name : str
        With underscores; typed as ``--name-with-hyphens``.
    help : str
        One line, what is allowed included.
    kind : str
        "flag" is on or absent; "switch" also has a ``--no-`` form; "texts" may be repeated; "text" includes lists
        and ranges, also negative ones.
    group : str
        Heading on the help page.
    hidden : bool
        Understood, so that it can be refused in words, but not shown.
    """

    name: str
    help: str
    kind: Kind = "text"
    group: str = ANSWERING
    hidden: bool = False

    @property
    def typed(self) -> str:
        """The option as it is typed."""
        return f"--{self.name.replace('_', '-')}"


METHOD = Option("method", "Methods, parted by commas; the scenario's default methods where not given.")
TARGET = Option("target", "What to reach: a power such as 0.8 (the default), or power_right=0.8.")
SEED = Option("seed", "64-bit seed (default 1).", "integer")
COMMON = Option(
    "common_random_numbers", "Whether design points share their draws in engine full (default: they do).", "switch"
)
UNUSABLE = Option("unusable", "Share of units lost to errors or unreadable output, in [0, 1) (default 0).", "number")
ANSWERS = (
    METHOD,
    Option(
        "engine",
        "auto (default), exact, counts or full. auto takes exact where that costs about a second or less per point "
        "and method, else counts, else full.",
    ),
    Option("replications", "Replications per design point where it is simulated (default 10000).", "integer"),
    Option(
        "mcse",
        "Instead of --replications: simulate until the Monte Carlo standard error is at most this, in (0, 0.5); "
        "at most 1,024,000 replications are made.",
        "number",
    ),
    SEED,
    Option("alpha", "Level of the tests, in (0, 1) (default 0.05); a list becomes a dimension."),
    Option("alternative", "two-sided (default), or one-sided: greater (positive effects) or less (negative ones)."),
    Option("comparisons", "Comparisons among which alpha is divided (Bonferroni; default 1).", "integer"),
    UNUSABLE,
    Option("threads", "Threads (default: all processors); changes no number.", "integer"),
    COMMON,
)
QUIET = Option("quiet", "No progress bar and no notes.", "flag", OUTPUT)
DEBUG = Option("debug", "Show the traceback of an error.", "flag", OUTPUT)
FORMAT = Option("format", "table (default), csv, json or markdown.", "text", OUTPUT)
PLOT = Option("plot", "Draw the result to this file: .png, .svg or .pdf.", "text", OUTPUT)
DRY_RUN = Option("dry_run", "Show the grid, the engines and a cost estimate; compute nothing.", "flag", OUTPUT)
OUT = Option("out", "Save the result to this file: .nc (netCDF).", "text", OUTPUT)
OUTPUTS = (OUT, PLOT, FORMAT, DRY_RUN, QUIET, DEBUG)
SETTINGS = Option("set", "Replace a parameter or an option of the study file: --set n_cases=36,100 seed=2.", "texts")


def parameter_options(scenario: Scenario, solved: str | None = None) -> tuple[Option, ...]:
    """Return one option per parameter of a scenario.

    Parameters
    ----------
    scenario : Scenario
    solved : str, optional
        Parameter that the question solves for.

    Returns
    -------
    tuple of Option
        In the order of the declaration.
    """
    group = PARAMETERS.format(scenario.name)
    return tuple(Option(p.name, describe(p), "text", group, p.name == solved) for p in scenario.parameters)


def describe(parameter: Parameter) -> str:
    """Return a line on a parameter: what it is, its unit, range and default.

    Parameters
    ----------
    parameter : Parameter

    Returns
    -------
    str
    """
    words = f"{parameter.help[0].upper()}{parameter.help[1:]}"
    kind = {"proportion": "a proportion", "logits": "logits"}.get(parameter.unit, "a number")
    default = f" (default {number(parameter.default)})" if parameter.default is not None else ""
    return f"{words}: {parameter.interval.replace('a number', kind)}{default}."


def answering(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the library takes besides parameters.

    Parameters
    ----------
    given : mapping
        Name of an option → what was typed; None where it was not.

    Returns
    -------
    dict
        Method and options that were given; levels as numbers.
    """
    names = [option.name for option in (*ANSWERS, TARGET)]
    said = {name: given[name] for name in names if given.get(name) is not None}
    if "alpha" in said:
        from simstudy.ranges import parse_values  # late: start-up

        said["alpha"] = parse_values("alpha", said["alpha"])
    return said


def parameters_of(scenario: Scenario, given: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters that were typed, as text.

    Parameters
    ----------
    scenario : Scenario
    given : mapping
        Name of an option → what was typed; None where it was not.

    Returns
    -------
    dict
    """
    return {p.name: given[p.name] for p in scenario.parameters if given.get(p.name) is not None}


def numbers(name: str, text: str | None) -> list[float] | None:
    """Read an option that holds one number or several.

    Parameters
    ----------
    name : str
    text : str or None

    Returns
    -------
    list of float or None
        None where it was not given.
    """
    if text is None:
        return None
    from simstudy.ranges import parse_values  # late: start-up

    value = parse_values(name, text)
    return [float(v) for v in value] if isinstance(value, list) else [float(value)]


def whole_number(text: str) -> int:
    """Read a whole number, also where it is written as 1e4 or 100.0.

    Parameters
    ----------
    text : str

    Returns
    -------
    int

    Raises
    ------
    RequestError
        For a fraction, which is not rounded, and from 2^53 on for all but digits: a float no longer tells neighbours
        apart there.
    """
    with contextlib.suppress(ValueError):
        return int(text)
    with contextlib.suppress(ValueError):
        value = float(text)
        if value.is_integer() and abs(value) < LARGEST_WHOLE_FLOAT:
            return int(value)
    raise RequestError(f"'{text}' is no whole number.")


def beside_a_study_file(name: str, question: str) -> str:
    """Say how an option that a study file's page has not is given.

    Parameters
    ----------
    name : str
        With underscores.
    question : {"power", "mde", "size"}

    Returns
    -------
    str
        A sentence with a blank before it; nothing for a name that no study file takes.
    """
    from simstudy.study.studyfile import QUESTIONS, option_names  # late: start-up

    parameters = {known for scenario in scenario_names() for known in get_scenario(scenario).by_name}
    if name in {"method", *option_names(question), *parameters}:
        return f" Beside a study file it is written --set {name}=VALUE."
    others = [other for other in QUESTIONS if name in option_names(other)]
    return f" A study file takes {name} with {' and '.join(others)} alone." if others else ""


def required(given: Mapping[str, Any], *options: Option) -> None:
    """Refuse a command whose needed options were not given.

    Parameters
    ----------
    given : mapping
        Name of an option → what was typed; None where it was not.
    *options : Option

    Raises
    ------
    RequestError
        Naming all that are missing.
    """
    missing = [option for option in options if given.get(option.name) is None]
    if missing:
        words = "; ".join(f"{option.typed}: {option.help}" for option in missing)
        raise RequestError(f"This needs {' and '.join(option.typed for option in missing)}. {words}")
