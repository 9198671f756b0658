"""The README tells the truth: its commands run and print what it shows, its Python runs, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from simstudy import power_curve
from simstudy.scenarios import built_in

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, flags=re.M | re.S)
SHOWN = [block for _, block in BLOCKS if block.startswith("$ simstudy ")]
PILOT = "case,system,correct\n" + "".join(
    f"{case},{system},{int(right)}\n"
    for case in range(40)
    for system, right in (("baseline", case % 3 > 0), ("candidate", case % 4 > 0))
)


def commands() -> list[list[str]]:
    """Every command line of simstudy that stands in a block without its output."""
    lines = [line for kind, block in BLOCKS if not kind for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("simstudy ")]


@pytest.mark.parametrize("block", SHOWN, ids=[block.split()[2] for block in SHOWN])
def test_a_command_prints_what_the_readme_shows(block: str, run) -> None:
    line, _, output = block.partition("\n")
    assert run(*shlex.split(line)[2:]).out.strip() == output.strip()


def test_the_default_study_prints_what_the_readme_shows(run) -> None:
    printed = run("power").out
    pieces = [block for _, block in BLOCKS if block.startswith(("Power: ", "unpaired_z looks"))]
    assert len(pieces) == 2
    assert all(piece.strip() in printed for piece in pieces)


def test_the_other_commands_run_in_their_order(run, tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(PILOT, encoding="utf-8")
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    assert len(commands()) >= 7
    for words in commands():
        outcome = run(*words)
        assert outcome.code == 0, (words, outcome.err)


def test_the_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results.csv").write_text(PILOT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (code,) = [block for kind, block in BLOCKS if kind == "python"]
    names: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert "power" in names


def test_links_lead_to_files() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_scenarios_are_listed_by_the_generated_page_alone() -> None:
    assert "docs/scenarios/README.md" in TEXT
    assert [name for name in built_in() if f"docs/scenarios/{name}.md" in TEXT] == []


def test_figures_between_the_outputs_are_those_of_the_results() -> None:
    """What the sentences say of a judge's kappa and of one order of reading."""
    judged = power_curve("judged", n_cases=36, accuracy_a=0.7, difference=0.05, reworded_b=0.8)
    assert "with kappa .84, on B's with .69" in TEXT
    assert judged["kappa_a"].item() == pytest.approx(0.84, abs=0.005)
    assert judged["kappa_b"].item() == pytest.approx(0.69, abs=0.005)
    toward_b = power_curve("win_rate", n_pairs=150, strength=0, beta=-0.5, tie_band=0.5, method="one_order")
    assert "adopts an equal B in .84 of studies of 150 pairs" in TEXT
    assert toward_b["power"].item() == pytest.approx(0.84, abs=0.005)


def test_two_commands_do_the_set_up() -> None:
    """The first installs and runs the main job, the second installs and runs the tests."""
    set_up = [block.strip() for _, block in BLOCKS if "pip install" in block]
    assert len(set_up) == 2
    assert set_up[0].endswith("-m simstudy.power")
    assert "-m pytest" in set_up[1]
