"""The study that ``simstudy power`` answers when it is asked nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simstudy.commands.in_words import power_words
from simstudy.commands.output import INTRODUCTION, say
from simstudy.study.studyfile import StudyFile

if TYPE_CHECKING:
    import xarray as xr

PARAMETERS = {
    "accuracy_a": 0.7,
    "difference": [0.05, 0.10, 0.15, 0.20],
    "n_cases": [36, 100, 400, 1251],
    "difficulty_sd": [0, 1.5, 3],
}
METHODS = ["mcnemar_exact", "mcnemar_midp", "unpaired_z"]
ASKED = (
    "In words: system A answers 70% of the cases right, system B 75% to 90%, and both answer the same cases. How often "
    "does a test on so many cases find that they differ? difficulty_sd says how much cases differ in difficulty for "
    "both systems: 0 not at all (independent errors), 3 strongly (they fail on the same cases)."
)
NEXT = "simstudy power paired --accuracy-a 0.8 --difference 0.05,0.1 --n-cases 200 --difficulty-sd 1.5"


def study(seed: int | None) -> StudyFile:
    """Return the default study.

    Parameters
    ----------
    seed : int or None
        Recorded; every figure of this study is exact.

    Returns
    -------
    StudyFile
    """
    options = {} if seed is None else {"seed": seed}
    return StudyFile("paired", "power", "", list(METHODS), dict(PARAMETERS), options)


def words(dataset: xr.Dataset, target: str | None) -> list[str]:
    """Say what was asked in words, and return the paragraphs that follow the tables.

    Parameters
    ----------
    dataset : xarray.Dataset
        Gets the words as an attribute.
    target : str or None

    Returns
    -------
    list of str
    """
    dataset.attrs[INTRODUCTION] = ASKED
    return power_words(dataset, target)


def hint() -> None:
    """Say what to type next."""
    say(f"\nNext, your own numbers: {NEXT}")
