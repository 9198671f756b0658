"""docs/compare.md tells the truth: its Python runs, its commands print what is shown, every key is explained."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import simstudy
from simstudy.records.evidence import PAIR
from tests.end_to_end.conftest import Run
from tests.end_to_end.test_tutorial import holds

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "compare.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, flags=re.M | re.S)
ROWS = "".join(f"{i},{int(i % 3 > 0)},{int(i % 5 > 0)},{i // 4}\n" for i in range(60))


def test_every_key_is_explained() -> None:
    table = TEXT.partition("| key | is |")[2].partition("## In Python")[0]
    named = re.findall(
        r"`(\w+)`", "\n".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))
    )
    assert named[: len(PAIR)] == list(PAIR)
    assert named[len(PAIR) :] == ["n_cases_K", "pass_all_K", "pass_any_K"]


def test_commands_print_what_is_shown(run: Run) -> None:
    (block,) = [block for _, block in BLOCKS if block.startswith("$ simstudy ")]
    line, _, shown = block.removeprefix("$ simstudy ").partition("\n")
    assert holds(shown, run(*shlex.split(line)).out)


def test_parameters_are_taken_as_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("case,old,new,source\n" + ROWS, encoding="utf-8")
    lines = [line for line in BLOCKS[-1][1].splitlines() if line.startswith("simstudy ")]
    assert len(lines) == 3
    for line in lines:
        fast = ("--replications", "200") if "clustered" in line else ()
        done = run(*shlex.split(line)[1:], *fast)
        assert done.code == 0, done.err


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = [block for kind, block in BLOCKS if kind == "python"]
    names: dict[str, object] = {}
    exec(compile(code, "compare.md", "exec"), names)
    report = names["report"]
    assert isinstance(report, simstudy.Evidence)
    printed = capsys.readouterr().out
    assert printed == f"{report}\n"
    assert printed.startswith("No difference was found between old and new: 80% against 65% on the same 40 cases")
    assert report.to_dataframe().shape == (1, len(PAIR))
    assert report._repr_html_().startswith("<p><b>No difference was found")


def test_pilot_is_another_name(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("case,old,new,source\n" + ROWS, encoding="utf-8")
    assert str(simstudy.pilot(path, "old", "new")) == str(simstudy.compare(path, "old", "new"))
    clustered = simstudy.pilot(path, "old", "new", cluster_column="source").records()[0]
    assert clustered["n_clusters"] == 15
    with pytest.raises(simstudy.RequestError, match="method has no place"):
        simstudy.pilot(path, "old", "new", method="mcnemar_exact")
