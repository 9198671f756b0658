"""How far a judge that reads every pair in both orders leans toward a position: estimates, intervals, a fitted model.

n1 counts the contradictions toward the position shown first and n2 those toward the second, as
:func:`~simstudy.stats.pairwise.contradictions` has them. Biases are in logits, positive toward the first position.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, Interval, counts, finish, finish_interval, ratio
from simstudy.stats.pairwise import verdict_table
from simstudy.stats.proportions import clopper_pearson, midp_proportion, wilson


def position_bias(n1: ArrayLike, n2: ArrayLike) -> FloatArray:
    """Return the estimated bias toward the first position.

    Parameters
    ----------
    n1, n2 : array_like of int
        Contradictions toward the first and toward the second position.

    Returns
    -------
    ndarray or float64
        ½·log((n1 + ½)/(n2 + ½)) in logits; NaN at n1 + n2 = 0, where nothing speaks of position.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole.

    References
    ----------
    Haldane (1956), doi:10.1111/j.1469-1809.1955.tb01285.x: the added half.
    """
    toward, against = counts(n1=n1, n2=n2)
    estimate = 0.5 * np.log((toward + 0.5) / (against + 0.5))
    return finish(np.where(toward + against > 0, estimate, np.nan))


def position_bias_midp(n1: ArrayLike, n2: ArrayLike, level: float = 0.95) -> Interval:
    """Return the interval of the position bias from mid-p limits; see `position_bias_exact`.

    Parameters
    ----------
    n1, n2 : array_like of int
        Contradictions toward the first and toward the second position.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits in logits. It leaves out 0, or at p = 1 − level ends there, where
        :func:`~simstudy.stats.mcnemar.mcnemar_midp` rejects.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.
    """
    toward, against = counts(n1=n1, n2=n2)
    return _half_logits(midp_proportion(toward, toward + against, level))


def position_bias_exact(n1: ArrayLike, n2: ArrayLike, level: float = 0.95) -> Interval:
    """Return the interval of the position bias from Clopper and Pearson's limits.

    Parameters
    ----------
    n1, n2 : array_like of int
        Contradictions toward the first and toward the second position.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        ½·logit of the limits of n1/(n1 + n2), in logits. It leaves out 0, or at p = 1 − level ends there, where
        :func:`~simstudy.stats.mcnemar.mcnemar_exact` rejects.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    The lower limit is −∞ at n1 = 0 and the upper one ∞ at n2 = 0: contradictions in one direction alone set no bound
    to the bias. NaN at n1 + n2 = 0.
    """
    toward, against = counts(n1=n1, n2=n2)
    return _half_logits(clopper_pearson(toward, toward + against, level))


def position_bias_score(n1: ArrayLike, n2: ArrayLike, level: float = 0.95) -> Interval:
    """Return the interval of the position bias from Wilson's limits; see `position_bias_exact`.

    Parameters
    ----------
    n1, n2 : array_like of int
        Contradictions toward the first and toward the second position.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits in logits. It leaves out 0, or at p = 1 − level ends there, where
        :func:`~simstudy.stats.mcnemar.mcnemar_chi2` rejects.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.
    """
    toward, against = counts(n1=n1, n2=n2)
    return _half_logits(wilson(toward, toward + against, level))


def _half_logits(limits: Interval) -> Interval:
    low, high = limits
    return finish_interval(0.5 * special.logit(low), 0.5 * special.logit(high))


def first_share_log_odds(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return the log odds of the first position among all verdicts.

    Parameters
    ----------
    first, second : array_like of int
        Verdicts of both passes for the answer shown first, and for the one shown second.

    Returns
    -------
    ndarray or float64
        log((first + ½)/(second + ½)) in logits; NaN without a verdict.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole.

    Notes
    -----
    No estimate of the position bias: a judge that tells the answers apart lets position decide seldom, and the log
    odds shrink toward 0 however large the bias is. `position_bias` does not shrink.
    """
    toward, against = counts(first=first, second=second)
    estimate = np.log((toward + 0.5) / (against + 0.5))
    return finish(np.where(toward + against > 0, estimate, np.nan))


def first_share_limits(first: ArrayLike, second: ArrayLike, level: float = 0.95) -> Interval:
    """Return Wilson's limits of the first position's share, as log odds.

    Parameters
    ----------
    first, second : array_like of int
        Verdicts of both passes for the answer shown first, and for the one shown second.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        In logits; −∞ at first = 0, ∞ at second = 0, NaN without a verdict.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    The two verdicts on a pair are taken for independent, which they are not.
    """
    toward, against = counts(first=first, second=second)
    low, high = wilson(toward, toward + against, level)
    return finish_interval(special.logit(low), special.logit(high))


@dataclass(frozen=True, eq=False)
class PositionFit:
    """A fitted model of a judge that reads pairs of known truth in both orders.

    Attributes
    ----------
    ability, beta : ndarray or float64
        Maximum-likelihood estimates in logits: P(picks the first shown) = σ(±ability + beta), + where the better
        answer is shown first.
    se : ndarray or float64
        Standard error of either, from the observed information.
    correlation : ndarray or float64
        Correlation of the two estimates.
    flips_expected : ndarray or float64
        Flip rate that the fitted model predicts.
    flips_observed : ndarray or float64
        Flip rate of the verdicts. Where it lies far from the expected one, the passes do not err independently
        given the truth: pairs differ in difficulty, which makes flips rarer than expected and draws ability and
        beta toward 0, or the second verdict leans on the first.
    """

    ability: FloatArray
    beta: FloatArray
    se: FloatArray
    correlation: FloatArray
    flips_expected: FloatArray
    flips_observed: FloatArray


def fit_position(x_better: ArrayLike, y_better: ArrayLike) -> PositionFit:
    """Fit ability and position bias to verdicts on pairs whose better answer is known.

    Parameters
    ----------
    x_better, y_better : array_like of int, shape (..., 9)
        Verdict pairs, in the order of `VERDICT_PAIRS`, on the pairs of which X is better and of which Y is; no ties.

    Returns
    -------
    PositionFit
        Everything but `flips_observed` is NaN where no finite estimate exists: where the judge always, or never,
        picks the first shown with the better answer in one of the two positions.

    Raises
    ------
    ParameterError
        Where the counts are impossible or hold a tie.

    Notes
    -----
    The better answer is shown first in pass AB of the pairs of X and in pass BA of those of Y. With a₁ and a₂ the
    observed logits of picking the first shown where it is the better, and the worse answer, the likelihood is that of
    two binomials with two parameters, whose maximum is ability = (a₁ − a₂)/2 and beta = (a₁ + a₂)/2. The inverse of the
    observed information has (v₁ + v₂)/4 on its diagonal and (v₁ − v₂)/4 beside it, with v = 1/k + 1/(n − k).
    """
    of_x, of_y = verdict_table(x_better), verdict_table(y_better)
    both = of_x + of_y
    if (both[..., 2, :] + both[..., :, 2] > 0).any():
        raise ParameterError("fit_position takes pairs without ties; leave out pairs with a tie in either pass.")
    n = both.sum(axis=(-2, -1))
    better_first = of_x[..., 0, :].sum(axis=-1) + of_y[..., :, 0].sum(axis=-1)
    worse_first = of_x[..., :, 0].sum(axis=-1) + of_y[..., 0, :].sum(axis=-1)
    logit_1, variance_1 = _logit(better_first, n)
    logit_2, variance_2 = _logit(worse_first, n)
    ability, beta = 0.5 * (logit_1 - logit_2), 0.5 * (logit_1 + logit_2)
    first, second = special.expit(beta + ability), special.expit(beta - ability)
    return PositionFit(
        finish(ability),
        finish(beta),
        finish(0.5 * np.sqrt(variance_1 + variance_2)),
        finish((variance_1 - variance_2) / (variance_1 + variance_2)),
        finish(first * second + (1.0 - first) * (1.0 - second)),
        finish(ratio(both[..., 0, 0] + both[..., 1, 1], n)),
    )


def _logit(k: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the observed logit and its variance, NaN at k = 0 and k = n."""
    inside = (k > 0) & (k < n)
    yes, no = np.where(inside, k, np.nan), np.where(inside, n - k, np.nan)
    return np.log(yes / no), 1.0 / yes + 1.0 / no
