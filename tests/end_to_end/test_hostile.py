"""Hostile requests: the small ones here and now; all of them, in processes that may be ended, among the slow tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from simstudy.scenarios import scenario_names
from tests.hostile.classify import Outcome, classify, observed
from tests.hostile.folder import fill
from tests.hostile.generated import COMMANDS, KINDS, generated
from tests.hostile.request import REFUSED, Request
from tests.hostile.requests import BY_HAND, STUDY_FILES, WRONG

ROOT = Path(__file__).resolve().parents[2]
GENERATED = generated()
# every fourth, beside the study files, which ask for nothing that is computed
FEW = (*WRONG[::4], *STUDY_FILES[::2], *GENERATED[::4])


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    fill(folder)
    return folder


@pytest.mark.parametrize("request_", FEW, ids=[request.name for request in FEW])
def test_is_refused_in_one_sentence(filled: Path, request_: Request) -> None:
    outcome = observed(request_, filled)
    assert classify(request_, outcome) == "fine", outcome


@pytest.mark.slow
def test_all_are_fine(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile"], cwd=ROOT, capture_output=True, text=True, timeout=3600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_command_scenario_and_kind_is_tried() -> None:
    words = [request.words for request in GENERATED]
    assert len(words) == len(set(words)) == 200
    assert len(BY_HAND) >= 100
    assert {word[0] for word in words} == set(COMMANDS)
    assert {word[1] for word in words} == set(scenario_names())
    assert set(Counter(request.kind for request in GENERATED)) == set(KINDS)
    assert generated() == GENERATED != generated(seed=2)
    assert {"pilot", "list", "show", "replay", *COMMANDS} == {request.words[0] for request in BY_HAND}


def outcome(**changed: object) -> Outcome:
    plain: dict[str, object] = {
        "code": 2,
        "out": "",
        "err": "simstudy: n_cases is 0.\n",
        "seconds": 1.0,
        "peak": 0,
        "written": (),
        "changed": (),
    }
    return Outcome(**{**plain, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "label"),
    [
        ({}, "fine"),
        ({"err": "Traceback (most recent call last):\nValueError\n"}, "traceback"),
        ({"err": "simstudy: n_cases is 0.\nAnd more.\n"}, "more than one sentence"),
        ({"err": "n_cases is 0.\n"}, "more than one sentence"),
        ({"err": "simstudy: n_cases is \x1b[31m.\n"}, "more than one sentence"),
        ({"out": "a table"}, "more than one sentence"),
        ({"code": 0, "out": "a table", "err": ""}, "wrong exit code"),
        ({"code": 3}, "wrong exit code"),
        ({"err": "simstudy: something is wrong.\n"}, "not named"),
        ({"written": ("new.nc",)}, "wrote over"),
        ({"changed": ("old.nc",)}, "wrote over"),
        ({"seconds": 61.0}, "too slow"),
        ({"code": None}, "too slow"),
        ({"code": None, "peak": 2**32}, "too large"),
    ],
)
def test_classes_are_told_apart(changed: dict[str, object], label: str) -> None:
    assert classify(Request(("power",), REFUSED, ("n_cases|--n-cases", "0")), outcome(**changed)) == label


def test_files_that_change_are_seen(filled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    shutil.copytree(filled, folder)
    words = ("power", "power.toml", "--out", "new.nc")
    found = observed(Request(words, (0,)), folder)
    assert (found.code, found.written, found.changed) == (0, ("new.nc",), ())
    assert classify(Request(words, (0,)), found) == "fine"
    found = observed(Request((*words, "--set", "n_cases=9"), (0,)), folder)
    assert found.changed == ("new.nc",)
