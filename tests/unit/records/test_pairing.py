"""Pairing of two systems: counts, missing values, unequal cases, repeated runs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from simstudy.errors import ParameterError, RecordsError, UnknownNameError
from simstudy.records.pairing import PairedOutcomes, pair_systems
from simstudy.records.results_file import read_results


def paired(folder: Path, text: str, runs: str | None = None, **options: object) -> PairedOutcomes:
    path = folder / "r.csv"
    path.write_text(text, encoding="utf-8")
    threshold = options.pop("threshold", None)
    return pair_systems(read_results(path, **options), "A", "B", runs=runs, threshold=threshold)  # type: ignore[arg-type]


def counts(outcomes: PairedOutcomes) -> tuple[int, int, int, int]:
    return outcomes.n10, outcomes.n01, outcomes.n11, outcomes.n00


def test_the_four_counts(tmp_path: Path) -> None:
    outcomes = paired(tmp_path, "case,A,B\n1,1,0\n2,0,1\n3,0,1\n4,1,1\n5,0,0\n6,1,1\n10,1,1\n")
    assert counts(outcomes) == (1, 2, 3, 1)
    assert (outcomes.n, outcomes.n_cases, outcomes.clustered, outcomes.run_rule) == (7, 7, False, None)
    assert outcomes.cases.tolist() == ["1", "2", "3", "4", "5", "6", "10"]
    assert outcomes.unusable_share == 0


def test_missing_values_and_errors_are_never_wrong_answers(tmp_path: Path) -> None:
    outcomes = paired(tmp_path, "case,A,B\n1,1,0\n2,,1\n3,NA,0\n4,1,error\n5,0,0\n")
    assert counts(outcomes) == (1, 0, 0, 1)
    assert (outcomes.unusable, outcomes.unusable_share) == (3, 0.6)
    assert "3 of 5 pairs were left out, not scored as wrong" in outcomes.notes[-1]
    assert "(cases 2, 3, 4)" in outcomes.notes[-1]


def test_nothing_usable_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="no usable pair of 'A' and 'B' is left"):
        paired(tmp_path, "case,A,B\n1,1,\n2,,1\n")


def test_unequal_case_sets_are_reported(tmp_path: Path) -> None:
    text = "case,system,correct\n1,A,1\n2,A,1\n3,A,0\n2,B,0\n4,B,1\n"
    outcomes = paired(tmp_path, text)
    assert (outcomes.only_a, outcomes.only_b, outcomes.n) == (("1", "3"), ("4",), 1)
    assert "2 of the cases have rows of 'A' alone and were left out: 1, 3." in outcomes.notes
    with pytest.raises(RecordsError, match="no case in common"):
        paired(tmp_path, "case,system,correct\n1,A,1\n2,B,1\n")


def test_systems_must_exist_and_differ(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("case,prompt,gpt-4,claude\n1,x,0,1\n", encoding="utf-8")
    results = read_results(path)
    with pytest.raises(UnknownNameError, match=r"system 'gpt4'\. Did you mean gpt-4\? Allowed: claude, gpt-4"):
        pair_systems(results, "gpt4", "claude")
    with pytest.raises(RecordsError, match="named for both systems"):
        pair_systems(results, "claude", "claude")
    with pytest.raises(RecordsError, match="line 2: the column 'prompt' holds 'x'"):
        pair_systems(results, "claude", "prompt")
    with pytest.raises(UnknownNameError, match=r"rule for runs 'cluster'\. Did you mean clustered"):
        pair_systems(results, "claude", "gpt-4", runs="cluster")


def test_fractions_are_refused_in_words_or_met_by_a_threshold(tmp_path: Path) -> None:
    text = "case,A,B,C\n1,1,0,1\n2,0.5,0,0\n3,0.25,1,1\n"
    with pytest.raises(RecordsError, match=r"line 3: 'A' has the value 0.5 in the column 'A' \(2 of 3 values"):
        paired(tmp_path, text)
    outcomes = paired(tmp_path, text, threshold=0.5)
    assert counts(outcomes) == (2, 1, 0, 0)
    assert any("'A' at or above 0.5 count as right; 2 of 3" in note for note in outcomes.notes)
    results = read_results(tmp_path / "r.csv")
    assert counts(pair_systems(results, "C", "B")) == (1, 0, 1, 1)
    with pytest.raises(ParameterError, match="threshold is nan"):
        pair_systems(results, "C", "B", threshold=math.nan)


def test_a_cluster_column(tmp_path: Path) -> None:
    text = "case,cluster,A,B\n1,x,1,0\n2,x,1,0\n3,y,0,1\n"
    outcomes = paired(tmp_path, text)
    assert outcomes.clustered
    assert outcomes.cluster_sums()[0].tolist() == [-2, 1]
    with pytest.raises(RecordsError, match="case 1 is in cluster 'y' here and in cluster 'x' before"):
        paired(tmp_path, text + "1,y,1,1\n", runs="majority")


def test_langchain_tool_use_reads_and_pairs(shared: Path) -> None:
    results = read_results(shared / "data" / "paired" / "langchain_tool_use.csv")
    assert len(results.system_names) == 9
    outcomes = pair_systems(results, "gpt-4-0613 (functions)", "mixtral-8x7b-instruct")
    assert counts(outcomes) == (4, 8, 4, 4)
    assert any("'reference output'" in note for note in outcomes.notes)


def test_the_published_lesson(shared: Path) -> None:
    results = read_results(shared / "reference" / "lesson" / "answers.csv")
    assert counts(pair_systems(results, "A", "C")) == (3, 11, 19, 3)
