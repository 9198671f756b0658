"""What is said of files before anything is computed with them."""

import json

import pytest

from simstudy.commands.doctor_command import command
from simstudy.commands.parsing import Invocation
from simstudy.errors import RecordsError, RequestError


@pytest.fixture
def results(tmp_path):
    (tmp_path / "r.csv").write_text("case,old,new\n1,1,0\n2,0,error\n3,1,1\n", encoding="utf-8")
    (tmp_path / "no.csv").write_bytes(b"\x89PNG\r\n\x1a\n")
    return tmp_path


def asked(*tokens):
    return Invocation("doctor", tokens, "", "About.")


def test_findings_of_a_file(results, capsys):
    assert command(asked(str(results / "r.csv"), "--format", "json")) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["n_cases"], found["systems"]) == (3, ["old", "new"])
    assert found["unreadable"] == {"new": {"error": 1}}
    assert "compare" in found["can"]
    assert command(asked(str(results / "r.csv"))) == 0
    assert "unreadable in new: 1 error" in capsys.readouterr().out


def test_a_file_that_is_not_understood_is_told_beside_the_others(results, capsys):
    assert command(asked(str(results / "r.csv"), str(results / "no.csv"))) == 0
    assert "no.csv: not understood" in capsys.readouterr().out
    with pytest.raises(RecordsError):
        command(asked(str(results / "no.csv")))


def test_a_file_is_needed():
    with pytest.raises(RequestError, match="needs a file of results"):
        command(asked())
