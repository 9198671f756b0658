"""The target's measure as a function of the parameter that is solved for."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.chain import reach
from simstudy.engines.conditional import discordant_power
from simstudy.engines.growing import KeptRows
from simstudy.engines.laws import discordant_law, exact_laws, law_rows, projection_vectors
from simstudy.engines.simulate import LAW_NANOSECONDS, choose_engine, exact_seconds
from simstudy.options import Options
from simstudy.scenarios.decisions import Difference
from simstudy.scenarios.declaration import DesignPoint, Method, Scenario
from simstudy.solve.remembered import Remembering
from simstudy.study.exact_points import exact_cells
from simstudy.study.simulated_points import left_out_in_turn, simulate_point
from simstudy.study.target import Target

Floats = NDArray[np.float64]
# a term of the sum over the discordant total, with its share of the window on either side
TERM_SECONDS = 2e-7
# seconds, by estimate, that the exact values of one curve may cost together where simulation could take over; widths
# and coverages are looked at far beyond their answer
POWER_SECONDS = 20.0
CONFIRMED_SECONDS = 20.0


class TooCostlyError(Exception):
    """The exact values that a search asks for cost more than they may."""


def _untold(count: int) -> None:
    """Take the number of evaluations, and tell nobody."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One method at one setting of everything but the parameter that is solved for.

    Attributes
    ----------
    scenario : Scenario
    values : dict
        The other parameters.
    solved : str
        Name of the parameter that is solved for.
    method : Method
    options : Options
        With one level.
    target : Target
    usable : callable
        Turns values into values with usable units only.
    evaluated : callable
        Called with the number of values after they were computed.
    """

    scenario: Scenario
    values: dict[str, Any]
    solved: str
    method: Method
    options: Options
    target: Target
    usable: Callable[[dict[str, Any]], dict[str, Any]]
    evaluated: Callable[[int], None] = _untold

    @cached_property
    def evaluator(self) -> Remembering:
        """Applies the method; remembers rows that several values share."""
        return Remembering(self.options)

    @cached_property
    def kept(self) -> KeptRows:
        """What was simulated for the last values: larger sizes begin with it, and the jackknife asks for it again."""
        return KeptRows(self.options)

    @cached_property
    def needed(self) -> Method:
        """The method without what the target does not read: limits beside a p-value, or the reverse.

        Limits cost many times as much as a p-value.
        """
        if self.target.decided:
            return dataclasses.replace(self.method, interval=None) if self.method.p_value else self.method
        if not self.target.of_interval or not self.target.plain or self.options.alternative != "two-sided":
            return self.method
        return dataclasses.replace(self.method, p_value=None, estimate=None, discordant=())

    def direction(self, x: float) -> int:
        """Return on which side of the null the truth lies: 1, −1, or 0 where nothing is there to be found."""
        return self.method.decision.direction(self.point(x), self.method)

    def units_read(self, x: float) -> int | None:
        """Return how many units the method reads.

        Parameters
        ----------
        x : float

        Returns
        -------
        int or None
            None where the law of a replication is not described by counts.
        """
        if not self.scenario.counted:
            return None
        point = self.point(x)
        laws = point.laws
        reads = np.abs(projection_vectors(point, point.reading(self.method))).sum(axis=0)
        starts = np.cumsum([0, *(len(probabilities) for _, probabilities in laws)])[:-1]
        return sum(n for (n, _), read in zip(laws, np.add.reduceat(reads, starts), strict=True) if read)

    @cached_property
    def known(self) -> dict[float, float]:
        """Values that were enumerated before."""
        return {}

    @cached_property
    def laws(self) -> list[float]:
        """What the laws that were enumerated cost, in nanoseconds by estimate."""
        return []

    def point(self, x: float) -> DesignPoint:
        """Return the design point at a value of the solved parameter.

        Parameters
        ----------
        x : float

        Returns
        -------
        DesignPoint
        """
        return self.scenario.point(self.usable({**self.values, self.solved: x}))

    def of_usable_units(self) -> Curve:
        """Return the same curve against the number of usable units instead of those to collect.

        Returns
        -------
        Curve
        """
        return dataclasses.replace(self, usable=dict)

    @cached_property
    def by_discordant_total(self) -> bool:
        """Whether power is a sum over the discordant total."""
        return (
            bool(self.method.discordant)
            and self.method.p_value is not None
            and self.target.is_power
            and isinstance(self.method.decision, Difference)
        )

    def engine(self, x: float) -> str:
        """Return the engine for a value.

        Parameters
        ----------
        x : float

        Returns
        -------
        str
        """
        if self.by_discordant_total and self.options.engine == "auto" and self.options.mcse is None:
            return "exact"
        return choose_engine(self.point(x), self.method, self.options)

    def seconds(self, x: float) -> float:
        """Return roughly what one exact value costs, in seconds.

        Parameters
        ----------
        x : float

        Returns
        -------
        float
        """
        point = self.point(x)
        if not self.by_discordant_total:
            return exact_seconds(point, self.needed) + 1e-3
        n, against, toward = discordant_law(point, self.method)
        discordance = min(1.0, against + toward)
        return 1e-5 + TERM_SECONDS * reach(n, discordance * (1.0 - discordance))

    def exact(self, xs: Sequence[float] | NDArray[Any]) -> Floats:
        """Return exact values of the target's measure.

        Parameters
        ----------
        xs : array_like, shape (k,)
            Values of the solved parameter.

        Returns
        -------
        array of float64, shape (k,)

        Raises
        ------
        TooCostlyError
            Where all values together cost more than they may, and the engine was left to choose.
        """
        if self.by_discordant_total and self.scenario.size and self.solved == self.scenario.size.name:
            usable = [self.usable({**self.values, self.solved: int(x)})[self.solved] for x in xs]
            ends = (0, len(xs) - 1)
            if all(discordant_law(self.point(xs[i]), self.method)[0] == usable[i] for i in ends):
                # every unit is read, and the law of one does not depend on their number
                return self._by_total(self.point(xs[0]), np.array(usable))
        if self.by_discordant_total:
            return np.concatenate([self._by_total(self.point(float(x))) for x in xs])
        for x in xs:
            if x not in self.known:
                self._check_cost()
                self.known[x] = self._enumerated(self.point(x))
                self.evaluated(1)
        return np.array([self.known[x] for x in xs])

    def _check_cost(self) -> None:
        limit = POWER_SECONDS if self.target.decided else CONFIRMED_SECONDS
        seconds = 1e-9 * (self.evaluator.asked * self.method.nanoseconds + math.fsum(self.laws))
        if self.options.engine == "auto" and seconds > limit:
            raise TooCostlyError

    def _by_total(self, point: DesignPoint, sizes: NDArray[Any] | None = None) -> Floats:
        n, against, toward = discordant_law(point, self.method)
        assert self.method.p_value is not None
        level, alternative = self.options.levels[0], self.options.alternative
        up, down = discordant_power(
            n if sizes is None else sizes, against, toward, self.method.p_value, level, alternative
        )
        self.evaluated(len(up))
        if self.target.name == "power":
            return up + down
        return {1: up, -1: down, 0: np.full(len(up), np.nan)}[self.method.decision.direction(point, self.method)]

    def _enumerated(self, point: DesignPoint) -> float:
        self.laws.append(LAW_NANOSECONDS * law_rows(point, point.reading(self.needed)))
        if self.target.name == "power" and not self.scenario.walk_columns:
            return self._decided(point)
        cell = exact_cells(point, [self.needed], self.evaluator)[self.method.name]
        return self.target.of(cell.by_level[0])

    def _decided(self, point: DesignPoint) -> float:
        """Sum the probability of the rows with a decisive outcome, and nothing else."""
        names = point.reading(self.needed)
        total = 0.0
        for law in exact_laws(point, names):
            (verdicts,) = self.evaluator.on_law(point, self.needed, names, law)
            if verdicts.decided is None:
                return float("nan")
            total += float(law.probability[verdicts.decided].sum())
        return total

    def simulated(self, x: float, engine: str) -> tuple[float, float]:
        """Return a simulated value of the target's measure and its Monte Carlo standard error.

        Parameters
        ----------
        x : float
        engine : {"counts", "full"}

        Returns
        -------
        value, mcse : float
        """
        cell = simulate_point(self.point(x), self.needed, engine, self.options, self.evaluator, self.kept)
        self.evaluated(1)
        return self.target.of(cell.by_level[0]), self.target.error_of(cell.by_level[0])

    def jackknifed(self, x: float, engine: str, groups: int) -> list[float]:
        """Return the target's measure with each group of replications left out in turn."""
        point = self.point(x)
        found = left_out_in_turn(point, self.needed, engine, self.options, self.evaluator, groups, self.kept)
        self.evaluated(1)
        return [self.target.of(measures) for measures in found]

    def reached(self, values: Floats) -> NDArray[np.bool_]:
        """Return where the target is reached.

        Parameters
        ----------
        values : array of float64

        Returns
        -------
        array of bool
            Values within rounding (1e-12) of the target count as reached; NaN does not.
        """
        slack = 1e-12
        if self.target.at_least:
            return values >= self.target.value - slack
        return values <= self.target.value + slack
