"""Where a target is reached for good: the search that exact and simulated sample sizes share.

Power rises with n but for small teeth. Widths and coverages need not: Wald's interval has no width at n = 1, and
coverage oscillates. So a size at which the target is reached is believed only once larger sizes up to a multiple of
it have been looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from simstudy.study.target import Target


@dataclass(frozen=True)
class Trust:
    """How far a size has to be confirmed.

    Attributes
    ----------
    growth : float
        Ratio of neighbouring sizes while the target is not reached.
    step : float
        Ratio of neighbouring sizes while it is being confirmed.
    reach : float
        Multiple of the last size without the target up to which it is confirmed.
    least : int
        The multiple is taken of this size at least.
    at_end : bool
        Whether reaching it at the end of the range is enough, with no larger size to confirm it.
    """

    growth: float
    step: float
    reach: float
    least: int
    at_end: bool

    @classmethod
    def in_target(cls, target: Target) -> Trust:
        """Return what a target needs.

        Parameters
        ----------
        target : Target

        Returns
        -------
        Trust
        """
        if not target.of_interval:
            return cls(growth=2.0, step=1.4, reach=2.0, least=1, at_end=True)
        if target.is_rate:
            return cls(growth=1.25, step=1.02, reach=32.0, least=64, at_end=False)
        return cls(growth=1.25, step=1.1, reach=16.0, least=64, at_end=False)


@dataclass(frozen=True)
class Bracket:
    """Sizes between which a target is reached for good.

    Attributes
    ----------
    lost : int
        Largest size known not to reach it; low − 1 where there is none.
    reached : int
        Smallest size known to reach it among those above ``lost``.
    confirmed : int
        Largest size that was looked at.
    """

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
    """Return sizes between which a target is reached for good.

    Parameters
    ----------
    reaches : callable
        Whether a size reaches the target.
    low, high : int
        Range that is searched.
    trust : Trust
    costly : callable
        Whether a size costs too much for going further than twice the last size without the target.
    relapses : float
        How often the target may be lost again before the search ends.

    Returns
    -------
    Bracket or None
        None where the target is not reached, is still being lost near the end of the range, or was lost too often.
    """
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
