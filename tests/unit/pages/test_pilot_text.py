"""The pilot report as text: every figure said, every trap explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from simstudy.pages.pilot_text import pilot_lines
from simstudy.records.pilot_report import pilot
from tests.unit.pages.pilots import report, text


def test_the_published_lesson_in_words(tmp_path: Path) -> None:
    lines = pilot_lines(report(tmp_path, (3, 11, 19, 3), difference=(0.1,)))
    assert lines[1] == "36 pairs of 36 cases: one row per case."
    for line in (
        "  both right 19, only A right 3, only B right 11, neither 3",
        "  exact McNemar   p = .0574",
        "  mid-p McNemar   p = .0352",
        "  Tango score interval       [.020, .411]",
        "  Newcombe score interval    [.017, .405]",
        "  ideal bootstrap interval   [.028, .417]",
    ):
        assert line in lines
    said = text(lines)
    for words in (
        "Whether they overlap is not a test",
        "Tests and intervals do not agree",
        "None: exact McNemar.",
        "difficulty_sd 0.83",
        "What this set could have seen",
        "is a noisy guess",
        "Jeffreys prior; 100 draws, seed 1",
        "Monte Carlo standard error at most",
    ):
        assert words in said
    assert all(len(line) <= 100 for line in lines[1:])
    assert all(line == line.rstrip() for line in lines)


def test_agreement_needs_no_sentence(tmp_path: Path) -> None:
    assert "do not agree" not in text(pilot_lines(report(tmp_path, (2, 40, 30, 28))))


def test_more_discordance_than_independent_errors(tmp_path: Path) -> None:
    said = text(pilot_lines(report(tmp_path, (8, 2, 0, 10))))
    assert "difficulty_sd: none. Independent errors give discordance .420" in said


def test_less_discordance_than_any_shared_difficulty(tmp_path: Path) -> None:
    said = text(pilot_lines(report(tmp_path, (0, 1, 500, 499))))
    assert "none up to 10 gives so small a discordance" in said


def test_lost_pairs_are_said(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("case,A,B\n" + "".join(f"{k},1,{k % 2}\n" for k in range(9)) + "9,error,1\n")
    said = text(pilot_lines(pilot(path, "A", "B", draws=100)))
    assert "1 of 10 pairs were left out, not scored as wrong" in said
    assert "Lost pairs: .100 of them." in said


def test_clusters(tmp_path: Path, shared: Path) -> None:
    path = shared / "data" / "paired" / "matharena_aime_II.csv"
    lines = pilot_lines(pilot(path, "o3-mini (high)", "DeepSeek-R1", runs="clustered", difference=(0.05,), draws=100))
    said = text(lines)
    for words in (
        "60 pairs of 15 cases: all runs kept, cases as clusters.",
        "Wilson intervals, 0.95, rows taken as independent.",
        "Is there a difference, if rows were independent?",
        "With the 15 clusters as units: what counts here",
        "Standard error .075, against .056 if rows were independent.",
        "Design effect 1.82: 60 rows are worth about 33 independent cases.",
        "clusters: n times the design effect, in clusters of 4 rows",
        "-.050: computed at discordance .183, the most that A's accuracy, .933, then allows.",
    ):
        assert words in said
    assert any(line.startswith("  -.050 (B worse)") for line in lines)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([(1, 0), (0, 1)], "below 1; 1 is used, so 8 rows"),
        ([(1, 1), (0, 0)], "each cluster is counted as one case, so 8 rows are worth about 4"),
    ],
)
def test_design_effects_that_are_odd(tmp_path: Path, values: list[tuple[int, int]], words: str) -> None:
    # Four clusters: in the first file the two rows of three of them cancel, in the second nothing differs.
    rows = [(cluster, *row) for cluster in range(4) for row in values]
    if values[0] != values[0][::-1]:
        rows[0] = (0, 1, 1)
    path = tmp_path / "r.csv"
    path.write_text("case,cluster,A,B\n" + "".join(f"{k},{c},{a},{b}\n" for k, (c, a, b) in enumerate(rows)))
    assert words in text(pilot_lines(pilot(path, "A", "B", draws=100)))
