"""Parameters taken from a file of results."""

import pytest

from simstudy.commands.from_pilot import options_as_typed, reading, take_parameters, typed_words
from simstudy.commands.parsing import parse
from simstudy.commands.power_mde_size import scenario_page
from simstudy.errors import RecordsError, RefusedError, RequestError
from simstudy.scenarios import get_scenario

PAGE = scenario_page("size", get_scenario("paired"))
SYSTEMS = ("--system-a", "old", "--system-b", "new")


@pytest.fixture
def pilot(tmp_path):
    rows = "".join(f"{i},{int(i < 70)},{int(20 <= i < 95)}\n" for i in range(100))
    (tmp_path / "pilot.csv").write_text("case,old,new\n" + rows, encoding="utf-8")
    return str(tmp_path / "pilot.csv")


def test_parameters_are_filled_in_and_said(pilot):
    given = parse(PAGE, ["--pilot", pilot, *SYSTEMS, "--difference", "0.1"])
    (words,) = take_parameters(given, PAGE)
    assert (given["accuracy_a"], given["discordance"], given["difference"]) == ("0.7", "0.45", "0.1")
    assert words.startswith(f"Taken from {pilot}, new (B) against old (A):\n  - ")


def test_nothing_is_taken_without_a_pilot():
    given = parse(PAGE, ["--difference", "0.1"])
    assert take_parameters(dict(given), PAGE) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "This needs --system-a and --system-b."),
        ((*SYSTEMS, "--accuracy-a", "0.7"), "accuracy_a is given too"),
        ((*SYSTEMS, "--difference", "0.1,0.29"), "ask for one difference at a time"),
    ],
)
def test_refusals(pilot, words, message):
    with pytest.raises(RequestError, match=message):
        take_parameters(parse(PAGE, ["--pilot", pilot, *words]), PAGE)


def test_words_on_a_file_need_the_file():
    with pytest.raises(RefusedError, match="--case-column says how a file of results is read"):
        take_parameters(parse(PAGE, ["--case-column", "id"]), PAGE)


def test_what_is_said_on_the_layout_alone_is_handed_on():
    given = parse(PAGE, ["--case-column", "id", "--no-split-ids", *SYSTEMS, "--runs", "first", "--pilot", "x"])
    assert reading({**given, "file": None}) == {"case_column": "id", "split_ids": False}


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ("Name it as value_column, or say layout=wide.", "Name it as --value-column, or say --layout wide."),
        ("runs=first needs a run_column.", "--runs first needs a --run-column."),
        ("If the ids are no runs: split_ids=False.", "If the ids are no runs: --no-split-ids."),
        ("threshold=0.5 to count", "--threshold 0.5 to count"),
        ("the runs of 3 cases, a layout, my_column", "the runs of 3 cases, a layout, my_column"),
    ],
)
def test_options_are_named_as_they_are_typed(said, typed):
    assert typed_words(said) == typed
    with pytest.raises(RecordsError) as refused, options_as_typed():
        raise RecordsError(said)
    assert str(refused.value) == typed
