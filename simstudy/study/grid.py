"""From what was asked to design points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from simstudy.errors import GridError, ParameterError, RefusedError, RequestError
from simstudy.options import SKIP
from simstudy.ranges import LARGEST_GRID, parse_values
from simstudy.scenarios.check_point import effects_at, smallest_size_at
from simstudy.scenarios.declaration import DesignPoint, Method, Number, Parameter, Question, Scenario, profile_text
from simstudy.scenarios.in_force import in_force

# an effect of which so little room is left has one value
NO_RANGE = 4e-9


@dataclass(frozen=True)
class Grid:
    """The design points of a study."""

    scenario: Scenario
    swept: dict[str, tuple[Number, ...]]  # the dimensions, in the order of the scenario's parameters
    fixed: dict[str, Any]  # parameters with one value; a profile is a tuple
    defaults: tuple[str, ...]  # names of those that nobody said
    solved: str | None = None  # what the question solves for
    skip: bool = False  # whether design points that cannot exist are left out
    remarks: tuple[str, ...] = ()  # what was said and means nothing at some of the points

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values along each dimension."""
        return tuple(len(values) for values in self.swept.values())

    @property
    def written(self) -> dict[str, Number | str]:
        """The fixed parameters, profiles as text."""
        return {name: profile_text(value) if isinstance(value, tuple) else value for name, value in self.fixed.items()}

    def combinations(self) -> Iterable[dict[str, Any]]:
        """Yield the values of each design point, the last dimension fastest."""
        for chosen in itertools.product(*self.swept.values()):
            yield {**self.fixed, **dict(zip(self.swept, chosen, strict=True))}

    @cached_property
    def found(self) -> list[DesignPoint | RequestError]:
        """What each design point is, or why it cannot exist; where one is solved for, at some value of it."""
        return [self._found(values) for values in self.combinations()]

    def _found(self, values: dict[str, Any]) -> DesignPoint | RequestError:
        scenario = self.scenario
        try:
            if self.solved is None:
                return scenario.point(values)
            if scenario.size and self.solved == scenario.size.name:
                return scenario.point({**values, self.solved: smallest_size_at(scenario, values)})
            low, high = effects_at(scenario, values)
            if not high - low > NO_RANGE:
                return RefusedError(f"beside the other parameters {self.solved} can only be {low:.6g}.")
            return scenario.point({**values, self.solved: 0.5 * (low + high)})
        except RequestError as error:
            return error

    @cached_property
    def possible(self) -> list[bool]:
        """Whether each design point can exist."""
        return [isinstance(found, DesignPoint) for found in self.found]

    def where(self, index: int) -> str:
        """Say which design point it is."""
        values = next(itertools.islice(self.combinations(), index, None))
        return ", ".join(f"{name} {values[name]:g}" for name in self.swept)

    def points(self) -> list[DesignPoint]:
        """Return the design points, or refuse the first that cannot exist; without those where they are skipped."""
        for index, found in enumerate(self.found):
            if isinstance(found, RequestError) and not self.swept:
                raise found
            if isinstance(found, RequestError) and not (self.skip and any(self.possible)):
                more = "no other can either" if not any(self.possible) else f"impossible={SKIP} leaves such points out"
                raise GridError(
                    f"The grid has a point that cannot exist, at {self.where(index)}: {str(found).rstrip('.')}; {more}."
                ) from found
        return [found for found in self.found if isinstance(found, DesignPoint)]


def make_grid(
    scenario: Scenario,
    parameters: Mapping[str, Any],
    question: Question,
    engine: str,
    solved: str | None = None,
    methods: Sequence[Method] = (),
    skip: bool = False,
) -> Grid:
    """Return the grid of parameters that are numbers, sequences of numbers, or text; None means not said."""
    said = {name: value for name, value in parameters.items() if value is not None}
    for name in said:
        scenario.parameter(name)
    scenario.refuse(list(said), question, engine)
    counted = methods and engine != "full" and question != "replay"
    names = in_force(scenario, list(said), question, solved, scenario.spared(list(said), methods) if counted else ())
    swept: dict[str, tuple[Number, ...]] = {}
    fixed: dict[str, Any] = {}
    for parameter in scenario.parameters:
        if parameter.name not in names:
            continue
        value = _given(parameter, said[parameter.name]) if parameter.name in said else parameter.default
        if isinstance(value, tuple) and parameter.kind != "profile":
            swept[parameter.name] = value
        elif value is not None:
            fixed[parameter.name] = value
    size = math.prod(len(values) for values in swept.values())
    if size > LARGEST_GRID:
        raise GridError(f"The grid has {size} design points; at most {LARGEST_GRID} are allowed.")
    grid = Grid(scenario, swept, fixed, tuple(n for n in names if n not in said), solved, skip)
    return replace(grid, remarks=_idle(grid, tuple(said)))


def _idle(grid: Grid, said: tuple[str, ...]) -> tuple[str, ...]:
    """Say what means nothing at some of the design points; refuse what means nothing at all of them."""
    refused = [found for values in grid.combinations() if (found := _refused(grid.scenario, said, values))]
    points = math.prod(grid.shape)
    if len(refused) == points:
        raise refused[0]
    sentences = dict.fromkeys(str(error) for error in refused)
    return tuple(f"At {len(refused)} of {points} design points: {sentence}" for sentence in list(sentences)[:1])


def _refused(scenario: Scenario, said: tuple[str, ...], values: dict[str, Any]) -> RequestError | None:
    try:
        scenario.refuse_at(said, values)
    except RequestError as error:
        return error
    return None


def _given(parameter: Parameter, value: Any) -> Number | tuple[Number, ...]:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if parameter.kind == "profile":
        profile: tuple[Number, ...] = parameter.validate(value)
        return profile
    if isinstance(value, str):
        value = parse_values(parameter.name, value, parameter.kind == "integer", parameter.unit == "proportion")
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        if not value:
            raise ParameterError(f"{parameter.name} is an empty list; give at least one value.")
        values = tuple(parameter.validate(v) for v in value)
        if len(set(values)) < len(values):
            raise ParameterError(f"{parameter.name} has a value more than once: {', '.join(map(str, values))}.")
        return values
    number: Number = parameter.validate(value)
    return number
