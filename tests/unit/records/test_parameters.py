"""Parameters taken from a pilot, each one said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import ParameterError
from simstudy.records.pairing import pair_systems
from simstudy.records.parameters import pilot_parameters
from simstudy.records.results_file import read_results
from simstudy.solve.questions import size


def write(folder: Path, n10: int, n01: int, n11: int, n00: int) -> Path:
    rows = ["1,0"] * n10 + ["0,1"] * n01 + ["1,1"] * n11 + ["0,0"] * n00
    path = folder / "pilot.csv"
    path.write_text("case,A,B\n" + "".join(f"c{k},{row}\n" for k, row in enumerate(rows)), encoding="utf-8")
    return path


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
