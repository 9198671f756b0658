"""What is typed for a comparison, and how its report is written."""

import csv
import io
import json

import pytest

from simstudy.commands.compare_command import command
from simstudy.commands.parsing import Invocation
from simstudy.errors import ParameterError, RefusedError, RequestError, UnknownNameError

ROWS = "".join(f"q{i},{int(i < 30)},{int(5 <= i < 38)},{i // 10}\n" for i in range(40))


@pytest.fixture
def results(tmp_path):
    (tmp_path / "r.csv").write_text("case,old,new,source\n" + ROWS, encoding="utf-8")
    return str(tmp_path / "r.csv")


def asked(*tokens):
    return Invocation("compare", tokens, "", "About.")


def printed(capsys, *tokens):
    assert command(asked(*tokens)) == 0
    return capsys.readouterr().out


def test_a_report_in_every_format(results, capsys):
    names = ("--system-a", "old", "--system-b", "new")
    (record,) = json.loads(printed(capsys, results, *names, "--format", "json"))
    assert (record["only_a"], record["only_b"], record["n_cases"]) == (5, 8, 40)
    (row,) = csv.DictReader(io.StringIO(printed(capsys, results, *names, "--format", "csv")))
    assert (row["only_a"], row["p_holm"]) == ("5", "")
    table = printed(capsys, results, *names)
    assert table.startswith("No difference was found between old and new: 82.5% against 75% on the same 40 cases")
    assert "| cases" in printed(capsys, results, *names, "--format", "markdown")


def test_counts_in_place_of_files(capsys):
    (record,) = json.loads(printed(capsys, "--counts", "29,7,4,20", "--format", "json", "--margin", "0.05"))
    assert (record["both_right"], record["margin"]) == (29, 0.05)
    (record,) = json.loads(printed(capsys, "--counts", "193/358", "--against", "0.5", "--format", "json"))
    assert record["test"] == "binomial_midp"


def test_clusters_and_lists(results, capsys):
    names = ("--system-a", "old", "--system-b", "new")
    (record,) = json.loads(printed(capsys, results, *names, "--cluster", "source", "--format", "json"))
    assert record["n_clusters"] == 4
    listed = printed(capsys, results, *names, "--list", "regressed")
    assert "Regressed\n  q0\n  q1" in listed


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        ((), RequestError, "needs a file of results"),
        (("--counts", "1,2,3"), ParameterError, "29,7,4,20"),
        (("--counts", "29,7,4,20", "--runs", "mean"), RefusedError, "--runs speaks of one"),
        (("r.csv", "--counts", "29,7,4,20"), RefusedError, r"leave out --counts or r\.csv"),
        (("--counts", "29,7,4,20", "--list", "x"), UnknownNameError, "regressed"),
        (("--counts", "29,7,4,20", "--target", "0.8,0.9"), ParameterError, "one power"),
        (("--counts", "29,7,4,20", "--target", "width=0.1"), ParameterError, "one power"),
        (("--counts", "29,7,4,20", "--alpha", "2"), ParameterError, "--alpha is 2"),
        (("--counts", "29,7,4,20", "--margin", "0"), ParameterError, "--margin is 0"),
        (("--counts", "29,7,4,20", "--difference", "0"), ParameterError, "difference is 0"),
        (("nothing.csv",), RequestError, "nothing.csv"),
    ],
)
def test_refusals(words, error, message):
    with pytest.raises(error, match=message):
        command(asked(*words))


@pytest.mark.parametrize("weights", ["a", "a=0", "a=x", "a=-1/b=2"])
def test_weights_that_are_none_are_refused(results, weights):
    with pytest.raises(ParameterError, match=r"a=0\.5/b=0\.5"):
        command(asked(results, "--stratum", "source", "--stratum-weights", weights))


def test_weights_of_other_strata_name_those_that_differ(results):
    with pytest.raises(ParameterError, match=r"Every stratum of the file needs a weight, and no other; not so: .*z\."):
        command(asked(results, "--stratum", "source", "--stratum-weights", "z=1"))


def test_lists_of_cases_need_two_systems_on_the_same_cases(results):
    for tokens in (("--system-a", "old"), ("--system-a", "old", "--system-b", "new", "--unpaired")):
        with pytest.raises(RequestError, match="needs two systems"):
            command(asked(results, *tokens, "--list", "regressed"))


def test_lists_are_notes_where_figures_alone_are_printed(results, capsys):
    assert (
        command(asked(results, "--system-a", "old", "--system-b", "new", "--format", "json", "--list", "regressed"))
        == 0
    )
    said = capsys.readouterr()
    assert len(json.loads(said.out)) == 1
    assert said.err.count("regressed: ") == 5
