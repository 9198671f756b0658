"""Why a question has no answer."""

from __future__ import annotations

from collections.abc import Mapping

from simstudy.solve.curve import Curve
from simstudy.study.measures import own_target

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
