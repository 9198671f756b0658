"""The list of experiments, with sentences whose figures are read from the results."""

from __future__ import annotations

import functools
from pathlib import Path

from experiments.figures import Load
from experiments.findings import FINDINGS
from simstudy.store import load
from simstudy.study.studyfile import StudyFile, parse_study

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / "results"

OPENING = """\
# Experiments

One question per study file. `python -m experiments` answers them all again and writes, for each, the whole
answer (`.nc`), its table (`.md`) and its picture (`.png`) to [results/](../results), and this page; `python
-m experiments NAME` does one. The sentences below are filled with figures from the stored answers. A figure
with ± is simulated, and ± is one Monte Carlo standard error; all others are exact. Tests are two-sided at .05
and intervals have level .95 unless said.

What the models say of judges that others have run, and of the judge tables of a published lesson, stands on [a page of
its own](../docs/real_judges.md): `python -m experiments.real --data FOLDER` takes a folder of data that is not part of
this repository.
"""


def study_names() -> list[str]:
    """Return the names of the study files, in the order of this page; files without a finding last."""
    names = {path.stem for path in HERE.glob("*.toml")}
    return [*(name for name in FINDINGS if name in names), *sorted(names - FINDINGS.keys())]


def read_study(name: str) -> StudyFile:
    """Return a study file by name."""
    path = HERE / f"{name}.toml"
    return parse_study(path.read_text(encoding="utf-8"), path.name)


def sentence(name: str, stored: Load) -> str:
    """Return what an experiment shows, with the figures of its stored answer."""
    finding = FINDINGS[name]
    return finding.sentence.format(*(figure.text(name, stored) for figure in finding.figures))


def readme(results: Path) -> str:
    """Return the page: question, file, result and one sentence for each experiment."""
    stored = functools.cache(lambda name: load(results / f"{name}.nc"))
    return "\n".join([OPENING, *(_entry(name, stored) for name in study_names())])


def _entry(name: str, stored: Load) -> str:
    links = ", ".join(f"[{ending}](../results/{name}.{ending})" for ending in ("nc", "md", "png"))
    return f"## {read_study(name).aims}\n\n[{name}.toml]({name}.toml) → {links}\n\n{sentence(name, stored)}\n"
