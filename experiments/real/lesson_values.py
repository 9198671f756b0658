"""Figures of a published lesson: as printed, as its data give them, and as its model expects them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from experiments.real.page import number
from simstudy.scenarios import get_scenario

FOLDER = "reference/lesson"
ABILITY = 2.5
"""Of all judges of pairs."""
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Value:
    """What a printed figure should be.

    Attributes
    ----------
    table, row, figure : str
        Where it is printed.
    recomputed : float
        From the lesson's data; NaN where the data are not there.
    expected : float
        Exact mean under the lesson's model; NaN where there is none.
    spread : float
        Standard deviation of the figure about that mean, from one set of random numbers to another.
    simulated : bool
        Whether it is a mean over replications, whose spread is a Monte Carlo standard error.
    verdict : str
        In words; follows from the numbers where empty.
    """

    table: str
    row: str
    figure: str
    recomputed: float = math.nan
    expected: float = math.nan
    spread: float = 0.0
    simulated: bool = False
    verdict: str = ""

    @property
    def key(self) -> Key:
        """Where it is printed."""
        return self.table, self.row, self.figure

    def z(self, printed: str) -> float:
        """Return how many standard deviations the figure lies from its mean; NaN where it does not vary."""
        seen = float(printed) if math.isnan(self.recomputed) else self.recomputed
        return (seen - self.expected) / self.spread if self.spread > 0 else math.nan

    def reproduced(self, printed: str) -> bool:
        """Tell whether the printed figure is the recomputed one, or the exact one where there are no data, rounded."""
        known = self.expected if math.isnan(self.recomputed) else self.recomputed
        half = 0.5 * 10.0 ** -len(printed.partition(".")[2])
        return abs(float(printed) - known) <= half * (1 + 1e-9)

    def words(self, printed: str) -> str:
        """Say what is to be thought of the printed figure."""
        if self.verdict:
            return self.verdict
        if self.simulated:
            return f"Monte Carlo noise: z = {number(self.z(printed), 1)}"
        if not self.reproduced(printed):
            return "not reproduced"
        return f"one draw: z = {number(self.z(printed), 1)}" if self.spread > 0 else "exact, reproduced"


def printed_figures(figures: Mapping[str, Any]) -> dict[Key, str]:
    """Return the printed figures by table, row and column."""
    return {(entry["table"], entry["row"], entry["column"]): entry["printed"] for entry in figures["figures"]}


def truth(scenario: str, **said: float) -> dict[str, float]:
    """Return what follows from the parameters of a scenario, unsaid ones at their defaults."""
    known = get_scenario(scenario)
    defaults = {p.name: p.default for p in known.parameters if p.default is not None}
    return known.point({**defaults, **said}).truth
