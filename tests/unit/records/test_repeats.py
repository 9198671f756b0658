"""Repeated runs of a case: a rule is asked for, and each rule does what it says."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from simstudy.errors import RecordsError
from simstudy.records.pairing import PairedOutcomes, pair_systems
from simstudy.records.results_file import read_results


def paired(folder: Path, text: str, runs: str | None = None, **options: object) -> PairedOutcomes:
    path = folder / "r.csv"
    path.write_text(text, encoding="utf-8")
    threshold = options.pop("threshold", None)
    return pair_systems(read_results(path, **options), "A", "B", runs=runs, threshold=threshold)  # type: ignore[arg-type]


def counts(outcomes: PairedOutcomes) -> tuple[int, int, int, int]:
    return outcomes.n10, outcomes.n01, outcomes.n11, outcomes.n00


def clustered_standard_error(outcomes: PairedOutcomes) -> float:
    """Loop over clusters: V = C/(C-1) sum (S_c - n_c d)^2 / N^2."""
    by_cluster: dict[str, list[int]] = {}
    for cluster, a, b in zip(outcomes.clusters, outcomes.right_a, outcomes.right_b, strict=True):
        by_cluster.setdefault(str(cluster), []).append(int(b) - int(a))
    total = sum(len(rows) for rows in by_cluster.values())
    mean = sum(sum(rows) for rows in by_cluster.values()) / total
    clusters = len(by_cluster)
    squares = sum((sum(rows) - len(rows) * mean) ** 2 for rows in by_cluster.values())
    return math.sqrt(clusters / (clusters - 1) * squares) / total


RUNS = (
    "case,run,A,B\n"
    "1,1,1,0\n1,2,1,1\n1,10,0,1\n"  # majority right, right
    "2,1,0,0\n2,2,1,0\n2,10,0,0\n"  # wrong, wrong
    "3,1,1,0\n3,2,1,1\n3,10,,0\n"  # right, wrong
)


def test_repeated_runs_need_a_rule_and_the_refusal_says_why(tmp_path: Path) -> None:
    with pytest.raises(RecordsError) as refusal:
        paired(tmp_path, RUNS)
    words = str(refusal.value)
    kept = paired(tmp_path, RUNS, runs="clustered")
    differences = kept.right_b.astype(int) - kept.right_a.astype(int)
    naive = float(np.std(differences, ddof=1)) / math.sqrt(len(differences))
    assert f"{naive:.3f} if rows are taken as independent" in words
    assert f"{clustered_standard_error(kept):.3f} with cases as clusters" in words
    for rule in ("runs=first", "runs=majority", "runs=clustered", "up to 3 times"):
        assert rule in words


def test_first_run_is_first_by_number_not_by_line(tmp_path: Path) -> None:
    outcomes = paired(tmp_path, RUNS, runs="first")
    assert outcomes.runs.tolist() == ["1", "1", "1"]
    assert counts(outcomes) == (2, 0, 0, 1)
    assert "12 rows of later runs were left aside" in outcomes.notes[-1]
    lines = RUNS.splitlines()
    backwards = "\n".join([lines[0], *reversed(lines[1:])]) + "\n"
    assert counts(paired(tmp_path, backwards, runs="first")) == (2, 0, 0, 1)


def test_majority_and_its_ties(tmp_path: Path) -> None:
    text = RUNS + "4,1,1,1\n4,2,0,1\n"
    outcomes = paired(tmp_path, text, runs="majority")
    assert outcomes.cases.tolist() == ["1", "2", "3"]  # the missing run of case 3 casts no vote
    assert counts(outcomes) == (1, 0, 1, 1)
    assert outcomes.unusable == 1
    assert "1 of 4 cases were left out because a system's runs were evenly split" in outcomes.notes[-1]
    assert "(cases 4)" in outcomes.notes[-1]


def test_clustered_keeps_all_usable_rows(tmp_path: Path) -> None:
    outcomes = paired(tmp_path, RUNS, runs="clustered")
    assert (outcomes.n, outcomes.n_cases, outcomes.clustered, outcomes.unusable) == (8, 3, True, 1)
    sums, sizes = outcomes.cluster_sums()
    assert (sums.tolist(), sizes.tolist()) == ([0, -1, -1], [3, 3, 2])


def test_a_run_that_one_system_lacks_is_left_out(tmp_path: Path) -> None:
    text = "case,system,run,correct\n1,A,1,1\n1,A,2,0\n1,B,1,1\n1,B,3,1\n2,A,1,1\n2,B,1,0\n"
    outcomes = paired(tmp_path, text, runs="clustered")
    assert outcomes.n == 2
    assert any("2 runs of one system have no counterpart" in note for note in outcomes.notes)


def test_a_run_that_stands_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="'A' has run 1 of case 7 twice, on lines 2 and 4"):
        paired(tmp_path, "case,system,run,correct\n7,A,1,1\n7,B,1,0\n7,A,1,1\n", runs="majority")


LOOSE = "case,system,correct\n1,A,1\n1,A,1\n1,A,0\n1,A,0\n1,B,1\n1,B,0\n1,B,1\n1,B,0\n2,A,1\n2,B,1\n"


def test_repeats_without_a_number(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="needs a column of runs"):
        paired(tmp_path, LOOSE, runs="first")
    outcomes = paired(tmp_path, LOOSE, runs="clustered")
    assert counts(outcomes) == (1, 1, 2, 1)  # case 1 as two independent fair coins, case 2 both right
    assert "paired as independent runs would be on average" in outcomes.notes[-1]
    assert counts(paired(tmp_path, LOOSE, runs="majority")) == (0, 0, 1, 0)


def test_repeats_without_a_number_in_unequal_count(tmp_path: Path) -> None:
    text = LOOSE.replace("1,B,0\n", "1,B,\n", 1)
    with pytest.raises(RecordsError, match="case 1 has 4 usable rows of 'A' and 3 of 'B'"):
        paired(tmp_path, text, runs="clustered")
    with pytest.raises(RecordsError, match=r"not as many independent cases\. Say what to do"):
        paired(tmp_path, text)
    both = text.replace("1,A,0\n", "1,A,null\n", 1)
    outcomes = paired(tmp_path, both, runs="clustered")
    assert (outcomes.n, outcomes.unusable) == (4, 1)


def test_repeats_in_a_wide_file_are_paired_by_line(tmp_path: Path) -> None:
    outcomes = paired(tmp_path, "case,A,B\n1,1,0\n1,0,1\n2,1,1\n", runs="clustered")
    assert counts(outcomes) == (1, 1, 1, 0)
    assert outcomes.runs.tolist() == ["", "", ""]


def test_a_rule_without_repeats_is_said_to_do_nothing(tmp_path: Path) -> None:
    outcomes = paired(tmp_path, "case,A,B\n1,1,0\n2,1,1\n", runs="clustered")
    assert (outcomes.run_rule, outcomes.clustered) == (None, False)
    assert "had nothing to do" in outcomes.notes[-1]


def test_matharena_must_be_met_by_a_rule(shared: Path) -> None:
    results = read_results(shared / "data" / "paired" / "matharena_aime_II.csv")
    systems = ("o3-mini (high)", "DeepSeek-R1")
    with pytest.raises(RecordsError, match=r"0\.056 if rows .* 0\.075 with cases .*split_ids=False"):
        pair_systems(results, *systems)
    kept = pair_systems(results, *systems, runs="clustered")
    assert (kept.n, kept.n_cases, *counts(kept)) == (60, 15, 12, 1, 44, 3)
    assert clustered_standard_error(kept) == pytest.approx(0.0751, abs=5e-5)
    majority = pair_systems(results, *systems, runs="majority")
    assert (majority.n, majority.unusable) == (11, 4)
