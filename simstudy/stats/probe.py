"""What a bias probe can say: seen, not seen although it would have been, or out of its sight.

A probe counts units that speak against a bias and units that speak for it: contradictions toward the second and toward
the first position, or (pair, order) units in which only a third-party judge, or only the own judge, picks the own
system. Given their total m the second count is binomial, with ½ under no bias.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, shown, single_number, whole_number
from simstudy.stats._roots import Indices, bracketed_roots
from simstudy.stats.mcnemar import mcnemar_exact, mcnemar_midp
from simstudy.stats.proportions import clopper_pearson, midp_proportion

Answer = Literal["seen", "not seen", "could not be seen"]
TESTS = {"midp": (mcnemar_midp, midp_proportion), "exact": (mcnemar_exact, clopper_pearson)}
# log-odds that no probe of a size that fits a computer tells from certainty
FURTHEST = 40.0
PRECISION = 1e-10
# 1 − alpha has to be told from 1; counts have to be told from their neighbours
LEAST_ALPHA, MOST_TELLING = 1e-15, 10**15


@dataclass(frozen=True)
class BiasProbe:
    """The answer of a probe, and the smallest bias that it would have seen.

    Attributes
    ----------
    answer : {"seen", "not seen", "could not be seen"}
        The test rejects; it does not, though some outcome with as many telling units would have made it; none would.
    p_value : float
    log_odds, low, high : float
        log((for + ½)/(against + ½)) and the limits that belong to the test; NaN without a telling unit, infinite where
        all units speak one way.
    total : int
        Telling units, m.
    smallest : float
        Smallest log-odds, of either sign, that m telling units show with the target power; infinite where none is, 0
        where the test's own size is above the power.
    needed : int
        Smallest number of telling units with which the test can reject at all.
    """

    answer: Answer
    p_value: float
    log_odds: float
    low: float
    high: float
    total: int
    smallest: float
    needed: int


def bias_probe(*, against: int, toward: int, test: str = "midp", alpha: float = 0.05, power: float = 0.8) -> BiasProbe:
    """Return what a count of telling units says of a bias.

    Parameters
    ----------
    against, toward : int
        Units that speak against and for a bias in the positive direction.
    test : {"midp", "exact"}
        Two-sided binomial test of ½, with its own interval.
    alpha : float in (0, 1)
        Level.
    power : float in (alpha, 1)
        Probability from which an effect counts as one that would have been seen.

    Returns
    -------
    BiasProbe
        In log-odds: the bonus of self-preference itself, and twice the beta of a position bias.

    Raises
    ------
    ParameterError
        For counts below 0 or not whole, an unknown test, a level outside (0, 1), or a power outside (alpha, 1).

    Notes
    -----
    The smallest log-odds is conditional on the total m, which a probe knows only afterwards; `simstudy mde` averages
    over it.

    Examples
    --------
    >>> from simstudy.stats import bias_probe
    >>> bias_probe(against=1, toward=3).answer
    'could not be seen'
    """
    against = whole_number("against", against, 0, MOST_TELLING)
    toward = whole_number("toward", toward, 0, MOST_TELLING)
    size = single_number(alpha)
    if not LEAST_ALPHA <= size < 1.0:
        raise ParameterError(f"alpha is {shown(alpha)}; the level must be a number from {LEAST_ALPHA:g} to below 1.")
    if not isinstance(test, str) or test not in TESTS:
        raise ParameterError(f"test is {shown(test)}; it must be midp or exact.")
    wanted = single_number(power)
    if not size < wanted < 1.0:
        raise ParameterError(f"power is {shown(power)}; it must be a number in (alpha, 1) = ({size:g}, 1).")
    p_value, interval = TESTS[test]
    total = against + toward
    p = float(p_value(against, toward))
    low, high = (float(limit) for limit in interval(toward, total, 1.0 - size))
    critical = _critical(total, test, size)
    answer: Answer = "seen" if p <= size else "not seen" if critical <= total else "could not be seen"
    return BiasProbe(
        answer=answer,
        p_value=p,
        log_odds=math.log((toward + 0.5) / (against + 0.5)) if total else math.nan,
        low=float(special.logit(low)),
        high=float(special.logit(high)),
        total=total,
        smallest=_smallest(total, critical, wanted),
        needed=_needed(test, size),
    )


def _critical(total: int, test: str, alpha: float) -> int:
    """Return the smallest count for a bias that rejects; total + 1 where none does."""
    p_value, _ = TESTS[test]
    low, high = total // 2, total + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if p_value(total - middle, middle) <= alpha else (middle, high)
    return high


def _needed(test: str, alpha: float) -> int:
    total = 1
    while _critical(total, test, alpha) > total:
        total += 1
    return total


def _smallest(total: int, critical: int, power: float) -> float:
    """Return the log-odds at which either tail beyond the critical value has the power."""
    if critical > total:
        return math.inf

    def gap(log_odds: FloatArray, _: Indices) -> FloatArray:
        share = special.expit(log_odds)
        # binomial tails as incomplete beta functions: SciPy's own take no more than 2**31 trials
        above = special.betainc(critical, total - critical + 1, share)
        below = special.betaincc(total - critical + 1, critical, share)
        return np.asarray(above + below - power, np.float64)

    if gap(np.zeros(1), np.zeros(1, np.intp))[0] >= 0.0:
        return 0.0
    return float(bracketed_roots(gap, np.zeros(1), np.full(1, FURTHEST), PRECISION)[0])
