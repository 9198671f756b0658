"""Solving on exact curves."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from simstudy.solve.curve import Curve
from simstudy.solve.search import NOT_REACHED, NULL_REACHES, Answer, Bracket, Trust, bracket, no_size, nothing
from simstudy.stats._roots import bracketed_roots

# fraction of the admissible range that is kept away from its ends
EDGE = 1e-9
# width of the bracket at which an effect is taken as found
PRECISION = 1e-9
SCAN = 33
REFINEMENTS = 3
# seconds that the search around a sample size may take for one setting and method
BUDGET = 1.0
GROWTHS = 3
# how often a search begins anew beyond sizes at which the target turned out to be lost
RESTARTS = 8


def solve_effect(curve: Curve, null: float, end: float) -> Answer:
    """Return the smallest effect between the null and an open end of its range that reaches the target."""
    from scipy.special import ndtri  # late: start-up

    last = end - EDGE * (end - null)
    start, stop = null, last
    to_the_end = bool(curve.reached(curve.exact([stop]))[0])
    if not to_the_end:
        found = _rise(curve, null, last)
        if found is None:
            return nothing(NOT_REACHED)
        start, stop = found
    # at the null itself no direction is right, so power_right is looked at beside it
    if curve.reached(curve.exact([start, start + EDGE * (end - start)])).any():
        return nothing(NULL_REACHES)

    def gap(x: NDArray[np.float64], _: NDArray[np.intp]) -> NDArray[np.float64]:
        # power is nearly linear on the probit scale, which saves evaluations; undefined counts as none
        power = np.nan_to_num(curve.exact(x), nan=0.0)
        distance: NDArray[np.float64] = ndtri(np.clip(power, 1e-12, 1.0 - 1e-12)) - ndtri(curve.target.value)
        return distance

    root = float(bracketed_roots(gap, np.array([start]), np.array([stop]), PRECISION)[0])
    return Answer(root, root, root, "found", lost_again=not to_the_end)


def _rise(curve: Curve, null: float, last: float) -> tuple[float, float] | None:
    """Return neighbours on a grid between which the target is first reached, on ever finer grids around the best."""
    low, high = null, last
    for _ in range(REFINEMENTS):
        grid = low + (high - low) * np.linspace(0.0, 1.0, SCAN)
        values = curve.exact(grid)
        hits = np.flatnonzero(curve.reached(values))
        if len(hits):
            return float(grid[max(0, hits[0] - 1)]), float(grid[hits[0]])
        best = int(np.argmax(np.nan_to_num(values, nan=0.0)))
        low, high = float(grid[max(0, best - 1)]), float(grid[min(SCAN - 1, best + 1)])
    return None


def solve_size(curve: Curve, low: int, high: int) -> Answer:
    """Return the size from which the target is never lost again, and the first that reaches it."""
    start = low
    seen: dict[int, bool] = {}

    def reaches(n: int) -> bool:
        seen[n] = bool(curve.reached(curve.exact([n]))[0])
        return seen[n]

    for _ in range(RESTARTS):
        found = bracket(
            reaches,
            start,
            high,
            Trust.in_target(curve.target),
            lambda n: curve.seconds(n) > BUDGET / 4,
        )
        if found is None:
            break
        answer = _scan(curve, _crossing(curve, found), low, high)
        if answer is not None:
            return answer
        start = found.reached + 1
    return dataclasses.replace(nothing(no_size(curve, seen)), searched_from=float(low), searched_to=float(max(seen)))


def _crossing(curve: Curve, found: Bracket) -> int:
    """Return a size that reaches the target while the one before does not, by interpolation and bisection."""
    lost, reached = found.lost, found.reached
    halve = False
    while reached - lost > 1:
        width = reached - lost
        guess = (lost + reached) // 2 if halve or lost < 1 else _interpolated(curve, lost, reached)
        guess = min(max(guess, lost + 1), reached - 1)
        if curve.reached(curve.exact([guess]))[0]:
            reached = guess
        else:
            lost = guess
        # interpolation that does not shorten the bracket by half is followed by a bisection
        halve = not halve and reached - lost > width // 2
    return reached


def _interpolated(curve: Curve, lost: int, reached: int) -> int:
    """Return where the straightened curve would meet the target between two sizes."""
    rate = curve.target.is_rate
    a, b = (math.sqrt(n) if rate else math.log(n) for n in (lost, reached))
    low, high, aim = (_straight(value, rate) for value in (*curve.exact([lost, reached]), curve.target.value))
    if not math.isfinite(low) or high == low:
        return (lost + reached) // 2
    u = a + (aim - low) / (high - low) * (b - a)
    return round(u * u if rate else math.exp(u))


def _straight(value: float, rate: bool) -> float:
    from scipy.special import ndtri  # late: start-up

    if rate:
        return float(ndtri(min(max(value, 1e-12), 1.0 - 1e-12)))
    return math.log(value) if value > 0 else math.nan


def _scan(curve: Curve, crossing: int, low: int, high: int) -> Answer | None:
    """Look at every size around a crossing, and further where the teeth of the curve reach further."""
    # None where the target is still being lost at the end of what could be looked at
    affordable = BUDGET / curve.seconds(crossing)
    width = max(1, int(min(0.15 * crossing + 40, affordable / 2)))
    start, stop = max(low, crossing - width), min(high, crossing + width)
    known: dict[int, bool] = {}
    while True:
        missing = np.array([n for n in range(start, stop + 1) if n not in known], np.int64)
        if len(missing):
            known.update(zip(missing.tolist(), curve.reached(curve.exact(missing)).tolist(), strict=True))
        lost = max((n for n, ok in known.items() if not ok), default=start - 1)
        first = min(n for n, ok in known.items() if ok)
        grow_down = first == start and start > low
        grow_up = lost > stop - width // 2 and stop < high
        if not (grow_down or grow_up) or len(known) >= affordable * GROWTHS:
            break
        start, stop = max(low, start - width * grow_down), min(high, stop + width * grow_up)
    if lost >= stop or (lost > stop - width // 2 and lost > crossing):
        return None
    answer = float(lost + 1)
    return Answer(
        answer, answer, answer, "found", first=float(first), checked_from=float(start), checked_to=float(stop)
    )
