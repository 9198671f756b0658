"""What a scenario declares: parameters, law, kernel and methods.

A scenario file holds one subclass of `Scenario`. Everything else (command-line options, validation of study
files, `simstudy list`, the table in the docs, all three engines) follows from the declaration. Functions are
named by ``"module:function"`` and imported when they are first called, so that a declaration costs no start-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RefusedError, RequestError, UnknownNameError
from simstudy.scenarios.decisions import Decision, Difference, Equivalence, Exceeds, NonInferiority
from simstudy.scenarios.design_point import DesignPoint, columns_of
from simstudy.scenarios.measure import Blocked, Measure, Outcome, Said
from simstudy.scenarios.method import Method
from simstudy.scenarios.parts import (
    FIXED,
    MOST_UNITS,
    UNDEFINED,
    Block,
    Call,
    Group,
    Kernel,
    Number,
    Parameter,
    Profile,
    Question,
    Sample,
    Values,
    profile_text,
)
from simstudy.scenarios.rules import Part, Rule

__all__ = [
    "FIXED",
    "MOST_UNITS",
    "UNDEFINED",
    "Block",
    "Blocked",
    "Call",
    "Decision",
    "DesignPoint",
    "Difference",
    "Equivalence",
    "Exceeds",
    "Group",
    "Kernel",
    "Measure",
    "Method",
    "NonInferiority",
    "Number",
    "Outcome",
    "Parameter",
    "Part",
    "Profile",
    "Question",
    "Rule",
    "Said",
    "Sample",
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
    kernel : Kernel, Sample or None
    walk_columns : tuple of str
        Columns of the rows that `walk` yields, where the law of a replication is no law of counts.
    methods : tuple of Method
    default_methods : tuple of str
    measures : tuple of Measure
        What is reported of each method beside the measures of every scenario; they can be targets.
    example : dict
        Values at a small design point, with every parameter in force: what every scenario is tested at.
    target_variable : str
        What a target refers to where nothing is said: "power", "power_right" where errors can make the null be
        rejected in the wrong direction, "coverage", or a measure of the scenario's own.
    shows : tuple of str
        Measures that a table shows first; power where empty, coverage where nothing is decided.
    reports : tuple of str
        Truth variables that a table of few design points shows below.
    directions : tuple of str
        What rejections in the negative and in the positive direction say.
    estimate_unit : str
        Unit of the estimand.
    units : dict
        What `truth` returns, and costs of methods: name → (words, unit).
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
    kernel: ClassVar[Kernel | Sample | None] = None
    walk_columns: ClassVar[tuple[str, ...]] = ()
    methods: ClassVar[tuple[Method, ...]]
    default_methods: ClassVar[tuple[str, ...]]
    measures: ClassVar[tuple[Measure, ...]] = ()
    example: ClassVar[Mapping[str, Any]] = {}
    target_variable: ClassVar[str] = "power"
    shows: ClassVar[tuple[str, ...]] = ()
    reports: ClassVar[tuple[str, ...]] = ()
    directions: ClassVar[tuple[str, str]] = ("A better", "B better")
    estimate_unit: ClassVar[str] = "proportion"
    units: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def estimand(self, values: Values) -> float:
        """Return the true value that estimates aim at.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        float
            Finite, in `estimate_unit`.

        Raises
        ------
        RefusedError
            If the scenario declares none.
        """
        raise RefusedError(f"{self.name} declares no estimand.")

    def law(self, values: Values) -> tuple[tuple[float, ...], ...]:
        """Return the class probabilities of each block.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        tuple of tuple of float
            For each block a probability in [0, 1] for each class; those of a block sum to one.

        Raises
        ------
        RefusedError
            If the scenario has no law of counts.
        """
        raise RefusedError(f"{self.name} has no law of counts: only the full engine simulates it.")

    def blocks_at(self, values: Values) -> tuple[Block, ...]:
        """Return the blocks where they depend on the values: a class for each number of right runs, say.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        tuple of Block
            `blocks` where a scenario does not say otherwise.
        """
        return self.blocks

    def projections_at(self, values: Values) -> Mapping[str, Mapping[str, int]]:
        """Return the projections where they depend on the values.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        mapping of str to mapping of str to int
            Name → (class, or column of the kernel → whole number); `projections` where not defined otherwise.
        """
        return self.projections

    def walk(
        self, values: Values, method: Method, level: float, alternative: str
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Yield (rows, probabilities) of a law that goes step by step: weeks, looks.

        Parameters
        ----------
        values : mapping
            Every parameter in force, with numbers from `derived`.
        method : Method
        level : float
            Level of each test.
        alternative : {"two-sided", "greater", "less"}

        Yields
        ------
        rows : array of int64, shape (n_rows, len(walk_columns))
        probabilities : array of float64, shape (n_rows,)
            Of all pieces together they add up to one.
        """
        raise RefusedError(f"{self.name} has no law that is a walk.")

    def kernel_arguments(self, values: Values, alphas: tuple[float, ...], alternative: str) -> tuple[Any, ...]:
        """Return what the kernel takes after ``out``.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.
        alphas : tuple of float
            Levels of a single test, ascending, in (0, 1).
        alternative : {"two-sided", "greater", "less"}

        Returns
        -------
        tuple
            Numbers and arrays, in the order of the kernel's arguments.

        Raises
        ------
        RefusedError
            If the scenario has no kernel that takes any.
        """
        raise RefusedError(f"{self.name} has no full engine.")

    def effect_null(self, values: Values) -> float:
        """Return the value of the effect at which there is nothing to be found; 0 without an effect.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        float
            On the scale of the effect: the null of its `Parameter`, or the value of the parameter that this names.
        """
        null = self.effect.null if self.effect else None
        return float(values[null]) if isinstance(null, str) else float(null or 0.0)

    def null(self, values: Values) -> float | None:
        """Return the value of the estimand that decisions are about, or None where nothing is decided.

        The null of the effect where a scenario does not say another: it does where the estimand has another scale.

        Parameters
        ----------
        values : mapping
            Every parameter in force.

        Returns
        -------
        float or None
        """
        return self.effect_null(values) if self.effect and self.effect.null is not None else None

    def truth(self, values: Values) -> dict[str, float]:
        """Return what follows from the parameters: name → value, named in `units`.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        dict of str to float
            NaN where undefined.
        """
        return {}

    def derived(self, values: Values) -> dict[str, Number]:
        """Return numbers that methods take beside the parameters, for example a number of cases.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        dict of str to int or float
            Name → number; no name of a parameter, a count or a projection.
        """
        return {}

    def check(self, values: Values) -> None:
        """Refuse a point that cannot exist, with the admissible range.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Raises
        ------
        ParameterError
            Naming the value, and what is allowed beside the others.
        """

    def refuse(self, said: Sequence[str], question: Question, engine: str) -> None:
        """Refuse combinations of said parameters that mean nothing for a question.

        Parameters
        ----------
        said : sequence of str
            Parameters that were given.
        question : {"power", "mde", "size", "replay"}
        engine : {"auto", "exact", "counts", "full"}
            The engine that was asked for.

        Raises
        ------
        RefusedError
        """

    def spared(self, said: Sequence[str], methods: Sequence[Method]) -> tuple[str, ...]:
        """Return required parameters that nothing depends on, given what was said and which methods are asked for.

        Only the engines exact and counts go without them: single units need every parameter.

        Parameters
        ----------
        said : sequence of str
            Parameters that were given.
        methods : sequence of Method
            The methods asked for.

        Returns
        -------
        tuple of str
        """
        return ()

    def refuse_at(self, said: Sequence[str], values: Values) -> None:
        """Refuse parameters that were said and mean nothing at these values.

        Parameters
        ----------
        said : sequence of str
            Parameters that were given.
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Raises
        ------
        RefusedError
        """

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

    def kernel_functions(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Return the functions of the kernel, imported: (simulate, cases), or (draw, analyse) of a `Sample`.

        Returns
        -------
        tuple of callable

        Raises
        ------
        RequestError
            If there is no kernel, or a function is not where it says.
        """
        if self.kernel is None:
            raise RefusedError(f"{self.name} has no full engine.")
        try:
            return self.kernel.functions()
        except RequestError as error:
            raise RequestError(f"Scenario {self.name}, kernel: {error}") from error

    def replay_units(self, values: Values) -> int:
        """Return the number of rows of a replayed replication.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        int
            The size where a scenario does not say otherwise.
        """
        return int(values[self.size.name]) if self.size else 0

    def work(self, values: Values) -> float:
        """Return what simulating a replication costs, in units: some nanoseconds each.

        Parameters
        ----------
        values : mapping
            Every parameter in force: name → number, or tuple of numbers for a profile.

        Returns
        -------
        float
            Only the length of blocks and the estimate of a plan depend on it, and no number.
        """
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

    @property
    def counted(self) -> bool:
        """Whether a replication is described by counts of classes."""
        return bool(self.blocks) or type(self).blocks_at is not Scenario.blocks_at

    @property
    def fixed_columns(self) -> bool:
        """Whether what a row holds is the same at every design point."""
        own = (type(self).blocks_at, type(self).projections_at)
        return own == (Scenario.blocks_at, Scenario.projections_at)

    @cached_property
    def engines(self) -> tuple[str, ...]:
        """The engines that the declaration gives."""
        exact = ("exact",) if self.counted or self.walk_columns else ()
        return (*exact, *(("counts",) if self.counted else ()), *(("full",) if self.kernel else ()))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names that a projection may combine: the classes, the columns of a walk, or those of the kernel."""
        return columns_of(self, self.blocks)

    @property
    def estimates_effect(self) -> bool:
        """Whether the estimand is on the scale of the effect: no null of another is declared."""
        return self.effect is not None and type(self).null is Scenario.null

    @cached_property
    def measure(self) -> dict[str, Measure]:
        """The scenario's own measures by name."""
        return {measure.name: measure for measure in self.measures}

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
