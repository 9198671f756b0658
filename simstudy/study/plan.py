"""A question, ready to be answered: grid, methods, options, and the engine for each method at each point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from simstudy.engines.simulate import choose_engine
from simstudy.errors import ParameterError, RefusedError
from simstudy.options import Options, make_options
from simstudy.scenarios import get_scenario
from simstudy.scenarios.check import check_law
from simstudy.scenarios.check_point import check_point
from simstudy.scenarios.declaration import DesignPoint, Method, Question, Scenario, Values
from simstudy.study.grid import Grid, make_grid


@dataclass(frozen=True)
class Study:
    """A grid of design points, and how each is to be evaluated.

    Attributes
    ----------
    grid : Grid
    methods : tuple of Method
    options : Options
    question : {"power", "mde", "size", "replay"}
    """

    grid: Grid
    methods: tuple[Method, ...]
    options: Options
    question: Question = "power"

    @property
    def scenario(self) -> Scenario:
        """The scenario of every design point."""
        return self.grid.scenario

    @cached_property
    def points(self) -> list[DesignPoint]:
        """The design points as they are evaluated: with usable units only, methods checked."""
        points = self.grid.points()
        if self.options.unusable:
            points = [self._usable_point(point) for point in points]
        if self.scenario.counted and points:
            check_law(points[0])
        if points:
            check_point(points[0], self.methods)
        for point in points:
            for method in self.methods:
                self.scenario.check_method(method, point.values)
        return points

    def _usable_point(self, point: DesignPoint) -> DesignPoint:
        try:
            return self.scenario.point(self.usable(point.values))
        except ParameterError as error:
            raise ParameterError(f"With unusable {self.options.unusable:g}: {error}") from error

    def usable(self, values: Values) -> dict[str, Any]:
        """Return values whose size counts usable units only.

        Parameters
        ----------
        values : mapping
            Every parameter in force.

        Returns
        -------
        dict
            The same with size·(1 − unusable), rounded down.

        Raises
        ------
        ParameterError
            If no unit is left.
        """
        size = self.scenario.size
        if size is None or not self.options.unusable:
            return dict(values)
        left = usable_units(int(values[size.name]), self.options.unusable)
        if left < size.low:
            raise ParameterError(
                f"unusable is {self.options.unusable:g}: of {size.name} {values[size.name]} nothing usable is left."
            )
        return {**values, size.name: left}

    @cached_property
    def engines(self) -> list[list[str]]:
        """Engine of each method at each point: [point][method]."""
        return [[choose_engine(point, method, self.options) for method in self.methods] for point in self.points]


def usable_units(n: int, unusable: float) -> int:
    """Return how many of n units can be used.

    Parameters
    ----------
    n : int
        Units collected.
    unusable : float
        Share lost, in [0, 1).

    Returns
    -------
    int
        n·(1 − unusable), rounded down; a product that is whole but for rounding counts as whole.
    """
    return int(n * (1.0 - unusable) + 1e-9)


def collected_units(usable: int, unusable: float) -> int:
    """Return the smallest number of units of which enough are usable.

    Parameters
    ----------
    usable : int
        Usable units needed.
    unusable : float
        Share lost, in [0, 1).

    Returns
    -------
    int
    """
    n = int(usable / (1.0 - unusable))
    while usable_units(n, unusable) < usable:
        n += 1
    return n


def make_methods(scenario: Scenario, method: str | Sequence[str] | None) -> tuple[Method, ...]:
    """Return methods by name.

    Parameters
    ----------
    scenario : Scenario
    method : str or sequence of str, optional
        One name, several, or text with commas; the scenario's default methods where not given.

    Returns
    -------
    tuple of Method

    Raises
    ------
    UnknownNameError, ParameterError
        For an unknown name, or one that is given twice.
    """
    if method is None:
        names: Sequence[str] = scenario.default_methods
    else:
        names = [name.strip() for name in method.split(",")] if isinstance(method, str) else list(method)
    repeated = [name for i, name in enumerate(names) if name in names[:i]]
    if repeated or not names:
        problem = f"has {repeated[0]} more than once" if repeated else "is an empty list"
        raise ParameterError(f"method {problem}; give each method once.")
    return tuple(scenario.method(name) for name in names)


def make_study(
    scenario: str | Scenario,
    parameters: Mapping[str, Any],
    *,
    method: str | Sequence[str] | None = None,
    question: Question = "power",
    solved: str | None = None,
    **options: Any,
) -> Study:
    """Return a study, validated.

    Parameters
    ----------
    scenario : str or Scenario
    parameters : mapping
        Name → number, sequence of numbers, or text.
    method : str or sequence of str, optional
    question : {"power", "mde", "size", "replay"}
    solved : str, optional
        Parameter that the question solves for.
    **options
        See `simstudy.options.make_options`.

    Returns
    -------
    Study

    Raises
    ------
    RequestError
        For anything that does not fit the scenario.
    """
    chosen = get_scenario(scenario)
    made = make_options(**options)
    if len(set(made.levels)) < len(made.levels):
        raise ParameterError("alpha has a value more than once; give each level once.")
    grid = make_grid(chosen, parameters, question, made.engine, solved)
    methods = make_methods(chosen, method)
    _check_options(methods, made, question)
    if question != "replay":
        _check_read(chosen, methods, [name for name in parameters if name not in grid.defaults])
    return Study(grid, methods, made, question)


def _check_read(scenario: Scenario, methods: Sequence[Method], said: Sequence[str]) -> None:
    """Refuse a parameter that was said and that none of the methods asked for reads."""
    for parameter in scenario.parameters:
        name = parameter.name
        if name in said and not parameter.read_by(methods):
            readers = ", ".join(method.name for method in scenario.methods if method.reads(name))
            raise RefusedError(f"{name} is read by {readers} alone: ask for one of them, or leave {name} out.")


def _check_options(methods: Sequence[Method], options: Options, question: Question) -> None:
    """Refuse options that do not fit a method."""
    for method in methods:
        if not method.decision.allows(options.alternative):
            raise RefusedError(
                f"{method.name} claims {method.decision.claims}: alternative {options.alternative} does not fit it."
            )
        if method.one_level and question == "power" and options.alpha_swept:
            raise RefusedError(
                f"{method.name} computes its limits in the simulation, at one level: give alpha a single value."
            )
