"""From what was asked to design points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simstudy.errors import GridError, ParameterError, RequestError
from simstudy.ranges import LARGEST_GRID, parse_values
from simstudy.scenarios.declaration import DesignPoint, Method, Number, Parameter, Question, Scenario, profile_text
from simstudy.scenarios.in_force import in_force


@dataclass(frozen=True)
class Grid:
    """The design points of a study."""

    scenario: Scenario
    swept: dict[str, tuple[Number, ...]]  # the dimensions, in the order of the scenario's parameters
    fixed: dict[str, Any]  # parameters with one value; a profile is a tuple
    defaults: tuple[str, ...]  # names of those that nobody said

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

    def points(self) -> list[DesignPoint]:
        """Return the design points, or refuse the first that cannot exist."""
        points = []
        for values in self.combinations():
            try:
                points.append(self.scenario.point(values))
            except RequestError as error:
                if not self.swept:
                    raise
                where = ", ".join(f"{name} {values[name]:g}" for name in self.swept)
                raise GridError(f"The grid has a point that cannot exist, at {where}: {error}") from error
        return points


def make_grid(
    scenario: Scenario,
    parameters: Mapping[str, Any],
    question: Question,
    engine: str,
    solved: str | None = None,
    methods: Sequence[Method] = (),
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
    grid = Grid(scenario, swept, fixed, tuple(n for n in names if n not in said))
    for values in grid.combinations():
        scenario.refuse_at(tuple(said), values)
    return grid


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
