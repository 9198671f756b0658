"""``simstudy pilot``, another name of compare, and --pilot of the questions."""

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
    assert "the standard error with 15 clusters, .0751, against .0557 if the 60 rows were independent" in done.flat
    assert "Runs: all of them count, and the cases, not the runs, are the independent units." in done.flat
    assert "mean over the runs of a case was taken" in run("pilot", file, *systems).flat
    words = ("--pilot", file, *systems)
    sized = run("size", "paired", *words, "--runs", "first", "--method", "mcnemar_midp")
    assert sized.code == 0
    assert "--runs first or --runs majority" in run("size", "paired", *words).err


def test_report_as_text_and_as_records(run: Run, results: str) -> None:
    text = run("pilot", results, *SYSTEMS, "--difference", "0.1", "--target", "power=0.9")
    assert text.code == 0
    assert "in 90 of 100" in text.flat
    (record,) = json.loads(run("pilot", results, *SYSTEMS, "--format", "json").out)
    assert [record[name] for name in ("only_a", "only_b", "both_right", "neither")] == [5, 8, 25, 2]
    (row,) = csv.DictReader(io.StringIO(run("pilot", results, *SYSTEMS, "--format", "csv").out))
    assert row["only_a"] == "5"
    assert run("pilot", results, *SYSTEMS).out == run("compare", results, *SYSTEMS).out


@pytest.mark.parametrize(("pair", "difference"), [("1,0", "-0.1"), ("0,1", "0.1")])
def test_every_pair_discordant_in_one_direction(run: Run, tmp_path: Path, pair: str, difference: str) -> None:
    (tmp_path / "one.csv").write_text("case,old,new\n" + "".join(f"{i},{pair}\n" for i in range(5)), encoding="utf-8")
    assert run("pilot", "one.csv", *SYSTEMS).code == 0
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
        (("pilot", "resalts.csv", *SYSTEMS), "resalts.csv"),
        (("pilot", "results.csv", *SYSTEMS, "--target", "half_width=0.1"), "it is one power"),
        (("pilot", "results.csv", *SYSTEMS, "--target", "0.8,0.9"), "it is one power"),
        (("pilot", "results.csv", *SYSTEMS, "--target", "x"), "'x' is no number"),
        (("pilot", "results.csv", *SYSTEMS, "--level", "95"), "level is 95.0; it must be a proportion in (0, 1)."),
        (("pilot", "results.csv", *SYSTEMS, "--method", "mcnemar_exact"), "size paired --pilot FILE --method"),
        (("pilot", "results.csv", *SYSTEMS, "--difference", "5"), "difference is 5"),
        (
            ("pilot", "results.csv", *SYSTEMS[:4], "--draws", "1000000000"),
            "--draws is 1000000000; it must be a whole number from 100 to 1000000.",
        ),
        (
            ("pilot", "results.csv", *SYSTEMS, "--cluster", "x", "--cluster-column", "x"),
            "--cluster and --cluster-column name the same column",
        ),
    ],
)
def test_refusals(run: Run, results: str, words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_what_is_smaller_than_the_smallest_seen_is_said_in_numbers(run: Run, results: str) -> None:
    text = run("pilot", results, *SYSTEMS).flat
    found = re.search(r"in 80 of 100 is \+([\d.]+) or −[\d.]+ points; half of it is found in (\d+) of 100\.", text)
    assert found is not None
    better, half = found.groups()
    exact = run("power", "paired", "--accuracy-a", "0.75", "--difference", str(float(better) / 200), "--n-cases", "40",
                "--discordance", "0.325", "--method", "mcnemar_midp", "--format", "json")  # fmt: skip
    # a whole number of 100, at a difference of one decimal
    assert abs(exact.records[0]["power"] - float(half) / 100) < 0.007
    assert "more easily" not in text


def test_the_set_and_the_scenario_see_the_same(run: Run, tmp_path: Path) -> None:
    cells = ["1,0"] * 3 + ["0,1"] * 7 + ["1,1"] * 25 + ["0,0"] * 5
    (tmp_path / "r.csv").write_text("case,old,new\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(cells)))
    (record,) = json.loads(run("compare", "r.csv", *SYSTEMS, "--format", "json").out)
    seen = run("mde", "paired", "--pilot", "r.csv", *SYSTEMS[:4], "--method", "mcnemar_midp", "--format", "json")
    assert seen.records[0]["mde"] == pytest.approx(record["mde_positive"], abs=1e-5)
    assert "n_cases = 40: as many as in the file." in seen.err


def test_clusters_of_a_file_in_all_questions(run: Run, tmp_path: Path) -> None:
    old = [int(i % 7 > 1) for i in range(100)]
    new = [right ^ int(i % 5 == 0 and i % 20 < 9) for i, right in enumerate(old)]
    rows = "".join(f"{i},{old[i]},{new[i]},{i // 5}\n" for i in range(100))
    (tmp_path / "r.csv").write_text("case,old,new,source\n" + rows, encoding="utf-8")
    words = ("--pilot", "r.csv", *SYSTEMS[:4], "--cluster-column", "source", "--method", "cluster_t")
    power = run("power", "clustered", *words, "--difference", "0.1", "--replications", "200")
    assert power.code == 0, power.err
    assert "cluster_interaction_sd = " in power.flat
    assert "n_clusters = 20: as many as in the file." in power.flat
    dry = run("size", "clustered", *words, "--difference", "0.1", "--dry-run")
    assert dry.code == 0, dry.err
    assert run("mde", "clustered", *words, "--dry-run").code == 0
