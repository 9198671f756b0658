"""Study files, scenarios of one's own, saved results and replayed cases."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import h5py
import pytest

from simstudy import load, replay
from simstudy.errors import ComputationError
from tests.end_to_end.conftest import Run

REPLAY = ("replay", "paired", "--accuracy-a", "0.7", "--difference", "0.1", "--n-cases", "20", "--replication", "812")


def test_study_file_with_settings(run: Run, study_file: Path) -> None:
    whole = run("power", "study.toml", "--format", "json").records
    assert len(whole) == 2 * 3 * 2
    words = ("--set", "n_cases=36", "difference=0.1", "--set", "method=tango", "--format", "json")
    (one,) = run("power", "study.toml", *words).records
    assert (one["n_cases"], one["difference"], one["method"]) == (36, 0.1, "tango")
    assert run("power", "study.toml", "--set", "alpha=0.01", "--out", "r.nc").code == 0
    saved = load("r.nc")
    assert float(saved["alpha"]) == 0.01
    assert saved.attrs["aims"] == "what this study is for"
    assert saved.attrs["command"] == "simstudy power study.toml --set alpha=0.01 --out r.nc"


def test_study_files_that_solve(run: Run, tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text(
        'scenario = "paired"\nquestion = "mde"\n[parameters]\nn_cases = 100\naccuracy_a = 0.7\n'
        "[options]\ntarget = 0.9\n",
        encoding="utf-8",
    )
    assert run("mde", "m.toml").out.startswith("Smallest detectable effect for power=0.9")
    assert run("mde", "m.toml", "--set", "target=0.8").out.startswith("Smallest detectable effect for power=0.8")
    other = run("power", "m.toml")
    assert other.code == 2
    assert other.err == "simstudy: m.toml asks for mde: type simstudy mde m.toml.\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("power", "studi.toml"), "There is no file studi.toml. Did you mean study.toml?"),
        (("power", "studies/x.toml"), "There is no file studies/x.toml. The folder studies does not exist either."),
        (("power", "study.toml", "--n-cases", "36"), "Beside a study file it is written --set n_cases=VALUE."),
        (("power", "study.toml", "--set", "n_case=36"), "Did you mean n_cases?"),
        (("power", "study.toml", "--set", "n_cases"), "has no '='"),
        (("power", "bad.toml"), "bad.toml is no valid TOML"),
        (("power", "latin.toml"), "latin.toml is no text in UTF-8."),
        (("replay", "study.toml"), "not a study file"),
        (("list", "study.toml"), "study.toml is a study file"),
        (("power", "."), "is a folder"),
        (("power", "results.csv"), "neither a scenario nor a study file"),
    ],
)
def test_study_files_that_are_refused(
    run: Run, study_file: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "bad.toml").write_text("scenario = paired\n", encoding="utf-8")
    (tmp_path / "latin.toml").write_bytes('aims = "\xe9"\n'.encode("latin-1"))
    done = run(*words)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_own_scenario_everywhere(run: Run, own_scenario: Path) -> None:
    done = run("power", "mystudy.py:Coin", "--n-tosses", "10,20", "--p", "0.5")
    assert done.out.startswith("Coverage: a coin is tossed (coin)")
    assert "--n-tosses" in run("power", "mystudy.py", "--help").out
    assert run("size", "mystudy.py:Coin", "--p", "0.5", "--target", "half_width=0.1").code == 0
    assert "probability of heads" in run("list", "mystudy.py:Coin").out
    # once known, it has a name, as in a study file
    assert run("power", "coin", "--n-tosses", "10", "--p", "0.5").code == 0
    for words, message in (
        (("power", "mystudy.py:Con"), "Did you mean Coin?"),
        (("mde", "mystudy.py", "--n-tosses", "3", "--p", "0.5"), "has no minimum detectable effect"),
        (("replay", "mystudy.py", "--n-tosses", "3", "--p", "0.5", "--replication", "0"), "nothing to replay"),
        (("power", "mystudi.py"), "There is no file mystudi.py. Did you mean mystudy.py?"),
    ):
        refused = run(*words)
        assert refused.code == 2
        assert message in refused.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "defines no scenario"),
        ("x = (\n", "cannot be loaded: SyntaxError"),
        ("import nowhere_to_be_found\n", "cannot be loaded: ModuleNotFoundError"),
        (
            "from simstudy import Scenario\nclass A(Scenario):\n    name='a'\nclass B(Scenario):\n    name='b'\n",
            "defines several scenarios: say which, as other.py:A.",
        ),
    ],
)
def test_python_files_that_hold_no_scenario(run: Run, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "other.py").write_text(text, encoding="utf-8")
    done = run("power", "other.py")
    assert done.code == 2
    assert message in done.err


def test_a_file_is_replaced_by_a_complete_result_only(run: Run, tmp_path: Path) -> None:
    words = ("power", "paired", "--accuracy-a", "0.7", "--n-cases", "36", "--method", "mcnemar_exact", "--out", "r.nc")
    assert run(*words, "--difference", "0.1").code == 0
    before = (tmp_path / "r.nc").read_bytes()
    wrong = run(*words, "--difference", "0.9")
    assert wrong.code == 2
    assert (tmp_path / "r.nc").read_bytes() == before
    assert run(*words, "--difference", "0.2").code == 0
    assert float(load("r.nc")["difference"]) == 0.2
    assert [path.name for path in tmp_path.iterdir()] == ["r.nc"]


def test_a_plot_that_cannot_be_drawn_is_refused_before_the_work(run: Run, tmp_path: Path) -> None:
    words = ("power", "paired", "--accuracy-a", "0.7", "--n-cases", "36", "--difference", "0.1")
    done = run(*words, "--out", "r.nc", "--plot", "r.svg")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("simstudy: There is nothing to plot against")
    assert list(tmp_path.iterdir()) == []


POWER = ("power", "paired", "--accuracy-a", "0.7", "--n-cases", "36", "--method", "mcnemar_exact")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_result_that_cannot_be_written_is_printed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(target: Path, content: bytes) -> None:
        with open("/dev/full", "wb") as device:
            device.write(content)

    monkeypatch.setattr(Path, "write_bytes", full)
    done = run(*POWER, "--difference", "0.1,0.2", "--out", "r.nc", "--plot", "r.svg")
    assert done.code == 3
    assert "mcnemar_exact" in done.out
    assert done.err == "Written: r.svg.\nsimstudy: Could not write r.nc: No space left on device.\n"

    def undrawn(*_: object, **__: object) -> None:
        raise ComputationError("The plot cannot be drawn.")

    # both files fail, and both are said
    monkeypatch.setattr("simstudy.pages.plotting.plot", undrawn)
    done = run(*POWER, "--difference", "0.1,0.2", "--out", "r.nc", "--plot", "s.svg")
    assert (done.code, done.err.count("simstudy: ")) == (3, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["r.svg"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*POWER, "--difference", "0.1", "--out="), "is empty; endings allowed: .nc."),
        ((*POWER, "--difference", "0.1", "--plot="), "is empty; endings allowed: .png, .svg, .pdf."),
        ((*POWER, "--difference", "0.1", "--format="), "There is no format ''."),
        ((*REPLAY, "--out", ""), "is empty; endings allowed: .csv."),
    ],
)
def test_empty_values_are_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_changed_file_is_not_shown(run: Run, tmp_path: Path) -> None:
    assert run(*POWER, "--difference", "0.1", "--out", "r.nc").code == 0
    with h5py.File(tmp_path / "r.nc", "r+") as file:
        del file["power"]
    done = run("show", "r.nc")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("simstudy: r.nc is damaged: ")


def test_replay_writes_many_cases_in_parts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(*REPLAY).out
    monkeypatch.setattr("simstudy.commands.replay_command.ROWS", 7)
    assert run(*REPLAY).out == whole


def test_replay_writes_the_simulated_cases(run: Run, tmp_path: Path) -> None:
    printed = run(*REPLAY)
    rows = list(csv.DictReader(io.StringIO(printed.out)))
    direct = replay("paired", accuracy_a=0.7, difference=0.1, n_cases=20, replication=812)
    assert list(rows[0]) == ["difficulty", "right_a", "right_b"]
    assert [float(row["difficulty"]) for row in rows] == direct["difficulty"].tolist()
    assert [row["right_a"] for row in rows] == [str(int(right)) for right in direct["right_a"]]
    # n = 10 is the beginning of n = 20
    shorter = run(*REPLAY[:6], "--n-cases", "10", "--replication", "812")
    assert printed.out.startswith(shorter.out)
    assert run(*REPLAY, "--out", "cases.csv").err == "Written: cases.csv.\n"
    assert (tmp_path / "cases.csv").read_text(encoding="utf-8") == printed.out
    assert run(*REPLAY, "--seed", "2").out != printed.out


def test_replayed_cases_are_results_that_the_pilot_reads(run: Run) -> None:
    words = (*REPLAY[:6], "--n-cases", "200", "--replication", "1", "--out", "cases.csv")
    assert run(*words).code == 0
    done = run("pilot", "cases.csv", "--system-a", "right_a", "--system-b", "right_b", "--draws", "200")
    assert done.code == 0
    assert "on the same 200 cases" in done.flat
