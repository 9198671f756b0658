"""Where compiled kernels are kept, and what decorators do to arguments."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from simstudy.kernels import _jit
from simstudy.scenarios.proportion import kernel as proportion

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(_jit.__file__).parents[1]
needs_compiler = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

PROGRAM = """
import numpy as np
from simstudy.scenarios.proportion import kernel as proportion
out = np.empty((3, 1), np.int64)
proportion.simulate(1, 0, out, 100, 0.7)
stats = proportion.simulate.__wrapped__.stats
print(out.ravel().tolist(), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def start(**environment: str) -> subprocess.Popen[str]:
    inherited = {k: v for k, v in os.environ.items() if k not in {"NUMBA_CACHE_DIR", "XDG_CACHE_HOME"}}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        cwd=ROOT,
        env=inherited | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    printed, noted = process.communicate(timeout=120)
    assert process.returncode == 0, noted
    return printed.strip(), noted


def counts() -> str:
    out = np.empty((3, 1), np.int64)
    proportion.simulate(1, 0, out, 100, 0.7)
    return str(out.ravel().tolist())


@pytest.mark.slow
@needs_compiler
def test_a_second_process_compiles_nothing_and_two_at_once_do_no_harm(tmp_path: Path) -> None:
    both = [start(NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    for process in both:
        printed, noted = finish(process)
        assert printed.startswith(counts())
        assert noted == ""
    assert finish(start(NUMBA_CACHE_DIR=str(tmp_path)))[0] == f"{counts()} 1 0"
    assert [folder.name for folder in tmp_path.iterdir()] == [f"kernels-{_jit.fingerprint()}"]


@pytest.mark.slow
@needs_compiler
def test_without_a_writable_folder_kernels_work_and_one_note_says_so(tmp_path: Path) -> None:
    blocked = tmp_path / "a_file"
    blocked.touch()
    folders = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), str(blocked / "below"))
    printed, noted = finish(start(**folders))
    assert printed == f"{counts()} 0 1"
    assert noted.count("No cache folder can be written to") == 1


def test_the_parents_of_the_folder_are_tried_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    expected = [tmp_path / "numba", tmp_path / "xdg/simstudy", tmp_path / "home/.cache/simstudy"]
    assert list(_jit._parents()) == expected
    assert _jit.cache_folder.__wrapped__().parent == expected[0]
    (tmp_path / "blocked").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "blocked"))
    assert _jit.cache_folder.__wrapped__().parent == expected[1]


def test_no_folder_is_logged_not_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "blocked").touch()
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "blocked"))
    with caplog.at_level(logging.WARNING, logger="simstudy"):
        assert _jit.cache_folder.__wrapped__() is None
    assert len(caplog.records) == 1


@pytest.mark.parametrize("edited", ["kernels/maths.py", "scenarios/proportion/kernel.py"])
def test_an_edited_helper_changes_the_fingerprint(tmp_path: Path, edited: str) -> None:
    copied = shutil.copytree(PACKAGE, tmp_path / "simstudy", ignore=shutil.ignore_patterns("__pycache__"))
    assert _jit.fingerprint(copied) == _jit.fingerprint()
    _jit.fingerprint.cache_clear()
    with (copied / edited).open("a") as file:
        file.write("\n")
    assert _jit.fingerprint(copied) != _jit.fingerprint()


def test_folders_of_other_versions_are_removed_when_old(tmp_path: Path) -> None:
    names = {"keep": "kernels-" + "0" * 16, "old": "kernels-" + "1" * 16, "new": "kernels-" + "2" * 16}
    names["foreign"] = "kernels-of-somebody-else"
    for name in names.values():
        (tmp_path / name).mkdir()
    for which in ("keep", "old", "foreign"):
        os.utime(tmp_path / names[which], (0, 0))
    _jit._remove_stale(tmp_path, keep=tmp_path / names["keep"])
    assert {folder.name for folder in tmp_path.iterdir()} == {names[k] for k in ("keep", "new", "foreign")}


def test_numba_keeps_its_own_setting() -> None:
    before = numba.config.CACHE_DIR
    with _jit._numba_cache_in(Path("elsewhere")):
        assert numba.config.CACHE_DIR == "elsewhere"
    assert before == numba.config.CACHE_DIR


@needs_compiler
def test_one_signature_whatever_numbers_are_given() -> None:
    out = np.empty((2, 1), np.int64)
    for key, first, accuracy in [(1, 0, 0.5), (2**64 - 1, np.int32(3), 1), (np.uint64(5), 2**40, np.float32(0.5))]:
        proportion.simulate(key, first, out, np.int16(3), accuracy)
    assert len(proportion.simulate.__wrapped__.signatures) == 1


@pytest.mark.slow
@needs_compiler
def test_a_processor_without_wide_vectors_gives_the_same_bits(tmp_path: Path) -> None:
    """Pinned bits of maths and counts, compiled for the oldest of these processors: no AVX, nothing fused."""
    folder = Path(__file__).parents[1]
    places = ("kernels/test_maths.py", "scenarios/paired/test_kernel.py", "scenarios/clustered/test_kernel.py")
    pinned = [str(folder / place) for place in places]
    command = [sys.executable, "-m", "pytest", "-q", "-k", "pinned", *pinned]
    environment = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


@pytest.mark.slow
@needs_compiler
def test_tests_of_kernels_pass_in_the_interpreter() -> None:
    here = Path(__file__).parent
    tests = [str(here), *map(str, sorted(here.parent.glob("scenarios/*/test_kernel.py")))]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow", *tests]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
