"""The scenario in the docs works as the docs say."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "own_scenarios.md").read_text(encoding="utf-8")
(CODE,) = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.M | re.S)
COMMANDS = [line for line in PAGE.splitlines() if line.startswith("simstudy ")]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_of_the_page(line: str, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    (tmp_path / "mystudy.py").write_text(CODE, encoding="utf-8")
    outcome = run(*shlex.split(line)[1:])
    sys.modules.pop("mystudy", None)
    assert outcome.code == 0, outcome.err
    assert "two reviewers flag bad answers" in outcome.flat
