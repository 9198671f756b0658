"""What searches share, exact or simulated: answers, why there is none, and where a target is reached for good."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from simstudy.solve.curve import Curve
from simstudy.study.measures import own_target
from simstudy.study.results import IMPOSSIBLE
from simstudy.study.target import Target

UNREACHABLE, OUTSIDE, MISLEADING = "unreachable", "outside the range", "misled"
# why there is no answer, as it is stored
NOT_REACHED = "no effect reaches the target"
NO_SUCH_EFFECT = "no effect on this side can exist"
NULL_REACHES = "the least effect reaches the target"
AT_NULL = "the effect is the null"
WRONG_SIDE = "the effect lies on the side that the method does not decide for"
MISLED = "the method estimates an effect on the other side of the null"
FALSE_ALARM = "the method estimates an effect where there is none"
OFF_TARGET = "the method estimates something else than the truth"
FALLS = "power falls as the size grows"
MISSED = "the largest size misses the target"
LOST_AGAIN = "the target is lost again and again"
UNTOLD = "simulation does not tell whether the target is reached"
CANNOT_BE = "the design point cannot exist"
READS_FEWER = "the method reads fewer units than the size"
# no size helps: errors stand in the way, and more units make the wrong answer surer
MISLEADS = (MISLED, FALSE_ALARM, OFF_TARGET, FALLS)
# of an estimate from the truth, and from the null
APART = 1e-9
# share of its largest value below which power has fallen
FALLEN = 0.5


@dataclass(frozen=True)
class Answer:
    """What a question was solved to."""

    # with its 95% Monte Carlo interval, which is equal to it where exact; NaN where there is none
    answer: float
    low: float
    high: float
    # found, unreachable, outside the range, misled, or impossible
    status: str
    engine: str = "exact"
    # of each evaluation; 0 where exact
    replications: int = 0
    # first size that reaches the target; NaN where not resolved
    first: float = np.nan
    # smallest and largest size of the range in which every size was checked
    checked_from: float = np.nan
    checked_to: float = np.nan
    # why there is no answer, or what is wrong with one; empty where it can be relied on
    reason: str = ""
    # where the search began and where it ended
    searched_from: float = np.nan
    searched_to: float = np.nan
    # whether the target is missed at the end of the effects that can exist, though smaller ones reach it
    lost_again: bool = False
    # how often the method is undefined at the answer; without one, where the target comes nearest
    undefined: float = np.nan


def status_of(reason: str) -> str:
    """Return the status of an answer that is missing for a reason."""
    if reason in MISLEADS:
        return MISLEADING
    if reason == CANNOT_BE:
        return IMPOSSIBLE
    return UNREACHABLE if reason in (NOT_REACHED, NO_SUCH_EFFECT) else OUTSIDE


def nothing(reason: str, engine: str = "exact", replications: int = 0) -> Answer:
    """Return the answer where there is none, for one of these reasons."""
    return Answer(np.nan, np.nan, np.nan, status_of(reason), engine, replications, reason=reason)


def no_size(curve: Curve, seen: Mapping[int, bool], value: Callable[[int], float] | None = None) -> str:
    """Return why no size was found, from whether each size that was looked at reaches the target."""
    # ``value`` gives the values again that were computed before; exact ones where not given
    most = max(seen)
    if any(seen.values()):
        return LOST_AGAIN
    if curve.target.is_power and _falls([(value or (lambda n: float(curve.exact([n])[0])))(n) for n in sorted(seen)]):
        return FALLS
    read = curve.units_read(most)
    return READS_FEWER if read is not None and most > read == curve.units_read(most // 2) else MISSED


def _falls(values: list[float]) -> bool:
    known = [value for value in values if math.isfinite(value)]
    return len(known) > 2 and known[-1] < FALLEN * max(known)


def hopeless(curve: Curve, size: int) -> str:
    """Return why no size can reach a power, where none can; empty where it grows, or is not the target."""
    named = {condition.measure.name: condition.value for condition in curve.target.conditions}
    least = max(0.5, curve.options.levels[0])
    high = any(named.get(name, 0.0) >= least for name in ("power", "power_right"))
    if not (high or "power_wrong" in named):
        return ""
    reason = _by_side(curve, size)
    if reason != MISLED:
        return reason if high else ""
    # rejections on the wrong side are powerful too, where the test looks there
    wrong_side_counts = curve.method.decision.sees(-curve.direction(size), curve.options.alternative)
    return "" if set(named) == {"power"} and wrong_side_counts else MISLED


def _by_side(curve: Curve, size: int) -> str:
    """Return what the sides of the null on which truth and estimates lie say against any size."""
    direction, estimated = curve.direction(size), _estimated_side(curve, size)

    def seen(side: int) -> bool:
        return curve.method.decision.sees(side, curve.options.alternative)

    if direction == 0:
        return FALSE_ALARM if seen(estimated) else AT_NULL
    if not seen(direction):
        return WRONG_SIDE
    return MISLED if estimated * direction < 0 else ""


def reconsidered(curve: Curve, x: float, reason: str) -> str:
    """Return why there is no answer, or what is wrong with one, where errors are the reason; else the reason itself."""
    if curve.target.of_interval and reason and _is_biased(curve, x):
        covers = any(condition.measure.name == "coverage" for condition in curve.target.conditions)
        return OFF_TARGET if covers else reason
    decided = any(condition.measure.name.startswith("power") for condition in curve.target.conditions)
    return MISLED if decided and _estimated_side(curve, x) * curve.direction(x) < 0 else reason


def _estimated_side(curve: Curve, x: float) -> int:
    """Return on which side of the null the mean of a biased estimator lies; 0 at the null, and of one without bias."""
    point, decision = curve.point(x), curve.method.decision
    own, null = own_target(point, curve.method), decision.null_at(point)
    if own is None or null is None or not decision.has_smallest_effect or abs(own - null) <= APART:
        return 0
    return 1 if own > null else -1


def _is_biased(curve: Curve, x: float) -> bool:
    """Return whether the estimator is known to have another mean than what it aims at."""
    point = curve.point(x)
    own = own_target(point, curve.method)
    return own is not None and abs(own - point.target(curve.method)) > APART


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
