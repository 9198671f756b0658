"""Properties that every sound paired test, paired interval or interval of a proportion has.

Each check runs Hypothesis on a function of one's own and raises an AssertionError with the smallest counter-example.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from simstudy.testing._hypothesis import load
from simstudy.testing.strategies import levels, paired_counts, proportion_counts

TestOfCounts = Callable[[int, int, int, int], Any]
IntervalOfCounts = Callable[[int, int, int, int, float], Any]
IntervalOfProportion = Callable[[int, int, float], Any]
# rounding of a p-value or a limit; far below anything that a decision could depend on
ROUNDING = 1e-9

hypothesis = load("hypothesis")


def check_paired_test(p_value: TestOfCounts, max_cases: int = 100, max_examples: int = 200) -> None:
    """Check a two-sided paired test: its range, and that it does not change where A and B are swapped.

    Parameters
    ----------
    p_value : callable
        ``p_value(n10, n01, n11, n00)`` → p; NaN means undefined.
    max_cases : int
        Largest number of cases that is tried.
    max_examples : int
        How many tables are tried.

    Raises
    ------
    AssertionError
        With the smallest table that breaks a property: p outside [0, 1]; another p after swapping A and B; a rejection
        at 0.05 without any discordant case.

    Examples
    --------
    >>> from simstudy.stats import mcnemar_midp
    >>> from simstudy.testing import check_paired_test
    >>> check_paired_test(lambda n10, n01, n11, n00: mcnemar_midp(n10, n01))
    """

    def properties(table: tuple[int, int, int, int]) -> None:
        n10, n01, n11, n00 = table
        p, swapped = float(p_value(n10, n01, n11, n00)), float(p_value(n01, n10, n11, n00))
        _demand(math.isnan(p) or 0.0 <= p <= 1.0, f"p = {p} of {table} lies outside [0, 1]")
        _demand(_same(p, swapped), f"p = {p} of {table} becomes {swapped} where A and B are swapped")
        _demand(n10 + n01 > 0 or not p <= 0.05, f"p = {p} of {table}, which has no discordant case")

    _run(properties, paired_counts(max_cases), max_examples=max_examples)


def check_paired_interval(interval: IntervalOfCounts, max_cases: int = 100, max_examples: int = 200) -> None:
    """Check an interval of the paired difference B − A.

    Parameters
    ----------
    interval : callable
        ``interval(n10, n01, n11, n00, level)`` → (low, high); NaN means undefined.
    max_cases : int
        Largest number of cases that is tried.
    max_examples : int
        How many tables are tried.

    Raises
    ------
    AssertionError
        With the smallest table that breaks a property: a limit outside [−1, 1]; low above high; limits that do not
        change sign where A and B are swapped; an interval that does not hold the observed difference or does not
        grow with the level.

    Notes
    -----
    Asked for at levels of 0.5 and above. Intervals that shrink toward the middle, such as that of Bonett and Price,
    need not hold an observed difference at the edge of its range: tables where one system alone is right on every
    case are left out of that property.
    """

    def properties(table: tuple[int, int, int, int], level: float) -> None:
        n10, n01, n11, n00 = table
        n = sum(table)
        low, high = _limits(interval(n10, n01, n11, n00, level))
        if math.isnan(low) or math.isnan(high):
            return
        _demand(-1.0 - ROUNDING <= low <= high + ROUNDING, f"limits {low}, {high} of {table} at level {level}")
        _demand(high <= 1.0 + ROUNDING, f"limits {low}, {high} of {table} at level {level}")
        back = _limits(interval(n01, n10, n11, n00, level))
        turned = _same(low, -back[1]) and _same(high, -back[0])
        _demand(turned, f"limits {low}, {high} of {table} become {back} where A and B are swapped")
        estimate = (n01 - n10) / n
        inside = low - ROUNDING <= estimate <= high + ROUNDING or max(n10, n01) == n
        _demand(inside, f"limits {low}, {high} of {table} at level {level} do not hold the estimate {estimate}")
        wider = _limits(interval(n10, n01, n11, n00, 0.5 + level / 2))
        grown = wider[0] <= low + ROUNDING and wider[1] >= high - ROUNDING
        _demand(grown, f"limits {low}, {high} of {table} at level {level} are not within {wider} at a higher level")

    _run(properties, paired_counts(max_cases), levels(), max_examples=max_examples)


def check_proportion_interval(interval: IntervalOfProportion, max_cases: int = 200, max_examples: int = 200) -> None:
    """Check an interval of one proportion.

    Parameters
    ----------
    interval : callable
        ``interval(x, n, level)`` → (low, high); NaN means undefined.
    max_cases : int
        Largest number of cases that is tried.
    max_examples : int
        How many counts are tried.

    Raises
    ------
    AssertionError
        With the smallest count that breaks a property: a limit outside [0, 1]; low above high; limits that are not
        mirrored where right and wrong are swapped; an interval that does not grow with the level.
    """

    def properties(counts: tuple[int, int], level: float) -> None:
        x, n = counts
        low, high = _limits(interval(x, n, level))
        if math.isnan(low) or math.isnan(high):
            return
        inside = -ROUNDING <= low <= high + ROUNDING and high <= 1.0 + ROUNDING
        _demand(inside, f"limits {low}, {high} of {x} of {n} at level {level}")
        back = _limits(interval(n - x, n, level))
        mirrored = _same(low, 1.0 - back[1]) and _same(high, 1.0 - back[0])
        _demand(mirrored, f"limits {low}, {high} of {x} of {n} become {back} for {n - x} of {n}")
        wider = _limits(interval(x, n, 0.5 + level / 2))
        grown = wider[0] <= low + ROUNDING and wider[1] >= high - ROUNDING
        _demand(grown, f"limits {low}, {high} of {x} of {n} at level {level} are not within {wider} at a higher level")

    _run(properties, proportion_counts(max_cases), levels(), max_examples=max_examples)


def _demand(holds: bool, otherwise: str) -> None:
    # no assert statement: those vanish under python -O
    if not holds:
        raise AssertionError(otherwise)


def _same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= ROUNDING


def _limits(pair: Any) -> tuple[float, float]:
    low, high = np.asarray(pair, np.float64)
    return float(low), float(high)


def _run(properties: Callable[..., None], *strategies: Any, max_examples: int) -> None:
    """Run a property. The examples are the same at every call, so that a check passes always or never."""
    settings = hypothesis.settings(
        max_examples=max_examples,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    settings(hypothesis.given(*strategies)(properties))()
