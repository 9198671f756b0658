"""Ship B if it wins enough pairs: the exact test of its wins, its win rate, and the rule that asks for both.

Wins and losses are those of B among decisive pairs; pairs without a winner count as neither. One unit is one pair: two
readings of a pair in both orders share the pair, and are no two trials.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    any_numbers,
    bounded,
    check_part,
    counts,
    finish,
    ratio,
    single_number,
    together,
)
from simstudy.stats.mcnemar import mcnemar_exact
from simstudy.stats.proportions import clopper_pearson

ALPHA = 0.05
MIN_WIN_RATE = 0.55
# p-values of ½ carry some 1e-14, and a level such as .25 can be met exactly
P_ROUNDING = 1e-12
# shares of fewer than 1e10 pairs that differ from a bound of two digits differ by more
RATE_ROUNDING = 1e-12

Part = Literal["test", "rate"]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Adoption:
    """What the adoption rule says of one count of wins and losses.

    Attributes
    ----------
    adopt : bool
        The test rejects, and the win rate reaches its bound.
    wins, losses : int
        Decisive pairs that B won and lost.
    p_value : float
        One-sided exact binomial p-value of the wins; 1 where nothing is decisive.
    test_rejects : bool
        p_value ≤ alpha.
    win_rate, low, high : float
        Share of the decisive pairs that B won, with Clopper and Pearson's limits at level 1 − 2·alpha: the test rejects
        where the lower one is at least ½. NaN where nothing is decisive; no limits from alpha ½ on.
    rate_reached : bool
        win_rate ≥ min_win_rate; False where nothing is decisive.
    blocked_by : tuple of {"test", "rate"}
        The parts that said no; empty where B is adopted.
    needed_by_test, needed_by_rate : int or None
        Smallest number of wins, of as many decisive pairs, with which each part says yes; None where none does.
    alpha, min_win_rate : float
        The rule.
    """

    adopt: bool
    wins: int
    losses: int
    p_value: float
    test_rejects: bool
    win_rate: float
    low: float
    high: float
    rate_reached: bool
    blocked_by: tuple[Part, ...]
    needed_by_test: int | None
    needed_by_rate: int | None
    alpha: float
    min_win_rate: float


def decisive_win_rate(wins: ArrayLike, losses: ArrayLike) -> FloatArray:
    """Return the share of the decisive pairs that B won.

    Parameters
    ----------
    wins, losses : array_like of int
        Decisive pairs that B won and lost.

    Returns
    -------
    ndarray or float64
        wins/(wins + losses) in [0, 1]; NaN without a decisive pair.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, or the shapes do not broadcast.
    """
    won, lost = counts(wins=wins, losses=losses)
    return finish(ratio(won, won + lost))


def decisive_share(wins: ArrayLike, losses: ArrayLike, trials: ArrayLike) -> FloatArray:
    """Return the share of the pairs, or of other trials, that have a winner.

    Parameters
    ----------
    wins, losses : array_like of int
        Decisive pairs that B won and lost.
    trials : array_like of int
        All pairs, or trials, those without a winner included.

    Returns
    -------
    ndarray or float64
        (wins + losses)/trials in [0, 1]; NaN without a pair.

    Raises
    ------
    ParameterError
        Where the counts are impossible: give all of them as `trials`, not the decisive ones.
    """
    won, lost, pairs = counts(wins=wins, losses=losses, trials=trials)
    check_part(won + lost, pairs, "wins + losses", "trials")
    return finish(ratio(won + lost, pairs))


def win_rate_exact_p(wins: ArrayLike, losses: ArrayLike, alternative: str = "greater") -> FloatArray:
    """Return the p-value of the exact binomial test that B wins half of the decisive pairs.

    Parameters
    ----------
    wins, losses : array_like of int
        Decisive pairs that B won and lost.
    alternative : {"greater", "less", "two-sided"}
        ``"greater"``: B wins more than half.

    Returns
    -------
    ndarray or float64
        P(X ≥ wins) with X ~ Bin(wins + losses, ½), the other tail, or twice the smaller tail, at most 1.

    Raises
    ------
    ParameterError, UnknownNameError
        Where a count is negative or not whole; where the alternative does not exist.

    Notes
    -----
    Defined without any decisive pair: p = 1. It is the exact McNemar test with the wins as cases that only B got
    right; here the default is one-sided.

    References
    ----------
    Conover (1999), Practical Nonparametric Statistics, 3rd edition, section 3.4 (the sign test).
    """
    won, lost = counts(wins=wins, losses=losses)
    return mcnemar_exact(lost, won, alternative)


def win_rate_interval(wins: ArrayLike, losses: ArrayLike, level: float = 0.95) -> Interval:
    """Return the exact interval of the win rate among decisive pairs.

    Parameters
    ----------
    wins, losses : array_like of int
        Decisive pairs that B won and lost.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Clopper and Pearson's limits in [0, 1]; NaN without a decisive pair.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    The number of decisive pairs is taken as given. At level 1 − 2·alpha, `low` is at least ½ where the one-sided test
    rejects at alpha.

    References
    ----------
    Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.
    """
    won, lost = counts(wins=wins, losses=losses)
    return clopper_pearson(won, won + lost, level)


def win_rate_reached(wins: ArrayLike, losses: ArrayLike, min_win_rate: ArrayLike = MIN_WIN_RATE) -> BoolArray:
    """Tell whether the win rate among decisive pairs reaches a bound.

    Parameters
    ----------
    wins, losses : array_like of int
        Decisive pairs that B won and lost.
    min_win_rate : array_like of float in [0, 1]
        The bound; a rate that equals it reaches it (11 of 20 reach .55).

    Returns
    -------
    ndarray of bool or bool_
        False without a decisive pair.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, the bound lies outside [0, 1], or the shapes do not broadcast.
    """
    won, lost = counts(wins=wins, losses=losses)
    (bound,) = bounded(0.0, 1.0, min_win_rate=min_win_rate)
    won, lost, bound = together((won, lost, bound), ("wins", "losses", "min_win_rate"))
    # NaN, no rate at all, reaches nothing
    answer: BoolArray = np.asarray(ratio(won, won + lost) >= bound - RATE_ROUNDING)[()]
    return answer


def adoption_p(
    wins: ArrayLike, losses: ArrayLike, min_win_rate: ArrayLike = MIN_WIN_RATE, alternative: str = "greater"
) -> FloatArray:
    """Return the p-value of the rule: at most alpha where the test rejects and the win rate reaches its bound.

    Parameters
    ----------
    wins, losses : array_like of int
        Decisive pairs that B won and lost.
    min_win_rate : array_like of float in [0, 1]
        Bound of the win rate among decisive pairs.
    alternative : {"greater", "less", "two-sided"}
        As in `win_rate_exact_p`; the bound is one on B's wins whatever the alternative.

    Returns
    -------
    ndarray or float64
        The exact p-value where the rate is reached, 1 elsewhere.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the counts or the bound are impossible; where the alternative does not exist.

    Notes
    -----
    A rule that needs both parts rejects no more often than its test: alpha is still an upper bound of its size. At
    alpha .05 a bound of .55 is implied by the test up to 301 decisive pairs; it takes one win more at 302, is implied
    again at 303, 305, 307, 309, 312, 314, 316, 318 and 320, and at no larger number.
    """
    p = win_rate_exact_p(wins, losses, alternative)
    return finish(np.where(win_rate_reached(wins, losses, min_win_rate), p, 1.0))


def wins_needed_by_test(decisive: ArrayLike, alpha: float = ALPHA) -> FloatArray:
    """Return the smallest number of wins with which the one-sided exact test rejects.

    Parameters
    ----------
    decisive : array_like of int
        Decisive pairs.
    alpha : float in (0, 1)
        Level.

    Returns
    -------
    ndarray or float64
        Whole numbers up to `decisive`; NaN where the test cannot reject (at alpha .05: fewer than 5 decisive pairs).

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, or the level lies outside (0, 1).
    """
    (pairs,) = counts(decisive=decisive)
    level = _level(alpha)
    # the p-value falls with the wins: it is above the level at `low`, and not above it at `high`
    low, high = np.zeros_like(pairs), pairs + 1.0
    while True:
        middle = np.floor(0.5 * (low + high))
        # floats beyond 2**53 lie two apart, with no whole number between
        if not ((low < middle) & (middle < high)).any():
            break
        rejects = win_rate_exact_p(middle, pairs - middle) <= level
        low, high = np.where(rejects, low, middle), np.where(rejects, middle, high)
    return finish(np.where(high <= pairs, high, np.nan))


def wins_needed_by_rate(decisive: ArrayLike, min_win_rate: ArrayLike = MIN_WIN_RATE) -> FloatArray:
    """Return the smallest number of wins whose share of the decisive pairs reaches a bound.

    Parameters
    ----------
    decisive : array_like of int
        Decisive pairs.
    min_win_rate : array_like of float in [0, 1]
        The bound.

    Returns
    -------
    ndarray or float64
        Whole numbers in [0, decisive]; NaN without a decisive pair.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, the bound lies outside [0, 1], or the shapes do not broadcast.
    """
    (pairs,) = counts(decisive=decisive)
    (bound,) = bounded(0.0, 1.0, min_win_rate=min_win_rate)
    pairs, bound = together((pairs, bound), ("decisive", "min_win_rate"))
    needed = np.maximum(np.ceil((bound - RATE_ROUNDING) * pairs), 0.0)
    # the product is rounded: one win fewer may do
    fewer = np.maximum(needed - 1.0, 0.0)
    enough = win_rate_reached(fewer, pairs - fewer, bound)
    return finish(np.where(pairs > 0, np.where(enough, fewer, needed), np.nan))


def adopt(wins: int, losses: int, alpha: float = ALPHA, min_win_rate: float = MIN_WIN_RATE) -> Adoption:
    """Say whether B is adopted: it wins significantly more than half, and at least a share that matters.

    Parameters
    ----------
    wins, losses : int
        Decisive pairs that B won and lost; of a pair read in both orders, one result.
    alpha : float in (0, 1)
        Level of the one-sided exact binomial test.
    min_win_rate : float in [0, 1]
        Smallest win rate among decisive pairs.

    Returns
    -------
    Adoption
        The answer, what each part said, and which one blocked.

    Raises
    ------
    ParameterError
        Where a count is negative, not whole or an array, or the level or the bound is impossible.

    Notes
    -----
    Verdicts of both orders counted as two trials make the test reject too often: such trials are not independent.

    Examples
    --------
    >>> from simstudy.stats.win_rate import adopt
    >>> adopt(wins=95, losses=62).adopt
    True
    >>> adopt(wins=530, losses=470).blocked_by
    ('rate',)
    """
    for name, value in {"wins": wins, "losses": losses, "alpha": alpha, "min_win_rate": min_win_rate}.items():
        array = any_numbers(name, value, truth_values=False)
        if array.ndim != 0:
            raise ParameterError(f"{name} has shape {array.shape}; give one number. For arrays: adoption_p.")
    p_value, level = float(win_rate_exact_p(wins, losses)), _level(alpha)
    test, rate = p_value <= level, bool(win_rate_reached(wins, losses, min_win_rate))
    said: tuple[tuple[Part, bool], ...] = (("test", test), ("rate", rate))
    low, high = _one_sided_limits(wins, losses, alpha)
    return Adoption(
        adopt=test and rate,
        wins=int(wins),
        losses=int(losses),
        p_value=p_value,
        test_rejects=test,
        win_rate=float(decisive_win_rate(wins, losses)),
        low=low,
        high=high,
        rate_reached=rate,
        blocked_by=tuple(name for name, yes in said if not yes),
        needed_by_test=_number(wins_needed_by_test(wins + losses, alpha)),
        needed_by_rate=_number(wins_needed_by_rate(wins + losses, min_win_rate)),
        alpha=float(alpha),
        min_win_rate=float(min_win_rate),
    )


def _level(alpha: float) -> float:
    """Return the largest p-value that counts as at most alpha."""
    level = single_number(alpha)
    bounded(0.0, 1.0, open_ends=True, alpha=level)
    return level * (1.0 + P_ROUNDING)


def _one_sided_limits(wins: int, losses: int, alpha: float) -> tuple[float, float]:
    """Return the limits at level 1 − 2·alpha; from alpha ½ on there is no such level."""
    if alpha >= 0.5:
        return float("nan"), float("nan")
    low, high = win_rate_interval(wins, losses, 1.0 - 2.0 * alpha)
    return float(low), float(high)


def _number(value: FloatArray) -> int | None:
    return None if np.isnan(value) else int(value)
