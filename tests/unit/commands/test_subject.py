"""What a command is about."""

import pytest

from simstudy.commands.parsing import Invocation
from simstudy.commands.subject import errors_of, find_subject, needs_subject, take_subject
from simstudy.errors import ComputationError, ParameterError, RequestError
from simstudy.scenarios import get_scenario


def test_a_scenario_stands_first_or_among_options():
    assert take_subject([])[0].scenario is None
    for tokens in (["paired", "--seed", "1"], ["--seed", "1", "paired"]):
        subject, rest = take_subject(tokens)
        assert subject.scenario is get_scenario("paired")
        assert rest == ["--seed", "1"]
    assert take_subject(["--out", "paired"]) == (take_subject([])[0], ["--out", "paired"])


def test_files_are_told_by_their_ending(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text("", encoding="utf-8")
    assert find_subject("a.toml").study_file.name == "a.toml"
    with pytest.raises(RequestError, match=r"Did you mean a.toml"):
        find_subject("aa.toml")
    with pytest.raises(RequestError, match="neither a scenario nor a study file"):
        find_subject("a.csv")


@pytest.mark.parametrize("question", ["mde", "size", "replay"])
def test_without_a_subject(question, capsys):
    asked = Invocation(question, (), "", "About.")
    with pytest.raises(RequestError, match=f"simstudy {question} needs a scenario"):
        needs_subject(asked, [])
    assert needs_subject(asked, ["--help"]) == 0
    assert f"simstudy {question} paired --help" in " ".join(capsys.readouterr().out.replace("│", "").split())


def test_errors_of_own_scenarios_alone_are_worded():
    with pytest.raises(ZeroDivisionError), errors_of(get_scenario("paired")):
        1 / 0  # noqa: B018  # it raises

    class Own(type(get_scenario("paired"))):
        __module__ = __name__

    message = "Scenario paired of test_subject.py failed: ZeroDivisionError"
    with pytest.raises(ComputationError, match=message), errors_of(Own()):
        1 / 0  # noqa: B018  # it raises
    with pytest.raises(ParameterError, match="as it is"), errors_of(Own()):
        raise ParameterError("as it is")
