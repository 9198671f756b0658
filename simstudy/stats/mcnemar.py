"""McNemar's test in four forms: of the discordant cases, how many favour B."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simstudy.stats._arrays import FloatArray, check_alternative, counts, finish, normal_p


def _at_most(k: FloatArray, m: FloatArray) -> FloatArray:
    """Return P(X ≤ k) for X ~ Bin(m, ½), through the incomplete beta function: no power of 2 to overflow."""
    inside = (k >= 0) & (k < m)
    low = np.where(inside, k, 0.0)
    tail = special.betainc(np.where(inside, m, 1.0) - low, low + 1.0, 0.5)
    return np.where(inside, tail, np.where(k < 0, 0.0, 1.0))


def mcnemar_exact(n10: ArrayLike, n01: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the exact conditional McNemar test (the sign test on discordant cases).

    Parameters
    ----------
    n10, n01 : array_like of int
        Cases that only A, only B got right.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        min(1, 2·P(X ≤ min(n10, n01))) with X ~ Bin(m, ½), or the one-sided tail.

    Raises
    ------
    ParameterError, UnknownNameError
        Where a count is negative or not whole; where the alternative does not exist.

    Notes
    -----
    Defined without any discordant case: p = 1.

    References
    ----------
    McNemar (1947), doi:10.1007/BF02295996; Fagerland, Lydersen & Laake (2013), doi:10.1186/1471-2288-13-91.
    """
    check_alternative(alternative)
    only_a, only_b = counts(n10=n10, n01=n01)
    m = only_a + only_b
    if alternative == "two-sided":
        return finish(np.minimum(1.0, 2.0 * _at_most(np.minimum(only_a, only_b), m)))
    return finish(_at_most(only_a if alternative == "greater" else only_b, m))


def mcnemar_midp(n10: ArrayLike, n01: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the mid-p value of the McNemar test.

    Parameters
    ----------
    n10, n01 : array_like of int
        Cases that only A, only B got right.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        Two-sided: the exact p less P(X = min(n10, n01)), and 1 where n10 = n01. One-sided: the
        probability of a more extreme count plus half that of the observed one.

    Raises
    ------
    ParameterError, UnknownNameError
        Where a count is negative or not whole; where the alternative does not exist.

    Notes
    -----
    2·P(X ≤ k) − P(X = k) is computed as P(X ≤ k) + P(X ≤ k − 1), which cancels nothing. Without any
    discordant case p = 1 two-sided and ½ one-sided.

    References
    ----------
    Fagerland, Lydersen & Laake (2013), doi:10.1186/1471-2288-13-91.
    """
    check_alternative(alternative)
    only_a, only_b = counts(n10=n10, n01=n01)
    m = only_a + only_b
    if alternative == "two-sided":
        least = np.minimum(only_a, only_b)
        return finish(np.where(only_a == only_b, 1.0, _at_most(least, m) + _at_most(least - 1.0, m)))
    k = only_a if alternative == "greater" else only_b
    return finish(0.5 * (_at_most(k, m) + _at_most(k - 1.0, m)))


def mcnemar_chi2(n10: ArrayLike, n01: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the asymptotic McNemar test, χ² = (n01 − n10)²/m with one degree of freedom.

    Parameters
    ----------
    n10, n01 : array_like of int
        Cases that only A, only B got right.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better; one-sided tests use the signed root z = (n01 − n10)/√m.

    Returns
    -------
    ndarray or float64
        The p-value in [0, 1].

    Raises
    ------
    ParameterError, UnknownNameError
        Where a count is negative or not whole; where the alternative does not exist.

    Notes
    -----
    Without any discordant case z = 0: p = 1 two-sided and ½ one-sided.

    References
    ----------
    McNemar (1947), doi:10.1007/BF02295996.
    """
    only_a, only_b = counts(n10=n10, n01=n01)
    # m ≥ 1 changes nothing but the empty table, whose statistic is then 0.
    return normal_p((only_b - only_a) / np.sqrt(np.maximum(only_a + only_b, 1.0)), alternative)


def mcnemar_cc(n10: ArrayLike, n01: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the McNemar test with Edwards' continuity correction.

    Parameters
    ----------
    n10, n01 : array_like of int
        Cases that only A, only B got right.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: B is better.

    Returns
    -------
    ndarray or float64
        Two-sided from max(0, abs(n01 − n10) − 1)²/m; one-sided from z = (n01 − n10 ∓ 1)/√m, the normal
        approximation of the exact tail.

    Raises
    ------
    ParameterError, UnknownNameError
        Where a count is negative or not whole; where the alternative does not exist.

    Notes
    -----
    Without any discordant case p = 1, as in the exact test.

    References
    ----------
    Edwards (1948), doi:10.1007/BF02289261.
    """
    check_alternative(alternative)
    only_a, only_b = counts(n10=n10, n01=n01)
    excess, m = only_b - only_a, only_a + only_b
    if alternative == "two-sided":
        corrected = np.maximum(0.0, np.abs(excess) - 1.0)
    else:
        corrected = excess - 1.0 if alternative == "greater" else excess + 1.0
    p = normal_p(corrected / np.sqrt(np.maximum(m, 1.0)), alternative)
    return finish(np.where(m == 0, 1.0, p))
