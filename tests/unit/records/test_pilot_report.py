"""The pilot analysis as a whole: real files, the traps, plain values."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import ParameterError, RecordsError
from simstudy.records.pairing import pair_systems
from simstudy.records.parameters import pilot_parameters
from simstudy.records.pilot_report import named_differences, pilot
from simstudy.records.planning import whole_cases
from simstudy.records.results_file import read_results
from simstudy.solve.questions import size


def write(folder: Path, n10: int, n01: int, n11: int, n00: int) -> Path:
    rows = ["1,0"] * n10 + ["0,1"] * n01 + ["1,1"] * n11 + ["0,0"] * n00
    path = folder / "pilot.csv"
    path.write_text("case,A,B\n" + "".join(f"c{k},{row}\n" for k, row in enumerate(rows)), encoding="utf-8")
    return path


def test_matharena(shared: Path) -> None:
    path = shared / "data" / "paired" / "matharena_aime_II.csv"
    with pytest.raises(RecordsError, match="runs=clustered"):
        pilot(path, "o3-mini (high)", "DeepSeek-R1", draws=200)
    report = pilot(path, "o3-mini (high)", "DeepSeek-R1", runs="clustered", difference=(0.1,), draws=200)
    k = report.comparison.clustered
    assert k is not None
    assert (report.n, report.n_cases, k.clusters, k.mean_size) == (60, 15, 15, 4)
    assert report.comparison.standard_error == pytest.approx(0.056, abs=5e-4)
    assert k.standard_error == pytest.approx(0.075, abs=5e-4)
    assert report.n_independent == int(60 / (k.standard_error / report.comparison.standard_error) ** 2)
    observed = report.needed[-1]
    assert report.clusters_for(observed.n) == math.ceil(observed.n * k.design_effect / 4)
    assert [needed.status for needed in report.needed] == ["impossible", "found", "found"]


def test_the_same_file_and_seed_give_the_same_bits(tmp_path: Path) -> None:
    path = write(tmp_path, 3, 25, 19, 3)
    first, second = (pilot(path, "A", "B", difference=0.2, draws=200).as_dict() for _ in range(2))
    assert first == second
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n", encoding="utf-8")
    assert pilot(path, "A", "B", difference=0.2, draws=200).as_dict() == first
    assert pilot(path, "A", "B", difference=0.2, draws=200, seed=2).as_dict() != first


def test_plain_values(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 0, 0, 30, 0), "A", "B", difference=0.1, draws=200)
    text = json.dumps(report.as_dict(), allow_nan=False)
    assert json.loads(text)["comparison"]["p_values"]["paired_z"] is None
    rows = report.to_records()
    assert all(list(row) == ["quantity", "of", "value", "low", "high", "status"] for row in rows)
    json.dumps(rows, allow_nan=False)
    by_name = {(row["quantity"], row["of"]): row for row in rows}
    assert by_name["n11", ""]["value"] == 30
    assert by_name["mde", "B worse"]["value"] == report.smallest[1].difference
    assert by_name["n_needed", "0.1"]["status"] == "impossible"


def test_clustered_rows_are_in_the_records(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("case,run,A,B\n" + "".join(f"{k},{r},1,{(k + r) % 2}\n" for k in range(8) for r in (1, 2)))
    report = pilot(path, "A", "B", runs="clustered", draws=100)
    by_name = {(row["quantity"], row["of"]): row["value"] for row in report.to_records()}
    assert by_name["clusters", "clusters"] == 8
    assert ("clusters_needed", "observed -0.5") in by_name
    assert report.as_dict()["clusters_per_case"] == report.clusters_per_case


def test_an_unclustered_pilot_needs_no_clusters(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 3, 11, 19, 3), "A", "B", draws=100)
    assert math.isnan(report.clusters_for(10.0))
    assert report.curve_clusters == ()


def test_zero_discordance_has_an_mde_and_no_certainty(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 0, 0, 60, 40), "A", "B", draws=200)
    assert all(0.05 < abs(smallest.difference) < 0.08 for smallest in report.smallest)
    assert report.comparison.intervals["tango"].high > 0.03
    assert report.needed[-1].status == "unreachable"


@pytest.mark.parametrize("pairs", [1, 3, 5, 12])
@pytest.mark.parametrize("sign", [-1, 1])
def test_every_pair_discordant_in_one_direction(tmp_path: Path, pairs: int, sign: int) -> None:
    n10, n01 = (pairs, 0) if sign < 0 else (0, pairs)
    report = pilot(write(tmp_path, n10, n01, 0, 0), "A", "B", difference=0.1, draws=100)
    assert (report.n10, report.n01, report.comparison.difference) == (n10, n01, sign)
    # An even split of one-sided pairs has probability 2^-n on each side; mid-p takes half of it.
    assert report.comparison.p_values["mcnemar_exact"] == pytest.approx(min(1.0, 2.0 ** (1 - pairs)))
    assert report.comparison.p_values["mcnemar_midp"] == pytest.approx(2.0**-pairs)
    assert max(sign * report.comparison.intervals["tango"].low, sign * report.comparison.intervals["tango"].high) == 1
    observed = report.needed[-1]
    assert (observed.status, observed.observed, observed.difference) == ("impossible", True, sign)
    assert all(n > 0 for n in observed.quantiles)
    toward, away = report.needed[:2] if sign > 0 else report.needed[1::-1]
    assert (toward.status, away.status) == ("found", "impossible")
    json.dumps([report.as_dict(), report.to_records()], allow_nan=False)


@pytest.mark.parametrize("pairs", [1, 5])
@pytest.mark.parametrize("right", [True, False])
def test_both_right_or_both_wrong_everywhere(tmp_path: Path, pairs: int, right: bool) -> None:
    cells = (0, 0, pairs, 0) if right else (0, 0, 0, pairs)
    report = pilot(write(tmp_path, *cells), "A", "B", difference=0.1, draws=100)
    assert (report.n11, report.n00) == cells[2:]
    assert report.comparison.p_values["mcnemar_midp"] == 1
    better, worse, observed = (needed.status for needed in report.needed)
    assert {better, worse} == {"found", "impossible"}
    assert (better == "impossible") is right
    assert observed == "unreachable"


@pytest.mark.parametrize(("n", "clusters"), [(9, 7), (17, 3), (17, 6), (17, 12), (18, 7), (11, 3)])
def test_clusters_without_a_design_effect_count_as_one_case_each(tmp_path: Path, n: int, clusters: int) -> None:
    rows = "".join(f"{k},{k % clusters},{k % 2},{k % 2}\n" for k in range(n))
    path = tmp_path / "r.csv"
    path.write_text("case,cluster,A,B\n" + rows, encoding="utf-8")
    report = pilot(path, "A", "B", draws=100)
    assert report.n_independent == clusters
    # sizes of half the pilot, the pilot, and its multiples
    assert report.curve_sizes[0] == clusters // 2
    assert report.curve_sizes[1:] == tuple(clusters * 2**k for k in range(6))
    assert [report.clusters_for(float(m)) for m in range(1, 400)] == list(range(1, 400))


def test_whole_cases() -> None:
    assert [whole_cases(x) for x in (6.999999999999999, 7.0, 7.99, 0.3)] == [7, 7, 7, 1]


def test_an_observed_difference_gives_a_wide_range_of_n(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 12, 17, 60, 11), "A", "B", draws=400)
    low, median, high = report.needed[-1].quantiles
    assert low < median < high
    assert high / low > 50


def test_four_one_sided_discordant_cases_are_not_a_difference(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 0, 4, 20, 6), "A", "B", draws=200)
    assert report.comparison.p_values["mcnemar_exact"] == pytest.approx(0.125)
    assert report.comparison.p_values["mcnemar_midp"] == pytest.approx(0.0625)
    assert (report.significant["mcnemar_exact"], report.significant["bootstrap_percentile interval"]) == (
        False,
        True,
    )


def test_intervals_are_not_asked_at_another_level(tmp_path: Path) -> None:
    report = pilot(write(tmp_path, 3, 11, 19, 3), "A", "B", level=0.9, draws=100)
    assert set(report.significant) == {"mcnemar_exact", "mcnemar_midp", "paired_z"}


def test_named_differences() -> None:
    assert named_differences(None) == ()
    assert named_differences(0.05) == (0.05,)
    assert named_differences([0.1, -0.05, 0.1]) == (0.05, 0.1)
    for wrong in (0.0, 1.0, -2.0, float("nan")):
        with pytest.raises(ParameterError, match="must be a proportion between 0 and 1"):
            named_differences(wrong)


def test_levels_must_mean_something(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="level is 95"):
        pilot(write(tmp_path, 1, 1, 1, 1), "A", "B", level=95)


def test_parameters_from_a_pilot_are_each_said(tmp_path: Path) -> None:
    path = write(tmp_path, 3, 11, 19, 3)
    path.write_text(path.read_text(encoding="utf-8") + "lost,,1\n", encoding="utf-8")
    paired = pair_systems(read_results(path), "A", "B")
    taken = pilot_parameters(paired)
    assert taken.values == pytest.approx(
        {"accuracy_a": 22 / 36, "discordance": 14 / 36, "difference": 8 / 36, "unusable": 1 / 37}
    )
    said = " ".join(taken.notes)
    for name in (
        "accuracy_a = 0.6111",
        "discordance = 0.3889",
        "the observed one, a noisy guess",
        "unusable = ",
    ):
        assert name in said
    named = pilot_parameters(paired, 0.1)
    assert named.values["difference"] == 0.1
    assert "noisy" not in " ".join(named.notes)
    with pytest.raises(ParameterError, match=r"it must lie in \[-0.6111, 0.3889\]"):
        pilot_parameters(paired, 0.5)


@pytest.mark.parametrize(
    ("cells", "difference", "words"),
    [
        ((12, 0, 3, 0), -0.1, "accuracy_a = 0.999999999: observed 1, 'A' is right on all of 15 pairs; moved inside"),
        ((0, 3, 0, 4), 0.1, "accuracy_a = 1e-09: observed 0, 'A' is wrong on all of 7 pairs; moved inside (0, 1)"),
        ((1, 0, 0, 0), -0.1, "accuracy_a = 0.999999999: observed 1, 'A' is right on all of 1 pair; moved inside"),
        ((0, 3, 4, 0), None, "on 7 pairs, 0.5714; moved by 1e-09, so that the difference keeps 'B' inside (0, 1)"),
        ((3, 0, 0, 4), None, "on 7 pairs, 0.4286; moved by 1e-09, so that the difference keeps 'B' inside (0, 1)"),
    ],
)
def test_parameters_say_when_the_accuracy_had_to_move(
    tmp_path: Path, cells: tuple[int, int, int, int], difference: float | None, words: str
) -> None:
    taken = pilot_parameters(pair_systems(read_results(write(tmp_path, *cells)), "A", "B"), difference)
    assert words in taken.notes[0]
    asked: dict[str, Any] = {name: taken.values[name] for name in ("accuracy_a", "discordance", "difference")}
    assert str(size("paired", method="mcnemar_midp", **asked)["status"][0].item()) == "found"


@pytest.mark.parametrize(
    ("cells", "difference", "words"),
    [
        ((5, 0, 0, 0), None, "difference is -1, the observed one; it needs one system that is right on every case"),
        ((0, 5, 0, 0), None, "difference is 1, the observed one; it needs"),
        ((0, 5, 0, 0), 1.0, "difference is 1; it needs one system"),
        ((0, 0, 5, 0), None, "No pair of the pilot is discordant"),
        ((0, 0, 0, 1), None, "No pair of the pilot is discordant"),
        ((0, 0, 0, 1), -0.1, r"accuracy of 'A', 0, it must lie in \[0, 1\]"),
    ],
)
def test_parameters_that_no_n_can_be_computed_from(
    tmp_path: Path, cells: tuple[int, int, int, int], difference: float | None, words: str
) -> None:
    paired = pair_systems(read_results(write(tmp_path, *cells)), "A", "B")
    with pytest.raises(ParameterError, match=words):
        pilot_parameters(paired, difference)


def test_parameters_say_when_the_discordance_had_to_move(tmp_path: Path) -> None:
    quiet = pair_systems(read_results(write(tmp_path, 0, 0, 60, 40)), "A", "B")
    assert "n is a lower bound" in " ".join(pilot_parameters(quiet, 0.05).notes)
    high = pair_systems(read_results(write(tmp_path, 8, 1, 40, 1)), "A", "B")
    assert "more than the accuracies then allow" in " ".join(pilot_parameters(high, 0.02).notes)


def test_parameters_of_clustered_pairs_carry_the_design_effect(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("case,cluster,A,B\n" + "".join(f"{k},{k // 3},1,{int(k % 7 > 2)}\n" for k in range(21)))
    assert (
        "Pairs share clusters: multiply n by" in pilot_parameters(pair_systems(read_results(path), "A", "B")).notes[-1]
    )
