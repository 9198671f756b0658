"""What names no command: help, the version, or a word that is none."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from cyclopts import App

from simstudy.commands.parsing import Invocation, Page, call
from simstudy.commands.run import COMMANDS
from simstudy.errors import RequestError, UnknownNameError
from simstudy.scenarios import scenario_names

OPTIONS = ("--help", "-h", "--version")


def command(asked: Invocation) -> int:
    """Print help or the version, or propose a command; return 0."""
    words = [token for token in asked.tokens if token not in OPTIONS]
    if words and words[0] not in COMMANDS:
        raise _no_command(words[0])
    if words and asked.tokens[0] == "--version":
        raise RequestError(f"--version stands alone; '{words[0]}' follows.")
    if words:
        return _help_of(words[0], words[1:])
    app = App(
        name="simstudy",
        help="How many cases does an evaluation need, and what can it see? Monte Carlo studies of LLM evaluations.",
        usage="Usage: simstudy COMMAND [OPTIONS]",
        help_format="plaintext",
        help_epilogue="More: simstudy COMMAND --help, simstudy power paired --help, simstudy list.",
        version=_version,
        result_action="return_value",
    )
    for number, (name, (_, about)) in enumerate(COMMANDS.items()):
        app.command(App(name=name, help=about, sort_key=number))
    call(app, asked.tokens, Page("simstudy COMMAND [OPTIONS]", "", ()))
    return 0


def _help_of(name: str, words: Sequence[str]) -> int:
    """Print the page of a command that was named after ``--help``."""
    module, about = COMMANDS[name]
    asked = Invocation(name, (*words, "--help"), "", about)
    code: int = importlib.import_module(f"simstudy.commands.{module}").command(asked)
    return code


def _version() -> str:
    from importlib.metadata import version  # late: start-up

    return f"simstudy {version('simstudy')}"


def _no_command(word: str) -> RequestError:
    if word.startswith("-"):
        return RequestError(
            f"simstudy begins with a command, not with the option '{word}'. Commands: {', '.join(COMMANDS)}."
        )
    if word in scenario_names() or word.endswith(".toml"):
        return RequestError(f"'{word}' is no command. Did you mean simstudy power {word}?")
    return UnknownNameError("command", word, COMMANDS)
