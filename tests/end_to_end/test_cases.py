"""Small files with one trap each: what a person asks of each, the right answer, and the number that must never appear.

Every entry of tests/cases/cases.json is a command with the figures that are expected (or alternatives to them), words
that its output must match, and figures that would show that the trap was walked into.
"""

import json
import math
import re
from pathlib import Path

import pytest

from simstudy.__main__ import main
from simstudy.commands.run import COMMANDS

FOLDER = Path(__file__).parents[1] / "cases"
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
ASKED = [case for case in CASES if case["command"][0] in COMMANDS]


def test_commands_that_do_not_exist_yet_are_few():
    assert {case["command"][0] for case in CASES} - set(COMMANDS) <= {"judge", "bias", "aggregate"}


def run(capsys, monkeypatch, command):
    """Return exit code, records and everything that was said."""
    monkeypatch.chdir(FOLDER)
    code = main([*command, "--format", "json"])
    json_out = capsys.readouterr()
    assert main(command) == code
    plain = capsys.readouterr()
    records = json.loads(json_out.out) if code == 0 else []
    records = records if isinstance(records, list) else [records]
    return code, records, "\n".join([json_out.out, json_out.err, plain.out, plain.err])


def agrees(record, expected, tolerance, loose):
    def near(name, value, within):
        found = record.get(name)
        if value is None or isinstance(value, str):
            return found == value
        return found is not None and math.isclose(found, value, rel_tol=0, abs_tol=within)

    return all(near(name, value, tolerance) for name, value in expected.items()) and all(
        near(name, value, within) for name, (value, within) in loose.items()
    )


@pytest.mark.parametrize("case", ASKED, ids=[case["name"].removeprefix("shared: ") for case in ASKED])
def test_the_right_answer_and_never_the_trap(case, capsys, monkeypatch):
    code, records, said = run(capsys, monkeypatch, case["command"])
    assert "Traceback" not in said
    for pattern in case.get("says", ()):
        assert re.search(pattern, said), pattern
    for record in records:
        for name, trap in case.get("never", {}).items():
            found = record.get(name)
            assert found is None or abs(found - trap) > case["tolerance"] / 10, (name, found)
    if code != 0:
        assert code == 2
        assert case.get("refuse"), said
        return
    assert case.get("refuse") is not True, said
    wanted = [case["expect"], *case.get("alternatives", ())]
    select = case.get("select", {})
    chosen = [record for record in records if all(record.get(name) == value for name, value in select.items())]
    loose = case.get("loose", {})
    assert not any(wanted) or any(agrees(r, e, case["tolerance"], loose) for r in chosen for e in wanted), (
        [{name: r.get(name) for name in case["expect"]} for r in chosen],
        wanted,
    )
    if "wanted" in case:
        assert any(agrees(record, case["wanted"], case["tolerance"], {}) for record in chosen)
