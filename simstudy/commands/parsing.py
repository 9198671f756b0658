"""From tokens to options, through cyclopts; and its messages in our words."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
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

from simstudy.commands.pages_of_options import OUTPUT, PARAMETERS, Option, beside_a_study_file, whole_number
from simstudy.errors import RequestError, UnknownNameError, nearest
from simstudy.scenarios import scenario_names

TYPES: dict[str, Any] = {
    "text": str | None,
    "integer": int | None,
    "number": float | None,
    "flag": bool,
    "switch": bool | None,
    "texts": list[str] | None,
}
ROOT_OPTIONS = ("--help", "-h", "--version")
WORDS = {"integer": "a whole number", "number": "a number", "flag": "left without a value"}
WORDS["switch"] = WORDS["flag"]
LISTS = ("method", "alpha", "difference")


@dataclass(frozen=True)
class Invocation:
    """A command as it was typed.

    Attributes
    ----------
    tokens : tuple of str
        What follows the name of the command.
    typed : str
        The whole of it, for the record.
    about : str
        One line of help.
    """

    tokens: tuple[str, ...]
    typed: str
    about: str


@dataclass(frozen=True)
class Page:
    """A command as the parser and its help page know it.

    Attributes
    ----------
    usage : str
        The line that shows how it is typed, without the word "Usage".
    about : str
        What it does.
    options : tuple of Option
    argument : Option, optional
        A word that is typed without a name, first.
    examples : tuple of str
        Commands for the end of the help page.
    """

    usage: str
    about: str
    options: tuple[Option, ...]
    argument: Option | None = None
    examples: tuple[str, ...] = ()


def parse(page: Page, tokens: Sequence[str]) -> dict[str, Any] | None:
    """Return what was typed, by name.

    Parameters
    ----------
    page : Page
    tokens : sequence of str
        What was typed after the command and what it is about.

    Returns
    -------
    dict or None
        Every option of the page; None where one was not typed. None instead where help was asked for and printed.

    Raises
    ------
    RequestError
        For anything that the page does not know.
    """
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
    app.default(_function(page))
    if "--" in tokens:
        raise RequestError("'--' stands for nothing here: leave it out.")
    found = _quietly(app, tokens, page)
    if found is None:
        return None
    _no_swallowed_options(found, page)
    unsaid = {option.name: False if option.kind == "flag" else None for option in page.options}
    return {**({page.argument.name: None} if page.argument else {}), **unsaid, **found}


def root_help(tokens: Sequence[str], commands: Mapping[str, tuple[str, str]]) -> int:
    """Answer what names no command: print help or the version, or propose a command.

    Parameters
    ----------
    tokens : sequence of str
    commands : mapping
        Name → (module, one line of help).

    Returns
    -------
    int
        0.

    Raises
    ------
    RequestError
        For a word that is no command.
    """
    words = [token for token in tokens if token not in ROOT_OPTIONS]
    if words and words[0] not in commands:
        raise _no_command(words[0], list(commands))
    if words and tokens[0] == "--version":
        raise RequestError(f"--version stands alone; '{words[0]}' follows.")
    if words:
        return _command_help(words[0], words[1:], commands)
    app = App(
        name="simstudy",
        help="How many cases does an evaluation need, and what can it see? Monte Carlo studies of LLM evaluations.",
        usage="Usage: simstudy COMMAND [OPTIONS]",
        help_format="plaintext",
        help_epilogue="More: simstudy COMMAND --help, simstudy power paired --help, simstudy list.",
        version=_version,
        result_action="return_value",
    )
    for number, (name, (_, about)) in enumerate(commands.items()):
        app.command(App(name=name, help=about, sort_key=number))
    _quietly(app, tokens, Page("simstudy COMMAND [OPTIONS]", "", ()))
    return 0


def _command_help(name: str, words: Sequence[str], commands: Mapping[str, tuple[str, str]]) -> int:
    """Print the page of a command that was named after ``--help``."""
    module, about = commands[name]
    tokens = (*words, "--help")
    code: int = importlib.import_module(f"simstudy.commands.{module}").command(Invocation(tokens, "", about))
    return code


def _version() -> str:
    from importlib.metadata import version  # late: start-up

    return f"simstudy {version('simstudy')}"


def _no_command(word: str, commands: list[str]) -> RequestError:
    if word.startswith("-"):
        return RequestError(
            f"simstudy begins with a command, not with the option '{word}'. Commands: {', '.join(commands)}."
        )
    if word in scenario_names() or word.endswith(".toml"):
        return RequestError(f"'{word}' is no command. Did you mean simstudy power {word}?")
    return UnknownNameError("command", word, commands)


def _examples(page: Page) -> str | None:
    return "Examples:\n" + "\n".join(f"  {example}" for example in page.examples) if page.examples else None


def _function(page: Page) -> Callable[..., dict[str, Any]]:
    """Return a function whose signature holds the options: cyclopts reads everything from it."""
    headings = list(dict.fromkeys(option.group for option in page.options))
    headings.sort(key=lambda heading: heading == OUTPUT)
    groups = {heading: Group(heading, sort_key=number) for number, heading in enumerate(headings)}

    def given(*argument: str | None, **options: Any) -> dict[str, Any]:
        return {**({page.argument.name: argument[0]} if page.argument and argument else {}), **options}

    parameters = [_keyword(option, groups[option.group]) for option in page.options]
    if page.argument:
        annotation = Annotated[str | None, Parameter(help=page.argument.help, show_default=False)]
        first = inspect.Parameter(
            page.argument.name, inspect.Parameter.POSITIONAL_ONLY, default=None, annotation=annotation
        )
        parameters.insert(0, first)
    given.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    given.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return given


def _keyword(option: Option, group: Group) -> inspect.Parameter:
    settings: dict[str, Any] = {"help": option.help, "group": group, "show_default": False}
    if option.hidden:
        settings["show"] = False
    if option.kind != "switch":
        settings["negative"] = ()
    if option.kind == "text":
        settings["allow_leading_hyphen"] = True  # -0.1,0,0.1 is a list, not an option
    if option.kind == "texts":
        settings["consume_multiple"] = True
    if option.kind == "integer":
        settings["converter"] = _whole  # the parser's own would round
    default = False if option.kind == "flag" else None
    kind = TYPES[option.kind]
    annotation = Annotated[kind, Parameter(**settings)]  # type: ignore[valid-type]  # made, not written
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _whole(_: Any, tokens: Sequence[Token]) -> int:
    return whole_number(tokens[0].value)


def _quietly(app: App, tokens: Sequence[str], page: Page) -> Any:
    try:
        return app(list(tokens), exit_on_error=False, print_error=False, help_on_error=False)
    except CycloptsError as error:
        _in_our_words(error, page)


def _in_our_words(error: CycloptsError, page: Page) -> NoReturn:
    if isinstance(error, UnknownOptionError):
        raise _unknown_option(str(error.token.keyword or error.token.value), page) from None
    if isinstance(error, CoercionError) and error.token is not None:
        kind = next((option.kind for option in page.options if option.typed == error.token.keyword), "text")
        allowed = WORDS.get(kind, "a value of another kind")
        raise RequestError(f"{error.token.keyword} is '{error.token.value}'; it must be {allowed}.") from None
    if isinstance(error, MissingArgumentError):
        name = error.keyword or (error.argument.name if error.argument else "an option")
        raise RequestError(f"{name} has no value. {_help_of(name, page)}") from None
    if isinstance(error, RepeatArgumentError):
        raise _repeated(str(error.token.keyword), page) from None
    if isinstance(error, UnusedCliTokensError):
        raise RequestError(
            f"'{(error.unused_tokens or ['?'])[0]}' belongs to no option. Values stand after an option such as "
            f"{page.options[0].typed}; a list has no blanks: 36,100,400."
        ) from None
    raise RequestError(str(error)) from None


def _repeated(typed: str, page: Page) -> RequestError:
    option = next((option for option in page.options if option.typed == typed), None)
    several = option is not None and (option.name in LISTS or option.group.startswith(PARAMETERS.format("")))
    how = "give several values as a list: a,b,c" if several else "once is enough"
    return RequestError(f"{typed} is given more than once; {how}.")


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
    options = {option.name for option in page.options}
    if "set" in options:
        return beside_a_study_file(name, page.usage.split()[1])
    if "[SCENARIO" in page.usage and "n_cases" not in options:
        return f" Name a scenario first, as in {page.usage.split(' [')[0]} paired --{name.replace('_', '-')} VALUE."
    return ""


def _help_of(typed: str, page: Page) -> str:
    return next((option.help for option in page.options if option.typed == typed), "")


def _no_swallowed_options(found: Mapping[str, Any], page: Page) -> None:
    """Refuse an option as the value of another: ``--n-cases --quiet`` lacks a number."""
    for option in page.options:
        value = found.get(option.name)
        if option.kind == "text" and isinstance(value, str) and value.startswith("--"):
            raise RequestError(f"{option.typed} has no value: '{value}' follows. {option.help}")
        if option.kind == "texts" and value is not None and not value:
            raise RequestError(f"{option.typed} has no value. {option.help}")
