"""Why a question has no answer."""

from __future__ import annotations

from collections.abc import Mapping

from simstudy.solve.curve import Curve

UNREACHABLE, OUTSIDE = "unreachable", "outside the range"
# why there is no answer, as it is stored
NOT_REACHED = "no effect reaches the target"
NO_SUCH_EFFECT = "no effect on this side can exist"
NULL_REACHES = "the least effect reaches the target"
AT_NULL = "the effect is the null"
WRONG_SIDE = "the effect lies on the side that the method does not decide for"
MISSED = "the largest size misses the target"
LOST_AGAIN = "the target is lost again and again"
READS_FEWER = "the method reads fewer units than the size"


def no_size(curve: Curve, seen: Mapping[int, bool]) -> str:
    """Return why no size was found.

    Parameters
    ----------
    curve : Curve
    seen : mapping
        Size → whether it reaches the target, for every size that was looked at.

    Returns
    -------
    str
        One of the reasons of this module.
    """
    most = max(seen)
    if any(seen.values()):
        return LOST_AGAIN
    read = curve.units_read(most)
    return READS_FEWER if read is not None and most > read == curve.units_read(most // 2) else MISSED


def hopeless(curve: Curve, size: int) -> str:
    """Return why power stays near the level at any size, where it does.

    Parameters
    ----------
    curve : Curve
        Over sizes.
    size : int
        Any size of the range.

    Returns
    -------
    str
        One of the reasons of this module; empty where power grows with the size, or is not the target.
    """
    target = curve.target
    if not target.is_power or target.value < max(0.5, curve.options.levels[0]):
        return ""
    direction = curve.direction(size)
    if direction == 0:
        return AT_NULL
    return "" if curve.method.decision.sees(direction, curve.options.alternative) else WRONG_SIDE
