"""The target's measure as a function of the parameter that is solved for."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.scenarios.declaration import DesignPoint, Method, Scenario
from simstudy.study.chain import reach
from simstudy.study.conditional import discordant_power
from simstudy.study.engines import choose_engine, exact_seconds
from simstudy.study.evaluate import Evaluator, reading
from simstudy.study.laws import discordant_law, exact_laws
from simstudy.study.measures import right_direction
from simstudy.study.options import Options
from simstudy.study.run import exact_cells, simulate_point
from simstudy.study.target import Target

Floats = NDArray[np.float64]
# a term of the sum over the discordant total, with its share of the window on either side
TERM_SECONDS = 2e-7


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
    """

    scenario: Scenario
    values: dict[str, Any]
    solved: str
    method: Method
    options: Options
    target: Target
    usable: Callable[[dict[str, Any]], dict[str, Any]]

    @cached_property
    def evaluator(self) -> Evaluator:
        """Applies the method; remembers rows that several values share."""
        return Evaluator(self.options)

    def at_null(self, x: float) -> bool:
        """Return whether nothing is there to be found, so that power stays near the level at any size.

        Parameters
        ----------
        x : float

        Returns
        -------
        bool
        """
        return self.scenario.decides and right_direction(self.point(x), self.method) == 0

    @cached_property
    def known(self) -> dict[float, float]:
        """Values that were enumerated before."""
        return {}

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

    @cached_property
    def by_discordant_total(self) -> bool:
        """Whether power is a sum over the discordant total."""
        return (
            bool(self.method.discordant)
            and self.method.p_value is not None
            and self.target.name in ("power", "power_right")
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
            return exact_seconds(point, self.method) + 1e-3
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
                self.known[x] = self._enumerated(self.point(x))
        return np.array([self.known[x] for x in xs])

    def _by_total(self, point: DesignPoint, sizes: NDArray[Any] | None = None) -> Floats:
        n, against, toward = discordant_law(point, self.method)
        assert self.method.p_value is not None
        level, alternative = self.options.levels[0], self.options.alternative
        up, down = discordant_power(
            n if sizes is None else sizes, against, toward, self.method.p_value, level, alternative
        )
        if self.target.name == "power":
            return up + down
        return {1: up, -1: down, 0: np.full(len(up), np.nan)}[right_direction(point, self.method)]

    def _enumerated(self, point: DesignPoint) -> float:
        if self.target.name == "power":
            return self._rejections(point)
        cell = exact_cells(point, [self.method], self.evaluator)[self.method.name]
        return self.target.of(cell.by_level[0])

    def _rejections(self, point: DesignPoint) -> float:
        """Sum the probability of the rows that reject, and nothing else."""
        # a p-value decides alone: limits would cost many times as much
        decider = dataclasses.replace(self.method, interval=None) if self.method.p_value else self.method
        names = reading(point.scenario, decider)
        total = 0.0
        for law in exact_laws(point, names):
            (verdicts,) = self.evaluator.on_law(point, decider, names, law)
            if verdicts.up is None or verdicts.down is None:
                return float("nan")
            total += float(law.probability[verdicts.up | verdicts.down].sum())
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
        cell = simulate_point(self.point(x), self.method, engine, self.options, self.evaluator)
        return self.target.of(cell.by_level[0]), self.target.error_of(cell.by_level[0])

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
        if self.target.more_is_better:
            return values >= self.target.value - slack
        return values <= self.target.value + slack
