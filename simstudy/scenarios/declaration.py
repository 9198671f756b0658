"""What a scenario declares: parameters, law, kernel and methods.

A scenario file holds one subclass of `Scenario`. Everything else (command-line options, validation of study
files, `simstudy list`, the table in the docs, all three engines) follows from the declaration. Functions are
named by ``"module:function"`` and imported when they are first called, so that a declaration costs no start-up.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar, Literal

from simstudy.errors import ParameterError, RefusedError, UnknownNameError

Number = int | float
Values = Mapping[str, Number]
Question = Literal["power", "mde", "size", "replay"]
# largest number of units: sums of counts stay far below 2**53
MOST_UNITS = 10**12


@dataclass(frozen=True)
class Parameter:
    """One named number of a scenario.

    Parameters
    ----------
    name, help, unit : str
        Name, one line of help, and unit (``"cases"``, ``"proportion"``, ``"logits"``).
    kind : {"real", "integer"}
        Type of the value.
    low, high : float
        Admissible range.
    open_low, open_high : bool
        Whether an end of the range is excluded.
    default : number, optional
        Value where nothing is said; None means unset.
    required : bool
        Whether it must be said (unless another alternative of its group is).
    role : {"size", "effect"}, optional
        The parameter a sample-size or an MDE question solves for.
    null : float, optional
        Value of the effect under the null hypothesis.
    """

    name: str
    help: str
    unit: str
    kind: Literal["real", "integer"] = "real"
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    default: Number | None = None
    required: bool = False
    role: Literal["size", "effect"] | None = None
    null: float | None = None

    @property
    def interval(self) -> str:
        """The admissible range in words."""
        if self.kind == "integer":
            top = "any size" if math.isinf(self.high) else f"{self.high:.0f}"
            return f"a whole number from {self.low:.0f} to {top}"
        if math.isinf(self.low) and math.isinf(self.high):
            return "a finite number"
        left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
        return f"a number in {left}{self.low:g}, {self.high:g}{right}"

    def validate(self, value: object) -> Number:
        """Return the value in its proper type.

        Parameters
        ----------
        value : object
            What was given.

        Returns
        -------
        int or float
            The same value as an ``int`` (kind "integer") or a ``float``.

        Raises
        ------
        ParameterError
            If it is no number of this kind or lies outside the range.
        """
        number = self._number(value)
        below = number < self.low or (self.open_low and number == self.low)
        above = number > self.high or (self.open_high and number == self.high)
        if not math.isfinite(number) or below or above:
            raise ParameterError(f"{self.name} is {value}; it must be {self.interval}.")
        return number

    def _number(self, value: object) -> Number:
        if isinstance(value, bool) or not (isinstance(value, int | float) or hasattr(value, "__float__")):
            raise ParameterError(f"{self.name} is {value!r}; it must be {self.interval}.")
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise ParameterError(f"{self.name} is {value!r}; it must be {self.interval}.") from None
        if self.kind == "integer" and math.isfinite(number):
            if number != int(number):
                raise ParameterError(f"{self.name} is {value}; it must be {self.interval}.")
            return int(number)
        return number


@dataclass(frozen=True)
class Call:
    """A function and the names of what it is given.

    Parameters
    ----------
    function : str or callable
        ``"module:function"``, or the function itself.
    arguments : tuple of str
        Names of projections of the counts, or of parameters, in the order of the function's arguments.
    sided : bool
        Whether the function also takes ``alternative``.
    """

    function: str | Callable[..., Any]
    arguments: tuple[str, ...]
    sided: bool = True

    def resolve(self) -> Callable[..., Any]:
        """Return the function itself, importing its module if need be."""
        return _resolve(self.function)


@cache
def _resolve(function: str | Callable[..., Any]) -> Callable[..., Any]:
    if callable(function):
        return function
    module, name = function.split(":")
    resolved: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return resolved


@dataclass(frozen=True)
class Method:
    """A statistical method: what it reads of the counts and what it yields.

    Parameters
    ----------
    name, label, source : str
        Name in requests, words for tables, and where the formula comes from.
    p_value, interval, estimate : Call, optional
        ``p_value(..., alternative=)`` → p; ``interval(..., level=)`` → (low, high); ``estimate(...)`` → number. Without
        a p-value the decision is whether the interval excludes the null.
    claim : {"difference", "non_inferiority", "equivalence"}
        What a rejection asserts.
    needs : tuple of str
        Parameters that must be set for this method.
    by_discordant_total : bool
        Whether the decision depends on (n10, n01) alone and is monotone in n01 at a fixed n10 + n01: then power is
        a sum over the discordant total.
    nanoseconds : float
        Rough cost per distinct row, for the choice of engine.
    misuse : bool
        Whether the method ignores the design (shown because people use it).
    note : str
        A remark for `simstudy list`.
    """

    name: str
    label: str
    source: str
    p_value: Call | None = None
    interval: Call | None = None
    estimate: Call | None = None
    claim: Literal["difference", "non_inferiority", "equivalence"] = "difference"
    needs: tuple[str, ...] = ()
    by_discordant_total: bool = False
    nanoseconds: float = 200.0
    misuse: bool = False
    note: str = ""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The functions of this method."""
        return tuple(call for call in (self.p_value, self.interval, self.estimate) if call is not None)


@dataclass(frozen=True)
class Block:
    """Independent units that fall into the same few classes.

    Parameters
    ----------
    size : str
        Parameter that holds the number of units.
    classes : tuple of str
        Names of the classes; the last count follows from the others.
    """

    size: str
    classes: tuple[str, ...]


@dataclass(frozen=True)
class Kernel:
    """The compiled simulation of a scenario.

    Parameters
    ----------
    simulate : str or callable
        ``simulate(key, first_replication, out, *arguments)`` fills ``out``: int64, (replications, columns).
    columns : tuple of str
        What each column of a row is.
    cases : str or callable
        ``cases(key, replication, out, *arguments)`` fills ``out``: float64, (units, case_columns), for one replication.
    case_columns : tuple of str
        Columns of the replayed units.
    case_arguments : int, optional
        How many of the kernel's arguments ``cases`` takes; all where not given.
    """

    simulate: str | Callable[..., Any]
    columns: tuple[str, ...]
    cases: str | Callable[..., Any]
    case_columns: tuple[str, ...]
    case_arguments: int | None = None

    def functions(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Return (simulate, cases), imported."""
        return _resolve(self.simulate), _resolve(self.cases)


@dataclass(frozen=True)
class Group:
    """Parameters that can be said in more than one way.

    Parameters
    ----------
    alternatives : tuple of tuple of str
        Each alternative is a set of parameters; exactly one is in force, the first where none is said.
    """

    alternatives: tuple[tuple[str, ...], ...]

    def chosen(self, said: Sequence[str]) -> tuple[str, ...]:
        """Return the alternative in force.

        Parameters
        ----------
        said : sequence of str
            Names of the parameters that were given.

        Returns
        -------
        tuple of str
            The alternative that what was said belongs to, or the first.

        Raises
        ------
        RefusedError
            If parts of two alternatives were said.
        """
        touched = [names for names in self.alternatives if any(name in said for name in names)]
        if len(touched) > 1:
            first, second = (next(n for n in names if n in said) for names in touched[:2])
            ways = " or ".join(" and ".join(names) for names in self.alternatives)
            raise RefusedError(f"{first} and {second} cannot be given together: say either {ways}.")
        return touched[0] if touched else self.alternatives[0]


class Scenario:
    """A data-generating mechanism with named parameters.

    Subclasses set the class attributes and define `estimand`, and `law` and `kernel_arguments` where they have them.

    Attributes
    ----------
    name, title, unit : str
        Name in requests, a line in words, and what one unit is.
    aims, mechanism, estimand_words : str
        The A, D and E of the study's ADEMP description (Morris, White & Crowther 2019).
    parameters : tuple of Parameter
    groups : tuple of Group
    blocks : tuple of Block
        Empty where counts of classes do not describe a replication (then only the full engine exists).
    projections : dict
        Integer combinations of class counts (or kernel columns) that methods read.
    kernel : Kernel or None
    methods : tuple of Method
    default_methods : tuple of str
    target_variable : str
        What a target refers to where nothing is said: "power" or "coverage".
    systems : int
        How many systems answer each unit, for the cost in judge calls.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str]
    aims: ClassVar[str]
    mechanism: ClassVar[str]
    estimand_words: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    groups: ClassVar[tuple[Group, ...]] = ()
    blocks: ClassVar[tuple[Block, ...]] = ()
    projections: ClassVar[Mapping[str, Mapping[str, int]]] = {}
    kernel: ClassVar[Kernel | None] = None
    methods: ClassVar[tuple[Method, ...]]
    default_methods: ClassVar[tuple[str, ...]]
    target_variable: ClassVar[str] = "power"
    units: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def estimand(self, values: Values) -> float:
        """Return the true value that estimates aim at."""
        raise RefusedError(f"{self.name} declares no estimand.")

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the class probabilities of each block."""
        raise RefusedError(f"{self.name} has no law of counts: only the full engine simulates it.")

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return what the kernel takes after ``out``."""
        raise RefusedError(f"{self.name} has no full engine.")

    def truth(self, values: Values) -> dict[str, float]:
        """Return what follows from the parameters: name → value, named in `units`."""
        return {}

    def derived(self, values: Values) -> dict[str, Number]:
        """Return numbers that methods take beside the parameters, for example a number of cases."""
        return {}

    def check(self, values: Values) -> None:
        """Refuse a point that cannot exist, with the admissible range."""

    def refuse(self, said: Sequence[str], question: Question, engine: str) -> None:
        """Refuse combinations of said parameters that mean nothing for a question."""

    def effect_range(self, values: Values) -> tuple[float, float]:
        """Return the open range of effects that can exist beside the other parameters.

        Parameters
        ----------
        values : mapping
            Every parameter in force but the effect.

        Returns
        -------
        low, high : float
        """
        if self.effect is None:
            raise RefusedError(f"{self.name} has no effect.")
        return self.effect.low, self.effect.high

    def check_method(self, method: Method, values: Values) -> None:
        """Refuse a method whose parameters are not set.

        Parameters
        ----------
        method : Method
            A method of this scenario.
        values : mapping
            Every parameter in force.

        Raises
        ------
        RefusedError
            Naming what is missing.
        """
        for name in method.needs:
            if name not in values:
                parameter = self.by_name[name]
                raise RefusedError(f"{method.name} needs --{name.replace('_', '-')}: {parameter.help}.")

    def replay_units(self, values: Values) -> int:
        """Return the number of rows of a replayed replication."""
        return int(values[self.size.name]) if self.size else 0

    @cached_property
    def by_name(self) -> dict[str, Parameter]:
        """The parameters by name."""
        return {parameter.name: parameter for parameter in self.parameters}

    @cached_property
    def size(self) -> Parameter | None:
        """The parameter a sample-size question solves for."""
        return next((p for p in self.parameters if p.role == "size"), None)

    @cached_property
    def effect(self) -> Parameter | None:
        """The parameter an MDE question solves for."""
        return next((p for p in self.parameters if p.role == "effect"), None)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names that a projection may combine: the classes, or the columns of the kernel."""
        if self.blocks:
            return tuple(name for block in self.blocks for name in block.classes)
        return self.kernel.columns if self.kernel else ()

    def parameter(self, name: str) -> Parameter:
        """Return a parameter by name.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Parameter

        Raises
        ------
        UnknownNameError
            If the scenario has no such parameter.
        """
        if name not in self.by_name:
            raise UnknownNameError(f"parameter of {self.name}", name, self.by_name)
        return self.by_name[name]

    def method(self, name: str) -> Method:
        """Return a method by name.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Method

        Raises
        ------
        UnknownNameError
            If the scenario has no such method.
        """
        found = next((m for m in self.methods if m.name == name), None)
        if found is None:
            raise UnknownNameError(f"method of {self.name}", name, [m.name for m in self.methods])
        return found

    def settle(self, said: Sequence[str], question: Question, solved: str | None = None) -> tuple[str, ...]:
        """Return the names of the parameters in force.

        Parameters
        ----------
        said : sequence of str
            Parameters that were given.
        question : {"power", "mde", "size", "replay"}
            What is asked.
        solved : str, optional
            The parameter that the question solves for: it must not be said.

        Returns
        -------
        tuple of str
            Said parameters and those with a default that no other alternative replaces.

        Raises
        ------
        UnknownNameError, RefusedError, ParameterError
            For an unknown name, a conflict, or something missing.
        """
        for name in said:
            self.parameter(name)
        if solved is not None and solved in said:
            raise RefusedError(f"{solved} is what {question} solves for: do not give it.")
        reach = [*said, solved] if solved else list(said)
        excluded = {
            name
            for group in self.groups
            for names in group.alternatives
            if names != group.chosen(reach)
            for name in names
        }
        missing = [
            p.name
            for p in self.parameters
            if p.required and p.name not in said and p.name not in excluded and p.name != solved
        ]
        if missing:
            raise ParameterError(
                f"{self.name} needs {' and '.join(missing)}: " + "; ".join(self._describe(n) for n in missing) + "."
            )
        given = [p.name for p in self.parameters if p.name in said]
        defaults = [
            p.name
            for p in self.parameters
            if p.name not in said and p.default is not None and p.name not in excluded and p.name != solved
        ]
        return tuple(given + defaults)

    def _describe(self, name: str) -> str:
        parameter = self.by_name[name]
        other = [
            " and ".join(names)
            for group in self.groups
            if any(name in names for names in group.alternatives)
            for names in group.alternatives
            if name not in names
        ]
        instead = f" (or say {' or '.join(other)})" if other else ""
        return f"--{name.replace('_', '-')}, {parameter.help}, {parameter.interval}{instead}"

    def point(self, values: Values) -> DesignPoint:
        """Return the design point with these values.

        Parameters
        ----------
        values : mapping
            Every parameter in force.

        Returns
        -------
        DesignPoint

        Raises
        ------
        ParameterError
            For a value outside its range, or a point that cannot exist.
        """
        clean = {name: self.parameter(name).validate(value) for name, value in values.items()}
        self.check(clean)
        return DesignPoint(self, clean)


@dataclass(frozen=True, eq=False)
class DesignPoint:
    """One setting of a scenario's parameters.

    Attributes
    ----------
    scenario : Scenario
    values : dict
        Every parameter in force, validated.
    """

    scenario: Scenario
    values: dict[str, Number] = field(default_factory=dict)

    @cached_property
    def truth(self) -> dict[str, float]:
        """What follows from the parameters."""
        return self.scenario.truth(self.values)

    @cached_property
    def derived(self) -> dict[str, Number]:
        """Whole numbers that methods need and that follow from the parameters."""
        return self.scenario.derived(self.values)

    @cached_property
    def estimand(self) -> float:
        """The true value that estimates aim at."""
        return self.scenario.estimand(self.values)

    @cached_property
    def laws(self) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """(number of units, class probabilities) of each block."""
        sizes = [int(self.values[block.size]) for block in self.scenario.blocks]
        return tuple(zip(sizes, self.scenario.law(self.values), strict=True))
