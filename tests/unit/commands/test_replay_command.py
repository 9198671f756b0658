"""Replayed units as CSV."""

import csv
import io

import numpy as np
import pytest

from simstudy import replay
from simstudy.commands.parsing import Invocation
from simstudy.commands.replay_command import _write_csv, command
from simstudy.errors import RequestError

POINT = ("paired", "--accuracy-a", "0.7", "--difference", "0.1", "--n-cases", "5")


def asked(*tokens):
    return Invocation("replay", tokens, "", "About.")


def test_every_digit_of_the_units_is_written(capsys, tmp_path):
    assert command(asked(*POINT, "--replication", "7", "--seed", "3")) == 0
    printed = capsys.readouterr().out
    units = replay("paired", accuracy_a=0.7, difference=0.1, n_cases=5, replication=7, seed=3)
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [float(row["difficulty"]) for row in rows] == units["difficulty"].tolist()
    out = tmp_path / "cases.csv"
    assert command(asked(*POINT, "--replication", "7", "--seed", "3", "--out", str(out))) == 0
    assert out.read_text(encoding="utf-8") == printed
    assert capsys.readouterr().err == f"Written: {out}.\n"


def test_a_unit_that_one_system_lacks_is_blank(capsys):
    point = ("independent", "--accuracy-a", "0.5", "--difference", "0.1", "--n-per-system", "3", "--ratio", "2")
    assert command(asked(*point, "--replication", "1")) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    assert [a != "" for a, _ in rows] == [True] * 3 + [False] * 3
    assert {cell for row in rows for cell in row} == {"0", "1", ""}


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (POINT, "This needs --replication"),
        (("a.toml",), "There is no file a.toml"),
        ((), "simstudy replay needs a scenario: simstudy replay SCENARIO|FILE.py:CLASS"),
    ],
)
def test_refusals(tokens, message):
    with pytest.raises(RequestError) as error:
        command(asked(*tokens))
    assert message in str(error.value)


def test_whole_columns_are_told_from_others():
    columns = {
        "whole": np.array([0.0, -3.0, 1e300]),
        "blank": np.array([1.0, np.nan, 2.0]),
        "unbounded": np.array([1.0, np.inf, 2.0]),
        "real": np.array([1.0, 2.0, 2.5]),
    }
    text = io.StringIO()
    _write_csv(columns, text)
    assert text.getvalue().splitlines() == [
        "whole,blank,unbounded,real",
        "0,1,1.0,1.0",
        "-3,,inf,2.0",
        f"{int(1e300)},2,2.0,2.5",
    ]
