"""``simstudy pilot``."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Run

ROWS = "".join(f"{i},{int(i < 30)},{int(5 <= i < 38)}\n" for i in range(40))
SYSTEMS = ("--system-a", "old", "--system-b", "new", "--draws", "100")


@pytest.fixture
def results(tmp_path: Path) -> str:
    (tmp_path / "results.csv").write_text("case,old,new\n" + ROWS, encoding="utf-8")
    return "results.csv"


def test_clustered_runs_of_a_real_file(run: Run, shared: Path) -> None:
    file = str(shared / "data" / "paired" / "matharena_aime_II.csv")
    systems = ("--system-a", "o3-mini (high)", "--system-b", "DeepSeek-R1")
    done = run("pilot", file, *systems, "--runs", "clustered", "--difference", "0.05,0.1", "--target", "0.8")
    assert done.code == 0
    assert "Standard error .075, against .056 if rows were independent." in done.flat
    stopped = run("pilot", file, *systems)
    assert stopped.code == 2
    assert "0.056" in stopped.err
    assert "0.075" in stopped.err
    assert "--runs" in stopped.err
    sized = run("size", "paired", "--pilot", file, *systems, "--runs", "first", "--method", "mcnemar_midp")
    assert sized.code == 0


def test_report_as_text_and_as_records(run: Run, results: str) -> None:
    text = run("pilot", results, *SYSTEMS, "--difference", "0.1", "--target", "power=0.9")
    assert text.code == 0
    assert "only A right 5" in text.flat
    assert "power .90" in text.flat
    whole = json.loads(run("pilot", results, *SYSTEMS, "--format", "json").out)
    assert (whole["n10"], whole["n01"], whole["n11"], whole["n00"]) == (5, 8, 25, 2)
    table = list(csv.DictReader(io.StringIO(run("pilot", results, *SYSTEMS, "--format", "csv").out)))
    assert {row["quantity"]: row["value"] for row in table}["n10"] == "5"
    assert run("pilot", results, *SYSTEMS, "--format", "markdown").out.startswith("```text\nPilot:")


@pytest.mark.parametrize(("pair", "difference"), [("1,0", "-0.1"), ("0,1", "0.1")])
def test_every_pair_discordant_in_one_direction(run: Run, tmp_path: Path, pair: str, difference: str) -> None:
    (tmp_path / "one.csv").write_text("case,old,new\n" + "".join(f"{i},{pair}\n" for i in range(5)), encoding="utf-8")
    text = run("pilot", "one.csv", *SYSTEMS)
    assert text.code == 0
    assert "is impossible to plan for" in text.flat
    pilot = ("size", "paired", "--pilot", "one.csv", *SYSTEMS[:4], "--method", "mcnemar_midp")
    named = run(*pilot, f"--difference={difference}")
    assert named.code == 0
    assert "on all of 5 pairs; moved inside (0, 1) by 1e-09" in named.flat
    refused = run(*pilot)
    assert refused.code == 2
    assert "name the difference that matters" in refused.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("pilot",), "simstudy pilot needs a file of results"),
        (("pilot", "results.csv"), "This needs --system-a and --system-b."),
        (("pilot", "resalts.csv", *SYSTEMS), "resalts.csv"),
        (("pilot", "results.csv", *SYSTEMS, "--target", "half_width=0.1"), "a pilot is planned for power"),
        (("pilot", "results.csv", *SYSTEMS, "--target", "x"), "'x' is no number"),
        (("pilot", "results.csv", *SYSTEMS, "--level", "95"), "level is 95.0; it must be a proportion in (0, 1)."),
    ],
)
def test_refusals(run: Run, results: str, words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--target", "0.8,0.9"), "target is '0.8,0.9'; a pilot is planned for one power"),
        (("--draws", "1000000000"), "draws is 1000000000; it must be a whole number from 100 to 1000000."),
    ],
)
def test_pilot_plans_for_one_power_with_so_many_draws(
    run: Run, results: str, words: tuple[str, str], message: str
) -> None:
    done = run("pilot", results, *SYSTEMS[:4], *words)
    assert done.code == 2
    assert done.err.startswith(f"simstudy: --{message}")


def test_what_is_smaller_than_the_smallest_seen_is_said_in_numbers(run: Run, results: str) -> None:
    text = run("pilot", results, *SYSTEMS).flat
    better, half = re.search(r"B better: (\.\d+)[^;]*; half of it, (\.\d+), with power (\.\d+)\.", text).groups()[::2]
    exact = run("power", "paired", "--accuracy-a", "0.75", "--difference", str(float(better) / 2), "--n-cases", "40",
                "--discordance", "0.325", "--method", "mcnemar_midp", "--format", "json")  # fmt: skip
    assert abs(exact.records[0]["power"] - float(half)) < 0.006
    assert "more easily" not in text


def test_what_a_p_value_means_is_said_of_each_test(run: Run, results: str) -> None:
    text = run("pilot", results, *SYSTEMS).flat
    assert (
        "Exact p: how often equally good systems would split the discordant pairs at least so unevenly; mid-p" in text
    )
