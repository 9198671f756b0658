"""Figures of stored answers, and sentences that hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import xarray as xr

Load = Callable[[str], xr.Dataset]
Label = str | int | float


@dataclass(frozen=True)
class Figure:
    """One figure of a sentence.

    Attributes
    ----------
    variable : str
    at : mapping
        Labels of dimensions.
    of : {"value", "min", "max", "mean"}
        What to take over the dimensions that have no label.
    digits : int
        Decimals.
    name : str
        Experiment to read it from, if not the sentence's own.
    """

    variable: str
    at: Mapping[str, Label] = field(default_factory=dict)
    of: str = "value"
    digits: int = 3
    name: str = ""

    def value(self, dataset: xr.Dataset) -> float:
        """Return the figure."""
        chosen = dataset[self.variable].sel(self.at)
        return float(chosen if self.of == "value" else getattr(chosen, self.of)())

    def text(self, own: str, load: Load) -> str:
        """Return the figure as it is printed, with its Monte Carlo standard error where it is simulated."""
        dataset = load(self.name or own)
        error = self._error(dataset)
        plain = f"{self.value(dataset):.{self.digits}f}"
        return f"{plain} ± {error:.4f}" if error > 0 else plain

    def _error(self, dataset: xr.Dataset) -> float:
        stored = f"{self.variable}_mcse"
        if stored not in dataset:
            return 0.0
        errors, values = dataset[stored].sel(self.at), dataset[self.variable].sel(self.at)
        if self.of in ("min", "max"):
            errors = errors.where(values == getattr(values, self.of)())
        return float(errors.max())


@dataclass(frozen=True)
class Finding:
    """What an experiment shows.

    Attributes
    ----------
    sentence : str
        With {0}, {1}, ... for the figures.
    figures : list of Figure
    asked : str
        What the table and the picture are headed with, where the study's own word for it is not the point.
    shows : tuple of str
        Variables of the table, the first of them drawn; the usual ones where empty.
    draws : tuple of str
        Variables of the picture where not the first of the table; several without methods get a line each.
    """

    sentence: str
    figures: list[Figure]
    asked: str = ""
    shows: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()


def each(variable: str, dimension: str, labels: list[Any], digits: int = 3, **at: Label) -> list[Figure]:
    """Return a figure for each label of a dimension."""
    return [Figure(variable, {**at, dimension: label}, digits=digits) for label in labels]


def extremes(variable: str, of: str, methods: list[str], digits: int = 3, **at: Label) -> list[Figure]:
    """Return the extreme (or mean) over everything without a label, for each method."""
    return [Figure(variable, {**at, "method": method}, of, digits) for method in methods]
