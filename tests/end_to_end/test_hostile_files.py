"""Files and names that somebody made to break things: one sentence, the right exit code, nothing written over."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from tests.end_to_end.conftest import Outcome, Run

LONG = "x" * 300
DIGITS = "9" * 5000
POINT = ("paired", "--accuracy-a", "0.7", "--difference", "0.1", "--n-cases", "36")
POWER = ("power", *POINT, "--method", "mcnemar_exact")
SYSTEMS = ("--system-a", "a", "--system-b", "b", "--draws", "100")
STUDY = 'scenario = "paired"\n[parameters]\naccuracy_a = 0.7\ndifference = 0.1\n'
# what a terminal obeys or an encoding cannot write
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]")


def refused(done: Outcome, *words: str) -> None:
    """Assert that a request was refused in one visible sentence."""
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("simstudy: ")
    assert done.err.count("\n") == 1
    assert not UNSEEN.search(done.err)
    assert len(done.err) < 2000
    for word in words:
        assert word in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("show", f"{LONG}.nc"),
        ("pilot", f"{LONG}.csv", *SYSTEMS),
        ("pilot", f"{LONG}.jsonl", *SYSTEMS),
        ("pilot", LONG, *SYSTEMS),
        ("size", "paired", "--pilot", f"{LONG}.csv", *SYSTEMS[:4]),
        ("power", f"{LONG}.toml"),
        ("power", f"{LONG}.py"),
        ("power", f"{LONG}.csv"),
        ("power", LONG),
        ("list", f"{LONG}.toml"),
        ("list", LONG),
        ("replay", f"{LONG}.py:X", "--replication", "1"),
        (*POWER, "--out", f"{LONG}.nc"),
        (*POWER, "--plot", f"{LONG}.png"),
        ("replay", *POINT, "--replication", "1", "--out", f"{LONG}.csv"),
        ("show", "a/" * 3000 + "r.nc"),
        ("show", "a\0b.nc"),
        ("pilot", "a\0b.csv", *SYSTEMS),
        ("power", "a\0b.toml"),
        (*POWER, "--out", "a\0b.nc"),
    ],
)
def test_names_that_no_system_takes(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    refused(run(*words))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="root may read and enter everything")
@pytest.mark.parametrize(
    "words",
    [
        ("show", "locked/r.nc"),
        ("pilot", "locked/r.csv", *SYSTEMS),
        ("power", "locked/r.toml"),
        ("power", "locked/r.py"),
        (*POWER, "--out", "locked/r.nc"),
        ("replay", *POINT, "--replication", "1", "--out", "locked/r.csv"),
    ],
)
def test_a_folder_that_may_not_be_entered(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "locked").mkdir(mode=0o000)
    refused(run(*words), "Permission denied")


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("words", [("show", "r.nc"), ("pilot", "r.csv", *SYSTEMS), ("power", "r.toml")])
def test_a_file_that_may_not_be_read(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / words[1]).touch(mode=0o000)
    refused(run(*words), "cannot be read: Permission denied.")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of another kind")
@pytest.mark.parametrize(
    ("words", "name"),
    [
        (POWER, "r.nc"),
        (("replay", *POINT, "--replication", "1"), "r.csv"),
        (("power", *POINT[:-1], "36,50", "--plot", "r.svg"), "r.svg"),
    ],
)
def test_files_that_are_replaced_or_not(run: Run, tmp_path: Path, words: tuple[str, ...], name: str) -> None:
    option = () if "--plot" in words else ("--out", name)
    target, link = tmp_path / f"target{Path(name).suffix}", tmp_path / name
    target.write_bytes(b"old")
    link.symlink_to(target)
    assert run(*words, *option).code == 0
    assert link.is_symlink()
    assert target.read_bytes() != b"old"
    target.write_bytes(b"old")
    target.chmod(0o444)
    refused(run(*words, *option), "it may only be read")
    assert target.read_bytes() == b"old"


@pytest.mark.parametrize("ids", [[f"{DIGITS}{i}" for i in range(9)], ["1", *(f"1.{DIGITS}{i}" for i in range(8))]])
def test_ids_of_thousands_of_digits(run: Run, tmp_path: Path, ids: list[str]) -> None:
    rows = "".join(f"{name},{i % 2},{int(i % 3 == 0)}\n" for i, name in enumerate(ids))
    (tmp_path / "r.csv").write_text(f"case,a,b\n{rows}", encoding="utf-8")
    assert "on the same 9 cases" in run("pilot", "r.csv", *SYSTEMS).flat
    (tmp_path / "runs.csv").write_text(f"run,a,b,case\n{rows.replace(chr(10), ',1' + chr(10))}", encoding="utf-8")
    assert "on a single case" in run("pilot", "runs.csv", *SYSTEMS, "--runs", "clustered").flat
    (tmp_path / "value.csv").write_text(f"case,a,b\n1,{DIGITS},0\n", encoding="utf-8")
    refused(run("pilot", "value.csv", *SYSTEMS), "in none a value of both can be read")


def test_one_long_id_does_not_make_all_of_them_long(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 2},{int(i % 3 == 0)}\n" for i in range(20_000))
    (tmp_path / "r.csv").write_text(f"case,a,b\n{'x' * 100_000},1,1\n{rows}", encoding="utf-8")
    # an array of text would take 400,000 bytes for each of them: 8 GB
    assert "on the same 20,001 cases" in run("pilot", "r.csv", *SYSTEMS).flat


@pytest.mark.parametrize("depth", [900, 2000, 100_000])
def test_lists_in_lists(run: Run, tmp_path: Path, depth: int) -> None:
    deep = "[" * depth + "1" + "]" * depth
    (tmp_path / "r.jsonl").write_text(f'{{"case":1,"a":1,"b":0,"x":{deep}}}\n', encoding="utf-8")
    done = run("pilot", "r.jsonl", *SYSTEMS)
    if done.code:
        refused(done, "r.jsonl cannot be read: lists or objects are nested too deep.")
    (tmp_path / "r.toml").write_text(f"{STUDY}n_cases = {deep}\n", encoding="utf-8")
    refused(run("power", "r.toml"), "r.toml: lists or tables are nested too deep to be read.")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"n_cases = {DIGITS}", "r.toml holds a number of more than 4,300 digits."),
        (f"n_cases.{'a.' * 900}b = 1", "nested too deep"),
        ("n_cases = 1979-05-27", "n_cases is datetime.date(1979, 5, 27)"),
        ('n_cases = "\\u001b[31m"', "'\\x1b[31m' is no number"),
    ],
)
def test_values_of_study_files(run: Run, tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "r.toml").write_text(f"{STUDY}{line}\n", encoding="utf-8")
    refused(run("power", "r.toml"), words)


def test_half_a_character_in_an_id(run: Run, tmp_path: Path) -> None:
    # two cases that only A answered, one of them with half of a pair of code units
    lines = [{"case": case, "a": 1, "b": b} for case, b in (("1", 0), ("\ud800", None), ("\udfff", None))]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    long = [{"case": "\ud800", "system": "a", "correct": 1}, {"case": "1", "system": "b", "correct": 1}]
    long.append({"case": "1", "system": "a", "correct": 1})
    (tmp_path / "long.jsonl").write_text("\n".join(map(json.dumps, long)), encoding="utf-8")
    for file in ("r.jsonl", "long.jsonl"):
        for chosen in ("table", "markdown", "csv", "json"):
            done = run("pilot", file, *SYSTEMS, "--format", chosen)
            assert done.code == 0
            assert not UNSEEN.search(done.out + done.err)
    assert json.loads(run("pilot", "long.jsonl", *SYSTEMS, "--format", "json").out)[0]["left_out"] == 1


def test_names_that_differ_in_blanks_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("case,a, a,b\n1,1,0,1\n", encoding="utf-8")
    refused(run("pilot", "r.csv", *SYSTEMS), "the header names 'a' more than once")
    (tmp_path / "r.jsonl").write_text('{"case":1,"system":"a","correct":1,"correct ":0}\n', encoding="utf-8")
    refused(run("compare", "r.jsonl"), "'correct' stands twice in one object")


HOSTILE = "\x1b]0;title\x07\x1b[31mred\x9b2J\u202eback"


def test_control_characters_of_results_are_not_obeyed(run: Run, tmp_path: Path) -> None:
    name = f"{HOSTILE}\n\tnext"
    with (tmp_path / f"{HOSTILE}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["case", name, "b", f"text{HOSTILE}", "source", "id"])
        writer.writerows(
            [f"c{HOSTILE}{i}", i % 2, "" if i == 3 else int(i % 3 == 0), "words", "x", i] for i in range(9)
        )
    words = ("pilot", f"{HOSTILE}.csv", "--system-a", name, "--system-b", "b", "--draws", "100")
    for chosen in ("table", "markdown", "json"):
        done = run(*words, "--format", chosen)
        assert done.code == 0
        assert not UNSEEN.search(done.out + done.err)
    assert "between \\x1b]0;title" in run(*words).out
    assert json.loads(run(*words, "--format", "json").out)[0]["system_a"] == name
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)))
    assert name in {row["system_a"] for row in rows}
    refused(run(*words[:3], "nobody", *words[4:]), "There is no system 'nobody'", "\\x1b[31mred\\x9b2J\\u202eback")
    refused(run(*words, "--case-column", "nothing"), "\\n\\tnext")
    sized = run("size", "paired", "--pilot", *words[1:6], "--difference", "0.1", "--method", "mcnemar_exact")
    assert sized.code == 0
    assert not UNSEEN.search(sized.out + sized.err)


@pytest.mark.parametrize(
    "words",
    [
        ("show", f"{HOSTILE}.nc"),
        ("power", f"{HOSTILE}.toml"),
        ("power", HOSTILE),
        ("list", f"{HOSTILE}.py"),
        (*POWER, "--format", HOSTILE),
        (*POWER, f"--{HOSTILE}", "1"),
        (*POWER, "--seed", HOSTILE),
        (*POWER, "--method", HOSTILE),
        (*POWER, "--out", f"{HOSTILE}/r.nc"),
        ("power", *POINT[:-1], f"3\n{HOSTILE}"),
    ],
)
def test_control_characters_that_were_typed_are_not_obeyed(run: Run, words: tuple[str, ...]) -> None:
    refused(run(*words))


def test_control_characters_of_a_saved_result_are_not_obeyed(run: Run, tmp_path: Path) -> None:
    name = f"{HOSTILE}.nc"
    done = run(*POWER, "--out", name)
    assert done.err == "Written: \\x1b]0;title\\x07\\x1b[31mred\\x9b2J\\u202eback.nc.\n"
    with h5py.File(tmp_path / name, "r+") as file:
        for attribute in ("question", "in_words", "command"):
            file.attrs[attribute] = json.dumps([HOSTILE]) if attribute == "in_words" else f"{HOSTILE} of \ttext"
    for chosen in ("table", "markdown", "json"):
        shown = run("show", name, "--format", chosen)
        assert not UNSEEN.search(shown.out + shown.err)


@pytest.mark.parametrize("scale", ["dimension scales", "attributes"])
def test_results_of_another_shape(run: Run, tmp_path: Path, scale: str) -> None:
    assert run("power", *POINT[:-1], "36,50", "--method", "mcnemar_exact", "--out", "r.nc").code == 0
    with h5py.File(tmp_path / "r.nc", "r+") as file:
        if scale == "attributes":
            for name in ("study", "question", "simstudy_as_json"):
                file.attrs[name] = np.arange(3)
        else:
            for variable in file.values():
                for attribute in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "_Netcdf4Coordinates"):
                    variable.attrs.pop(attribute, None)
    refused(run("show", "r.nc"), "r.nc")


def test_edited_numbers_are_not_shown(run: Run, tmp_path: Path) -> None:
    for name, value in (("power", -1.0), ("alpha", 5.0), ("replications", -5)):
        assert run(*POWER, "--out", "r.nc").code == 0
        with h5py.File(tmp_path / "r.nc", "r+") as file:
            file[name][...] = value
        refused(run("show", "r.nc"), f"r.nc is damaged: {name} is {value:g}" if value < 0 else "alpha is 5.0")


@pytest.mark.parametrize("ending", ["csv", "json", "md", "txt"])
def test_a_table_is_printed_not_saved(run: Run, tmp_path: Path, ending: str) -> None:
    chosen = {"md": "markdown", "txt": "table"}.get(ending, ending)
    refused(run(*POWER, "--out", f"r.{ending}"), f"a table is printed: --format {chosen} > r.{ending}")


def test_options_are_named_as_they_are_typed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text("case,a,b\n1,1,1\n1,0,1\n", encoding="utf-8")
    refused(run("pilot", "wide.csv", *SYSTEMS), "--runs mean, first or majority", "--runs clustered", "--run-column")
    refused(run("size", "paired", "--pilot", "wide.csv", *SYSTEMS[:4]), "--runs mean, first or majority")
    refused(run("pilot", "wide.csv", *SYSTEMS, "--layout", "wide", "--value-column", "a"), "--value-column")
