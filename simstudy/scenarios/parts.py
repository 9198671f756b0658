"""What a declaration is made of: parameters, groups of alternatives, blocks of units, kernels, and methods."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, Protocol

import numpy as np

from simstudy.errors import ParameterError, RefusedError, RequestError, nearest
from simstudy.ranges import as_proportion

Number = int | float
# a list of numbers that belongs together, written 11/13/9
Profile = tuple[Number, ...]
Values = Mapping[str, Any]
Question = Literal["power", "mde", "size", "replay"]
# largest number of units: sums of counts stay far below 2**53
MOST_UNITS = 10**12
# real numbers in integer columns: steps of 2^-40, so that histograms merge exactly in any order
FIXED = 2.0**40
UNDEFINED = -(2**63)


class Reads(Protocol):
    """What can say whether it takes a parameter: a method."""

    def reads(self, name: str) -> bool:
        """Return whether it takes a parameter.

        Parameters
        ----------
        name : str
            Of the parameter.

        Returns
        -------
        bool
        """


@dataclass(frozen=True)
class Parameter:
    """One named number of a scenario.

    Parameters
    ----------
    name, help, unit : str
        Name, one line of help, and unit (``"cases"``, ``"proportion"``, ``"logits"``).
    kind : {"real", "integer", "profile"}
        Type of the value. A profile is a list of whole numbers that belong together, written 11/13/9; it is not swept.
    low, high : float
        Admissible range; of each number of a profile.
    open_low, open_high : bool
        Whether an end of the range is excluded.
    default : number, optional
        Value where nothing is said; None means unset.
    required : bool
        Whether it must be said (unless another alternative of its group is).
    role : {"size", "effect"}, optional
        The parameter a sample-size or an MDE question solves for.
    of_methods : bool
        Whether some methods alone read it, and nothing else depends on it.
    null : float or str, optional
        Value of the effect under the null hypothesis, or the name of the parameter that holds it.
    since : str
        The version that brought the parameter, where points were drawn before it: a point at its default then keeps the
        random numbers that it had without it.
    """

    name: str
    help: str
    unit: str
    kind: Literal["real", "integer", "profile"] = "real"
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    default: Number | Profile | None = None
    required: bool = False
    role: Literal["size", "effect"] | None = None
    null: float | str | None = None
    of_methods: bool = False
    since: str = ""

    @property
    def interval(self) -> str:
        """The admissible range in words."""
        if self.kind == "integer":
            return f"a whole number {self._whole_range}"
        if self.kind == "profile":
            return f"whole numbers {self._whole_range}, written like 11/13/9"
        if math.isinf(self.low) and math.isinf(self.high):
            return "a finite number"
        left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
        return f"a number in {left}{self.low:g}, {self.high:g}{right}"

    @property
    def _whole_range(self) -> str:
        return f"from {self.low:.0f} to {'any size' if math.isinf(self.high) else format(self.high, '.0f')}"

    def read_by(self, methods: Sequence[Reads]) -> bool:
        """Return whether anything depends on the parameter where these methods are asked for.

        Parameters
        ----------
        methods : sequence of Method

        Returns
        -------
        bool
        """
        return not self.of_methods or any(method.reads(self.name) for method in methods)

    def validate(self, value: object) -> Any:
        """Return the value in its proper type.

        Parameters
        ----------
        value : object
            What was given.

        Returns
        -------
        int, float or tuple of int
            The same value as an ``int`` (kind "integer"), a ``float``, or a tuple (kind "profile").

        Raises
        ------
        ParameterError
            If it is no number of this kind or lies outside the range.
        """
        return self._profile(value) if self.kind == "profile" else self._single(value)

    def _profile(self, value: object) -> Profile:
        parts = value.split("/") if isinstance(value, str) else value
        if not isinstance(parts, Sequence) or isinstance(parts, bytes) or not parts:
            parts = [value]
        try:
            numbers = [float(part) if isinstance(part, str) else part for part in parts]
            return tuple(replace(self, kind="integer").validate(number) for number in numbers)
        except (ValueError, ParameterError):
            raise ParameterError(f"{self.name} is {profile_text(value)}; it must be {self.interval}.") from None

    def _single(self, value: object) -> Number:
        number = self._number(value)
        below = number < self.low or (self.open_low and number == self.low)
        above = number > self.high or (self.open_high and number == self.high)
        if not math.isfinite(number) or below or above:
            hint = as_proportion(number, self.low, self.high) if self.unit == "proportion" else ""
            raise ParameterError(f"{self.name} is {value}; it must be {self.interval}.{hint}")
        return number

    def _number(self, value: object) -> Number:
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if isinstance(value, bool | np.bool_) or not (isinstance(value, int | float) or hasattr(value, "__float__")):
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


def profile_text(value: object) -> str:
    """Return a value as it is written: the numbers of a profile with strokes between them.

    Parameters
    ----------
    value : object

    Returns
    -------
    str
        For example ``"11/13/9"``.
    """
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "/".join(str(part) for part in value)
    return str(value)


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
        """Return the function itself, importing its module if need be.

        Returns
        -------
        callable

        Raises
        ------
        RequestError
            If it is not where the name says.
        """
        return _resolve(self.function)


@cache
def _resolve(function: str | Callable[..., Any]) -> Callable[..., Any]:
    """Return a function itself, or refuse a name that is not where the declaration says."""
    if callable(function):
        return function
    path, name = function.split(":")
    try:
        module = importlib.import_module(path)
    except ImportError as error:
        raise RequestError(f"the function '{function}' cannot be imported: {error}.") from error
    resolved = getattr(module, name, None)
    if callable(resolved):
        return resolved  # type: ignore[no-any-return]
    close = nearest(name, [key for key, value in vars(module).items() if callable(value)])
    proposal = f" Did you mean {path}:{close}?" if close else ""
    raise RequestError(f"there is no function '{name}' in the module {path}.{proposal}")


@dataclass(frozen=True)
class Block:
    """Independent units that fall into the same few classes.

    Parameters
    ----------
    size : str
        Parameter, or derived number, that holds the number of units.
    classes : tuple of str
        Names of the classes; the last count follows from the others.
    name : str
        A function that names this among its arguments is given the counts of all classes as one array, shape
        (rows, classes).
    """

    size: str
    classes: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class Kernel:
    """The compiled simulation of a scenario.

    Parameters
    ----------
    simulate : str or callable
        ``simulate(key, first_replication, out, *arguments)`` fills ``out``: int64, (replications, columns).
    columns : tuple of str
        What each column of a row is; the classes of the blocks where empty.
    real : tuple of str
        Columns that hold real numbers in fixed point: the number times `FIXED`, rounded; `UNDEFINED` where undefined.
    selective : bool
        Whether the kernel's first argument after ``out`` is an array of bool, one per column, that says which columns
        are read: it may leave the others alone. No number depends on it.
    cases : str or callable
        ``cases(key, replication, out, *arguments)`` fills ``out``: float64, (units, case_columns), for one replication.
    case_columns : tuple of str
        Columns of the replayed units.
    case_arguments : int, optional
        How many of the kernel's arguments ``cases`` takes; all where not given.
    unit_arguments : int
        How many of the first arguments are numbers of units (2 where two systems have units of their own). Then all
        columns count units, and ``simulate`` takes as many further arguments at its end, 0 by default: the units of
        each kind that it skips. n units are the first n of more, so one pass serves a whole curve over sizes.
        0: every size is simulated by itself.
    """

    simulate: str | Callable[..., Any]
    columns: tuple[str, ...]
    cases: str | Callable[..., Any]
    case_columns: tuple[str, ...]
    case_arguments: int | None = None
    real: tuple[str, ...] = ()
    selective: bool = False
    unit_arguments: int = 0

    def functions(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Return (simulate, cases), imported.

        Returns
        -------
        tuple of callable

        Raises
        ------
        RequestError
            If one is not where its name says.
        """
        return _resolve(self.simulate), _resolve(self.cases)


@dataclass(frozen=True)
class Sample:
    """A simulation in plain NumPy, one replication at a time: draw the units, then analyse them.

    For analyses in which compilation gains nothing: a bootstrap of a rank correlation, say. Every replication has
    generators of its own, addressed by the seed and its number, so that any one can be replayed.

    Parameters
    ----------
    draw : str or callable
        ``draw(generator, values)`` → array of float64, shape (units, case_columns).
    analyse : str or callable
        ``analyse(units, generator, values, alphas)`` → one number per column; NaN where undefined. Its generator is
        another one than that of ``draw``.
    columns : tuple of str
        What each number of a row is.
    case_columns : tuple of str
        Columns of the units.
    real : tuple of str
        Columns that hold real numbers; the others hold whole ones.
    """

    draw: str | Callable[..., Any]
    analyse: str | Callable[..., Any]
    columns: tuple[str, ...]
    case_columns: tuple[str, ...]
    real: tuple[str, ...] = ()

    def functions(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Return (draw, analyse), imported.

        Returns
        -------
        tuple of callable

        Raises
        ------
        RequestError
            If one is not where its name says.
        """
        return _resolve(self.draw), _resolve(self.analyse)


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
