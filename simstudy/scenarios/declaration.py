"""What a scenario declares: parameters, law, kernel and methods.

A scenario file holds one subclass of `Scenario`. Everything else (command-line options, validation of study
files, `simstudy list`, the table in the docs, all three engines) follows from the declaration. Functions are
named by ``"module:function"`` and imported when they are first called, so that a declaration costs no start-up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from simstudy.errors import RefusedError, UnknownNameError
from simstudy.scenarios.parts import (
    FIXED,
    MOST_UNITS,
    UNDEFINED,
    Block,
    Call,
    Group,
    Kernel,
    Method,
    Number,
    Parameter,
    Profile,
    Question,
    Values,
    profile_text,
)

__all__ = [
    "FIXED",
    "MOST_UNITS",
    "UNDEFINED",
    "Block",
    "Call",
    "DesignPoint",
    "Group",
    "Kernel",
    "Method",
    "Number",
    "Parameter",
    "Profile",
    "Question",
    "Scenario",
    "Values",
    "profile_text",
]


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
        What a target refers to where nothing is said: "power", "power_right" where errors can make the null be
        rejected in the wrong direction, or "coverage".
    shows : tuple of str
        Measures that a table shows first; power where empty, coverage where nothing is decided.
    reports : tuple of str
        Truth variables that a table of few design points shows below.
    directions : tuple of str
        What rejections in the negative and in the positive direction say.
    estimate_unit : str
        Unit of the estimand.
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
    shows: ClassVar[tuple[str, ...]] = ()
    reports: ClassVar[tuple[str, ...]] = ()
    directions: ClassVar[tuple[str, str]] = ("A better", "B better")
    estimate_unit: ClassVar[str] = "proportion"
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

    def null(self, values: Values) -> float | None:
        """Return the value of the estimand that decisions are about, or None where nothing is decided.

        Parameters
        ----------
        values : mapping
            Every parameter in force.

        Returns
        -------
        float or None
        """
        null = self.effect.null if self.effect else None
        return float(values[null]) if isinstance(null, str) else null

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

    def refuse_at(self, said: Sequence[str], values: Values) -> None:
        """Refuse parameters that were said and mean nothing at these values."""

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

    def smallest_size(self, values: Values) -> int:
        """Return the smallest size that can exist beside the other parameters.

        Parameters
        ----------
        values : mapping
            Every parameter in force but the size.

        Returns
        -------
        int
        """
        return int(self.size.low) if self.size else 0

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

    def work(self, values: Values) -> float:
        """Return what simulating a replication costs, in units: some nanoseconds each."""
        return float(self.replay_units(values))

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

    @property
    def decides(self) -> bool:
        """Whether there is a null, so that intervals decide something."""
        return self.effect is not None or type(self).null is not Scenario.null

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
    values: dict[str, Any] = field(default_factory=dict)

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
    def null(self) -> float | None:
        """The value of the estimand that decisions are about."""
        return self.scenario.null(self.values)

    def target(self, method: Method) -> float:
        """Return the true value that a method's estimate aims at.

        Parameters
        ----------
        method : Method

        Returns
        -------
        float
        """
        return self.truth[method.estimand] if method.estimand else self.estimand

    @cached_property
    def laws(self) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """(number of units, class probabilities) of each block."""
        numbers = {**self.derived, **self.values}
        sizes = [int(numbers[block.size]) for block in self.scenario.blocks]
        # sums of probabilities can exceed their range by rounding
        laws = [tuple(min(1.0, max(0.0, p)) for p in law) for law in self.scenario.law(self.values)]
        return tuple(zip(sizes, laws, strict=True))
