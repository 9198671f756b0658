"""What solving for an effect and for a size share."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from simstudy.errors import InterruptedStudyError, ParameterError, RefusedError
from simstudy.options import CEILING, FIRST_ROUND, Options
from simstudy.scenarios.check import check_law
from simstudy.scenarios.check_point import check_point, check_values, effects_at, smallest_size_at
from simstudy.scenarios.declaration import DesignPoint, Method
from simstudy.solve.curve import Curve, TooCostlyError
from simstudy.solve.exact import solve_effect, solve_size
from simstudy.solve.search import (
    CANNOT_BE,
    MISLED,
    NO_SUCH_EFFECT,
    NOT_REACHED,
    WRONG_SIDE,
    Answer,
    hopeless,
    nothing,
    reconsidered,
    status_of,
)
from simstudy.solve.simulated import simulated_effect, simulated_size
from simstudy.study.grid import NO_RANGE
from simstudy.study.plan import Study, collected_units, usable_units
from simstudy.study.simulated_points import Progress, reporting

# replications that must fall on the rarer side of a simulated target
FEWEST_BEYOND = 10
# effects are searched this far from the ends of their range
EDGE = 1e-9
# of an answer for a size: what counts units
SIZES = ("answer", "low", "high", "first", "checked_from", "checked_to", "searched_from", "searched_to")
SIGNS = {"positive": (1,), "negative": (-1,), "both": (1, -1)}
OTHER = {"greater": "less", "less": "greater"}


class Solver:
    """Solves a question setting by setting, and says how far it is."""

    def __init__(self, study: Study, progress: Progress | None) -> None:
        assert study.solved is not None
        assert study.target is not None
        self.study, self.solved, self.target = study, study.solved, study.target
        self.progress = reporting(progress)
        self.done, self.evaluations = 0, 0

    @property
    def signs(self) -> tuple[int, ...]:
        """The sides on which effects are looked for."""
        return SIGNS[self.study.sign] if self.study.question == "mde" else (1,)

    def settings(self) -> list[tuple[dict[str, Any], Options]]:
        """Return the settings that are solved one by one: each design point at each level."""
        options = self.study.options
        singles = [
            dataclasses.replace(self._replications(options), alpha=(level,), comparisons=1) for level in options.levels
        ]
        if self.study.grid.swept:
            self.study.grid.points()  # refuses those that cannot exist, unless they are skipped
        return [(values, single) for values in self.study.grid.combinations() for single in singles]

    @cached_property
    def _impossible(self) -> set[tuple[Any, ...]]:
        """The settings of a grid that cannot exist, and are skipped; none where a single one is asked for."""
        grid = self.study.grid
        settings = zip(grid.combinations(), grid.possible, strict=True) if grid.swept else ()
        return {tuple(values.values()) for values, possible in settings if not possible}

    def _skipped(self, values: dict[str, Any]) -> bool:
        return tuple(values.values()) in self._impossible

    def _replications(self, options: Options) -> Options:
        """Return options with the replications that give the Monte Carlo error asked for at the target."""
        if options.mcse is None:
            return options
        if not all(condition.is_rate for condition in self.target.conditions):
            raise RefusedError(f"mcse is an error of rates; with target {self.target.words} give replications instead.")
        variance = max(condition.value * (1 - condition.value) for condition in self.target.conditions)
        replications = FIRST_ROUND
        while variance / replications > options.mcse**2 and replications < CEILING:
            replications *= 2
        return dataclasses.replace(options, mcse=None, replications=replications)

    def curve(self, values: dict[str, Any], method: Method, options: Options) -> Curve:
        """Return the curve of one method at one setting."""
        return Curve(
            self.study.scenario,
            values,
            self.solved.name,
            method,
            options,
            self.target,
            self.study.usable,
            self._evaluated,
        )

    def refuse_other_side(self, settings: list[tuple[dict[str, Any], Options]]) -> None:
        """Refuse effects that all lie on the side that a one-sided test does not look at."""
        alternative, effect = self.study.options.alternative, self.study.scenario.effect
        if alternative == "two-sided" or not settings:
            return
        reasons = set()
        for values, options in settings:
            if self._skipped(values):
                continue
            low = smallest_size_at(self.study.scenario, values)
            for method in self.study.methods:
                self._check(method, self.curve(values, method, options).point(low))
            reasons |= {hopeless(self.curve(values, method, options), low) for method in self.study.methods}
        if reasons == {WRONG_SIDE} and all(method.decision.two_directions for method in self.study.methods):
            side = "above" if alternative == "greater" else "below"
            what = effect.name if effect else "effect"
            raise RefusedError(
                f"alternative {alternative} looks for {what} {side} the null, and the {what} given lies on the other "
                f"side: turn its sign, or use alternative {OTHER[alternative]} or two-sided."
            )

    def effect(self, values: dict[str, Any], method: Method, options: Options, sign: int) -> Answer:
        """Return the smallest effect of one sign."""
        if self._skipped(values):
            return self._step(nothing(CANNOT_BE, engine=""))
        curve = self.curve(values, method, options)
        low, high = effects_at(self.study.scenario, values)
        null = method.decision.start(values, self.study.scenario, method)
        if high - low < NO_RANGE:
            name = self.solved.name
            raise RefusedError(f"mde solves for {name}, and beside the other parameters {name} can only be {low:.6g}.")
        end = high if sign > 0 else low
        start = min(max(null, low + EDGE), high - EDGE)
        if (end - null) * sign <= 0:
            none = nothing(NO_SUCH_EFFECT)
            return self._step(dataclasses.replace(none, searched_from=null, searched_to=float(end)))
        self._check(method, curve.point(start))
        with _Stoppable(self):
            answer = self._solved(
                # half-way in, where the law is neither the null nor at its edge
                lambda: curve.engine(start + 0.5 * (end - start)),
                lambda: solve_effect(curve, start, end),
                lambda engine: simulated_effect(curve, engine, start, end),
                options,
            )
        if answer.reason == NOT_REACHED and reconsidered(curve, end - EDGE * (end - start), NOT_REACHED) == MISLED:
            answer = dataclasses.replace(answer, reason=MISLED, status=status_of(MISLED))
        with _Stoppable(self):
            answer = dataclasses.replace(answer, undefined=curve.undefined(answer.answer, answer.engine))
        return self._step(dataclasses.replace(answer, searched_from=float(start), searched_to=float(end)))

    def _solved(
        self,
        engine: Callable[[], str],
        exact: Callable[[], Answer],
        simulated: Callable[[str], Answer],
        options: Options,
    ) -> Answer:
        """Return the exact answer, or the simulated one where exact values cost too much."""
        try:
            chosen = engine()
            if chosen == "exact":
                return exact()
        except TooCostlyError:
            chosen = "counts"
        self._resolvable(options)
        return simulated(chosen)

    def units(self, values: dict[str, Any], method: Method, options: Options, largest: int) -> Answer:
        """Return the sample size."""
        if self._skipped(values):
            return self._step(nothing(CANNOT_BE, engine=""))
        # usable units are solved for; the answer is turned into units to collect
        curve = self.curve(values, method, options).of_usable_units()
        low = smallest_size_at(self.study.scenario, values)
        largest = max(low, usable_units(largest, options.unusable))
        self._check(method, curve.point(low))
        if reason := hopeless(curve, low):
            return self._step(nothing(reason))
        with _Stoppable(self):
            answer = self._solved(
                lambda: self._size_engine(curve, low, largest),
                lambda: solve_size(curve, low, largest),
                lambda engine: simulated_size(curve, engine, low, largest),
                options,
            )
            reason = reconsidered(curve, low if np.isnan(answer.answer) else answer.answer, answer.reason)
            if reason != answer.reason:
                status = answer.status if answer.status == "found" else status_of(reason)
                answer = dataclasses.replace(answer, reason=reason, status=status)
            answer = dataclasses.replace(answer, undefined=curve.undefined(answer.answer, answer.engine))
        return self._step(_collected(answer, options.unusable))

    def _check(self, method: Method, point: DesignPoint) -> None:
        """Refuse what the declaration does not hold at a point, and a method whose parameters are not set."""
        if point.scenario.counted:
            check_law(point)
        check_point(point, (method,))
        check_values(point, (method,))

    def _resolvable(self, options: Options) -> None:
        """Refuse a target so close to 0 or 1 that too few replications fall on its other side."""
        rarer = [min(c.value, 1.0 - c.value) for c in self.target.conditions if c.is_rate]
        if rarer and min(rarer) * options.replications < FEWEST_BEYOND:
            needed = math.ceil(FEWEST_BEYOND / min(rarer))
            raise ParameterError(
                f"target {self.target.words} cannot be told from 0 or 1 by {options.replications} replications; "
                f"give at least {needed}."
            )

    def _size_engine(self, curve: Curve, low: int, largest: int) -> str:
        """Return exact where the curve stays exact up to a size that reaches the target."""
        n = max(low, 2)
        engine = curve.engine(n)
        while engine == "exact" and not curve.by_discordant_total and n < largest:
            if bool(curve.reached(curve.exact([n]))[0]):
                break
            n = min(2 * n, largest)
            engine = curve.engine(n)
        return engine

    @property
    def total(self) -> int:
        """How many answers there are to find."""
        return (
            math.prod(self.study.grid.shape)
            * len(self.study.options.levels)
            * len(self.signs)
            * len(self.study.methods)
        )

    def _evaluated(self, count: int) -> None:
        self.evaluations += count
        unit = "evaluations" if self.total == 1 else f"evaluations for answer {self.done + 1} of {self.total}"
        self.progress(self.evaluations, 0, unit)

    def _step(self, answer: Answer) -> Answer:
        self.done += 1
        self.evaluations = 0
        self.progress(self.done, max(self.total, self.done), "answers")
        return answer


class _Stoppable:
    """Turns Ctrl-C into a message that says how far it got."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind in (KeyboardInterrupt, InterruptedStudyError):
            solver = self.solver
            raise InterruptedStudyError(
                f"Stopped: {solver.done} answers were done of {solver.total}, and {solver.evaluations} evaluations "
                "for the next; nothing was written."
            ) from None


def _collected(answer: Answer, unusable: float) -> Answer:
    if not unusable:
        return answer

    def collected(n: float) -> float:
        return float(collected_units(int(n), unusable)) if math.isfinite(n) else n

    sizes: dict[str, Any] = {name: collected(getattr(answer, name)) for name in SIZES}
    return dataclasses.replace(answer, **sizes)
