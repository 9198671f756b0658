"""Words that name no command."""

from importlib.metadata import version

import pytest

from simstudy.commands.no_command import command
from simstudy.commands.parsing import Invocation
from simstudy.commands.run import COMMANDS
from simstudy.errors import RequestError


def asked(*tokens):
    return Invocation("", tokens, "", "")


def test_help_and_version(capsys):
    assert command(asked()) == 0
    page = capsys.readouterr().out
    assert all(f" {name} " in page for name in COMMANDS)
    assert command(asked("--version")) == 0
    assert capsys.readouterr().out == f"simstudy {version('simstudy')}\n"
    assert command(asked("--help", "show")) == 0
    assert capsys.readouterr().out.startswith("Usage: simstudy show")


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (("pwer",), "There is no command 'pwer'. Did you mean power?"),
        (("paired",), "Did you mean simstudy power paired?"),
        (("--seed", "1"), "begins with a command, not with the option '--seed'"),
        (("--version", "list"), "--version stands alone"),
    ],
)
def test_refusals(tokens, message):
    with pytest.raises(RequestError, match=message.replace("?", r"\?")):
        command(asked(*tokens))
