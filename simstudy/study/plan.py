"""A question, ready to be answered: grid, methods, options, and the engine for each method at each point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simstudy.engines.simulate import choose_engine
from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.options import BY_PARAMETERS, LARGEST_SIZE, MDE, SIZE, SKIP, Options, make_options, the_option
from simstudy.scenarios import get_scenario
from simstudy.scenarios.check import check_law
from simstudy.scenarios.check_point import check_point, check_values
from simstudy.scenarios.declaration import DesignPoint, Method, Parameter, Question, Scenario, Values
from simstudy.study.grid import Grid, make_grid
from simstudy.study.target import Target, decides, parse_target

if TYPE_CHECKING:
    from simstudy.study.words import Asked

SMALLEST_ALPHA = 1e-16  # below about half of it 1 - alpha is 1
SIGNS = the_option("sign", MDE).choices


@dataclass(frozen=True)
class Study:
    """A question, whole: what is asked of which design points, and how each is to be evaluated."""

    # handed along beside the Dataset that answers it, whose attributes are written from it
    # (`results.py`) and read back in one place (`asked.py`)
    grid: Grid
    methods: tuple[Method, ...]
    options: Options
    question: Question = "power"
    # what mde and size solve for
    solved: Parameter | None = None
    # what the answer has to reach; for power what counts as seen, where it was said
    target: Target | None = None
    # which effects mde looks for: positive, negative or both
    sign: str = "positive"
    # whether size adds the target's measure around each answer
    curve: bool = False
    # largest size that is considered
    largest: int = LARGEST_SIZE
    # what a study file says the study is for
    aims: str = ""
    # what was said and changes nothing
    remarks: tuple[str, ...] = ()
    # what is asked, where it is said in other words than those that follow from the rest
    words: Asked | None = None

    @property
    def scenario(self) -> Scenario:
        """The scenario of every design point."""
        return self.grid.scenario

    @property
    def effect(self) -> str:
        """Name of the effect; empty without one."""
        return self.scenario.effect.name if self.scenario.effect else ""

    @property
    def size(self) -> str:
        """Name of the size; empty without one."""
        return self.scenario.size.name if self.scenario.size else ""

    @property
    def misused(self) -> tuple[str, ...]:
        """Methods that do not fit the design and are shown because people use them."""
        return tuple(method.name for method in self.methods if method.misuse)

    def method(self, name: str) -> Method:
        """Return one of the methods by name."""
        return next(method for method in self.methods if method.name == name)

    @property
    def said(self) -> dict[str, Any]:
        """The parameters that were given, without those by default: values, or lists of them."""
        return {
            name: value
            for name, value in {**{k: list(v) for k, v in self.grid.swept.items()}, **self.grid.written}.items()
            if name not in self.grid.defaults
        }

    def describe(self) -> dict[str, Any]:
        """Return the study as plain values, from which it can be asked again."""
        plain = {
            "scenario": self.scenario.name,
            "question": self.question,
            "parameters": {**{k: list(v) for k, v in self.grid.swept.items()}, **self.grid.written},
            "defaults": list(self.grid.defaults),
            "method": [method.name for method in self.methods],
            "options": self.options.describe(),
        }
        return {**plain, "target": self.target.words} if self.solved and self.target else plain

    @cached_property
    def points(self) -> list[DesignPoint]:
        """The design points as they are evaluated: with usable units only, methods checked."""
        points = self.grid.points()
        if self.options.unusable:
            usable = [self.usable(point.values) for point in points]
            try:
                points = [self.scenario.point(values) for values in usable]
            except ParameterError as error:
                raise ParameterError(f"With unusable {self.options.unusable:g}: {error}") from error
        if self.scenario.counted and points:
            check_law(points[0])
        if points:
            check_point(points[0], self.methods)
        for point in points:
            check_values(point, self.methods)
        return points

    def usable(self, values: Values) -> dict[str, Any]:
        """Return values whose size counts usable units only, or refuse a size of which none is left."""
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
    """Return n·(1 − unusable), rounded down: how many of n units can be used."""
    # a product that is whole but for rounding counts as whole
    return int(n * (1.0 - unusable) + 1e-9)


def collected_units(usable: int, unusable: float) -> int:
    """Return the smallest number of units of which enough are usable."""
    n = int(usable / (1.0 - unusable))
    while usable_units(n, unusable) < usable:
        n += 1
    return n


def make_methods(scenario: Scenario, method: str | Sequence[str] | None) -> tuple[Method, ...]:
    """Return methods by name: one, several, or text with commas; the default ones where not given."""
    if method is None:
        names: Sequence[str] = scenario.default_methods
    else:
        names = [name.strip() for name in method.split(",")] if isinstance(method, str) else _names(method)
    repeated = [name for i, name in enumerate(names) if name in names[:i]]
    if repeated or not names:
        problem = f"has {repeated[0]} more than once" if repeated else "is an empty list"
        raise ParameterError(f"method {problem}; give each method once.")
    return tuple(scenario.method(name) for name in names)


def _names(method: Any) -> list[str]:
    """Return names of methods that were given as a list of texts, or refuse anything else."""
    listed = isinstance(method, Sequence) and not isinstance(method, bytes)
    names: list[str] = list(method) if listed else np.atleast_1d(method).tolist()
    if not all(isinstance(name, str) for name in names):
        raise ParameterError(f"method is {method!r}; it must be a name, or a list of names.")
    return names


def make_study(
    scenario: str | Scenario,
    parameters: Mapping[str, Any],
    *,
    method: str | Sequence[str] | None = None,
    question: Question = "power",
    target: float | str | None = None,
    sign: str | None = None,
    curve: bool = False,
    largest: int | None = None,
    aims: str = "",
    **options: Any,
) -> Study:
    """Return a study, or refuse what does not fit the scenario; options are those of `make_options`."""
    chosen = get_scenario(scenario)
    if question not in BY_PARAMETERS:
        raise UnknownNameError("question", question, BY_PARAMETERS)
    solved = _solved(chosen, question)
    made = make_options(**options)
    if len(set(made.levels)) < len(made.levels):
        raise ParameterError("alpha has a value more than once; give each level once.")
    signs = _sign(sign, made.alternative) if question == "mde" else "positive"
    if solved is not None and solved.role == "size":
        usual = min(LARGEST_SIZE, solved.high)
        largest = int(replace(solved, name="largest").validate(usual if largest is None else largest))
    curve = the_option("curve", SIZE).check(curve)
    methods = make_methods(chosen, method)
    grid = make_grid(
        chosen, parameters, question, made.engine, solved.name if solved else None, methods, made.impossible == SKIP
    )
    _check_options(methods, made, question)
    unread = _unread(grid, methods, method is None) if question != "replay" else ()
    if question == "power" and target is not None:
        _refuse_target_without_power(chosen, methods)
    wanted = parse_target(target, chosen) if solved or target is not None else None
    study = Study(
        grid,
        methods,
        made,
        question,
        solved,
        wanted,
        signs,
        curve,
        largest or LARGEST_SIZE,
        aims,
        (*grid.remarks, *unread),
    )
    _check_target(study)
    return study


def ask(scenario: str | Scenario, question: Question, asked: Mapping[str, Any], **own: Any) -> Study:
    """Return a study from keywords that hold parameters and options together."""
    names = {field.name for field in fields(Options)} - {"alpha_swept"}
    options = {name: value for name, value in asked.items() if name in names}
    parameters = {name: value for name, value in asked.items() if name not in names}
    return make_study(scenario, parameters, question=question, **own, **options)


def _solved(scenario: Scenario, question: Question) -> Parameter | None:
    """Return the parameter that a question solves for."""
    if question == "mde" and scenario.effect is None:
        raise RefusedError(
            f"Scenario {scenario.name} has no parameter that is an effect, so it has no minimum detectable effect; ask "
            "for its size."
        )
    if question == "size" and scenario.size is None:
        raise RefusedError(f"Scenario {scenario.name} has no size to solve for.")
    return {"mde": scenario.effect, "size": scenario.size}.get(question)


def _sign(sign: object, alternative: str) -> str:
    """Return which effects are looked for, or refuse those that a one-sided test does not look at."""
    if sign is not None and not (isinstance(sign, str) and sign in SIGNS):
        raise UnknownNameError("sign", str(sign), SIGNS)
    only = {"greater": "positive", "less": "negative"}.get(alternative)
    if sign == "both" and only:
        raise RefusedError("A one-sided test sees effects of one sign only: use sign positive or negative.")
    if sign and only and sign != only:
        raise RefusedError(f"sign {sign} does not fit alternative {alternative}, which looks for {only} effects alone.")
    return str(sign or only or "positive")


def _check_target(study: Study) -> None:
    """Refuse a target, or a sign, that a method does not have."""
    if study.target is None:
        return
    for method in study.methods:
        study.target.check(method, study.scenario)
    if study.question != "size":
        study.target.check_of_effect(study.question)
    if study.question != "mde":
        return
    for method in study.methods:
        decision = method.decision
        if study.sign != "positive" and not decision.two_directions and not decision.about_margin:
            raise RefusedError(f"{method.name} claims {decision.claims}: sign {study.sign} does not fit it.")


def _refuse_target_without_power(scenario: Scenario, methods: Sequence[Method]) -> None:
    """Refuse any target of power where nothing is decided, and the scenario has no measures that could be one."""
    if not scenario.measures and not any(decides(method, scenario) for method in methods):
        instead = "size takes one, as in half_width=0.05" if scenario.size else "leave it out"
        raise RefusedError(f"power takes no target with scenario {scenario.name}, where nothing is decided; {instead}.")


def _unread(grid: Grid, methods: Sequence[Method], by_default: bool) -> tuple[str, ...]:
    """Say which parameters none of the methods reads; refuse one that is swept, or without several named methods."""
    several = bool(grid.swept) or (not by_default and len(methods) > 1)
    among = "and by no default method" if by_default else "alone"
    said = []
    for parameter in grid.scenario.parameters:
        name = parameter.name
        if name in grid.defaults or name not in (*grid.swept, *grid.fixed) or parameter.read_by(methods):
            continue
        readers = ", ".join(method.name for method in grid.scenario.methods if method.reads(name))
        if name in grid.swept or not several:
            raise RefusedError(f"{name} is read by {readers} {among}: ask for one of them, or leave {name} out.")
        said.append(f"{name} is read by {readers} alone, so it changes nothing here.")
    return tuple(said)


def _check_options(methods: Sequence[Method], options: Options, question: Question) -> None:
    """Refuse options that do not fit a method."""
    for method in methods:
        if not method.decision.allows(options.alternative):
            raise RefusedError(
                f"{method.name} claims {method.decision.claims}: alternative {options.alternative} does not fit it."
            )
        if method.interval is not None and 1.0 - options.ladder[0] == 1.0:
            raise RefusedError(
                f"alpha is {options.ladder[0]:g} for a single test, and {method.name} has an interval, whose "
                f"confidence would be 1: alpha must be at least {SMALLEST_ALPHA:g}."
            )
        if method.one_level and question == "power" and options.alpha_swept:
            raise RefusedError(
                f"{method.name} computes its limits in the simulation, at one level: give alpha a single value."
            )
