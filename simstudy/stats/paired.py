"""Tests of the difference between two systems that answered the same cases.

A case is counted in ``n10`` where only A is right, in ``n01`` where only B is right, in ``n11`` and ``n00``
where they agree; m = n10 + n01 cases are discordant and the difference is B − A. All functions broadcast.
The alternative ``"greater"`` means that B is better than A, ``"less"`` that it is worse.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simstudy.stats._arrays import (
    FloatArray,
    check_part,
    counts,
    discordant,
    finish,
    normal_p,
    ratio,
)
from simstudy.stats.mcnemar import mcnemar_cc, mcnemar_chi2, mcnemar_exact, mcnemar_midp
from simstudy.stats.means import mean_t, mean_z
from simstudy.stats.sign_flip import sign_flip_counts, sign_flip_exact

__all__ = [
    "difference",
    "mcnemar_cc",
    "mcnemar_chi2",
    "mcnemar_exact",
    "mcnemar_midp",
    "mean_t",
    "mean_z",
    "paired_t",
    "paired_z",
    "phi",
    "sign_flip_counts",
    "sign_flip_exact",
    "unpaired_z",
]


def difference(n10: ArrayLike, n01: ArrayLike, n: ArrayLike) -> FloatArray:
    """Return the observed difference of accuracies, B − A.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.

    Returns
    -------
    ndarray or float64
        (n01 − n10)/n in [−1, 1]; NaN at n = 0.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, or n10 + n01 exceeds n.
    """
    only_a, only_b, size = discordant(n10, n01, n)
    return finish(ratio(only_b - only_a, size))


def phi(n10: ArrayLike, n01: ArrayLike, n11: ArrayLike, n: ArrayLike) -> FloatArray:
    """Return the correlation of the two systems' right answers over cases.

    Parameters
    ----------
    n10, n01, n11, n : array_like of int
        Cases that only A, only B, both got right, and all cases.

    Returns
    -------
    ndarray or float64
        φ in [−1, 1]; NaN where a system is right on none or on all of the cases.

    Raises
    ------
    ParameterError
        Where a count is negative or not whole, or n10 + n01 + n11 exceeds n.
    """
    only_a, only_b, both, size = counts(n10=n10, n01=n01, n11=n11, n=n)
    check_part(only_a + only_b + both, size, "n10 + n01 + n11", "n")
    neither = size - only_a - only_b - both
    margins = (both + only_a) * (neither + only_b) * (both + only_b) * (neither + only_a)
    return finish(ratio(both * neither - only_a * only_b, np.sqrt(margins)))


def paired_z(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the z test on the case differences, with their sample variance.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        The p-value of d/√((m/n − d²)/(n − 1)); NaN where the variance is 0 (no case or every case
        discordant in one direction) or n < 2. Its interval, `paired_wald`, is cut to [−1, 1].

    Raises
    ------
    ParameterError, UnknownNameError
        Where the counts are impossible; where the alternative does not exist.
    """
    only_a, only_b, size = discordant(n10, n01, n)
    return mean_z(only_b - only_a, only_a + only_b, size, alternative)


def paired_t(n10: ArrayLike, n01: ArrayLike, n: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the paired t test on the case differences.

    Parameters
    ----------
    n10, n01, n : array_like of int
        Cases that only A, only B got right, and all cases.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        The p-value, n − 1 degrees of freedom; NaN where the variance is 0 or n < 2.

    Raises
    ------
    ParameterError, UnknownNameError
        Where the counts are impossible; where the alternative does not exist.
    """
    only_a, only_b, size = discordant(n10, n01, n)
    return mean_t(only_b - only_a, only_a + only_b, size, alternative)


def unpaired_z(x_a: ArrayLike, x_b: ArrayLike, n: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the two-sample z test with pooled variance, both samples of n cases.

    Parameters
    ----------
    x_a, x_b : array_like of int
        Right answers of A and of B.
    n : array_like of int
        Cases of each.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        The p-value; NaN where the pooled variance is 0 (no right answer, or no wrong one).

    Raises
    ------
    ParameterError, UnknownNameError
        Where a count exceeds n, is negative or not whole; where the alternative does not exist.

    Notes
    -----
    On paired cases this ignores the pairing: its size falls far below the nominal level as the systems'
    answers correlate. It is here because it is what people do by mistake.
    """
    right_a, right_b, size = counts(x_a=x_a, x_b=x_b, n=n)
    check_part(right_a, size, "x_a", "n")
    check_part(right_b, size, "x_b", "n")
    right = right_a + right_b
    pooled = right * (2.0 * size - right)
    return normal_p(ratio((right_b - right_a) * np.sqrt(2.0 * size), np.sqrt(pooled)), alternative)
