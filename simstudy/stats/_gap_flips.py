"""All sign flips of gaps that are halves or wholes: tails of the law of their sum for many tables at once.

Counted upward from all signs negative, a half takes one step and a whole two, so the steps are H + 2W with fair
binomials H and W. Small tables share their convolutions. Large ones are summed over W,
P(H + 2W ≥ s) = Σ_k P(W = k)·P(H ≥ s − 2k), at some 30 values of k whatever the size: the terms are as smooth in k as a
normal density, so every m-th of them gives the sum to 1e-16 while m stays below two thirds of their deviation
(Poisson's summation formula).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from simstudy.errors import ParameterError
from simstudy.stats._arrays import FloatArray, grouped

Indices = NDArray[np.intp]

# steps up to which the laws are convolved
CONVOLVED = 400
# W lies within √(w·LOG_OUTSIDE/2) of its centre but for a share of 2·exp(−LOG_OUTSIDE) = 1e-17 (Hoeffding 1963)
LOG_OUTSIDE = 40.0
# deviations of the terms for each stride: what the stride leaves out is 2·exp(−2π²·SMOOTH²) = 1e-19 of the sum
SMOOTH = 1.5
# terms that are held at once
CHUNK = 1 << 18
# from here on Stirling's series with four terms has all digits
STIRLING = 16.0


def check_total(total: FloatArray, small: FloatArray, large: FloatArray) -> None:
    """Refuse sums that no gaps of these sizes have: twice the sum, the number of halves and the number of wholes."""
    steps = 0.5 * (total + small) + large
    # without a half only even steps can be taken
    stride = np.where(small > 0, 1.0, 2.0)
    impossible = (steps < 0) | (steps > small + 2.0 * large) | (steps % stride != 0)
    if impossible.any():
        where = tuple(column[impossible].flat[0] for column in (total, small, large))
        raise ParameterError("total2 {:g} cannot come from {:g} halves and {:g} wholes.".format(*where))


def flip_tails(halves: Indices, wholes: Indices, steps: Indices) -> FloatArray:
    """Return the probability of at least so many steps, for each row of halves, wholes and steps."""
    tails = np.empty(steps.shape)
    small = halves + 2 * wholes <= CONVOLVED
    tails[small] = _convolved(halves[small], wholes[small], steps[small])
    large = np.flatnonzero(~small)
    # as floats: whole numbers of 64 bits do not hold the product of two large counts
    terms = int(_terms(halves[large].astype(np.float64), wholes[large].astype(np.float64))[1].max(initial=1))
    for rows in np.array_split(large, max(1, min(large.size, 1 + large.size * terms // CHUNK))):
        tails[rows] = _summed(*(column[rows].astype(np.float64) for column in (halves, wholes, steps)))
    return tails


def _convolved(halves: Indices, wholes: Indices, steps: Indices) -> FloatArray:
    """Return the tails from one law for each number of halves and of wholes."""
    tails = np.empty(steps.shape)
    least = int(wholes.min()) if wholes.size else 0
    law, reached = np.ones(1), 0
    for _ in range(least):
        law = _flipped(law, 2)
    for often, rows in grouped(halves):
        for _ in range(often - reached):
            law = _flipped(law, 1)
        reached = often
        tails[rows] = _with_more_wholes(law, wholes[rows] - least, steps[rows])
    return tails


def _with_more_wholes(law: FloatArray, wholes: Indices, steps: Indices) -> FloatArray:
    """Return the tails where each row has some more wholes than the law."""
    tables = [np.cumsum(law[::-1])[::-1]]
    for _ in range(int(wholes.max())):
        law = _flipped(law, 2)
        tables.append(np.cumsum(law[::-1])[::-1])
    start = np.cumsum([0, *map(len, tables)])
    tails: FloatArray = np.concatenate(tables)[start[wholes] + steps]
    return tails


def _flipped(law: FloatArray, size: int) -> FloatArray:
    """Return the law after one more flip, which takes `size` steps or none."""
    following = np.zeros(law.size + size)
    following[:-size] = 0.5 * law
    following[size:] += 0.5 * law
    return following


def _terms(halves: NDArray[Any], wholes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the stride over the values of W, and how many of them are summed."""
    # as a function of k the weights have the variance w/4, and the rise of the tail h/16
    spread = np.sqrt(wholes * halves / np.maximum(4.0 * halves + 16.0 * wholes, 1.0))
    stride = np.maximum(1.0, np.floor(spread / SMOOTH))
    return stride, np.ceil(2.0 * _reach(wholes) / stride) + 1.0


def _reach(wholes: NDArray[Any]) -> FloatArray:
    reach: FloatArray = np.sqrt(0.5 * LOG_OUTSIDE * wholes)
    return reach


def _summed(halves: FloatArray, wholes: FloatArray, steps: FloatArray) -> FloatArray:
    """Return the tails as sums over W around where it lies, given that many steps."""
    beyond = np.maximum(0.0, steps - 0.5 * halves - wholes)
    centre = 0.5 * wholes + beyond * 2.0 * wholes / np.maximum(halves + 4.0 * wholes, 1.0)
    stride, terms = _terms(halves, wholes)
    first = np.clip(np.floor(np.minimum(centre, wholes) - _reach(wholes)), 0.0, wholes)
    k = first[:, None] + stride[:, None] * np.arange(terms.max(initial=1.0))
    inside = (k <= wholes[:, None]) & (k <= first[:, None] + 2.0 * _reach(wholes)[:, None] + stride[:, None])
    k = np.where(inside, k, 0.0)
    tails = np.where(inside, _fair(wholes[:, None], k) * _at_least(halves[:, None], steps[:, None] - 2.0 * k), 0.0)
    total: FloatArray = np.minimum(1.0, stride * tails.sum(axis=1))
    return total


def _at_least(trials: FloatArray, hits: FloatArray) -> FloatArray:
    """Return P(H ≥ hits) of a fair binomial."""
    possible = np.clip(hits, 1.0, np.maximum(trials, 1.0))
    tail = special.betainc(possible, np.maximum(trials, 1.0) - possible + 1.0, 0.5)
    return np.where(hits <= 0, 1.0, np.where(hits > trials, 0.0, tail))


def _fair(trials: FloatArray, hits: FloatArray) -> FloatArray:
    """Return P(W = hits) of a fair binomial to a few units in the last place (Loader 2000, saddle-point form)."""
    ends = (hits <= 0) | (hits >= trials)
    n, k = np.where(ends, 2.0, trials), np.where(ends, 1.0, hits)
    lean = (2.0 * k - n) / n
    deviance = 0.5 * n * (np.log1p(-lean * lean) + 2.0 * lean * np.arctanh(lean))
    log = _stirling(n) - _stirling(k) - _stirling(n - k) - deviance
    return np.where(ends, np.exp2(-trials), np.exp(log) * np.sqrt(n / (2.0 * np.pi * k * (n - k))))


def _stirling(x: FloatArray) -> FloatArray:
    """Return log x! less Stirling's formula, for x ≥ 1."""
    y = np.maximum(x, STIRLING)
    series = (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * y * y)) / (y * y)) / (y * y)) / y
    z = np.minimum(x, STIRLING)
    direct = special.gammaln(z + 1.0) - (z + 0.5) * np.log(z) + z - 0.5 * np.log(2.0 * np.pi)
    rest: FloatArray = np.where(x >= STIRLING, series, direct)
    return rest
