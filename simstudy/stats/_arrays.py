"""What the statistics share: checks of arguments, broadcasting, tails of the normal and t laws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from simstudy.errors import ParameterError, UnknownNameError

FloatArray = NDArray[np.float64]
Interval = tuple[FloatArray, FloatArray]

ALTERNATIVES = ("two-sided", "greater", "less")


def check_alternative(alternative: str) -> None:
    """Refuse an alternative that does not exist."""
    if alternative not in ALTERNATIVES:
        raise UnknownNameError("alternative", str(alternative), ALTERNATIVES)


def check_level(level: float) -> float:
    """Return a confidence level as a float, or refuse it."""
    value = float(level)
    if not 0.0 < value < 1.0:
        raise ParameterError(
            f"The confidence level is {level}, and must lie strictly between 0 and 1, for example 0.95."
        )
    return value


def critical_z(level: float) -> float:
    """Return the two-sided normal quantile of a confidence level."""
    return float(special.ndtri(0.5 + 0.5 * check_level(level)))


def together(arrays: Sequence[FloatArray], names: Sequence[str]) -> tuple[FloatArray, ...]:
    """Broadcast arrays, naming their shapes where they do not fit together."""
    try:
        return tuple(np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays, strict=True))
        raise ParameterError(
            f"The shapes do not broadcast together: {shapes}. Give single numbers or arrays of one shape."
        ) from None


def whole_numbers(**given: ArrayLike) -> tuple[FloatArray, ...]:
    """Return whole numbers of either sign as broadcast float64 arrays."""
    arrays = []
    for name, value in given.items():
        array = np.asarray(value, dtype=np.float64)
        bad = ~(np.isfinite(array) & (np.floor(array) == array))
        if bad.any():
            raise ParameterError(f"{name} must hold whole numbers; it holds {array[bad].flat[0]:g}.")
        arrays.append(array)
    return together(arrays, list(given))


def counts(**given: ArrayLike) -> tuple[FloatArray, ...]:
    """Return counts, whole numbers from 0 upward, as broadcast float64 arrays."""
    arrays = whole_numbers(**given)
    for name, array in zip(given, arrays, strict=True):
        if (array < 0).any():
            raise ParameterError(f"{name} must not be negative; it holds {array.min():g}.")
    return arrays


def check_part(part: FloatArray, whole: FloatArray, part_name: str, whole_name: str) -> None:
    """Refuse a part that is larger than its whole."""
    over = part > whole
    if over.any():
        raise ParameterError(
            f"{part_name} must not exceed {whole_name}; {part[over].flat[0]:g} of {whole[over].flat[0]:g} was given."
        )


def discordant(n10: ArrayLike, n01: ArrayLike, n: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return checked discordant counts and the number of cases."""
    only_a, only_b, size = counts(n10=n10, n01=n01, n=n)
    check_part(only_a + only_b, size, "n10 + n01", "n")
    return only_a, only_b, size


def bounded(low: float, high: float, open_ends: bool = False, **given: ArrayLike) -> tuple[FloatArray, ...]:
    """Return numbers between two bounds as broadcast float64 arrays."""
    arrays = []
    for name, value in given.items():
        array = np.asarray(value, dtype=np.float64)
        inside = (array > low) & (array < high) if open_ends else (array >= low) & (array <= high)
        if not inside.all():
            ends = "strictly between" if open_ends else "between"
            raise ParameterError(f"{name} must lie {ends} {low:g} and {high:g}; it holds {array[~inside].flat[0]:g}.")
        arrays.append(array)
    return together(arrays, list(given))


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> FloatArray:
    """Divide, giving NaN wherever the denominator is not positive."""
    top = np.asarray(numerator, dtype=np.float64)
    bottom = np.asarray(denominator, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1.0), np.nan)


def normal_p(z: FloatArray, alternative: str) -> FloatArray:
    """Return the p-value of a standard normal statistic; NaN stays NaN."""
    check_alternative(alternative)
    if alternative == "greater":
        p = special.ndtr(-z)
    elif alternative == "less":
        p = special.ndtr(z)
    else:
        p = 2.0 * special.ndtr(-np.abs(z))
    return finish(p)


def student_p(t: FloatArray, df: FloatArray, alternative: str) -> FloatArray:
    """Return the p-value of a t statistic; NaN stays NaN."""
    check_alternative(alternative)
    if alternative == "greater":
        p = special.stdtr(df, -t)
    elif alternative == "less":
        p = special.stdtr(df, t)
    else:
        p = 2.0 * special.stdtr(df, -np.abs(t))
    return finish(p)


def finish(value: Any) -> FloatArray:
    """Return float64: an array, or a scalar where the shape is ()."""
    answer: FloatArray = np.asarray(value, dtype=np.float64)[()]
    return answer


def finish_interval(low: Any, high: Any) -> Interval:
    """Return the two limits as float64."""
    return finish(low), finish(high)


def grouped(labels: NDArray[np.intp]) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield each label, a number from 0 upward, with the positions that bear it."""
    order = np.argsort(labels, kind="stable")
    edges = np.flatnonzero(np.diff(labels[order], prepend=-1, append=-1))
    for start, stop in pairwise(edges):
        yield int(labels[order[start]]), order[start:stop]
