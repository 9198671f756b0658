"""Two hundred wrong requests, made of the table of options and of what the scenarios declare: the same ones each time.

Each is a right request of a scenario with one thing wrong in it; the kinds of wrong things take turns.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from simstudy.options import OPTIONS, QUESTIONS, REPLAY, Option, options_of
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Parameter, Scenario
from tests.hostile.request import REFUSED, Request

REQUESTS = 200
COMMANDS = (*QUESTIONS, REPLAY)
# no number in any reading
NO_NUMBERS = (
    "",
    " ",
    "x",
    "0x10",
    "1;2",
    "1/2",
    "½",
    "²",
    "1e",
    "True",
    "None",
    "- 1",
    "1 000",
    "+-1",
    "\x1b[31m1",
    "1\n2",
)
NOT_FINITE = ("nan", "inf", "-inf", "1e400", "-1e999", "NaN")
NO_RANGES = (
    "1:2",
    "1:2:0",
    "2:1:1",
    "1:2:-1",
    "1:2:0.3",
    "::",
    "1:2:3:4",
    "log:0:1:3",
    "log:1:2",
    "1:inf:1",
    "log:1:9:1",
)


def typed(name: str) -> str:
    """Return the option of a parameter."""
    return f"--{name.replace('_', '-')}"


def written(value: Any) -> str:
    """Return a value as it is typed."""
    return "/".join(map(str, value)) if isinstance(value, tuple) else f"{value}"


@cache
def right(command: str, scenario: Scenario, without: str = "") -> tuple[str, ...]:
    """Return a right request: the small design point of the scenario, as far as the question takes it."""
    solved = {"mde": scenario.effect, "size": scenario.size}.get(command)
    target = ("--target", "half_width=0.3") if command == "size" and scenario.target_variable == "coverage" else ()
    more = {"replay": ("--replication", "1"), "size": (*target, "--largest", "30")}.get(command, ())
    # parameters that some method needs or reads alone would be refused without that method
    plain = [name for name in scenario.example if name not in _of_some(scenario) or name == without]
    said = [
        word
        for name in plain
        if name != without and not (solved and name == solved.name)
        for word in (typed(name), written(scenario.example[name]))
    ]
    return (command, scenario.name, *said, *more)


@cache
def _of_some(scenario: Scenario) -> set[str]:
    """Return the parameters that not every default method reads."""
    return {
        parameter.name
        for parameter in scenario.parameters
        if not all(parameter.read_by([scenario.method(name)]) for name in scenario.default_methods)
    }


def asked(scenario: Scenario) -> list[str]:
    """Return the commands that a scenario can be asked with."""
    return [command for command in COMMANDS if command != "mde" or scenario.effect]


def parameters(command: str, scenario: Scenario) -> list[Parameter]:
    """Return the parameters that a right request gives."""
    solved = {"mde": scenario.effect, "size": scenario.size}.get(command)
    spared = _of_some(scenario)
    return [
        parameter
        for parameter in scenario.parameters
        if parameter.name in scenario.example and parameter.name not in spared and parameter is not solved
    ]


def options(command: str, *kinds: str) -> list[Option]:
    """Return the options of a question that hold values of some kinds."""
    return [option for option in options_of(command) if option.kind in kinds and option.name != "replication"]


def names(option: str) -> str:
    """Return what a sentence may call an option."""
    return f"{option}|{typed(option)}"


Kind = Callable[[str, Scenario], Iterator[tuple[tuple[str, ...], tuple[str, ...]]]]


def instead(command: str, scenario: Scenario, name: str, value: str) -> tuple[str, ...]:
    """Return a right request with one value that is not."""
    return (*right(command, scenario, without=name), typed(name), value)


def no_number(command: str, scenario: Scenario) -> Iterator[Any]:
    """A parameter that is no number."""
    for parameter, value in zip(parameters(command, scenario), itertools.cycle(NO_NUMBERS), strict=False):
        yield instead(command, scenario, parameter.name, value), (names(parameter.name),)


def not_finite(command: str, scenario: Scenario) -> Iterator[Any]:
    """A parameter that is no finite number."""
    for parameter, value in zip(parameters(command, scenario), itertools.cycle(NOT_FINITE), strict=False):
        yield instead(command, scenario, parameter.name, value), (names(parameter.name),)


def no_range(command: str, scenario: Scenario) -> Iterator[Any]:
    """A parameter with a range that is none."""
    for parameter, value in zip(parameters(command, scenario), itertools.cycle(NO_RANGES), strict=False):
        if parameter.kind != "profile":
            yield instead(command, scenario, parameter.name, value), (names(parameter.name), value)


def outside(command: str, scenario: Scenario) -> Iterator[Any]:
    """A parameter just outside what its declaration allows."""
    for parameter in parameters(command, scenario):
        if parameter.kind == "integer":
            values = [f"{int(parameter.low) - 1}", f"{int(parameter.high) + 1}"]
        else:
            values = [
                f"{bound if is_open else math.nextafter(bound, way)!r}"
                for bound, is_open, way in (
                    (parameter.low, parameter.open_low, -math.inf),
                    (parameter.high, parameter.open_high, math.inf),
                )
                if math.isfinite(bound)
            ]
        for value in values if parameter.kind != "profile" else ["0/1", "1/2.5", "1//2", "/", "a/b"]:
            yield instead(command, scenario, parameter.name, value), (names(parameter.name),)


def far_outside(command: str, scenario: Scenario) -> Iterator[Any]:
    """A parameter far outside, in digits that no float holds."""
    for parameter, value in zip(
        parameters(command, scenario), itertools.cycle(("1e300", "-1e300", "9" * 400, "-" + "9" * 5000)), strict=False
    ):
        yield instead(command, scenario, parameter.name, value), (names(parameter.name),)


def not_whole(command: str, scenario: Scenario) -> Iterator[Any]:
    """A whole number with a fraction."""
    for parameter in parameters(command, scenario):
        if parameter.kind == "integer":
            yield instead(command, scenario, parameter.name, "4.5"), (names(parameter.name), "whole number")
    for option in options(command, "integer"):
        yield (*right(command, scenario), option.typed, "4.5"), (names(option.name), "4.5", "whole number")


def missing_value(command: str, scenario: Scenario) -> Iterator[Any]:
    """An option that ends the line, or that another one follows."""
    for option in options_of(command):
        if option.kind not in ("flag", "switch", "argument"):
            yield (*right(command, scenario), option.typed), (names(option.name),)
            yield (*right(command, scenario), option.typed, "--alpha"), (names(option.name),)


def missing_parameter(command: str, scenario: Scenario) -> Iterator[Any]:
    """A parameter that is required and not given."""
    for parameter in parameters(command, scenario):
        if parameter.required and parameter.name not in {n for g in scenario.groups for a in g.alternatives for n in a}:
            yield right(command, scenario, without=parameter.name), (names(parameter.name),)


def doubled(command: str, scenario: Scenario) -> Iterator[Any]:
    """An option or a parameter given twice, though with the same value."""
    words = right(command, scenario)
    for parameter in parameters(command, scenario):
        place = words.index(typed(parameter.name))
        yield (*words, *words[place : place + 2]), (names(parameter.name), "more than once")
    for option in options(command, "integer", "flag"):
        given = (option.typed,) if option.kind == "flag" else (option.typed, "3")
        if option.typed not in words:
            yield (*words, *given, *given), (names(option.name), "more than once")


def doubled_value(command: str, scenario: Scenario) -> Iterator[Any]:
    """A list that holds a value twice."""
    for parameter in parameters(command, scenario):
        value = written(scenario.example[parameter.name])
        if command != "replay" and parameter.kind != "profile":
            yield (
                instead(command, scenario, parameter.name, f"{value},{value}"),
                (names(parameter.name), "more than once"),
            )
    if command != "replay":
        yield (*right(command, scenario), "--alpha", "0.05,0.050"), ("alpha", "more than once")


def near_parameter(command: str, scenario: Scenario) -> Iterator[Any]:
    """A parameter with a letter too few."""
    for parameter in parameters(command, scenario):
        wrong = typed(parameter.name[:-2] + parameter.name[-1]) if len(parameter.name) > 4 else ""
        if wrong and wrong[2:].replace("-", "_") not in scenario.by_name:
            words = (
                *right(command, scenario, without=parameter.name),
                wrong,
                written(scenario.example[parameter.name]),
            )
            yield words, (wrong, f"Did you mean {typed(parameter.name)}?")


def near_option(command: str, scenario: Scenario) -> Iterator[Any]:
    """An option with two letters in the wrong order."""
    for option in options(command, "integer", "number", "numbers", "choice", "list"):
        if len(option.name) > 5:
            wrong = f"{option.typed[:4]}{option.typed[5]}{option.typed[4]}{option.typed[6:]}"
            yield (*right(command, scenario), wrong, "1"), (wrong, f"Did you mean {option.typed}?")


def another_question(command: str, scenario: Scenario) -> Iterator[Any]:
    """An option that belongs to another command."""
    own = {option.name for option in options_of(command)} | set(scenario.by_name)
    own |= {option.name for option in options_of("size paired")} if scenario.name == "paired" else set()
    for option in OPTIONS:
        if option.name not in own and option.kind != "argument":
            own.add(option.name)
            yield (*right(command, scenario), option.typed, "1"), (option.typed,)


def another_scenario(command: str, scenario: Scenario) -> Iterator[Any]:
    """A parameter of another scenario."""
    own = set(scenario.by_name) | {option.name for option in options_of(command)}
    for other in scenario_names():
        for name in get_scenario(other).by_name:
            if name not in own:
                own.add(name)
                yield (*right(command, scenario), typed(name), "0.5"), (typed(name),)


def near_choice(command: str, scenario: Scenario) -> Iterator[Any]:
    """A choice with a letter too many, another case, or none at all."""
    for option in options(command, "choice"):
        for choice in option.choices:
            yield (
                (*right(command, scenario), option.typed, f"{choice}e"),
                (names(option.name), f"Did you mean {choice}?"),
            )
        yield (*right(command, scenario), option.typed, ""), (names(option.name),)
        yield (*right(command, scenario), option.typed, ",".join(option.choices[:2])), (names(option.name),)


def near_method(command: str, scenario: Scenario) -> Iterator[Any]:
    """A method of another scenario, a misspelt one, one twice, or none."""
    if command == "replay":
        return
    own = {method.name for method in scenario.methods}
    name = scenario.default_methods[0]
    for given, says in (
        (name[:-1], f"Did you mean {name}?|{name}"),
        (f"{name},{name}", "more than once"),
        (f"{name},", "method"),
        ("", "method"),
        (f"{name};{name}", "method"),
        *((method.name, method.name) for method in get_scenario("paired").methods if method.name not in own),
    ):
        yield (*right(command, scenario), "--method", given), (says,)


def option_outside(command: str, scenario: Scenario) -> Iterator[Any]:
    """An option just outside what the table allows."""
    for option in options(command, "integer", "number", "numbers"):
        if option.low is None or option.high is None or option.typed in right(command, scenario):
            continue
        for bound, is_open, step in ((option.low, option.open_low, -1), (option.high, option.open_high, 1)):
            beyond = bound + step if option.kind == "integer" else bound if is_open else bound + step * 1e-9
            yield (*right(command, scenario), option.typed, f"{beyond}"), (names(option.name), option.range)


def option_no_number(command: str, scenario: Scenario) -> Iterator[Any]:
    """An option that is no number, or none that is finite."""
    values = itertools.cycle((*NO_NUMBERS, *NOT_FINITE))
    for option in options(command, "integer", "number", "numbers"):
        if option.typed not in right(command, scenario):
            yield (*right(command, scenario), option.typed, next(values)), (names(option.name),)


def list_for_one(command: str, scenario: Scenario) -> Iterator[Any]:
    """A list or a range where one value belongs."""
    for option in options(command, "integer", "number"):
        if option.typed not in right(command, scenario):
            yield (*right(command, scenario), option.typed, "3,4"), (names(option.name), "3,4")
            yield (*right(command, scenario), option.typed, "1:3:1"), (names(option.name), "1:3:1")
    if command == "replay":
        for parameter in parameters(command, scenario):
            if parameter.kind != "profile":
                value = written(scenario.example[parameter.name])
                words = instead(command, scenario, parameter.name, f"{value},{value}1")
                yield words, (names(parameter.name),)


def shut_out(command: str, scenario: Scenario) -> Iterator[Any]:
    """Two that exclude each other."""
    words = right(command, scenario)
    if command != "replay":
        yield (*words, "--mcse", "0.01", "--replications", "100"), ("mcse", "replications")
    if command == "mde":
        yield (*words, "--sign", "both", "--alternative", "greater"), ("sign", "one-sided")
        yield (*words, "--sign", "negative", "--alternative", "greater"), ("sign", "alternative")
    for group in scenario.groups:
        for name in (name for names_ in group.alternatives for name in names_ if typed(name) not in words):
            yield (*words, typed(name), "0.5"), (name,)


def solved_for(command: str, scenario: Scenario) -> Iterator[Any]:
    """What the question solves for."""
    solved = {"mde": scenario.effect, "size": scenario.size}.get(command)
    if solved:
        yield (*right(command, scenario), typed(solved.name), written(scenario.example[solved.name])), (solved.name,)


def wrong_target(command: str, scenario: Scenario) -> Iterator[Any]:
    """A target that is none."""
    words = tuple(word for word in right(command, scenario) if word not in ("--target", "half_width=0.3"))
    if command == "replay":
        return
    for value in (
        "0",
        "1",
        "-0.8",
        "nan",
        "",
        "power",
        "power=",
        "=0.8",
        "power=x",
        "powr=0.8",
        "power=0.8=0.9",
        "power=0.8,power=0.9",
        "power>0.8",
        "0.8,0.9",
        "power:0.8",
        "coverage=1.1",
        "half_width=0",
        "width=-1",
        "power=0.8,",
        "mcse=0.1",
        "power_mcse=0.1",
    ):
        yield (*words, "--target", value), ("target|power|coverage|width",)


def stray(command: str, scenario: Scenario) -> Iterator[Any]:
    """Words that belong to nothing."""
    for word in ("0.5", scenario.name, "-", "--", "power", "=", "-n", "--=1", "---seed", "-seed"):
        yield (*right(command, scenario), word), ()


def no_destination(command: str, scenario: Scenario) -> Iterator[Any]:
    """A file that cannot be written."""
    ending = ".csv" if command == "replay" else ".nc"
    for name in (
        "",
        ".",
        "..",
        "/",
        f"nowhere/new{ending}",
        f"old.nc/new{ending}",
        "new",
        f"new{ending}.gz",
        "folder",
        "new.NCX",
        f"{ending}",
        "new.xlsx",
    ):
        yield (*right(command, scenario), "--out", name), ("write|--out|name of the file",)
    if command != "replay":
        for name in ("", "new", "new.gif", "nowhere/new.png", "folder/", "new.png/x.png", ".png"):
            yield (*right(command, scenario), "--plot", name), ("write|--plot|name of the file",)


KINDS: Mapping[str, Kind] = {
    "no number": no_number,
    "not finite": not_finite,
    "no range": no_range,
    "outside": outside,
    "far outside": far_outside,
    "not whole": not_whole,
    "value missing": missing_value,
    "parameter missing": missing_parameter,
    "doubled": doubled,
    "value doubled": doubled_value,
    "parameter misspelt": near_parameter,
    "option misspelt": near_option,
    "of another question": another_question,
    "of another scenario": another_scenario,
    "choice misspelt": near_choice,
    "method misspelt": near_method,
    "option outside": option_outside,
    "option no number": option_no_number,
    "list for one value": list_for_one,
    "shut out": shut_out,
    "solved for": solved_for,
    "wrong target": wrong_target,
    "stray word": stray,
    "no destination": no_destination,
}


def generated(seed: int = 1, number: int = REQUESTS) -> tuple[Request, ...]:
    """Return requests, kind by kind in turn; those of a kind in an order that a seed decides."""
    lines = []
    for kind, make in KINDS.items():
        of_kind = [
            Request(words, REFUSED, says, kind)
            for name in scenario_names()
            for command in asked(get_scenario(name))
            for words, says in make(command, get_scenario(name))
        ]
        random.Random(f"{seed} {kind}").shuffle(of_kind)
        lines.append(of_kind)
    turns = (request for turn in itertools.zip_longest(*lines) for request in turn if request is not None)
    return tuple(itertools.islice(turns, number))
