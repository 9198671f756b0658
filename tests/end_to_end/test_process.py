"""Commands as processes of their own: signals, pipes, encodings and start-up."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("numba", "xarray", "scipy", "pandas", "matplotlib", "h5netcdf", "scipy.stats")
SIMULATION = (
    *("power", "paired", "--accuracy-a", "0.7", "--difference", "0.1", "--n-cases", "2000"),
    *("--engine", "full", "--method", "mcnemar_exact"),
)


def environment(**extra: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **extra}


def by_default() -> None:
    """Let signals stop a process, whatever started these tests: nohup and shells' background jobs ignore some."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


def start(module: str, *words: str, folder: Path, **extra: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", module, *words],
        cwd=folder,
        env=environment(**extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=by_default if os.name == "posix" else None,  # noqa: PLW1509 -- takes no lock
    )


def test_power_module_runs_without_a_warning(tmp_path: Path) -> None:
    with start("simstudy.power", "--help", folder=tmp_path) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert out.startswith(b"Usage: simstudy power [SCENARIO")


def test_help_and_lists_import_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom simstudy.__main__ import main\n"
        "for words in (['--help'], ['power', '--help'], ['power', 'paired', '--help'], ['list'], ['list', 'paired'],"
        " ['pilot', '--help'], ['show', '--help'], ['power', 'paired', '--n-cass', '3']):\n    main(words)\n"
        f"print([name for name in {HEAVY} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(), capture_output=True, check=True, timeout=60
    )
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_narrow_terminals_get_question_marks(tmp_path: Path) -> None:
    with start("simstudy", "list", "paired", folder=tmp_path, PYTHONIOENCODING="ascii") as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert b"N(0, difficulty_sd?)" in out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently")
def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    words = ("power", "paired", "--accuracy-a", "0.7", "--difference", "0:0.25:0.0005", "--n-cases", "10")
    with start("simstudy", *words, "--method", "mcnemar_exact", "--format", "csv", folder=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(100)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


SMALL = (
    "power",
    "paired",
    "--accuracy-a",
    "0.7",
    "--difference",
    "0.1",
    "--n-cases",
    "36",
    "--method",
    "mcnemar_exact",
)


def in_shell(words: tuple[str, ...], redirected: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    command = shlex.join([sys.executable, "-m", "simstudy", *words])
    return subprocess.run(
        ["sh", "-c", f"{command} {redirected}"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "words",
    [("list",), pytest.param(SMALL, marks=pytest.mark.slow), pytest.param(("power", "--help"), marks=pytest.mark.slow)],
)
def test_a_full_standard_output_is_said(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = in_shell(words, ">/dev/full", tmp_path)
    assert (done.returncode, done.stderr) == (3, b"simstudy: Could not write the output: No space left on device.\n")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
def test_without_standard_error_the_result_is_printed(tmp_path: Path, redirected: str) -> None:
    done = in_shell((*SMALL, "--out", "r.nc"), redirected, tmp_path)
    assert done.returncode == 0
    assert b"All figures are exact." in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_without_standard_error_a_refusal_keeps_its_exit_code(tmp_path: Path) -> None:
    assert in_shell(("power", "pared"), "2>&-", tmp_path).returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="streams close differently")
def test_without_standard_output_the_file_is_written(tmp_path: Path) -> None:
    done = in_shell((*SMALL, "--out", "r.nc"), ">&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, b"Written: r.nc.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently")
def test_a_reader_may_leave_a_help_page(tmp_path: Path) -> None:
    with start("simstudy", "power", "paired", "--help", folder=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


def test_help_is_laid_out_whatever_the_width_is_said_to_be(tmp_path: Path) -> None:
    program = (
        "import os\nfrom simstudy.__main__ import main\n"
        "for columns in ('0', '1', 'x'):\n"
        "    os.environ['COLUMNS'] = columns\n"
        "    print('returned', main(['power', 'paired', '--help']))\n"
    )
    words = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(
        words, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    *pages, end = done.stdout.split("returned 0\n")
    assert (len(pages), end) == (3, "")
    assert all("--accuracy-a" in page for page in pages)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent differently")
def test_ctrl_c_says_how_far_it_got_and_leaves_nothing(tmp_path: Path) -> None:
    # the kernel is compiled and cached first, so that the signal meets the simulation
    with start("simstudy", *SIMULATION, "--replications", "10", folder=tmp_path) as process:
        process.communicate(timeout=120)
    with start("simstudy", *SIMULATION, "--replications", "20000000", "--out", "r.nc", folder=tmp_path) as process:
        time.sleep(8)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert err.decode().startswith("simstudy: Stopped: ")
    assert err.decode().endswith(" of 20000000 replications were done; nothing was written.\n")
    assert list(tmp_path.iterdir()) == []


# a command that stops for a minute in the middle of writing its file
SLOW_WRITE = """
import sys, time
from pathlib import Path
from simstudy.__main__ import main

def half(path, content):
    with open(path, "wb") as file:
        file.write(content[:10])
    print("half", flush=True)
    time.sleep(60)

Path.write_bytes = half
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently")
@pytest.mark.parametrize(
    ("number", "code"),
    [
        ("SIGTERM", 143),
        pytest.param("SIGHUP", 129, marks=pytest.mark.slow),
        pytest.param("SIGINT", 130, marks=pytest.mark.slow),
    ],
)
def test_a_command_ended_while_it_writes_leaves_the_old_file_alone(tmp_path: Path, number: str, code: int) -> None:
    (tmp_path / "r.nc").write_bytes(b"old")
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_WRITE, *SMALL, "--out", "r.nc"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=by_default if os.name == "posix" else None,  # noqa: PLW1509 -- takes no lock
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"half\n"
        assert len(list(tmp_path.iterdir())) == 2
        process.send_signal(getattr(signal, number))
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, b"", b"simstudy: Stopped; nothing was written.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["r.nc"]
    assert (tmp_path / "r.nc").read_bytes() == b"old"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently")
def test_a_command_under_nohup_goes_on(tmp_path: Path) -> None:
    program = f"import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n{SLOW_WRITE.replace('60', '1')}"
    words = [sys.executable, "-c", program, *SMALL, "--out", "r.nc"]
    with subprocess.Popen(words, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.parametrize(
    "settings",
    [
        {"NUMBA_NUM_THREADS": "0", "MPLBACKEND": "nothing"},
        pytest.param({"NUMBA_NUM_THREADS": "-1"}, marks=pytest.mark.slow),
        pytest.param({"NUMBA_NUM_THREADS": "0"}, marks=pytest.mark.slow),
        pytest.param({"MPLBACKEND": "nothing"}, marks=pytest.mark.slow),
    ],
)
def test_settings_of_libraries_that_mean_nothing_here(tmp_path: Path, settings: dict[str, str]) -> None:
    swept = ["36,50" if word == "36" else word for word in SMALL]
    engine = ("--engine", "full", "--replications", "10", "--plot", "r.svg")
    with start("simstudy", *swept, *engine, folder=tmp_path, **settings) as process:
        _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, b"Written: r.svg.\n")
