"""Analyse real judges: ``python -m experiments.real --data FOLDER [NAME ...] [--out FOLDER]``.

FOLDER holds data/ and reference/ (docs/real_judges.md lists the files). Each NAME gives a table and a picture. With
the same versions of simstudy and its libraries every file comes out with the same bytes.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from experiments.readme import RESULTS
from experiments.real.page import Page
from experiments.real.reading import check_folder
from simstudy.errors import SimstudyError, UnknownNameError

FILES = {"llmbar": "real_llmbar", "scores": "real_scores", "lesson": "lesson_judges"}
"""Experiment → stem of its files in results/; the module of the same name has its ``page``."""


def page_of(name: str, data: Path) -> Page:
    """Return the result of an experiment."""
    made: Page = importlib.import_module(f"experiments.real.{name}").page(data)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.real", description="Analyse real judges.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(FILES)}; all where none is named")
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="holds data/ and reference/")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER", help="where the results go")
    asked = parser.parse_args(arguments)
    try:
        _run(asked.names or list(FILES), asked.data, asked.out)
    except SimstudyError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


def _run(names: Sequence[str], data: Path, out: Path) -> None:
    for name in names:
        if name not in FILES:
            raise UnknownNameError("experiment", name, FILES)
    check_folder(data)
    pages = {}
    for name in names:
        start = time.perf_counter()
        pages[name] = page_of(name, data)
        print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
    # written last: a file that is missing for one leaves no half of the results behind
    out.mkdir(parents=True, exist_ok=True)
    for name, page in pages.items():
        page.write(out, FILES[name])


if __name__ == "__main__":
    sys.exit(main())
