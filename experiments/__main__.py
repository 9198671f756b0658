"""Answer the study files of this folder: ``python -m experiments [NAME ...] [--out FOLDER]``.

Each answer is written as NAME.nc (everything), NAME.md (the table) and NAME.png (the picture). With the same versions
of simstudy and its libraries every file comes out with the same bytes.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import xarray as xr

from experiments.figures import Finding
from experiments.findings import FINDINGS
from experiments.readme import HERE, RESULTS, read_study, readme, study_names
from simstudy.errors import SimstudyError, UnknownNameError
from simstudy.pages.page import to_markdown
from simstudy.pages.plotting import plot
from simstudy.solve import questions
from simstudy.store import save
from simstudy.study.asked import study_of
from simstudy.study.plan import Study
from simstudy.study.words import asked

MOST_VALUES = 40
"""A longer dimension is thinned in the table; the file and the picture hold all of it."""
FEW_VALUES = 10


def answer(name: str) -> xr.Dataset:
    """Return the answer to a study file, without anything that differs from run to run."""
    dataset = questions.answer(read_study(name).study())
    del dataset.attrs["created"]
    dataset.attrs["command"] = f"python -m experiments {name}"
    return dataset


def presented(dataset: xr.Dataset, finding: Finding) -> Study:
    """Return the study of an answer, headed with what the experiment is about."""
    study = study_of(dataset)
    words = asked(study)
    return replace(study, words=replace(words, what=finding.asked or words.what))


def table(dataset: xr.Dataset, variables: Sequence[str], study: Study) -> str:
    """Return the table of an answer, long dimensions thinned to a few evenly spaced values."""
    long = [str(dim) for dim, size in dataset.sizes.items() if size > MOST_VALUES]
    steps = {dim: thinning(dataset.sizes[dim]) for dim in long}
    text = to_markdown(dataset.isel({dim: slice(None, None, steps[dim]) for dim in long}), variables or None, study)
    notes = [f"- Of {dim} every {steps[dim]}th value is shown here; the .nc file holds all." for dim in long]
    return "\n".join([text, *notes, ""])


def thinning(size: int) -> int:
    """Return the step that leaves the most values, FEW_VALUES or less, and both ends."""
    gaps = size - 1
    return next(step for step in range(math.ceil(gaps / (FEW_VALUES - 1)), size) if gaps % step == 0)


def regenerate(name: str, out: Path) -> None:
    """Write the three files of an experiment."""
    finding = FINDINGS[name]
    dataset = answer(name)
    save(dataset, out / f"{name}.nc")
    study = presented(dataset, finding)
    (out / f"{name}.md").write_text(table(dataset, finding.shows, study), encoding="utf-8")
    plot(dataset, out / f"{name}.png", finding.draws or finding.shows[:1], study)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments", description="Answer the study files again.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="study files without .toml; all where none is named")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER", help="where the results go")
    given = parser.parse_args(arguments)
    try:
        _run(given.names or study_names(), given.out)
    except SimstudyError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


def _run(names: Sequence[str], out: Path) -> None:
    for name in names:
        if name not in study_names():
            raise UnknownNameError("experiment", name, study_names())
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        start = time.perf_counter()
        regenerate(name, out)
        print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
    if out.resolve() == RESULTS:
        (HERE / "README.md").write_text(readme(RESULTS), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
