"""Slow twins of scenario ``verbosity``: its scores by address, and each analysis by another route.

Slopes come from `numpy.polyfit` and dummy variables, the likelihood from SciPy's normal law and a general optimiser,
its second derivatives from differences, bootstraps from lists of picks. `simulate` draws with NumPy's own generator.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import numpy as np
from scipy import optimize, sparse, special

from tests.oracle.kernels import DATA, fine_uniform, normal, words

RESAMPLING, JUDGE = 3, 6
BASE = (11, 13, 9, 14, 7, 7, 10, 12, 13, 10, 11, 12, 3, 4)
FILLERS = (11, 8, 12, 13, 10)


def lengths(n: int, k: int, base: Sequence[int] = BASE, fillers: Sequence[int] = FILLERS) -> np.ndarray:
    return np.array([[base[i % len(base)] + sum(fillers[:q]) for q in range(k)] for i in range(n)])


def scores(
    seed: int,
    replication: int,
    table: np.ndarray,
    gamma: float,
    noise_sd: float,
    case_sd: float,
    right: int,
) -> np.ndarray:
    rows = []
    for case, row in enumerate(table):
        shared = case_sd * normal(fine_uniform(*words(seed, replication, case, 0, DATA)[:2]))
        found = []
        for version, length in enumerate(row):
            four = words(seed, replication, case, version // 2, JUDGE)
            noise = noise_sd * normal(fine_uniform(*four[2 * (version % 2) :][:2]))
            found.append(min(5, max(1, round(2 + 2 * right + gamma * math.log2(length / 10) + shared + noise))))
        rows.append(found)
    return np.array(rows)


def simulate(rng, replications: int, table: np.ndarray, gamma: float, noise_sd: float, case_sd: float) -> np.ndarray:
    n, k = table.shape
    latent = 4 + gamma * np.log2(table / 10) + case_sd * rng.standard_normal((replications, n, 1))
    return np.clip(np.rint(latent + noise_sd * rng.standard_normal((replications, n, k))), 1, 5)


def case_slopes(table: np.ndarray, y: np.ndarray) -> list[float]:
    return [np.polyfit(np.log2(row), found, 1)[0] for row, found in zip(table, y, strict=True)]


def mean_slope(slopes: Sequence[float]) -> tuple[float, float]:
    return statistics.fmean(slopes), statistics.stdev(slopes) / math.sqrt(len(slopes))


def pooled_slope(table: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Least squares with a dummy variable per case; sandwich over the cases, factor n/(n − 1)."""
    n, k = table.shape
    design = np.column_stack([np.log2(table).ravel(), np.kron(np.eye(n), np.ones((k, 1)))])
    beta, *_ = np.linalg.lstsq(design, y.ravel(), rcond=None)
    left = (y.ravel() - design @ beta).reshape(n, k)
    bread = np.linalg.inv(design.T @ design)
    meat = sum(np.outer(v, v) for v in (design[i * k : (i + 1) * k].T @ left[i] for i in range(n)))
    return beta[0], math.sqrt((n / (n - 1) * bread @ meat @ bread)[0, 0])


def resampled(seed: int, replication: int, slopes: Sequence[float], resamples: int) -> tuple[list[float], list[float]]:
    """Return the means of the picks and of the sets of picks."""
    n, means, set_means = len(slopes), [], []
    for unit in range(resamples):
        picks = [words(seed, replication, unit, j // 4, RESAMPLING)[j % 4] * n // 2**32 for j in range(n)]
        means.append(statistics.fmean(slopes[i] for i in picks))
        set_means.append(statistics.fmean(slopes[i] for i in set(picks)))
    return means, set_means


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value whose distribution function reaches the share."""
    return next(v for rank, v in enumerate(sorted(values), 1) if rank >= share * len(values) - 1e-9)


def log_likelihood(parameters: Sequence[float], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Of each score, at (intercept, gamma, log sigma)."""
    intercept, gamma, log_sigma = parameters
    low, high = (
        (limit - intercept - gamma * x) / math.exp(log_sigma)
        for limit in (np.where(y > 1, y - 0.5, -np.inf), np.where(y < 5, y + 0.5, np.inf))
    )
    middle = np.where(low > 0, special.ndtr(-low) - special.ndtr(-high), special.ndtr(high) - special.ndtr(low))
    return np.log(np.maximum(middle, 1e-300))


def interval_regression(table: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Gamma, its standard error and the case-robust one; another parametrisation, numerical derivatives."""
    x = np.log2(table / 10)

    def loss(p: np.ndarray) -> float:
        return -log_likelihood(p, x, y).sum()

    start = np.array([y.mean(), 0.0, math.log(max(y.std(), 0.3))])
    best = optimize.minimize(
        loss, start, method="Nelder-Mead", options={"maxiter": 4000, "xatol": 1e-9, "fatol": 1e-12}
    )
    best = optimize.minimize(loss, best.x, method="BFGS", options={"gtol": 1e-9}).x
    steps = np.eye(3) * 1e-4
    hessian = np.array(
        [
            [(loss(best + a + b) - loss(best + a - b) - loss(best - a + b) + loss(best - a - b)) / 4e-8 for a in steps]
            for b in steps
        ]
    )
    by_case = np.array([(log_likelihood(best + a, x, y) - log_likelihood(best - a, x, y)).sum(1) / 2e-4 for a in steps])
    covariance = np.linalg.inv(hessian)
    n = len(y)
    robust = n / (n - 1) * covariance @ by_case @ by_case.T @ covariance
    return best[1], math.sqrt(covariance[1, 1]), math.sqrt(robust[1, 1])


def has_maximum(table: np.ndarray, y: np.ndarray) -> bool:
    """Whether the likelihood of these scores has a maximum."""
    return have_maximum([(table, y)])[0]


def have_maximum(samples: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[bool]:
    """Whether the likelihoods of samples of lengths and scores have a maximum, by one linear program for all.

    One has none where a direction (a, b, h), h ≥ 0, exists along which no score gets less likely and one gets more
    likely: then u·h − a − b·x ≥ 0 and l·h − a − b·x ≤ 0 for all limits u and l that exist, not all zero (Albert &
    Anderson 1984, doi:10.1093/biomet/71.1.1, for such directions). Nor where only 1 and 5 occur, and sigma grows
    without bound, or the lengths do not vary, and a direction changes nothing.
    """
    blocks, certain = [], []
    for table, y in samples:
        distinct = sorted(set(zip(np.log2(table / 10).ravel().tolist(), np.ravel(y).tolist(), strict=True)))
        # rows of A·d ≤ 0: −(u·h − a − b·x) and (l·h − a − b·x)
        upper = [[1, x, -(s + 0.5)] for x, s in distinct if s < 5]
        lower = [[-1, -x, s - 0.5] for x, s in distinct if s > 1]
        blocks.append(np.array([*upper, *lower], float))
        certain.append({s for _, s in distinct} <= {1, 5} or len({x for x, _ in distinct}) == 1)
    # sparse arrays: of dense blocks newer versions of SciPy warn
    rows = sparse.block_diag([sparse.coo_array(block) for block in blocks], format="csr")
    bounds = [(-1, 1), (-1, 1), (0, 1)] * len(blocks)
    weights = np.concatenate([block.sum(axis=0) for block in blocks])
    found = optimize.linprog(weights, A_ub=rows, b_ub=np.zeros(rows.shape[0]), bounds=bounds)
    falls = (weights * found.x).reshape(-1, 3).sum(axis=1)
    return [not none and fall > -1e-7 for none, fall in zip(certain, falls.tolist(), strict=True)]
