"""The exact sign-flip test of cluster sums, as the level at which it rejects.

Under the null hypothesis each cluster sum S_c is as likely to be -S_c. With T the sum of the S_c, T* = T - 2
(what was flipped), so P(|T*| >= |T|) needs only the lower end of the law of a subset sum of the |S_c|: up to
half of what the minority sign sums to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simstudy.kernels._jit import helper, part
from simstudy.kernels.maths import log

TWO_SIDED = 0
GREATER = 1
LESS = 2
# P(|sum a_i e_i| >= |a|) is at least this for random signs e_i
SELDOM_SMALL = 0.1
# Hoeffding's bound is compared on the safe side of rounding
SAFELY = 1.000001


@part
def flip_level(
    sums: NDArray[np.int64],
    alphas: NDArray[np.float64],
    alternative_code: int,
    now: NDArray[np.float64],
    then: NDArray[np.float64],
) -> int:
    """Return the position of the smallest level, of ascending ones, at which the exact sign-flip test rejects."""
    # It is `len(alphas)` where all levels are below the p-value, as where all sums are zero (p = 1). The alternative is
    # 0 for two-sided, 1 for B better (sum above 0), 2 for A better; `now` and `then` are room to work in, each longer
    # than half the sum of the absolute cluster sums.
    # The p-value is that of all 2**n_clusters flips, ties counted as extreme. It is a sum of positive doubles, exact up
    # to 52 clusters and with a relative error below n_clusters * 2.3e-16 beyond.
    # Two bounds save the convolution where they decide. Two-sided, p >= 1/10 wherever T**2 is at most the sum of S_c**2
    # (Oleszkiewicz, K. (1996). On the Stein property of Rademacher sequences. Probability and Mathematical Statistics
    # 16, 127-130). And p <= sides * exp(-T**2 / (2 sum of S_c**2)) (Hoeffding, W. (1963). Journal of the American
    # Statistical Association 58, 13-30. doi:10.1080/01621459.1963.10500830, theorem 2).
    total, size, squares = 0, 0, 0
    for index in range(sums.shape[0]):
        cluster_sum = int(sums[index])
        total += cluster_sum
        size += abs(cluster_sum)
        squares += cluster_sum * cluster_sum
    sides = 2.0 if alternative_code == TWO_SIDED else 1.0
    toward = -total if alternative_code == LESS else total
    if alternative_code == TWO_SIDED:
        toward = abs(total)
    levels = len(alphas)
    if _surely_above(toward, squares, sides, alphas[levels - 1]):
        return levels
    if _surely_below(toward, squares, sides, alphas[0]):
        return 0
    p_value = _p_value(sums, size, toward, sides, now, then)
    level = 0
    while level < levels and alphas[level] < p_value:
        level += 1
    return level


@helper
def _surely_above(toward: int, squares: int, sides: float, alpha: float) -> bool:
    if sides == 2.0:
        return (toward == 0 and alpha < 1.0) or (toward * toward <= squares and alpha < SELDOM_SMALL)
    return toward <= 0 and alpha < 0.5


@helper
def _surely_below(toward: int, squares: int, sides: float, alpha: float) -> bool:
    if toward <= 0 or not 0.0 < alpha < 1.0:
        return False
    return bool(float(toward) * float(toward) > SAFELY * 2.0 * float(squares) * log(sides / alpha))


@helper
def _p_value(
    sums: NDArray[np.int64],
    size: int,
    toward: int,
    sides: float,
    now: NDArray[np.float64],
    then: NDArray[np.float64],
) -> float:
    if toward > 0:
        return sides * _lower_tail(sums, (size - toward) // 2, now, then)
    if sides == 1.0:
        return 1.0 - _lower_tail(sums, (size + toward) // 2 - 1, now, then)
    return 1.0


@part
def _lower_tail(sums: NDArray[np.int64], limit: int, now: NDArray[np.float64], then: NDArray[np.float64]) -> float:
    """Return the probability that the sum of clusters, each in or out by a fair coin, is at most `limit`."""
    if limit < 0:
        return 0.0
    now[0] = 1.0
    for value in range(1, limit + 1):
        now[value] = 0.0
    for index in range(sums.shape[0]):
        step = abs(sums[index])
        if step == 0:
            continue
        for value in range(min(step, limit + 1)):
            then[value] = 0.5 * now[value]
        for value in range(step, limit + 1):
            then[value] = 0.5 * (now[value] + now[value - step])
        now, then = then, now
    probability = 0.0
    for value in range(limit + 1):
        probability += now[value]
    return probability
