"""Simulation of ``verbosity``: a judge scores versions of each case that differ in length alone.

Version q of a case has its base words and the first q fillers. Its latent score is 2 + 2 right + gamma x + case_sd u +
noise_sd e with x = log2(words / 10); the score is that, rounded (halves to the even number, as Python and NumPy round)
and clipped to 1 ... 5.

Addresses: the unit is the case. u comes from words 0 and 1 of stream DATA at draw 0; e of version q from words 0 and 1
(even q) or 2 and 3 (odd q) of stream JUDGE at draw q div 2. So more cases or more versions change none of those that
are there already. Resamples are addressed in :mod:`simstudy.kernels.case_bootstrap`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import Key, helper, kernel, part
from simstudy.kernels.case_bootstrap import percentiles, resample
from simstudy.kernels.interval_cells import SCORES
from simstudy.kernels.interval_likelihood import ROWS, regress
from simstudy.kernels.maths import ROUNDER, log2, normal_quantile
from simstudy.kernels.philox import LOW_32, draw_words, uniform53
from simstudy.kernels.streams import DATA, JUDGE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CASE_STREAM = np.uint64(DATA)
NOISE_STREAM = np.uint64(JUDGE)
DRAW = np.uint64(0)
BASE_LENGTH = 10.0
# columns: a slope and its standard error twice, limits and counts of two bootstraps, the regression
MEAN, POOLED, CLUSTER, SET, GAMMA, ROBUST, COLUMNS = 0, 2, 4, 8, 12, 14, 15
# real numbers are kept in steps of 2**-40 below 2**22
FIXED = 2.0**40
LARGEST = 2.0**22
UNDEFINED = -(2**63)


@kernel
def simulate(
    key: Key,
    first_replication: int,
    out: Ints,
    wanted: NDArray[np.bool_],
    n_cases: int,
    k: int,
    base_words: Ints,
    filler_words: Ints,
    gamma: float,
    noise_sd: float,
    case_sd: float,
    right: int,
    resamples: int,
    alpha: float,
) -> None:
    """Simulate replications and analyse the scores of each; columns that nobody wants are left out where they cost."""
    # Columns: the mean of the slopes of the cases and its standard error; the pooled slope and its cluster-robust one;
    # of the cluster bootstrap the limits and the numbers of means not above and not below 0; the same of the set
    # bootstrap; gamma of the interval regression, its standard error and its cluster-robust one. All in steps of
    # 2**-40; UNDEFINED where there is no value. `base_words` are taken in turn by the cases; `filler_words` is what
    # each further version adds.
    x, spread = np.empty((base_words.shape[0], k)), np.empty(base_words.shape[0])
    _lengths(x, spread, base_words, filler_words)
    scores, products, slopes = np.empty((n_cases, k), np.int64), np.empty(n_cases), np.empty(n_cases)
    means, set_means = np.empty(resamples), np.empty(resamples)
    counts = np.empty((base_words.shape[0], k, SCORES), np.int64)
    cells = np.empty((ROWS, counts.size))
    with_clusters, with_sets = _any(wanted, CLUSTER, SET), _any(wanted, SET, GAMMA)
    with_regression = _any(wanted, GAMMA, COLUMNS)
    for index in range(out.shape[0]):
        replication = first_replication + index
        row = out[index]
        for column in range(COLUMNS):
            row[column] = UNDEFINED
        _draw_scores(scores, np.uint64(key), replication, x, 2.0 + 2.0 * right, gamma, noise_sd, case_sd)
        _case_slopes(products, slopes, scores, x, spread)
        varied = _mean_slope(row, slopes)
        _pooled_slope(row, products, spread)
        if varied and (with_clusters or with_sets):
            resample(np.uint64(key), replication, slopes, means, set_means, with_sets)
            _keep_percentiles(row, CLUSTER, means, alpha)
            if with_sets:
                _keep_percentiles(row, SET, set_means, alpha)
        if with_regression:
            found, variance, robust_variance = regress(scores, x, counts, cells)
            row[GAMMA] = _fixed(found)
            _keep_error(row, GAMMA + 1, variance)
            _keep_error(row, ROBUST, robust_variance)


@kernel
def cases(
    key: Key,
    replication: int,
    out: Floats,
    n_cases: int,
    k: int,
    base_words: Ints,
    filler_words: Ints,
    gamma: float,
    noise_sd: float,
    case_sd: float,
    right: int,
) -> None:
    """Replay one replication; a row is a version of a case: case, version, words and score."""
    x, spread = np.empty((base_words.shape[0], k)), np.empty(base_words.shape[0])
    _lengths(x, spread, base_words, filler_words)
    scores = np.empty((n_cases, k), np.int64)
    _draw_scores(scores, np.uint64(key), replication, x, 2.0 + 2.0 * right, gamma, noise_sd, case_sd)
    for case in range(n_cases):
        words = base_words[case % base_words.shape[0]]
        for version in range(k):
            words += filler_words[version - 1] if version else 0
            row = out[case * k + version]
            row[0], row[1], row[2], row[3] = case, version, words, scores[case, version]


@part
def _lengths(x: Floats, spread: Floats, base_words: Ints, filler_words: Ints) -> None:
    """Fill x of each base and version, and of each base the sum of squares about the mean of its versions."""
    k = x.shape[1]
    for base in range(x.shape[0]):
        words, mean = base_words[base], 0.0
        for version in range(k):
            words += filler_words[version - 1] if version else 0
            x[base, version] = log2(words / BASE_LENGTH)
            mean += x[base, version] / k
        spread[base] = 0.0
        for version in range(k):
            spread[base] += (x[base, version] - mean) ** 2


@part
def _draw_scores(
    scores: Ints,
    key: np.uint64,
    replication: int,
    x: Floats,
    level: float,
    gamma: float,
    noise_sd: float,
    case_sd: float,
) -> None:
    address = np.uint64(replication) & LOW_32
    for case in range(scores.shape[0]):
        unit, base = np.uint64(case), case % x.shape[0]
        w0, w1, w2, w3 = draw_words(key, address, unit, DRAW, CASE_STREAM)
        shared = level + case_sd * normal_quantile(uniform53(w0, w1))
        for version in range(0, scores.shape[1], 2):
            w0, w1, w2, w3 = draw_words(key, address, unit, np.uint64(version >> 1), NOISE_STREAM)
            noise = noise_sd * normal_quantile(uniform53(w0, w1))
            scores[case, version] = _score(shared + gamma * x[base, version] + noise)
            if version + 1 < scores.shape[1]:
                noise = noise_sd * normal_quantile(uniform53(w2, w3))
                scores[case, version + 1] = _score(shared + gamma * x[base, version + 1] + noise)


@helper
def _score(latent: float) -> np.int64:
    """Round to a whole number, halves to the even one, from 1 to 5."""
    return np.int64((min(max(latent, 1.0), 5.0) + ROUNDER) - ROUNDER)


@part
def _case_slopes(products: Floats, slopes: Floats, scores: Ints, x: Floats, spread: Floats) -> None:
    """Fill the sum of products and the least-squares slope of each case."""
    # Scores enter as differences from the first version, so that equal scores give a slope of exactly 0; slopes are
    # rounded to steps of 2**-40, so that sums of them are exact.
    k = scores.shape[1]
    for case in range(scores.shape[0]):
        base = case % x.shape[0]
        mean, product = 0.0, 0.0
        for version in range(k):
            mean += x[base, version] / k
        for version in range(k):
            product += (x[base, version] - mean) * (scores[case, version] - scores[case, 0])
        products[case] = product
        slopes[case] = (product / spread[base] * FIXED + ROUNDER - ROUNDER) / FIXED


@part
def _mean_slope(row: Ints, slopes: Floats) -> bool:
    """Keep the mean slope and its standard error; tell whether the slopes vary."""
    n = slopes.shape[0]
    total, squares = 0.0, 0.0
    for slope in slopes:
        total += slope - slopes[0]
    for slope in slopes:
        squares += (slope - slopes[0] - total / n) ** 2
    row[MEAN] = _fixed(slopes[0] + total / n)
    return _keep_error(row, MEAN + 1, squares / (n * (n - 1.0)) if n > 1 else 0.0)


@part
def _pooled_slope(row: Ints, products: Floats, spread: Floats) -> None:
    """Keep the slope within cases, pooled, and its cluster-robust standard error."""
    n = products.shape[0]
    product, total, squares = 0.0, 0.0, 0.0
    for case in range(n):
        product += products[case]
        total += spread[case % spread.shape[0]]
    for case in range(n):
        squares += (products[case] - product / total * spread[case % spread.shape[0]]) ** 2
    row[POOLED] = _fixed(product / total)
    _keep_error(row, POOLED + 1, n / (n - 1.0) * squares / (total * total) if n > 1 else 0.0)


@part
def _keep_percentiles(row: Ints, column: int, means: Floats, alpha: float) -> None:
    low, high, below, above = percentiles(means, alpha)
    row[column], row[column + 1] = _fixed(low), _fixed(high)
    row[column + 2], row[column + 3] = _fixed(below), _fixed(above)


@helper
def _any(wanted: NDArray[np.bool_], start: int, stop: int) -> bool:
    found = False
    for column in range(start, stop):
        found = found or wanted[column]
    return found


@helper
def _keep_error(row: Ints, column: int, variance: float) -> bool:
    """Keep the square root of a variance, if that is more than nothing."""
    found = _fixed(math.sqrt(variance)) if variance > 0.0 else 0
    row[column] = found if found > 0 else UNDEFINED
    return bool(found > 0)


@helper
def _fixed(value: float) -> int:
    return math.floor(value * FIXED + 0.5) if abs(value) < LARGEST else UNDEFINED
