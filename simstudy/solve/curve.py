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
from simstudy.study.exact_points import exact_cells
from simstudy.study.methods_on_rows import Evaluated, Evaluator
from simstudy.study.simulated_points import left_out_in_turn, simulate_point
from simstudy.study.target import Target

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# nanoseconds for a row from which looking it up is worth while, and rows that are kept
COSTLY = 2000.0
KEPT = 2_000_000
# bits of the number that stands for a row
BITS = 62
# a term of the sum over the discordant total, with its share of the window on either side
TERM_SECONDS = 2e-7
# seconds, by estimate, that the exact values of one curve may cost together where simulation could take over; widths
# and coverages are looked at far beyond their answer
POWER_SECONDS = 20.0
CONFIRMED_SECONDS = 20.0


class TooCostlyError(Exception):
    """The exact values that a search asks for cost more than they may."""


class Remembering(Evaluator):
    """Asks a costly method about each row once: neighbouring effects and sizes give mostly the same rows."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.redraws = False  # the error of draws is no part of an answer
        self.asked = 0  # rows that a method was asked about so far
        self._about: tuple[Any, ...] = ()
        self._codes: Ints = np.empty(0, np.int64)
        self._kept: list[Evaluated] = []

    def on_rows(self, point: DesignPoint, method: Method, names: Sequence[str], rows: Ints) -> list[Evaluated]:
        """Return a method's verdicts on rows, one entry per level; see `Evaluator.on_rows`."""
        codes = _codes(rows) if method.nanoseconds >= COSTLY else None
        if codes is None or not len(rows):
            self.asked += len(rows)
            return super().on_rows(point, method, names, rows)
        about = (*self.about(point, method), tuple(names))
        if about != self._about or len(self._codes) > KEPT:
            self._about, self._codes, self._kept = about, np.empty(0, np.int64), []
        new = ~_among(codes, self._codes)
        if new.any():
            self.asked += int(new.sum())
            self._keep(codes[new], super().on_rows(point, method, names, rows[new]))
        at = np.searchsorted(self._codes, codes)
        return [level.take(at) for level in self._kept]

    def _keep(self, codes: Ints, found: list[Evaluated]) -> None:
        """Merge new verdicts into those that are known, in the order of their codes."""
        if self._kept:
            found = [old.joined(new) for old, new in zip(self._kept, found, strict=True)]
        every = np.concatenate([self._codes, codes])
        order = np.argsort(every)
        self._codes = every[order]
        self._kept = [level.take(order) for level in found]


def _codes(rows: Ints) -> Ints | None:
    """Return one number for each row; None where the rows hold too much for one."""
    bits = BITS // rows.shape[1] if rows.shape[1] else 0
    if not bits or not rows.size or int(np.abs(rows).max()) >= 1 << (bits - 1):
        return None
    codes = np.zeros(len(rows), np.int64)
    for column in rows.T:
        codes = (codes << bits) + column + (1 << (bits - 1))
    return codes


def _among(codes: Ints, known: Ints) -> NDArray[np.bool_]:
    if not len(known):
        return np.zeros(len(codes), np.bool_)
    at = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    found: NDArray[np.bool_] = known[at] == codes
    return found


@dataclass(frozen=True, eq=False)
class Curve:
    """One method at one setting of everything but the parameter that is solved for."""

    scenario: Scenario
    # the other parameters, and the name of the one that is solved for
    values: dict[str, Any]
    solved: str
    method: Method
    # with one level
    options: Options
    target: Target
    # turns values into those with usable units only
    usable: Callable[[dict[str, Any]], dict[str, Any]]
    # called with the number of values after they were computed
    evaluated: Callable[[int], None] = lambda _: None

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
        """The method without what the target does not read: limits beside a p-value, or the reverse."""
        # limits cost many times as much as a p-value
        if self.target.decided:
            return dataclasses.replace(self.method, interval=None) if self.method.p_value else self.method
        if not self.target.of_interval or not self.target.plain or self.options.alternative != "two-sided":
            return self.method
        return dataclasses.replace(self.method, p_value=None, estimate=None, discordant=())

    def direction(self, x: float) -> int:
        """Return on which side of the null the truth lies: 1, −1, or 0 where nothing is there to be found."""
        return self.method.decision.direction(self.point(x), self.method)

    def units_read(self, x: float) -> int | None:
        """Return how many units the method reads; None where no law of counts describes a replication."""
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
    def tried(self) -> dict[float, float]:
        """Values that were computed before, in whichever way."""
        return {}

    @cached_property
    def laws(self) -> list[float]:
        """What the laws that were enumerated cost, in nanoseconds by estimate."""
        return []

    def point(self, x: float) -> DesignPoint:
        """Return the design point at a value of the solved parameter."""
        return self.scenario.point(self.usable({**self.values, self.solved: x}))

    def of_usable_units(self) -> Curve:
        """Return the same curve against the number of usable units instead of those to collect."""
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
        """Return the engine for a value."""
        if self.by_discordant_total and self.options.engine == "auto" and self.options.mcse is None:
            return "exact"
        return choose_engine(self.point(x), self.method, self.options)

    def seconds(self, x: float) -> float:
        """Return roughly what one exact value costs, in seconds."""
        point = self.point(x)
        if not self.by_discordant_total:
            return exact_seconds(point, self.needed) + 1e-3
        n, against, toward = discordant_law(point, self.method)
        discordance = min(1.0, against + toward)
        return 1e-5 + TERM_SECONDS * reach(n, discordance * (1.0 - discordance))

    def exact(self, xs: Sequence[float] | NDArray[Any]) -> Floats:
        """Return exact values of the target's measure; `TooCostlyError` where they cost more than they may together."""
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
                self.known[x] = self.tried[float(x)] = self._enumerated(self.point(x))
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
        """Return a simulated value of the target's measure and its Monte Carlo standard error."""
        cell = simulate_point(self.point(x), self.needed, engine, self.options, self.evaluator, self.kept)
        self.evaluated(1)
        value = self.target.of(cell.by_level[0])
        self.tried[float(x)] = value
        return value, self.target.error_of(cell.by_level[0])

    def undefined(self, answer: float, engine: str) -> float:
        """Return how often the method is undefined at an answer; without one, where the target comes nearest."""
        if self.by_discordant_total:
            return 0.0
        finite = [x for x, value in self.tried.items() if math.isfinite(value)]
        if not (finite or math.isfinite(answer)):
            return math.nan
        best = max if self.target.at_least else min
        x = answer if math.isfinite(answer) else best(finite, key=self.tried.__getitem__)
        point = self.point(int(x) if self.scenario.size and self.solved == self.scenario.size.name else x)
        if engine == "exact":
            cell = exact_cells(point, [self.needed], self.evaluator)[self.method.name]
        else:
            cell = simulate_point(point, self.needed, engine, self.options, self.evaluator, self.kept)
        return cell.by_level[0]["undefined"]

    def jackknifed(self, x: float, engine: str, groups: int) -> list[float]:
        """Return the target's measure with each group of replications left out in turn."""
        point = self.point(x)
        found = left_out_in_turn(point, self.needed, engine, self.options, self.evaluator, groups, self.kept)
        self.evaluated(1)
        return [self.target.of(measures) for measures in found]

    def reached(self, values: Floats) -> NDArray[np.bool_]:
        """Return where the target is reached: within rounding of it counts, NaN does not."""
        slack = 1e-12
        if self.target.at_least:
            return values >= self.target.value - slack
        return values <= self.target.value + slack
