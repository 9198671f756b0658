"""From tokens to what they say, by name, through cyclopts; and its messages in our words."""

from __future__ import annotations

import contextlib
import inspect
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

from cyclopts import App, CycloptsError, Group, Parameter, Token
from cyclopts.exceptions import (
    CoercionError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from simstudy.errors import RequestError, nearest
from simstudy.options import OUTPUT, PROPORTION, QUESTIONS, Option, keywords, whole_number
from simstudy.ranges import percentage
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Scenario
from simstudy.study.words import number

# what is no word or several of them
TYPES: dict[str, Any] = {
    "integer": int | None,
    "number": float | None,
    "flag": bool,
    "switch": bool | None,
    "texts": list[str] | None,
}
# typed without their names: one, or any number
POSITIONAL = {"argument": inspect.Parameter.POSITIONAL_ONLY, "arguments": inspect.Parameter.VAR_POSITIONAL}
LAST = 100
NO_VALUE = "left without a value"
KINDS = {"proportion": "a proportion", "logits": "logits"}
WORDS = {"integer": "a whole number", "number": "a number", "flag": NO_VALUE, "switch": NO_VALUE}


@dataclass(frozen=True)
class Invocation:
    """A command as it was typed: its name, what follows it, the whole of it for the record, and its line of help."""

    name: str
    tokens: tuple[str, ...]
    typed: str
    about: str


@dataclass(frozen=True)
class Page:
    """A command as the parser and its help page know it; ``usage`` is the line that shows how it is typed."""

    usage: str
    about: str
    options: tuple[Option, ...]
    examples: tuple[str, ...] = ()


def parse(page: Page, tokens: Sequence[str]) -> dict[str, Any] | None:
    """Return every option of a page by name, None where it was not typed; None instead where help was printed."""
    if "--" in tokens:
        raise RequestError("'--' stands for nothing here: leave it out.")
    app = App(
        name="simstudy",
        help=page.about,
        usage=f"Usage: {page.usage}",
        help_format="plaintext",
        help_epilogue=_examples(page),
        version_flags=(),
        result_action="return_value",
    )
    app["--help"].show = False
    app.default(_understood(page))
    found = call(app, tokens, page)
    if found is None:
        return None
    unsaid = {option.name: False if option.kind == "flag" else None for option in page.options}
    given = {**unsaid, **found}
    for option in page.options:
        _not_swallowed(option, given[option.name])
    return given


def _examples(page: Page) -> str | None:
    width = shutil.get_terminal_size().columns - 6
    return "\n  ".join(["Examples:", *(folded_command(e, width) for e in page.examples)]) if page.examples else None


def parameter_options(scenario: Scenario, solved: str = "") -> tuple[Option, ...]:
    """Return an option for each parameter of a scenario; the one that is solved for is hidden."""
    return tuple(
        Option(
            parameter.name,
            parameter.help,
            "numbers",
            (),
            unsaid="" if parameter.default is None else number(parameter.default),
            allowed=parameter.interval.replace("a number", KINDS.get(parameter.unit, "a number")),
            heading=f"Parameters of {scenario.name}",
            hidden=parameter.name == solved,
        )
        for parameter in scenario.parameters
    )


def required(given: Mapping[str, Any], page: Page, *names: str) -> None:
    """Refuse a command whose needed options were not given, naming all that are missing."""
    missing = [option for option in page.options if option.name in names and given.get(option.name) is None]
    if missing:
        words = "; ".join(f"{option.typed}: {option.help.rstrip('.')}" for option in missing)
        raise RequestError(f"This needs {' and '.join(option.typed for option in missing)}. {words}.")


@contextlib.contextmanager
def in_options(page: Page) -> Iterator[None]:
    """Let refusals name the options of the command line, not the arguments of Python: --n-cases is 0."""
    try:
        yield
    except RequestError as error:
        error.args = (_as_options(str(error), page),)
        raise


def _as_options(text: str, page: Page) -> str:
    named = {option.name: option.typed for option in page.options if option.kind not in POSITIONAL}
    # one word is a name where a value or a verb follows; n_cases always is
    ends = {
        name: r"(?![\w=(\'-])" if "_" in name else r"(?= (?:-?\.?\d|is |has |must |cannot |out\b)|: ')"
        for name in named
    }
    if named:
        text = _with_lists(text, named)
    chosen = "|".join(option.name for option in page.options if option.kind == "choice")
    if chosen:
        text = re.sub(rf"\b({chosen})=(\w+)", lambda found: f"{named[found[1]]} {found[2]}", text)
    pattern = "|".join(rf"{name}{end}" for name, end in ends.items())
    return re.sub(rf"(?<![\w./'=-])(?<!--x )(?:{pattern})", lambda found: named[found[0]], text) if named else text


def _with_lists(text: str, named: Mapping[str, str]) -> str:
    """Write names as options where they are alternatives, or lead a sentence: say either discordance or correlation."""
    name = rf"\b(?:{'|'.join(named)})\b(?![=(-])"
    names = rf"{name}(?:(?:, | and | or ){name})*"
    lists = (
        rf"(?:(?<=say either )|(?<=\bor say )|(?<= needs )){names}(?=[.:;)])|{names}(?= cannot be given)|^{name}(?=: )"
    )
    return re.sub(lists, lambda found: re.sub(name, lambda one: named[one[0]], found[0]), text)


def folded_command(command: str, width: int) -> str:
    """Return a command on lines that fit a width, broken before options alone, so that it can be copied."""
    words = re.split(r" (?=--)", command)
    lines = [words[0]]
    for word in words[1:]:
        # room for the space and the stroke that says that the command goes on
        if len(lines[-1]) + len(word) + 3 > width:
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return " \\\n      ".join(lines)


def _understood(page: Page) -> Callable[..., dict[str, Any]]:
    """Return a function whose signature holds the options: cyclopts reads everything from it."""
    groups: dict[str, Group] = {}
    for option in page.options:
        place = LAST if option.heading == OUTPUT else len(groups)
        groups.setdefault(option.heading, Group(option.heading, sort_key=place))
    arguments = [option for option in page.options if option.kind in POSITIONAL]
    named = [option for option in page.options if option.kind not in POSITIONAL]

    def given(*first: str | None, **options: Any) -> dict[str, Any]:
        if any(option.kind == "arguments" for option in arguments):
            return {arguments[0].name: list(first), **options}
        return {**{option.name: value for option, value in zip(arguments, first, strict=False)}, **options}

    parameters = [_parameter(option, POSITIONAL[option.kind], {}) for option in arguments]
    parameters += [
        _parameter(option, inspect.Parameter.KEYWORD_ONLY, {"group": groups[option.heading]}) for option in named
    ]
    given.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    given.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return given


def _parameter(option: Option, kind: Any, settings: dict[str, Any]) -> inspect.Parameter:
    settings |= {"help": option.help, "show_default": False, "show": not option.hidden}
    if option.kind != "switch":
        settings["negative"] = ()
    if option.kind in ("text", "list", "choice", "numbers"):
        settings["allow_leading_hyphen"] = True  # -0.1,0,0.1 is a list, not an option
    if option.kind == "texts":
        settings["consume_multiple"] = True
    if option.kind == "integer":
        settings["converter"] = _whole  # the parser's own would round
    if option.kind == "number" and option.unit == PROPORTION:
        settings["converter"] = _proportion  # the parser's own knows no percentages
    if kind is inspect.Parameter.VAR_POSITIONAL:
        return inspect.Parameter(option.name, kind, annotation=Annotated[str, Parameter(**settings)])
    default = False if option.kind == "flag" else None
    annotation = Annotated[TYPES.get(option.kind, str | None), Parameter(**settings)]  # type: ignore[valid-type]  # made, not written
    return inspect.Parameter(option.name, kind, default=default, annotation=annotation)


def _whole(_: Any, tokens: Sequence[Token]) -> int:
    return whole_number("", tokens[0].value)


def _proportion(_: Any, tokens: Sequence[Token]) -> float:
    text = tokens[0].value
    return percentage("", text, proportion=True) if text.endswith("%") else float(text)


def _not_swallowed(option: Option, value: Any) -> None:
    """Refuse an option as the value of another: ``--n-cases --quiet`` lacks a number."""
    if isinstance(value, str) and value.startswith("--"):
        raise RequestError(f"{option.typed} has no value: '{value}' follows. {option.help}")
    if value == [] and option.kind != "arguments":
        raise RequestError(f"{option.typed} has no value. {option.help}")


def call(app: App, tokens: Sequence[str], page: Page) -> Any:
    """Let cyclopts read the tokens, its messages in our words."""
    try:
        return app(list(tokens), exit_on_error=False, print_error=False, help_on_error=False)
    except CycloptsError as error:
        _in_our_words(error, page)


def _in_our_words(error: CycloptsError, page: Page) -> NoReturn:
    options = {option.typed: option for option in page.options}
    if isinstance(error, UnknownOptionError):
        raise _unknown_option(str(error.token.keyword or error.token.value), page) from None
    if isinstance(error, CoercionError) and error.token is not None:
        option = options.get(str(error.token.keyword))
        if option and option.kind == "integer":
            with in_options(page):
                whole_number(option.typed, str(error.token.value))
        allowed = WORDS.get(option.kind if option else "", "a value of another kind")
        raise RequestError(f"{error.token.keyword} is '{error.token.value}'; it must be {allowed}.") from None
    if isinstance(error, MissingArgumentError):
        name = error.keyword or (error.argument.name if error.argument else "an option")
        about = options[name].help if name in options else ""
        raise RequestError(f"{name} has no value. {about}") from None
    if isinstance(error, RepeatArgumentError):
        option = options.get(str(error.token.keyword))
        how = "give several values as a list: a,b,c" if option and option.several else "once is enough"
        raise RequestError(f"{error.token.keyword} is given more than once; {how}.") from None
    if isinstance(error, UnusedCliTokensError):
        raise RequestError(
            f"'{(error.unused_tokens or ['?'])[0]}' belongs to no option. Values stand after an option such as "
            f"{page.options[0].typed}; a list has no blanks: 36,100,400."
        ) from None
    raise RequestError(str(error)) from None


def _unknown_option(typed: str, page: Page) -> RequestError:
    names = [*(option.typed for option in page.options if not option.hidden), "--help"]
    names += [f"--no-{option.typed[2:]}" for option in page.options if option.kind == "switch"]
    close = nearest(typed, names)
    hint = f" Did you mean {close}?" if close else ""
    elsewhere = _elsewhere(typed.lstrip("-").replace("-", "_"), page)
    allowed = f"Allowed: {', '.join(names)}."
    return RequestError(f"There is no option '{typed}' in {page.usage}.{elsewhere or hint} {allowed}")


def _elsewhere(name: str, page: Page) -> str:
    """Say where an option belongs that this page has not."""
    if any(option.name == "set" for option in page.options):
        return _beside_a_study_file(name, page.usage.split()[1])
    if page.usage.startswith("simstudy power [SCENARIO"):
        return f" Name a scenario first, as in simstudy power paired --{name.replace('_', '-')} VALUE."
    return ""


def _beside_a_study_file(name: str, question: str) -> str:
    """Say how an option that a study file's page has not is given; nothing for a name that no study file takes."""
    parameters = {known for scenario in scenario_names() for known in get_scenario(scenario).by_name}
    if name in {"method", *keywords(question), *parameters}:
        return f" Beside a study file it is written --set {name}=VALUE."
    others = [other for other in QUESTIONS if name in keywords(other)]
    return f" A study file takes {name} with {' and '.join(others)} alone." if others else ""
