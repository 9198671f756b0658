"""Self-preference of a judge: the gap of win rates, and the bonus in logits.

A pair of answers, one of them by the judge's own system, is read in both orders by the judge and by a third-party one.
plus counts the (pair, order) units in which only the own judge picks the own system, minus those in which only the
third-party judge does.
The gap of a pair is half of its plus − minus, in {−1, −½, 0, ½, 1}.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    check_alternative,
    check_part,
    check_size,
    counts,
    critical_t,
    critical_z,
    finish,
    finish_interval,
    ratio,
    together,
    whole_numbers,
)
from simstudy.stats._gap_flips import check_total, flip_tails
from simstudy.stats.proportions import clopper_pearson, midp_proportion

# pairs beyond which the sum over flips takes millions of terms, and seconds
MOST_FLIPPED = 1e10


def mean_gap(total2: ArrayLike, n: ArrayLike) -> FloatArray:
    """Return the mean gap: win rate of the own system with its own judge less that with the third-party one.

    Parameters
    ----------
    total2 : array_like of int
        Twice the sum of the gaps: plus − minus over all pairs.
    n : array_like of int
        Pairs.

    Returns
    -------
    ndarray or float64
        total2/(2n), a proportion in [−1, 1]; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where the numbers are not whole, n is negative, or the total is impossible.
    """
    total, pairs = _total_of(total2, n)
    return finish(ratio(total, 2.0 * pairs))


def gap_z_interval(total2: ArrayLike, squares4: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the normal interval of the mean gap.

    Parameters
    ----------
    total2, squares4 : array_like of int
        Sums over the pairs of plus − minus and of (plus − minus)²: twice the gaps, four times their squares.
    n : array_like of int
        Pairs.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Mean gap ∓ z standard errors; NaN where all gaps are the same or n < 2.

    Raises
    ------
    ParameterError
        Where the sums are not those of n gaps, or the level is impossible.

    Notes
    -----
    It leaves out 0, or at p = 1 − level ends there, where :func:`~simstudy.stats.means.mean_z` of the same sums
    rejects.
    """
    mean, error, _ = _mean_and_error(total2, squares4, n)
    return _around(mean, critical_z(level) * error)


def gap_t_interval(total2: ArrayLike, squares4: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Return the t interval of the mean gap, with n − 1 degrees of freedom.

    Parameters
    ----------
    total2, squares4, n : array_like of int
        As in :func:`gap_z_interval`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Mean gap ∓ t standard errors; NaN where all gaps are the same or n < 2.

    Raises
    ------
    ParameterError
        As in :func:`gap_z_interval`.

    References
    ----------
    Student (1908), doi:10.2307/2331554.
    """
    mean, error, df = _mean_and_error(total2, squares4, n)
    return _around(mean, critical_t(np.maximum(df, 1.0), level) * error)


def gap_sign_flip(
    total2: ArrayLike, halves: ArrayLike, wholes: ArrayLike, alternative: str = "two-sided"
) -> FloatArray:
    """Return the p-value over all sign flips of the gaps.

    Parameters
    ----------
    total2 : array_like of int
        Twice the sum of the gaps.
    halves, wholes : array_like of int
        Pairs with a gap of ½ or −½, and of 1 or −1.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the own judge favours its own system.

    Returns
    -------
    ndarray or float64
        The share of the flips whose sum is at least as extreme as the observed one; 1 where every gap is 0.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the total cannot come from such gaps; where the alternative does not exist.

    Notes
    -----
    A pair is flipped as a whole, in both orders at once, so the test holds its level whatever the two orders have in
    common. It is :func:`~simstudy.stats.sign_flip.sign_flip_exact` of the gaps, from what that depends on.

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21.
    """
    check_alternative(alternative)
    small, large = counts(halves=halves, wholes=wholes)
    (total,) = whole_numbers(total2=total2)
    total, small, large = together([total, small, large], ["total2", "halves", "wholes"])
    for name, often in (("halves", small), ("wholes", large)):
        check_size(name, often, MOST_FLIPPED)
    check_total(total, small, large)
    extreme = {"two-sided": np.abs(total), "greater": total, "less": -total}[alternative]
    # flips are counted upward from all signs negative: a half takes one step, a whole two
    steps = 0.5 * (extreme + small) + large
    tail = flip_tails(*(column.ravel().astype(np.intp) for column in (small, large, steps))).reshape(total.shape)
    return finish(np.minimum(1.0, 2.0 * tail if alternative == "two-sided" else tail))


def log_preference(minus: ArrayLike, plus: ArrayLike) -> FloatArray:
    """Return the estimated bonus of the own system, in logits.

    Parameters
    ----------
    minus, plus : array_like of int
        (Pair, order) units in which only the third-party judge, only the own judge picks the own system.

    Returns
    -------
    ndarray or float64
        log((plus + ½)/(minus + ½)); NaN where both are 0.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole.

    Notes
    -----
    The expected ratio plus : minus is e^bonus in every unit, whatever the quality of the answers and the position
    preference of the judges, as long as the bonus is the same for all pairs. log(plus/minus) is the conditional maximum
    likelihood estimate of a Rasch model with two items; the halves keep it finite.

    References
    ----------
    Haldane (1956), Annals of Human Genetics 20, 309–311: the halves. Andersen (1970), Journal of the Royal Statistical
    Society B 32, 283–301: conditional likelihood.
    """
    against, toward = counts(minus=minus, plus=plus)
    estimate = np.log((toward + 0.5) / (against + 0.5))
    return finish(np.where(against + toward > 0, estimate, np.nan))


def log_preference_exact(minus: ArrayLike, plus: ArrayLike, level: float = 0.95) -> Interval:
    """Return the exact interval of the bonus: Clopper and Pearson's of plus/(plus + minus), in logits.

    Parameters
    ----------
    minus, plus : array_like of int
        As in :func:`log_preference`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits in logits; −inf at plus = 0, inf at minus = 0, NaN where both are 0.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, or the level is impossible.

    References
    ----------
    Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.
    """
    against, toward = counts(minus=minus, plus=plus)
    return _in_logits(clopper_pearson(toward, against + toward, level))


def log_preference_midp(minus: ArrayLike, plus: ArrayLike, level: float = 0.95) -> Interval:
    """Return the mid-p interval of the bonus, in logits.

    Parameters
    ----------
    minus, plus : array_like of int
        As in :func:`log_preference`.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits in logits; −inf at plus = 0, inf at minus = 0, NaN where both are 0.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, or the level is impossible.

    References
    ----------
    Berry & Armitage (1995), doi:10.2307/2348891.
    """
    against, toward = counts(minus=minus, plus=plus)
    return _in_logits(midp_proportion(toward, against + toward, level))


def _total_of(total2: ArrayLike, n: ArrayLike) -> tuple[FloatArray, FloatArray]:
    (total,) = whole_numbers(total2=total2)
    (pairs,) = counts(n=n)
    total, pairs = together([total, pairs], ["total2", "n"])
    check_part(np.abs(total), 2.0 * pairs, "|total2|", "2n")
    return total, pairs


def _mean_and_error(total2: ArrayLike, squares4: ArrayLike, n: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean gap, its standard error (NaN where it is 0 or n < 2), and n − 1."""
    total, pairs = _total_of(total2, n)
    (squares,) = counts(squares4=squares4)
    total, squares, pairs = together([total, squares, pairs], ["total2", "squares4", "n"])
    spread = pairs * squares - total * total
    if (spread < 0).any():
        raise ParameterError("total2² must not exceed n·squares4 (Cauchy–Schwarz): these are not the sums of n gaps.")
    df = pairs - 1.0
    error = 0.5 * np.sqrt(ratio(spread, pairs * pairs * df))
    return ratio(total, 2.0 * pairs), np.where(error > 0, error, np.nan), df


def _around(mean: FloatArray, margin: FloatArray) -> Interval:
    return finish_interval(mean - margin, mean + margin)


def _in_logits(limits: Interval) -> Interval:
    return finish_interval(special.logit(limits[0]), special.logit(limits[1]))
