"""What searches share, exact or simulated: answers, why there is none, and where a target is reached for good."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from simstudy.solve.curve import Curve
from simstudy.study.measures import own_target
from simstudy.study.target import Target

UNREACHABLE, OUTSIDE = "unreachable", "outside the range"
# why there is no answer, as it is stored
NOT_REACHED = "no effect reaches the target"
NO_SUCH_EFFECT = "no effect on this side can exist"
NULL_REACHES = "the least effect reaches the target"
AT_NULL = "the effect is the null"
WRONG_SIDE = "the effect lies on the side that the method does not decide for"
MISLED = "the method estimates an effect on the other side of the null"
MISSED = "the largest size misses the target"
LOST_AGAIN = "the target is lost again and again"
UNTOLD = "simulation does not tell whether the target is reached"
READS_FEWER = "the method reads fewer units than the size"


@dataclass(frozen=True)
class Answer:
    """What a question was solved to."""

    # with its 95% Monte Carlo interval, which is equal to it where exact; NaN where there is none
    answer: float
    low: float
    high: float
    # found, unreachable, or outside the range
    status: str
    engine: str = "exact"
    # of each evaluation; 0 where exact
    replications: int = 0
    # first size that reaches the target; NaN where not resolved
    first: float = np.nan
    # smallest and largest size of the range in which every size was checked
    checked: tuple[float, float] = (np.nan, np.nan)
    # why there is no answer; empty where there is one
    reason: str = ""
    # where the search began and where it ended
    searched: tuple[float, float] = (np.nan, np.nan)
    # whether the target is missed at the end of the effects that can exist, though smaller ones reach it
    lost_again: bool = False


def nothing(reason: str, engine: str = "exact", replications: int = 0) -> Answer:
    """Return the answer where there is none, for one of these reasons."""
    status = UNREACHABLE if reason in (NOT_REACHED, NO_SUCH_EFFECT) else OUTSIDE
    return Answer(np.nan, np.nan, np.nan, status, engine, replications, reason=reason)


def no_size(curve: Curve, seen: Mapping[int, bool]) -> str:
    """Return why no size was found, from whether each size that was looked at reaches the target."""
    most = max(seen)
    if any(seen.values()):
        return LOST_AGAIN
    read = curve.units_read(most)
    return READS_FEWER if read is not None and most > read == curve.units_read(most // 2) else MISSED


def hopeless(curve: Curve, size: int) -> str:
    """Return why power stays near the level at any size, where it does; empty where it grows, or is not the target."""
    target = curve.target
    if not target.is_power or target.value < max(0.5, curve.options.levels[0]):
        return ""
    direction = curve.direction(size)
    if direction == 0:
        return AT_NULL
    if not curve.method.decision.sees(direction, curve.options.alternative):
        return WRONG_SIDE
    return MISLED if target.conditions[0].measure.name == "power_right" and _is_misled(curve, size) else ""


def _is_misled(curve: Curve, size: int) -> bool:
    """Return whether the estimator has its mean on the other side of the null than what it aims at."""
    point = curve.point(size)
    own, null = own_target(point, curve.method), point.null
    if own is None or null is None or curve.method.estimand or not curve.method.decision.two_directions:
        return False
    return (own - null) * curve.direction(size) < 0


@dataclass(frozen=True)
class Trust:
    """How far a size has to be confirmed."""

    # ratio of neighbouring sizes while the target is not reached, and while it is being confirmed
    growth: float
    step: float
    # multiple of the last size without the target, or of the least, up to which it is confirmed
    reach: float
    least: int
    # whether reaching it at the end of the range is enough, with no larger size to confirm it
    at_end: bool

    @classmethod
    def in_target(cls, target: Target) -> Trust:
        """Return what a target needs."""
        if not target.of_interval:
            return cls(growth=2.0, step=1.4, reach=2.0, least=1, at_end=True)
        if target.is_rate:
            return cls(growth=1.25, step=1.02, reach=32.0, least=64, at_end=False)
        return cls(growth=1.25, step=1.1, reach=16.0, least=64, at_end=False)


@dataclass(frozen=True)
class Bracket:
    """Sizes between which a target is reached for good."""

    # largest size known not to reach it (low − 1 where there is none), smallest beyond it known to, largest looked at
    lost: int
    reached: int
    confirmed: int


def bracket(
    reaches: Callable[[int], bool],
    low: int,
    high: int,
    trust: Trust,
    costly: Callable[[int], bool],
    relapses: float = math.inf,
) -> Bracket | None:
    """Return sizes between which a target is reached for good; None where it is lost near the end, or too often."""
    # power rises with n but for small teeth; widths and coverages need not: Wald's interval has no width at n = 1, and
    # coverage oscillates; so a size is believed only once larger ones up to a multiple of it have been looked at
    lost, reached, n, relapsed = low - 1, None, low, 0
    while True:
        if reaches(n):
            reached = n if reached is None else reached
        else:
            relapsed += reached is not None
            lost, reached = n, None
        far_enough = n >= trust.reach * max(lost, trust.least) or (n >= 2 * max(lost, 1) and costly(n))
        if reached is not None and (n == high or far_enough):
            return Bracket(lost, reached, n) if far_enough or trust.at_end or n > 2 * lost else None
        if n == high or relapsed > relapses:
            return None
        factor = trust.growth if reached is None else trust.step
        n = min(high, max(n + 1, int(n * factor)))
