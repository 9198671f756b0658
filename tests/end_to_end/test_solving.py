"""``simstudy mde`` and ``simstudy size``."""

from __future__ import annotations

from pathlib import Path

import pytest

from simstudy import mde, size
from tests.end_to_end.conftest import Run

PILOT = "case,old,new\n" + "".join(
    f"{i},{int(i < 70)},{int(20 <= i < 95)}\n" for i in range(100)
)  # n10 = 20, n01 = 25, n11 = 50, n00 = 5


def test_mde_of_a_grid(run: Run) -> None:
    done = run(
        *("mde", "paired", "--accuracy-a", "0.7", "--n-cases", "36,100,400,1251", "--difficulty-sd", "0,1.5,3"),
        *("--target", "0.8"),
    )
    assert done.code == 0
    assert done.out.startswith("Smallest detectable effect for power=0.8: two systems answer the same cases (paired)")
    assert "1.5  mcnemar_exact  .2474  .1537  .0772  .0437" in done.out


def test_mde_records_name_the_answer(run: Run) -> None:
    words = ("--n-cases", "100", "--sign", "both", "--method", "mcnemar_midp", "--format", "json")
    records = run("mde", "paired", "--accuracy-a", "0.7", *words).records
    assert [r["sign"] for r in records] == ["positive", "negative"]
    assert {"mde", "low", "high", "status"} <= set(records[0])
    direct = mde("paired", accuracy_a=0.7, n_cases=100, method="mcnemar_midp")
    assert records[0]["mde"] == float(direct["answer"][0])


def test_size_says_which_sizes_were_checked(run: Run) -> None:
    done = run(
        *("size", "paired", "--accuracy-a", "0.7", "--difference", "0.05,0.1", "--discordance", "0.15"),
        *("--target", "0.8", "--method", "mcnemar_midp", "--curve"),
    )
    assert done.code == 0
    assert "mcnemar_midp   461   107" in done.out
    assert "461  .8000" in done.out
    checked = size("paired", accuracy_a=0.7, difference=[0.05, 0.1], discordance=0.15, method="mcnemar_midp")
    low, high = (int(checked[name][0, 0]) for name in ("checked_from", "checked_to"))
    assert low < 461 < high
    assert f"Every n_cases was checked from {low} to {high} (difference 0.05), from" in done.flat


def test_size_of_an_interval(run: Run) -> None:
    words = ("size", "proportion", "--accuracy", "0.75", "--target", "half_width=0.05", "--method", "wald,wilson")
    records = run(*words, "--format", "json").records
    assert [(r["method"], r["n_cases"], r["status"]) for r in records] == [
        ("wald", 287, "found"),
        ("wilson", 285, "found"),
    ]
    assert "first" in records[0]
    assert run(*words).out.startswith("Smallest n_cases for half_width=0.05: how well one accuracy is known")


def test_size_counts_units_to_collect(run: Run) -> None:
    done = run(
        *("size", "paired", "--accuracy-a", "0.7", "--difference", "0.1", "--method", "mcnemar_exact"),
        *("--unusable", "0.1"),
    )
    assert "n_cases counts units to collect: a share of 0.1 is lost, so that for example 264 collected leave" in (
        done.flat
    )


def test_many_ranges_are_not_listed(run: Run) -> None:
    done = run("size", "paired", "--accuracy-a", "0.7", "--difference", "0.05,0.1,0.15", "--difficulty-sd", "0,1.5,3")
    assert "Around each answer every single n_cases was checked" in done.flat


@pytest.fixture
def pilot_file(tmp_path: Path) -> str:
    (tmp_path / "pilot.csv").write_text(PILOT, encoding="utf-8")
    return "pilot.csv"


def test_size_from_a_pilot_says_each_parameter(run: Run, pilot_file: str) -> None:
    words = ("size", "paired", "--pilot", pilot_file, "--system-a", "old", "--system-b", "new")
    done = run(*words, "--method", "mcnemar_midp")
    assert done.code == 0
    assert "accuracy_a = 0.7: accuracy of 'old' on 100 pairs." in done.flat
    assert "discordance = 0.45: share of 100 pairs" in done.flat
    assert "difference = 0.05: the observed one, a noisy guess" in done.flat
    named = run(*words, "--method", "mcnemar_midp", "--difference", "0.1,0.15", "--format", "json")
    assert "accuracy_a = 0.7" in named.err
    assert "noisy" not in named.err
    expected = size("paired", accuracy_a=0.7, difference=[0.1, 0.15], discordance=0.45, method="mcnemar_midp")
    assert [r["n_cases"] for r in named.records] == expected["answer"].values.ravel().tolist()


def test_size_from_a_pilot_counts_lost_pairs(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 2},{'' if i < 10 else 1 - i % 3 // 2}\n" for i in range(100))
    (tmp_path / "pilot.csv").write_text("case,old,new\n" + rows, encoding="utf-8")
    words = ("size", "paired", "--pilot", "pilot.csv", "--system-a", "old", "--system-b", "new")
    assert "unusable = 0.1: 10 pairs had to be left out." in run(*words, "--difference", "0.1").flat
    own = run(*words, "--difference", "0.1", "--unusable", "0.2")
    assert "unusable = 0.1" not in own.flat
    assert "a share of 0.2 is lost" in own.flat


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--system-a", "old", "--system-b", "old"), "was named for both systems"),
        (("--system-a", "old", "--system-b", "new", "--discordance", "0.2"), "and --discordance is given too"),
        (("--system-a", "old", "--system-b", "nwe"), "Did you mean new?"),
        (("--system-a", "old", "--system-b", "new", "--difference", "0.1,0.29"), "ask for one difference at a time"),
        (("--system-a", "old", "--system-b", "new", "--difference", "0.4"), "it must lie in [-0.7, 0.3]"),
    ],
)
def test_size_from_a_pilot_refuses(run: Run, pilot_file: str, words: tuple[str, ...], message: str) -> None:
    done = run("size", "paired", "--pilot", pilot_file, *words)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


SIZED = ("size", "paired", "--accuracy-a", "0.7", "--difference", "0.1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*SIZED, "--system-a", "old"), "--system-a says how a file of results is read: it needs --pilot FILE"),
        ((*SIZED, "--runs", "first"), "--runs says how a file of results is read: it needs --pilot FILE"),
        ((*SIZED, "--no-split-ids"), "--split-ids says how a file of results is read"),
        (("size", "paired", "--pilot", "", "--system-a", "old", "--system-b", "new"), "a file"),
    ],
)
def test_no_word_on_a_file_of_results_is_dropped(run: Run, words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert message in done.err
