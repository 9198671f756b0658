"""What the statistics share: checks of arguments, broadcasting, tails of the normal and t laws."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from simstudy.errors import ParameterError, UnknownNameError

FloatArray = NDArray[np.float64]
Interval = tuple[FloatArray, FloatArray]

ALTERNATIVES = ("two-sided", "greater", "less")
# Beyond some 1e16 float64 does not tell a count from the next. Sums may be larger; their squares stay finite.
MOST_COUNTED, LARGEST_SUM = 1e16, 1e75
# kinds of arrays that can hold NaN, or a date that is none
MISSABLE = "fcmM"
# Closer to 0 or to 1, the sum ½ + level/2 loses the digits that tell a level from its end.
EXTREME = 1e-6


def check_choice(kind: str, given: object, allowed: Sequence[str]) -> None:
    """Refuse a word that is not one of those allowed."""
    if not isinstance(given, str) or given not in allowed:
        raise UnknownNameError(kind, given if isinstance(given, str) else shown(given), allowed)


def check_alternative(alternative: str) -> None:
    """Refuse an alternative that does not exist."""
    check_choice("alternative", alternative, ALTERNATIVES)


def check_level(level: float) -> float:
    """Return a confidence level as a float, or refuse it."""
    value = single_number(level)
    if not 0.0 < value < 1.0:
        raise ParameterError(
            f"The confidence level is {shown(level)}, and must lie strictly between 0 and 1, for example 0.95."
        )
    return value


def critical_z(level: float) -> float:
    """Return the two-sided normal quantile of a confidence level; positive and finite, whatever the level."""
    share = check_level(level)
    if share < EXTREME:
        return float(math.sqrt(2.0) * special.erfinv(share))
    if share > 1.0 - EXTREME:
        return float(-special.ndtri(0.5 * (1.0 - share)))
    return float(special.ndtri(0.5 + 0.5 * share))


def critical_t(df: FloatArray, level: float) -> FloatArray:
    """Return the two-sided t quantile of a confidence level; finite, whatever the level."""
    share = check_level(level)
    if share > 1.0 - EXTREME:
        return finish(-special.stdtrit(df, 0.5 * (1.0 - share)))
    return finish(special.stdtrit(df, 0.5 + 0.5 * share))


def any_numbers(name: str, value: Any, truth_values: bool = True) -> FloatArray:
    """Return numbers as float64, NaN and infinities among them; refuse what is masked or no number."""
    # NumPy would read the numbers behind a mask, the digits in a text, and the days since 1970 in a date. Truth values
    # are verdicts, labels and differences, but no counts.
    _refuse_masked(name, value)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be a number or an array of numbers; it is {shown(value)}.") from None
    if array.dtype.kind == "O":
        return _from_objects(name, array)
    if array.dtype.kind == "b" and not truth_values:
        raise ParameterError(f"{name} holds truth values, where numbers belong: count them first.")
    if array.dtype.kind not in "biuf":
        raise ParameterError(f"{name} must hold numbers; it holds {shown(_odd_one(value, array))}.")
    return array.astype(np.float64, copy=False)


def _odd_one(value: Any, array: NDArray[Any]) -> Any:
    """Return what is no number, as it was given: NumPy makes texts of the numbers beside a text."""
    if not array.size:
        return value
    given = np.asarray(value, dtype=object).flat if array.dtype.kind in "US" else ()
    return next((item for item in given if not isinstance(item, (numbers.Number, np.bool_))), array.flat[0])


def _refuse_masked(name: str, value: Any) -> None:
    """Refuse masked values, of which NumPy would take what lies behind the mask."""
    if _masked(value):
        raise ParameterError(f"{name} has masked values: leave them out first, for example with .compressed().")


def _masked(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(isinstance(item, (list, tuple, np.ma.MaskedArray)) and _masked(item) for item in value)
    return bool(np.ma.is_masked(value))


def _from_objects(name: str, array: NDArray[Any]) -> FloatArray:
    """Return fractions, decimals and long whole numbers as float64."""
    for item in array.flat:
        if not isinstance(item, (numbers.Real, Decimal)):
            raise ParameterError(f"{name} must hold numbers; it holds {shown(item)}.")
    try:
        return array.astype(np.float64)
    except (OverflowError, ValueError):
        raise ParameterError(f"{name} holds a number that is too large.") from None


def single_number(value: Any) -> float:
    """Return a number given alone as a float, NaN for anything else."""
    try:
        array = any_numbers("", value, truth_values=False)
    except ParameterError:
        return math.nan
    return float(array) if array.ndim == 0 else math.nan


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """Return one whole number between two bounds, as a setting is: a seed, a number of resamples."""
    try:
        number = operator.index(value)
    except TypeError:
        given = single_number(value)
        number = int(given) if given.is_integer() else least - 1
    if isinstance(value, bool) or _masked(value) or not least <= number <= most:
        raise ParameterError(f"{name} is {shown(value)}; it must be a whole number from {least} to {most}.")
    return number


def check_flag(name: str, value: bool) -> None:
    """Refuse what is neither true nor false: "no" would count as yes."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{name} is {shown(value)}; it must be True or False.")


def labels(name: str, value: Any) -> NDArray[Any]:
    """Return names of cases, clusters, groups or categories: any values that can be sorted, none masked or missing."""
    _refuse_masked(name, value)
    try:
        array = np.asarray(value)
        np.sort(array, axis=None)
        whole = array.ndim > 0 and not (array.dtype.kind in MISSABLE and np.isnan(array).any())
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise ParameterError(f"{name} must be a list of words or of numbers, without holes; it is {shown(value)}.")
    return array


def shown(value: Any) -> str:
    """Return a value as a message shows it, cut where it is long."""
    try:
        text = str(value) if isinstance(value, (numbers.Number, np.generic)) else repr(value)
    except ValueError:
        return "a number of more digits than can be written"
    return text if len(text) <= 60 else f"{text[:57]}..."


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
    """Return whole numbers of either sign as broadcast float64 arrays; a truth value is the number 0 or 1."""
    return _whole(given, truth_values=True)


def _whole(given: dict[str, ArrayLike], truth_values: bool) -> tuple[FloatArray, ...]:
    """Return whole numbers as broadcast float64 arrays."""
    arrays = []
    for name, value in given.items():
        array = any_numbers(name, value, truth_values)
        bad = ~(np.isfinite(array) & (np.floor(array) == array))
        if bad.any():
            raise ParameterError(f"{name} must hold whole numbers; it holds {array[bad].flat[0]:g}.")
        check_size(name, array, LARGEST_SUM)
        arrays.append(array)
    return together(arrays, list(given))


def counts(**given: ArrayLike) -> tuple[FloatArray, ...]:
    """Return counts, whole numbers from 0 upward, as broadcast float64 arrays."""
    arrays = _whole(given, truth_values=False)
    for name, array in zip(given, arrays, strict=True):
        if (array < 0).any():
            raise ParameterError(f"{name} must not be negative; it holds {array.min():g}.")
        check_size(name, array, MOST_COUNTED)
    return arrays


def finite_or_missing(name: str, value: ArrayLike) -> FloatArray:
    """Return numbers, NaN where there is none; refuse infinities, which are no missing values."""
    array = any_numbers(name, value)
    if np.isinf(array).any():
        raise ParameterError(f"{name} must hold finite numbers, or NaN where there is none; it holds an infinity.")
    check_size(name, array[~np.isnan(array)], LARGEST_SUM)
    return array


def check_size(name: str, array: FloatArray, most: float) -> None:
    """Refuse numbers too large to compute with."""
    largest = max(array.max(), -array.min()) if array.size else 0.0
    if largest > most:
        raise ParameterError(f"{name} holds {largest:g}; it must not exceed {most:g}.")


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
        array = any_numbers(name, value, truth_values=False)
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
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
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
