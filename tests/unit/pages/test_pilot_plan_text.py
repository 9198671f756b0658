"""The plan of a pilot report in words: what the set could have seen, and cases needed."""

from __future__ import annotations

from pathlib import Path

from simstudy.pages.pilot_text import pilot_lines
from tests.unit.pages.pilots import report, text


def test_no_discordant_pair(tmp_path: Path) -> None:
    said = text(pilot_lines(report(tmp_path, (0, 0, 100, 0), difference=(0.05,))))
    for words in (
        "a fault of the bootstrap, not certainty",
        "B better: impossible at A's observed accuracy.",
        "B worse: -.066 (with all discordant cases on one side, the best case)",
        "so n is a lower bound",
        "a system is right on every pair or on none",
        ".050: impossible at A's observed accuracy, 1.000.",
    ):
        assert words in said


def test_every_pair_discordant_in_one_direction(tmp_path: Path) -> None:
    lines = pilot_lines(report(tmp_path, (5, 0, 0, 0), difference=(0.1, 0.9999999999)))
    said = text(lines)
    for words in (
        "only A right 5",
        "mid-p McNemar p = .0312",
        "Tango score interval [-1.000, -.131]",
        "The row of the observed difference, -1.000, is impossible to plan for",
        "which no pilot can show.",
        "1.000: impossible at A's observed accuracy, 1.000. No draw of the posterior leaves room for it.",
    ):
        assert words in said
    assert "noisy guess" not in said
    assert any(line.startswith("  -1.000 (observed!)   impossible") for line in lines)
    assert "– to –" not in said


def test_tiny_sets_are_told_that_they_see_nothing(tmp_path: Path) -> None:
    said = text(pilot_lines(report(tmp_path, (1, 1, 2, 1), method="mcnemar_exact")))
    assert "B better: unreachable." in said
    assert "B worse: unreachable." in said
