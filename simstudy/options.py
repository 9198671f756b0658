"""How a question is answered: level, alternative, engine, precision, seed, threads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any

import numpy as np

from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.ranges import parse_values

ENGINES = ("auto", "exact", "counts", "full")
ALTERNATIVES = ("two-sided", "greater", "less")
REPLICATIONS = 10_000
FIRST_ROUND = 1000
CEILING = 1_024_000
# what the ceiling gives at a rate of one half
SMALLEST_MCSE = 0.0005
LARGEST_SEED = 2**64 - 1
# a p-value that exceeds its level by less than this share does so by rounding: Fisher's 1/20 rejects at 0.05
ROUNDING = 1e-12


@dataclass(frozen=True)
class Options:
    """Everything about a study but its scenario, parameters and methods.

    Attributes
    ----------
    alpha : tuple of float
        Levels of the tests, each in (0, 1).
    alpha_swept : bool
        Whether alpha is a dimension of the result.
    alternative : {"two-sided", "greater", "less"}
        "greater": B better than A.
    engine : {"auto", "exact", "counts", "full"}
    replications : int
        Replications per point of the simulating engines.
    mcse : float or None
        Instead of a fixed number: simulate until the Monte Carlo error is below this.
    seed : int
        64-bit seed.
    threads : int
    common_random_numbers : bool
        Whether design points share their draws (full engine).
    comparisons : int
        Comparisons among which alpha is divided (Bonferroni).
    unusable : float
        Share of units lost to errors or unreadable output, in [0, 1).
    """

    alpha: tuple[float, ...] = (0.05,)
    alpha_swept: bool = False
    alternative: str = "two-sided"
    engine: str = "auto"
    replications: int = REPLICATIONS
    mcse: float | None = None
    seed: int = 1
    threads: int = 1
    common_random_numbers: bool = True
    comparisons: int = 1
    unusable: float = 0.0

    @property
    def levels(self) -> tuple[float, ...]:
        """The level of each single comparison."""
        return tuple(alpha / self.comparisons for alpha in self.alpha)

    @property
    def ladder(self) -> tuple[float, ...]:
        """The levels in ascending order, each once."""
        return tuple(sorted(set(self.levels)))

    def describe(self) -> dict[str, Any]:
        """Return the options that bear on the numbers, as plain values.

        Returns
        -------
        dict
            Without the number of threads, which changes no number.
        """
        plain = asdict(self)
        del plain["threads"], plain["alpha_swept"]
        plain["alpha"] = list(self.alpha) if self.alpha_swept else self.alpha[0]
        return plain


def default_threads() -> int:
    """Return the number of processors this process may use.

    Returns
    -------
    int
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_options(
    *,
    alpha: float | str | Sequence[float] = 0.05,
    alternative: str = "two-sided",
    engine: str = "auto",
    replications: int | None = None,
    mcse: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    common_random_numbers: bool = True,
    comparisons: int = 1,
    unusable: float = 0.0,
) -> Options:
    """Return validated options.

    Parameters
    ----------
    alpha, alternative, engine, replications, mcse, seed, threads, common_random_numbers, comparisons, unusable
        See `Options`.

    Returns
    -------
    Options

    Raises
    ------
    ParameterError, UnknownNameError, RefusedError
        For a value outside its range, an unknown name, or replications together with mcse.
    """
    asked: object = parse_values("alpha", alpha) if isinstance(alpha, str) else alpha
    swept = isinstance(asked, Sequence | np.ndarray)
    given = list(asked) if isinstance(asked, Sequence | np.ndarray) else [asked]
    if not given:
        raise ParameterError("alpha is an empty list; give at least one level in (0, 1).")
    levels = tuple(
        _within("alpha", level, 0.0, 1.0, "a number in (0, 1)", open_low=True, open_high=True) for level in given
    )
    for kind, name, allowed in (("engine", engine, ENGINES), ("alternative", alternative, ALTERNATIVES)):
        if name not in allowed:
            raise UnknownNameError(kind, str(name), allowed)
    if replications is not None and mcse is not None:
        raise RefusedError("replications and mcse cannot be given together: mcse decides the number of replications.")
    if mcse is not None:
        reachable = f"a number in [{SMALLEST_MCSE}, 0.5), since at most {CEILING:,} replications are made"
        _within("mcse", mcse, SMALLEST_MCSE, 0.5, reachable, open_high=True)
    if not isinstance(common_random_numbers, bool):
        raise ParameterError(f"common_random_numbers is {common_random_numbers!r}; it must be true or false.")
    return Options(
        alpha=levels,
        alpha_swept=swept,
        alternative=alternative,
        engine=engine,
        replications=_whole("replications", REPLICATIONS if replications is None else replications, 1, 2**31 - 1),
        mcse=mcse,
        seed=_whole("seed", seed, 0, LARGEST_SEED),
        threads=_whole("threads", default_threads() if threads is None else threads, 1, 1024),
        common_random_numbers=bool(common_random_numbers),
        comparisons=_whole("comparisons", comparisons, 1, 10**6),
        unusable=_within("unusable", unusable, 0.0, 1.0, "a number in [0, 1)", open_high=True),
    )


def _within(
    name: str, value: Any, low: float, high: float, allowed: str, open_low: bool = False, open_high: bool = False
) -> float:
    inside = _is_number(value) and low <= value <= high
    if not inside or (open_low and value == low) or (open_high and value == high):
        raise ParameterError(f"{name} is {value!r}; it must be {allowed}.")
    return float(value)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if not _is_number(value) or not low <= value <= high or value != int(value):
        raise ParameterError(f"{name} is {value!r}; it must be a whole number from {low} to {high}.")
    return int(value)
