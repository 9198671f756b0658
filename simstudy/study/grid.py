"""From what was asked to design points."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simstudy.errors import GridError, ParameterError, RequestError
from simstudy.scenarios.declaration import DesignPoint, Number, Parameter, Question, Scenario, profile_text
from simstudy.scenarios.in_force import in_force

LARGEST_GRID = 200_000
LARGEST_LOG = 1e15


def parse_values(name: str, text: str, integer: bool = False) -> Number | list[Number]:
    """Read a value, a list or a range from text.

    Parameters
    ----------
    name : str
        Name of the parameter, for messages.
    text : str
        One number; ``a,b,c``; ``from:to:step`` with both ends included; or ``log:from:to:count``. Lists may hold
        ranges.
    integer : bool
        Whether the parameter is a whole number: logarithmic ranges are then rounded and made unique.

    Returns
    -------
    number or list of numbers
        A single number where the text is one, else a list.

    Raises
    ------
    ParameterError
        With what was given and what a value looks like.
    """
    parts = [part.strip() for part in text.split(",")]
    values = [value for part in parts for value in _expand(name, part, integer)]
    if len(parts) == 1 and ":" not in text:
        return values[0]
    repeated = [value for value, times in Counter(values).items() if times > 1]
    if repeated:
        raise ParameterError(f"{name} has the value {min(repeated):g} more than once in '{text}'.")
    return values


def _expand(name: str, part: str, integer: bool) -> list[Number]:
    fields = part.split(":")
    if fields[0] == "log" and len(fields) == 4:
        low, high, count = (_number(name, f) for f in fields[1:])
        if not (0 < low < high < LARGEST_LOG and 2 <= count <= LARGEST_GRID and count == int(count)):
            raise ParameterError(
                f"{name}: '{part}' must be log:from:to:count with 0 < from < to < {LARGEST_LOG:g} and 2 to "
                f"{LARGEST_GRID} values."
            )
        spaced = np.geomspace(low, high, int(count))
        return [int(v) for v in np.unique(np.rint(spaced))] if integer else [float(v) for v in spaced]
    if len(fields) == 3:
        return _range(name, part, *(_number(name, f) for f in fields))
    if len(fields) != 1:
        raise ParameterError(
            f"{name}: '{part}' is no value; give a number, a list a,b,c, a range from:to:step or log:from:to:count."
        )
    return [_number(name, part)]


def _range(name: str, part: str, low: Number, high: Number, step: Number) -> list[Number]:
    steps = (high - low) / step if step else math.nan
    count = round(steps) if math.isfinite(steps) else 0
    if step == 0 or steps < 0:
        problem = "has step 0" if step == 0 else "runs the wrong way: its step has the wrong sign"
        raise ParameterError(f"{name}: the range '{part}' {problem}; write from:to:step with both ends included.")
    if not math.isfinite(steps) or steps <= 0 or abs(steps - count) > 1e-9 * max(1.0, steps):
        raise ParameterError(f"{name}: the range '{part}' does not reach its end; from:to:step includes both ends.")
    if count > LARGEST_GRID:
        raise ParameterError(f"{name}: the range '{part}' has {count + 1} values, above {LARGEST_GRID}.")
    # rounding to the digits of the range turns 0.15000000000000002 into the 0.15 that was meant
    return [_tidy(low + i * (high - low) / count, step) for i in range(count + 1)]


def _tidy(value: float, step: float) -> Number:
    # a range through zero holds zero itself: -0.05 + 1·0.15/3 is 7e-18
    short = float(f"{value:.12g}") if abs(value) > 1e-9 * abs(step) else 0.0
    return int(short) if short == int(short) else short


def _number(name: str, text: str) -> Number:
    try:
        value = float(text)
    except ValueError:
        raise ParameterError(
            f"{name}: '{text}' is no number; give a number, a list a,b,c, a range from:to:step or log:from:to:count."
        ) from None
    return int(value) if math.isfinite(value) and value == int(value) and "." not in text else value


@dataclass(frozen=True)
class Grid:
    """The design points of a study.

    Attributes
    ----------
    scenario : Scenario
    swept : dict of str to tuple
        Values of each dimension, in the order of the scenario's parameters.
    fixed : dict of str to number or tuple
        Parameters with one value, said or by default; a profile is a tuple.
    defaults : tuple of str
        Names of those that nobody said.
    """

    scenario: Scenario
    swept: dict[str, tuple[Number, ...]]
    fixed: dict[str, Any]
    defaults: tuple[str, ...]

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
        """Return the design points.

        Returns
        -------
        list of DesignPoint

        Raises
        ------
        GridError
            Naming the first point that cannot exist, and why.
        """
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
    scenario: Scenario, parameters: Mapping[str, Any], question: Question, engine: str, solved: str | None = None
) -> Grid:
    """Return the grid that was asked for.

    Parameters
    ----------
    scenario : Scenario
    parameters : mapping
        Name → a number, a sequence of numbers, or text as `parse_values` reads it. None means not said.
    question : {"power", "mde", "size", "replay"}
    engine : str
        The engine that was asked for: some combinations exist for some engines only.
    solved : str, optional
        Parameter that the question solves for.

    Returns
    -------
    Grid

    Raises
    ------
    RequestError
        For unknown names, conflicts, missing or bad values, or a grid that is too large.
    """
    said = {name: value for name, value in parameters.items() if value is not None}
    for name in said:
        scenario.parameter(name)
    scenario.refuse(list(said), question, engine)
    names = in_force(scenario, list(said), question, solved)
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
    if parameter.kind == "profile":
        profile: tuple[Number, ...] = parameter.validate(value)
        return profile
    if isinstance(value, str):
        value = parse_values(parameter.name, value, parameter.kind == "integer")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Sequence):
        if not value:
            raise ParameterError(f"{parameter.name} is an empty list; give at least one value.")
        values = tuple(parameter.validate(v) for v in value)
        if len(set(values)) < len(values):
            raise ParameterError(f"{parameter.name} has a value more than once: {', '.join(map(str, values))}.")
        return values
    number: Number = parameter.validate(value)
    return number


def canonical(point: DesignPoint) -> str:
    """Return a design point as text that does not depend on how it was asked for.

    Parameters
    ----------
    point : DesignPoint

    Returns
    -------
    str
        JSON of the scenario's name and the sorted parameters.
    """
    values = {
        name: profile_text(value) if isinstance(value, tuple) else float(value)
        for name, value in sorted(point.values.items())
    }
    return json.dumps([point.scenario.name, values], separators=(",", ":"))
