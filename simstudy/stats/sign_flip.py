"""The exact sign-flip (randomisation) test of integer differences."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, check_alternative, counts, finish, grouped, whole_numbers

# values of the flipped sum that are held, and products of convolutions that are computed for one row
MOST_VALUES, MOST_PRODUCTS = 2e7, 2e10


def sign_flip_exact(differences: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value over all sign flips of the non-zero differences.

    Parameters
    ----------
    differences : array_like of int, shape (..., n)
        One difference per unit, B − A, scaled to whole numbers (halves are given doubled).
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the sum is positive.

    Returns
    -------
    ndarray or float64, shape (...)
        The share of the flips whose sum is at least as extreme as the observed one; 1 where no difference
        is non-zero.

    Raises
    ------
    ParameterError, UnknownNameError
        Where a difference is not whole or there is no axis of units; where the alternative does not exist.

    Notes
    -----
    The law of the sum is a convolution of scaled binomials, one for each magnitude: all 2^n flips are
    counted, none is sampled. The flips are centred at the null by construction. With differences in
    {−1, 0, 1} this is the exact McNemar test.

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21; Pagano & Tritchler (1983),
    doi:10.1080/01621459.1983.10477990.
    """
    (values,) = whole_numbers(differences=differences)
    if values.ndim == 0:
        raise ParameterError("differences must have an axis of units, for example [1, 0, -1].")
    rows = values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
    magnitudes = np.unique(np.abs(rows))
    magnitudes = magnitudes[magnitudes > 0]
    tally = np.empty((rows.shape[0], magnitudes.size))
    for column, magnitude in enumerate(magnitudes):
        tally[:, column] = (np.abs(rows) == magnitude).sum(axis=1)
    p = _p_values(tally, magnitudes, rows.sum(axis=1), alternative)
    return finish(p.reshape(values.shape[:-1]))


def sign_flip_counts(tally: ArrayLike, values: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the sign-flip p-value from how often each difference occurs.

    Parameters
    ----------
    tally : array_like of int, shape (..., k)
        How many units have each of the values.
    values : array_like of int, shape (k,)
        The differences, scaled to whole numbers, for example (−2, −1, 0, 1, 2).
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the sum is positive.

    Returns
    -------
    ndarray or float64, shape (...)
        The p-value of :func:`sign_flip_exact` for the same differences.

    Raises
    ------
    ParameterError, UnknownNameError
        Where a number is not whole, a count is negative or the shapes do not fit; where the alternative does
        not exist.
    """
    (often,) = counts(tally=tally)
    (scores,) = whole_numbers(values=values)
    if scores.ndim != 1 or often.ndim == 0 or often.shape[-1] != scores.size:
        raise ParameterError(
            f"tally must end in one column per value; its shape is {often.shape} for {scores.size} values."
        )
    rows = often.reshape(math.prod(often.shape[:-1]), scores.size)
    magnitudes = np.unique(np.abs(scores[scores != 0]))
    by_magnitude = rows @ (np.abs(scores)[:, None] == magnitudes[None, :])
    return finish(_p_values(by_magnitude, magnitudes, rows @ scores, alternative).reshape(often.shape[:-1]))


def _p_values(tally: FloatArray, magnitudes: FloatArray, totals: FloatArray, alternative: str) -> FloatArray:
    """Return p-values from the tally of magnitudes and the sum of each row, one law per distinct tally."""
    check_alternative(alternative)
    _check_lattice(tally * magnitudes)
    extreme = {"two-sided": np.abs(totals), "greater": totals, "less": -totals}[alternative]
    p = np.ones(totals.shape)
    if magnitudes.size:
        laws, inverse = np.unique(tally, axis=0, return_inverse=True)
        for group, rows in grouped(inverse.reshape(-1)):
            p[rows] = _upper_tail(laws[group], magnitudes, extreme[rows])
    if alternative == "two-sided":
        # The law is symmetric; at 0 both halves hold the centre, which the bound takes out.
        p = np.minimum(1.0, 2.0 * p)
    return p


def _check_lattice(lengths: FloatArray) -> None:
    """Refuse sums over so many values that their law would fill the memory, or take minutes to convolve."""
    total = lengths.sum(axis=1)
    steps = ((np.cumsum(lengths, axis=1) - lengths) * lengths).sum(axis=1)
    if (total > MOST_VALUES).any() or (steps > MOST_PRODUCTS).any():
        raise ParameterError(
            f"The sum of these differences takes {total.max():g} values under the flips, more than can be listed: "
            "divide the differences by a common factor, or round them to fewer steps."
        )


def _upper_tail(tally: FloatArray, magnitudes: FloatArray, sums: FloatArray) -> FloatArray:
    """Return P(T ≥ sum) for the flipped sum T of a multiset of magnitudes."""
    law = np.ones(1)
    for often, magnitude in zip(tally.astype(int), magnitudes.astype(int), strict=True):
        # On the lattice u = (T + S)/2, with S the sum of magnitudes, each magnitude is a binomial spread out.
        spread = np.zeros(often * magnitude + 1)
        spread[::magnitude] = _fair_binomial(int(often))
        law = np.convolve(law, spread)
    at_least = np.cumsum(law[::-1])[::-1]
    total = law.size - 1
    tail: FloatArray = np.minimum(1.0, at_least[((sums + total) / 2).astype(int)])
    return tail


@lru_cache(maxsize=256)
def _fair_binomial(trials: int) -> FloatArray:
    """Return the law of Bin(trials, ½), by ratios outward from the middle: nothing overflows."""
    middle = trials // 2
    above = np.arange(middle, trials, dtype=np.float64)
    rising = np.concatenate([[1.0], np.cumprod((trials - above) / (above + 1.0))])
    weights = np.concatenate([rising[::-1][:middle], rising])
    law: FloatArray = weights / weights.sum()
    return law
