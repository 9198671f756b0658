"""What is asked of a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simstudy.errors import ParameterError


@dataclass(frozen=True)
class Question:
    """What is asked of a comparison.

    Parameters
    ----------
    alpha : float
        Two-sided level of tests; claims about a margin are one-sided at it.
    level : float
        Confidence level.
    power : float
        Power of the smallest difference seen and of the cases needed.
    differences : tuple of float
        Differences to plan for; empty: 5 and 10 points, of scores .2 and .5 standard deviations.
    margin : float or None
        A loss that would still be accepted.
    lower_is_better : bool
        Direction of the values.
    seed, draws : int
        Of the posterior of the cells, and of resamples.
    """

    alpha: float = 0.05
    level: float = 0.95
    power: float = 0.8
    differences: tuple[float, ...] = ()
    margin: float | None = None
    lower_is_better: bool = False
    seed: int = 1
    draws: int = 2000


def check(question: Question) -> None:
    """Refuse settings that mean nothing."""
    if not 0 < question.alpha < 1:
        raise ParameterError(f"alpha is {question.alpha:g}; it must lie strictly between 0 and 1.")
    if not 0 < question.level < 1:
        raise ParameterError(f"level is {question.level:g}; it must lie strictly between 0 and 1.")
    if not question.alpha < question.power < 1:
        raise ParameterError(f"target is {question.power:g}; power must lie between alpha and 1.")
    if question.margin is not None and not (math.isfinite(question.margin) and question.margin > 0):
        raise ParameterError(f"margin is {question.margin:g}; it must be above 0.")
    for size in question.differences:
        if not (math.isfinite(size) and size != 0):
            raise ParameterError(f"difference is {size:g}; it must be a finite number other than 0.")
