"""Commands run in this process, which spares their start-up."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simstudy.__main__ import main

OWN_SCENARIO = '''
from simstudy import Block, Call, Method, Parameter, Scenario


def share(x, n):
    return x / n


class Coin(Scenario):
    """x ~ Binomial(n_tosses, p)."""

    name = "coin"
    title = "a coin is tossed"
    unit = "toss"
    aims = "How well p is known"
    mechanism = "n_tosses independent tosses"
    estimand_words = "p"
    parameters = (
        Parameter("n_tosses", "tosses", "tosses", "integer", 1, required=True, role="size"),
        Parameter("p", "probability of heads", "proportion", low=0, high=1, required=True),
    )
    blocks = (Block("n_tosses", ("x", "tails")),)
    methods = (
        Method(
            "wilson",
            "Wilson",
            "Wilson 1927",
            interval=Call("simstudy.stats.proportions:wilson", ("x", "n_tosses")),
            estimate=Call("mystudy:share", ("x", "n_tosses")),
        ),
    )
    default_methods = ("wilson",)
    target_variable = "coverage"

    def estimand(self, values):
        return float(values["p"])

    def law(self, values):
        return ((values["p"], 1 - values["p"]),)
'''


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """Standard output, read as JSON."""
        return json.loads(self.out)

    @property
    def flat(self) -> str:
        """Standard output without its line breaks."""
        return " ".join(self.out.split())


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``simstudy`` with some words, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> Outcome:
        capsys.readouterr()
        code = main(list(words))
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return command


@pytest.fixture
def own_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a scenario of one's own; nothing of it outlives the test."""
    monkeypatch.setattr("simstudy.scenarios._registered", {})
    path = tmp_path / "mystudy.py"
    path.write_text(OWN_SCENARIO, encoding="utf-8")
    yield path
    sys.modules.pop("mystudy", None)


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    """A study file that asks for power."""
    path = tmp_path / "study.toml"
    path.write_text(
        'scenario = "paired"\naims = "what this study is for"\nmethod = ["mcnemar_exact", "mcnemar_midp"]\n'
        '[parameters]\nn_cases = [36, 100]\naccuracy_a = 0.7\ndifference = "0:0.2:0.1"\ndifficulty_sd = 1.5\n',
        encoding="utf-8",
    )
    return path
