"""Parameters taken from files of results."""

import pytest

from simstudy.commands.from_pilot import take_parameters
from simstudy.commands.parsing import parse
from simstudy.commands.power_mde_size import scenario_page
from simstudy.errors import RefusedError, RequestError
from simstudy.scenarios import get_scenario

SYSTEMS = ("--system-a", "old", "--system-b", "new")


@pytest.fixture
def pilot(tmp_path):
    rows = "".join(f"{i},{int(i < 70)},{int(20 <= i < 95)},{i % 20}\n" for i in range(100))
    (tmp_path / "pilot.csv").write_text("case,old,new,source\n" + rows, encoding="utf-8")
    return str(tmp_path / "pilot.csv")


def taken(question, scenario, *words):
    scenario = get_scenario(scenario)
    page = scenario_page(question, scenario)
    given = parse(page, list(words))
    return given, take_parameters(given, page, question, scenario)


def test_parameters_are_filled_in_and_said(pilot):
    given, (words,) = taken("size", "paired", "--pilot", pilot, *SYSTEMS, "--difference", "0.1")
    assert (given["accuracy_a"], given["discordance"], given["difference"]) == ("0.7", "0.45", "0.1")
    assert given["n_cases"] is None
    assert words.startswith(f"Taken from {pilot}, new (B) against old (A):\n  - ")


@pytest.mark.parametrize(("question", "difference"), [("power", "0.05"), ("mde", None)])
def test_each_question_takes_what_it_needs(pilot, question, difference):
    given, (words,) = taken(question, "paired", "--pilot", pilot, *SYSTEMS)
    assert given["n_cases"] == "100"
    assert (given["difference"] and f"{float(given['difference']):g}") == difference
    assert "n_cases = 100: as many as in the file." in words
    given, (words,) = taken(question, "paired", "--pilot", pilot, *SYSTEMS, "--n-cases", "36")
    assert given["n_cases"] == "36"
    assert "n_cases = " not in words


def test_clusters_are_taken_with_a_column_of_them(pilot):
    words = ("--pilot", pilot, *SYSTEMS, "--cluster", "source", "--difference", "0.1")
    given, (said,) = taken("power", "clustered", *words)
    assert [given[name] for name in ("n_clusters", "cluster_size", "runs")] == ["20", "5", "1"]
    assert "difficulty_sd = " in said
    given, (said,) = taken(
        "power", "clustered", *words, "--runs", "3", "--difficulty-sd", "1", "--cluster-interaction-sd", "0"
    )
    assert (given["runs"], given["difficulty_sd"]) == ("3", "1")
    assert "difficulty_sd = " not in said


def test_a_word_for_runs_is_of_the_file_and_a_number_of_the_scenario(tmp_path):
    rows = "".join(f"q{i},{run},{int(i < 30)},{int((i + run) % 3 > 0)}\n" for i in range(40) for run in range(2))
    (tmp_path / "runs.csv").write_text("case,run,old,new\n" + rows, encoding="utf-8")
    path = str(tmp_path / "runs.csv")
    given, _ = taken("size", "clustered", "--pilot", path, "--difference", "0.1")
    assert given["runs"] == "2"
    with pytest.raises(RequestError, match="--cluster"):
        taken("size", "clustered", "--pilot", path, "--difference", "0.1", "--runs", "first")


def test_nothing_is_taken_without_a_pilot():
    assert taken("size", "paired", "--difference", "0.1")[1] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--system-a", "old", "--system-b", "nobody"), "no system 'nobody'"),
        ((*SYSTEMS, "--accuracy-a", "0.7"), "--accuracy-a is given too"),
        ((*SYSTEMS, "--difference", "0.1,0.29"), "ask for one difference at a time"),
    ],
)
def test_refusals(pilot, words, message):
    with pytest.raises(RequestError, match=message):
        taken("size", "paired", "--pilot", pilot, *words)


def test_two_effects_belong_together(pilot):
    with pytest.raises(RefusedError, match="difficulty_sd is given by hand"):
        taken("mde", "clustered", "--pilot", pilot, *SYSTEMS, "--cluster", "source", "--difficulty-sd", "1")


def test_words_on_a_file_need_the_file():
    with pytest.raises(RefusedError, match="--case-column says how a file of results is read"):
        taken("size", "paired", "--case-column", "id")


def test_more_than_two_systems_are_named(tmp_path):
    (tmp_path / "r.csv").write_text("case,a,b,c\n" + "".join(f"{i},1,0,{i % 2}\n" for i in range(9)), encoding="utf-8")
    with pytest.raises(RequestError, match="Two systems are needed; there are a, b, c"):
        taken("size", "paired", "--pilot", str(tmp_path / "r.csv"))
