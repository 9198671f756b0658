"""Two systems that each answered their own cases: tests and intervals of the difference B − A.

All functions broadcast. The alternative ``"greater"`` means that B is better than A. Two overlapping
intervals, one per system, are not a test: they may overlap where the difference is significant.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    FloatArray,
    Interval,
    check_alternative,
    check_part,
    counts,
    critical_z,
    finish,
    finish_interval,
    grouped,
    normal_p,
    ratio,
)
from simstudy.stats.proportions import wilson

# Probabilities that are equal in exact arithmetic differ by the rounding of at most some thousand products.
TIE_SLACK = 1e-9
# counts of a sample that are listed whole; of more, those within so many standard deviations, at most so many on a side
WHOLE, FARTHEST, LISTED = 10**5, 40.0, 2 * 10**6


def checked_samples(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the checked counts of both systems as floats, broadcast."""
    right_a, size_a, right_b, size_b = counts(x_a=x_a, n_a=n_a, x_b=x_b, n_b=n_b)
    check_part(right_a, size_a, "x_a", "n_a")
    check_part(right_b, size_b, "x_b", "n_b")
    return right_a, size_a, right_b, size_b


def z_pooled(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, alternative: str = "two-sided"
) -> FloatArray:
    """Return the p-value of the two-sample z test with pooled variance (Pearson's χ² where two-sided).

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        The p-value; NaN where the pooled variance is 0 (no right answer, or no wrong one) or a sample is
        empty.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the counts are impossible; where the alternative does not exist.
    """
    right_a, size_a, right_b, size_b = checked_samples(x_a, n_a, x_b, n_b)
    right, size = right_a + right_b, size_a + size_b
    # z² = N·(x_b·n_a − x_a·n_b)² / (n_a·n_b·s·(N − s)) in whole numbers, s the right answers of N.
    pooled = size_a * size_b * right * (size - right)
    z = ratio((right_b * size_a - right_a * size_b) * np.sqrt(size), np.sqrt(pooled))
    return normal_p(z, alternative)


def z_unpooled(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, alternative: str = "two-sided"
) -> FloatArray:
    """Return the p-value of the two-sample z test with separate variances.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        The p-value; NaN where both variances are 0 or a sample is empty.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the counts are impossible; where the alternative does not exist.
    """
    estimate, error = difference_and_error(*checked_samples(x_a, n_a, x_b, n_b))
    return normal_p(ratio(estimate, error), alternative)


def difference_and_error(
    right_a: FloatArray, size_a: FloatArray, right_b: FloatArray, size_b: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the difference B − A and its standard error with separate variances; NaN where a sample is empty."""
    p_a, p_b = ratio(right_a, size_a), ratio(right_b, size_b)
    variance = ratio(p_a * (1.0 - p_a), size_a) + ratio(p_b * (1.0 - p_b), size_b)
    return p_b - p_a, np.sqrt(variance)


def fisher_exact(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, alternative: str = "two-sided"
) -> FloatArray:
    """Return the p-value of Fisher's exact test.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        Two-sided: the probability of the tables with these margins that are no likelier than the observed.
        One-sided: the tail from the observed one on. 1 where the margins allow one table only.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the counts are impossible, or far too many; where the alternative does not exist.

    Notes
    -----
    Tables whose probabilities agree within a share of 1e-9 count as equally likely: equal probabilities must not be
    told apart by rounding. Tables with the same margins share one computed law. Of more than two million counts only
    those with a probability above 1e-300 are listed; beyond some 1e10 cases also these are too many.

    References
    ----------
    Fisher (1935), doi:10.2307/2342435; Fagerland, Lydersen & Laake (2017), Statistical Analysis of
    Contingency Tables, chapter 4.
    """
    check_alternative(alternative)
    tables = checked_samples(x_a, n_a, x_b, n_b)
    right_a, size_a, right_b, size_b = (array.reshape(-1) for array in tables)
    margins = np.stack([size_a, size_b, right_a + right_b], axis=1)
    p = np.empty(right_a.shape)
    labels = _labels(margins)
    for _, rows in grouped(labels):
        size, other, right = (int(margin) for margin in margins[rows[0]])
        first, law = _hypergeometric(other, size, right)
        # a count beyond what is listed has the probability 0, but for 1e-300
        at = np.clip(right_b[rows] - first, 0, law.size - 1).astype(np.int64)
        p[rows] = _fisher_p(law, at, alternative)
    return finish(np.minimum(p, 1.0).reshape(tables[0].shape))


def _labels(margins: FloatArray) -> NDArray[np.intp]:
    """Return a number, from 0, for the margins of each row; np.unique sorts rows more slowly."""
    order = np.lexsort(margins.T)
    fresh = (np.diff(margins[order], axis=0, prepend=-1.0) != 0).any(axis=1)
    labels = np.empty(order.shape, dtype=np.intp)
    labels[order] = np.cumsum(fresh) - 1
    return labels


def _hypergeometric(size: int, other: int, right: int) -> tuple[int, FloatArray]:
    """Return the smallest count of a sample and the law of its count, given both sizes and the common total."""
    # Ratios of neighbouring probabilities are multiplied outward from the mode, so that nothing overflows.
    first, last = max(0, right - other), min(size, right)
    if last - first > WHOLE:
        first, last = _nearest(first, last, size, other, right)
    x = np.arange(first, last, dtype=np.float64)
    step = (size - x) * (right - x) / ((x + 1.0) * (other - right + x + 1.0))
    mode = int(np.searchsorted(-step, -1.0, side="right"))
    above = np.cumprod(step[mode:])
    below = np.cumprod(1.0 / step[:mode][::-1])[::-1]
    law = np.concatenate([below, [1.0], above])
    return first, law / law.sum()


def _nearest(first: int, last: int, size: int, other: int, right: int) -> tuple[int, int]:
    """Return the counts that are listed of very many: all but those whose probability is below 1e-300."""
    total = size + other
    mean, deviation = size * right // total, math.sqrt(size * right / total * (1.0 - right / total) * other / total)
    reach = math.ceil(FARTHEST * deviation + FARTHEST**2)
    if reach > LISTED:
        raise ParameterError(
            f"fisher_exact lists the counts that can occur, too many with {total:g} cases; z_pooled does as well there."
        )
    return max(first, mean - reach), min(last, mean + reach)


def _fisher_p(law: FloatArray, at: NDArray[np.int64], alternative: str) -> FloatArray:
    """Return the p-values of the counts numbered ``at`` in their common law."""
    if alternative == "greater":
        return np.cumsum(law[::-1])[::-1][at]
    if alternative == "less":
        return np.cumsum(law)[at]
    ascending = np.sort(law)
    no_likelier = np.searchsorted(ascending, law[at] * (1.0 + TIE_SLACK), side="right")
    return np.cumsum(ascending)[no_likelier - 1]


def newcombe_independent(
    x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, level: float = 0.95
) -> Interval:
    """Return Newcombe's hybrid score interval of the difference of two independent proportions (method 10).

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits of B − A in [−1, 1]; NaN where a sample is empty.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    References
    ----------
    Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.
    """
    right_a, size_a, right_b, size_b = checked_samples(x_a, n_a, x_b, n_b)
    p_a, p_b = ratio(right_a, size_a), ratio(right_b, size_b)
    low_a, high_a = wilson(right_a, size_a, level)
    low_b, high_b = wilson(right_b, size_b, level)
    estimate = p_b - p_a
    return finish_interval(
        estimate - np.hypot(p_b - low_b, high_a - p_a), estimate + np.hypot(high_b - p_b, p_a - low_a)
    )


def wald_independent(x_a: ArrayLike, n_a: ArrayLike, x_b: ArrayLike, n_b: ArrayLike, level: float = 0.95) -> Interval:
    """Return the Wald interval of the difference of two independent proportions.

    Parameters
    ----------
    x_a, n_a, x_b, n_b : array_like of int
        Right answers and cases of A and of B.
    level : float in (0, 1)
        Confidence level.

    Returns
    -------
    low, high : ndarray or float64
        Limits of B − A, cut to [−1, 1]; NaN where both variances are 0 or a sample is empty.

    Raises
    ------
    ParameterError
        Where the counts or the level are impossible.

    Notes
    -----
    It leaves out 0, or at p = 1 − level ends there, where :func:`z_unpooled` rejects.
    """
    estimate, error = difference_and_error(*checked_samples(x_a, n_a, x_b, n_b))
    margin = critical_z(level) * np.where(error > 0, error, np.nan)
    return finish_interval(np.maximum(estimate - margin, -1.0), np.minimum(estimate + margin, 1.0))
