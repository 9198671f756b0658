"""Tests and intervals of paired scores: differences B − A of any real values, the units along the last axis."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simstudy.errors import ParameterError
from simstudy.stats._arrays import (
    LARGEST_SUM,
    FloatArray,
    Interval,
    any_numbers,
    check_alternative,
    check_level,
    check_size,
    critical_t,
    finish,
    finish_interval,
    normal_p,
    ratio,
    student_p,
    whole_number,
)

# Scores are rounded numbers: .3 − .1 is tied with .2, and digits behind the twelfth are noise.
DIGITS = 12
# the law of a signed-rank sum has n(n + 1) + 1 values; with more than these units the normal law has the same digits
MOST_RANKED = 1000
# numbers that a bootstrap holds at a time
HELD = 2**22
# whole numbers up to here are exact in float64
WHOLE = 2.0**53
MOST_RESAMPLES = 10**6


def _rows(differences: ArrayLike) -> FloatArray:
    """Return differences as (..., n), rounded where they are noise: what is equal is equal, and nothing is nearly 0."""
    values = any_numbers("differences", differences)
    if values.ndim == 0:
        raise ParameterError("differences must have an axis of units, for example [0.5, -0.25, 0].")
    if not np.isfinite(values).all():
        raise ParameterError("differences must be finite: leave out the units that lack a score first.")
    check_size("differences", values, LARGEST_SUM)
    if not values.size:
        return values
    largest = np.abs(values).max(axis=-1, keepdims=True)
    scale = np.ldexp(1.0, np.frexp(np.where(largest > 0, largest, 1.0))[1])
    rounded: FloatArray = np.round(values / scale, DIGITS) * scale
    return rounded


def _moments(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and its standard error; NaN with fewer than two units, 0 where all are equal."""
    n = values.shape[-1]
    if n < 2:
        mean = values.mean(axis=-1) if n else np.full(values.shape[:-1], np.nan)
        return mean, np.full(values.shape[:-1], np.nan)
    equal = (values == values[..., :1]).all(axis=-1)
    return values.mean(axis=-1), np.where(equal, 0.0, values.std(axis=-1, ddof=1) / math.sqrt(n))


def score_t(differences: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the paired t test of score differences.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        One difference per unit, B − A.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the mean is positive.

    Returns
    -------
    ndarray or float64, shape (...)
        The p-value, t with n − 1 degrees of freedom; NaN where n < 2 or all differences are equal.

    Raises
    ------
    ParameterError, UnknownNameError
        Where there is no axis of units or a difference is not finite; where the alternative does not exist.

    References
    ----------
    Student (1908), doi:10.2307/2331554.
    """
    values = _rows(differences)
    mean, error = _moments(values)
    return student_p(ratio(mean, error), np.asarray(values.shape[-1] - 1.0), alternative)


def score_t_interval(differences: ArrayLike, level: float = 0.95) -> Interval:
    """Return the t interval of the mean of score differences.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        One difference per unit, B − A.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    low, high : ndarray or float64, shape (...)
        Mean ± t·s/√n; NaN where n < 2 or all differences are equal, which says nothing of their spread.

    Raises
    ------
    ParameterError
        Where there is no axis of units, a difference is not finite, or the level is none.

    References
    ----------
    Student (1908), doi:10.2307/2331554.
    """
    values = _rows(differences)
    mean, error = _moments(values)
    share = check_level(level)
    reach = np.where(error > 0, critical_t(np.asarray(max(values.shape[-1] - 1.0, 1.0)), share) * error, np.nan)
    return finish_interval(mean - reach, mean + reach)


def _signed_ranks(values: FloatArray) -> FloatArray:
    """Return doubled mid-ranks of |d| with the sign of d, zeros ranked and then 0 (Pratt)."""
    flat = values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
    ranks = np.empty_like(flat)
    for row, d in zip(ranks, flat, strict=True):
        _, group, tied = np.unique(np.abs(d), return_inverse=True, return_counts=True)
        row[:] = np.sign(d) * (2.0 * (np.cumsum(tied) - tied) + tied + 1.0)[group.reshape(-1)]
    return ranks.reshape(values.shape)


def wilcoxon(differences: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the signed-rank test over all signs.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        One difference per unit, B − A. What differs behind the twelfth digit is taken as tied.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: differences tend to be positive.

    Returns
    -------
    ndarray or float64, shape (...)
        The share of all signs whose sum of signed mid-ranks is at least as extreme; 1 where no difference is non-zero.

    Raises
    ------
    ParameterError, UnknownNameError
        Where there is no axis of units or a difference is not finite; where the alternative does not exist.

    Notes
    -----
    Zeros are ranked with the others and then dropped. The law is exact, by convolution, ties included; above 1,000
    non-zero differences the normal law of :func:`wilcoxon_normal` stands for it. With many ties the test lies below
    its level.

    References
    ----------
    Wilcoxon (1945), doi:10.2307/3001968; Pratt (1959), doi:10.1080/01621459.1959.10501526.
    """
    check_alternative(alternative)
    ranks = _signed_ranks(_rows(differences))
    flat = ranks.reshape(math.prod(ranks.shape[:-1]), ranks.shape[-1])
    p = np.array([_rank_p(row[row != 0], alternative) for row in flat])
    return finish(p.reshape(ranks.shape[:-1]))


def _rank_p(ranks: FloatArray, alternative: str) -> float:
    """Return the p-value of one row of signed ranks."""
    total = float(ranks.sum())
    if ranks.size > MOST_RANKED:
        return float(normal_p(np.asarray(total / math.sqrt(float(np.sum(ranks**2)))), alternative))
    extreme = {"two-sided": abs(total), "greater": total, "less": -total}[alternative]
    law = np.ones(1)
    for rank in np.sort(np.abs(ranks)).astype(int):
        longer = np.zeros(law.size + rank)
        longer[: law.size] = law
        longer[rank:] += law
        law = 0.5 * longer
    # place u of the law is the sum 2u − total of the ranks
    tail = float(law[int((extreme + law.size - 1) // 2) :].sum())
    return min(1.0, 2.0 * tail if alternative == "two-sided" else tail)


def wilcoxon_normal(differences: ArrayLike, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the signed-rank test by its normal approximation.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        One difference per unit, B − A. What differs behind the twelfth digit is taken as tied.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: differences tend to be positive.

    Returns
    -------
    ndarray or float64, shape (...)
        Of T/√Σr², without correction for continuity; 1 where no difference is non-zero.

    Raises
    ------
    ParameterError, UnknownNameError
        Where there is no axis of units or a difference is not finite; where the alternative does not exist.

    References
    ----------
    Pratt (1959), doi:10.1080/01621459.1959.10501526.
    """
    ranks = _signed_ranks(_rows(differences))
    z = ratio(ranks.sum(axis=-1), np.sqrt((ranks**2).sum(axis=-1)))
    return finish(np.where(np.isnan(z), 1.0, normal_p(z, alternative)))


def sign_midp(differences: ArrayLike) -> FloatArray:
    """Return the two-sided mid-p value of the sign test of score differences, ties dropped.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        One difference per unit, B − A. What differs behind the twelfth digit is taken as tied.

    Returns
    -------
    ndarray or float64, shape (...)
        As :func:`mcnemar_midp` of the numbers below and above 0.

    Raises
    ------
    ParameterError
        Where there is no axis of units or a difference is not finite.

    References
    ----------
    Fagerland, Lydersen & Laake (2013), doi:10.1186/1471-2288-13-91.
    """
    from simstudy.stats.mcnemar import mcnemar_midp

    values = _rows(differences)
    return mcnemar_midp((values < 0).sum(axis=-1), (values > 0).sum(axis=-1))


class SignFlips(NamedTuple):
    """A p-value over sign flips, and its Monte Carlo error.

    Parameters
    ----------
    p_value : float
        In [0, 1].
    mcse : float
        Monte Carlo standard error; 0 where all flips are counted.
    """

    p_value: float
    mcse: float


def score_sign_flip(differences: ArrayLike, resamples: int = 9999, seed: int = 1) -> SignFlips:
    """Return the two-sided p-value of the mean of score differences over sign flips.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        One difference per unit, B − A.
    resamples : int
        Flips that are drawn where not all are counted.
    seed : int
        Seed of the flips: the same data and seed give the same value.

    Returns
    -------
    SignFlips
        The share of all flips whose sum is at least as extreme, where the differences are multiples of one step and
        their sums can be listed (:func:`sign_flip_exact`); else (1 + extreme flips)/(1 + resamples) of drawn ones, with
        the error √(p(1 − p)/(1 + resamples)). 1 where no difference is non-zero.

    Raises
    ------
    ParameterError
        Where the differences are not one row of finite numbers, or the settings are not whole numbers in range.

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21; Phipson & Smyth (2010), doi:10.2202/1544-6115.1585.
    """
    from simstudy.stats.sign_flip import sign_flip_exact

    values = _rows(differences)
    draws, key = whole_number("resamples", resamples, 1, MOST_RESAMPLES), whole_number("seed", seed, 0, 2**64 - 1)
    if values.ndim != 1:
        raise ParameterError(f"differences must be one row of units; its shape is {values.shape}.")
    moved = values[values != 0]
    if not moved.size:
        return SignFlips(1.0, 0.0)
    steps = _in_steps(moved)
    if steps is not None:
        return SignFlips(float(sign_flip_exact(steps)), 0.0)
    generator, observed, extreme = np.random.Generator(np.random.Philox(key=key)), abs(moved.sum()), 0
    at_a_time = max(1, HELD // moved.size)
    for start in range(0, draws, at_a_time):
        signs = generator.integers(0, 2, (min(at_a_time, draws - start), moved.size), dtype=np.int8)
        sums = (2.0 * signs - 1.0) @ moved
        extreme += int(np.count_nonzero(np.abs(sums) >= observed * (1 - 1e-12)))
    p = (1 + extreme) / (1 + draws)
    return SignFlips(p, math.sqrt(p * (1 - p) / (1 + draws)))


# sums that are listed for an exact flip, and the finest step that is looked for
MOST_SUMS, FINEST = 200_000, 1000


def _in_steps(values: FloatArray) -> FloatArray | None:
    """Return differences in whole steps, or None where no step of 1 to 1/1000 divides them or too many sums arise."""
    for parts in (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 100, FINEST):
        scaled = values * parts
        whole: FloatArray = np.round(scaled)
        size = float(np.abs(scaled).max())
        if size < WHOLE and (np.abs(scaled - whole) <= 1e-9 * max(1.0, size)).all():
            if not whole.any():
                continue
            whole /= math.gcd(*np.abs(whole).astype(int).tolist())
            return whole if np.abs(whole).sum() <= MOST_SUMS else None
    return None


class BootstrapT(NamedTuple):
    """A studentised bootstrap interval, and the Monte Carlo error of its limits.

    Parameters
    ----------
    low, high : float
        Limits; infinite or NaN where the function says so.
    low_mcse, high_mcse : float
        Monte Carlo standard errors of the limits; NaN where those are not finite.
    """

    low: float
    high: float
    low_mcse: float
    high_mcse: float


def bootstrap_t(differences: ArrayLike, level: float = 0.95, resamples: int = 999, seed: int = 1) -> BootstrapT:
    """Return the studentised bootstrap interval of the mean of score differences.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        One difference per unit, B − A.
    level : float
        Confidence level, in (0, 1).
    resamples : int
        Bootstrap resamples.
    seed : int
        Seed of the resamples: the same data and seed give the same limits.

    Returns
    -------
    BootstrapT
        d̄ − q₁₋ₐ·se and d̄ − qₐ·se, with q the quantiles of (d̄* − d̄)/se* (the smallest value whose share is at least
        that large). se* = 0 counts as ±∞ by the sign of d̄* − d̄, so a limit can be infinite; NaN where n < 2 or
        all differences are equal. The errors are half the distance between the order statistics one standard
        deviation of the rank below and above.

    Raises
    ------
    ParameterError
        Where the differences are not one row of finite numbers, or a setting is out of range.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 12.5.
    """
    values = _rows(differences)
    share = check_level(level)
    draws, key = whole_number("resamples", resamples, 1, MOST_RESAMPLES), whole_number("seed", seed, 0, 2**64 - 1)
    if values.ndim != 1:
        raise ParameterError(f"differences must be one row of units; its shape is {values.shape}.")
    mean, error = _moments(values)
    if not error > 0:
        return BootstrapT(math.nan, math.nan, math.nan, math.nan)
    generator, n = np.random.Generator(np.random.Philox(key=key)), values.size
    pieces = []
    at_a_time = max(1, HELD // n)
    for start in range(0, draws, at_a_time):
        chosen = values[generator.integers(0, n, (min(at_a_time, draws - start), n))]
        means, errors = _moments(chosen)
        apart = means - mean
        with np.errstate(divide="ignore", invalid="ignore"):
            pieces.append(np.where(errors > 0, apart / errors, np.where(apart == 0, 0.0, np.sign(apart) * np.inf)))
    ordered = np.sort(np.concatenate(pieces))
    (t_low, low_error), (t_high, high_error) = (_quantile(ordered, tail) for tail in ((1 - share) / 2, (1 + share) / 2))
    scale, centre = float(error), float(mean)
    return BootstrapT(centre - t_high * scale, centre - t_low * scale, high_error * scale, low_error * scale)


def _quantile(ordered: FloatArray, tail: float) -> tuple[float, float]:
    """Return the smallest value whose share is at least `tail`, and its error: half the way between its neighbours."""
    # the rank of a quantile among n draws has the standard deviation √(n·tail·(1 − tail))
    n = ordered.size
    rank = math.ceil(tail * n - 1e-9) - 1
    away = max(1, round(math.sqrt(n * tail * (1 - tail))))
    value, below, above = (float(ordered[min(max(place, 0), n - 1)]) for place in (rank, rank - away, rank + away))
    with np.errstate(invalid="ignore"):
        return value, float(np.subtract(above, below)) / 2 if math.isfinite(value) else math.nan


def holm(p_values: ArrayLike) -> FloatArray:
    """Return p-values adjusted by Holm for being many.

    Parameters
    ----------
    p_values : array_like of float, shape (m,)
        In [0, 1]; NaN where undefined, which counts as a comparison that was made and never rejects.

    Returns
    -------
    ndarray, shape (m,)
        The smallest level at which Holm's procedure rejects each; NaN where undefined.

    Raises
    ------
    ParameterError
        Where a value lies outside [0, 1] or there is no axis.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6, 65–70.
    """
    given = any_numbers("p_values", p_values, truth_values=False)
    defined = ~np.isnan(given)
    if given.ndim != 1 or ((given[defined] < 0) | (given[defined] > 1)).any():
        raise ParameterError("p_values must be one row of numbers between 0 and 1.")
    order = np.argsort(np.where(defined, given, 2.0), kind="stable")
    factors = given.size - np.arange(given.size)
    adjusted = np.full(given.size, np.nan)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(np.where(defined[order], given[order] * factors, 0.0)))
    return np.where(defined, adjusted, np.nan)
