"""Slow twins of the paired statistics: exact fractions, enumeration, expanded lists, numerical likelihood."""

from __future__ import annotations

import itertools
import math
import statistics
from fractions import Fraction

from scipy import stats

HALF = Fraction(1, 2)


def _binomial(m: int, k: int) -> Fraction:
    return Fraction(math.comb(m, k), 2**m) if 0 <= k <= m else Fraction(0)


def _upper(m: int, k: int) -> Fraction:
    return sum((_binomial(m, j) for j in range(k, m + 1)), Fraction(0))


def mcnemar_exact(n10: int, n01: int, alternative: str = "two-sided") -> float:
    """Two-sided: the sum over all outcomes no likelier than the observed one, not a doubled tail."""
    m = n10 + n01
    if alternative == "greater":
        return float(_upper(m, n01))
    if alternative == "less":
        return float(_upper(m, n10))
    observed = _binomial(m, n01)
    return float(sum(_binomial(m, j) for j in range(m + 1) if _binomial(m, j) <= observed))


def mcnemar_midp(n10: int, n01: int, alternative: str = "two-sided") -> float:
    m = n10 + n01
    if alternative == "greater":
        return float(_upper(m, n01 + 1) + HALF * _binomial(m, n01))
    if alternative == "less":
        return float(_upper(m, n10 + 1) + HALF * _binomial(m, n10))
    if n10 == n01:
        return 1.0
    return float(2 * _upper(m, max(n10, n01)) - _binomial(m, n01))


def normal_tail(z: float, alternative: str) -> float:
    """Through the complementary error function, which keeps its digits far out in the tail."""
    if alternative == "greater":
        return 0.5 * math.erfc(z / math.sqrt(2))
    if alternative == "less":
        return 0.5 * math.erfc(-z / math.sqrt(2))
    return math.erfc(abs(z) / math.sqrt(2))


def mcnemar_chi2(n10: int, n01: int, alternative: str = "two-sided") -> float:
    m = n10 + n01
    if m == 0:
        return 1.0 if alternative == "two-sided" else 0.5
    return normal_tail((n01 - n10) / math.sqrt(m), alternative)


def mcnemar_cc(n10: int, n01: int, alternative: str = "two-sided") -> float:
    """Moves the observed count half a case towards the middle, m/2 with deviation √m/2, on the side asked for."""
    m = n10 + n01
    if m == 0:
        return 1.0
    if alternative == "two-sided":
        both = (mcnemar_cc(n10, n01, "greater"), mcnemar_cc(n10, n01, "less"))
        return min(1.0, 2 * min(both))
    count = n01 if alternative == "greater" else n10
    return normal_tail((count - 0.5 - m / 2) / (math.sqrt(m) / 2), "greater")


def expand(n10: int, n01: int, n: int) -> list[int]:
    return [-1] * n10 + [1] * n01 + [0] * (n - n10 - n01)


def mean_statistic(differences: list[int]) -> float:
    """Mean over standard error, NaN where there is none, from the list itself."""
    if len(differences) < 2 or statistics.variance(differences) == 0:
        return math.nan
    return statistics.fmean(differences) / math.sqrt(statistics.variance(differences) / len(differences))


def mean_z(differences: list[int], alternative: str = "two-sided") -> float:
    z = mean_statistic(differences)
    return math.nan if math.isnan(z) else normal_tail(z, alternative)


def mean_t(differences: list[int], alternative: str = "two-sided") -> float:
    t = mean_statistic(differences)
    if math.isnan(t):
        return math.nan
    law = stats.t(len(differences) - 1)
    return float({"greater": law.sf(t), "less": law.cdf(t), "two-sided": 2 * law.sf(abs(t))}[alternative])


def sign_flip(differences: list[int], alternative: str = "two-sided") -> float:
    """Every flip is written out."""
    nonzero = [d for d in differences if d]
    observed = sum(nonzero)
    flips = [
        sum(s * d for s, d in zip(signs, nonzero, strict=True))
        for signs in itertools.product((-1, 1), repeat=len(nonzero))
    ]
    if alternative == "two-sided":
        extreme = [abs(f) >= abs(observed) for f in flips]
    elif alternative == "greater":
        extreme = [f >= observed for f in flips]
    else:
        extreme = [f <= observed for f in flips]
    return sum(extreme) / len(flips)


def unpaired_z(x_a: int, x_b: int, n: int, alternative: str = "two-sided") -> float:
    pooled = (x_a + x_b) / (2 * n)
    if pooled in (0, 1):
        return math.nan
    return normal_tail((x_b - x_a) / n / math.sqrt(pooled * (1 - pooled) * 2 / n), alternative)


def phi(n10: int, n01: int, n11: int, n: int) -> float:
    """Pearson correlation of the two columns of right answers, written out."""
    a = [1] * n10 + [0] * n01 + [1] * n11 + [0] * (n - n10 - n01 - n11)
    b = [0] * n10 + [1] * n01 + [1] * n11 + [0] * (n - n10 - n01 - n11)
    if len(set(a)) < 2 or len(set(b)) < 2:
        return math.nan
    return statistics.correlation(a, b)
