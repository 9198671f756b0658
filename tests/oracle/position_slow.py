"""Slow twins of scenario position: every truth and letter, adaptive quadrature, every outcome, addressed words."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from scipy import stats

from tests.oracle.kernels import DATA, fine_uniform, logistic, normal, uniform, words
from tests.oracle.self_preference_slow import expected
from tests.oracle.stats_intervals import bisect
from tests.oracle.stats_proportions import binomial_cdf

JUDGE = 6
LETTERS = ("A", "B", "tie")
PAIRS = list(itertools.product(LETTERS, LETTERS))
TOWARD = [("A", "A"), ("A", "tie")]
AGAINST = [("B", "B"), ("tie", "B")]


def letters(pull: float, tie_band: float) -> dict[str, float]:
    first, second = logistic(pull - tie_band), logistic(-pull - tie_band)
    return {"A": first, "B": second, "tie": 1 - first - second}


def law(
    beta: float,
    ability: float = 2.5,
    x_better: float = 0.5,
    tied: float = 0.0,
    tie_band: float = 0.0,
    ability_sd: float = 0.0,
) -> dict[tuple[str, str], float]:
    """Probability of each (letter in pass AB, letter in pass BA)."""
    found = dict.fromkeys(PAIRS, 0.0)
    for t, weight in ((1, (1 - tied) * x_better), (-1, (1 - tied) * (1 - x_better)), (0, tied)):
        for first, second in PAIRS:

            def both(w: float, t: int = t, first: str = first, second: str = second) -> float:
                pull = (ability + w) * t
                return letters(pull + beta, tie_band)[first] * letters(-pull + beta, tie_band)[second]

            found[first, second] += weight * expected(both, ability_sd if t else 0.0)
    return found


def midp_limits(x: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The shares at which half the observed count and what lies beyond it weigh (1 − level)/2, summed term by term."""
    tail = (1 - level) / 2

    def below(p: float) -> float:
        return (binomial_cdf(x, n, p) + (binomial_cdf(x - 1, n, p) if x else 0.0)) / 2

    low = 0.0 if x == 0 else bisect(lambda p: below(p) - (1 - tail), 0.0, 1.0)
    high = 1.0 if x == n else bisect(lambda p: below(p) - tail, 0.0, 1.0)
    return low, high


def sign_test(n1: int, n2: int, midp: bool) -> float:
    """Two-sided p-value of n1 against n2 in fractions."""
    m, least = n1 + n2, min(n1, n2)
    tail = Fraction(sum(math.comb(m, k) for k in range(least + 1)), 2**m)
    here = Fraction(math.comb(m, least), 2**m)
    if midp:
        return 1.0 if n1 == n2 else float(2 * tail - here)
    return float(min(Fraction(1), 2 * tail))


def operating(n: int, toward: float, against: float, midp: bool) -> dict[str, float]:
    """Power, coverage, bias and share without contradictions, over every outcome of (N1, N2, rest)."""
    share, rest = toward / (toward + against), 1 - toward - against
    beta = math.log(toward / against) / 2
    found = dict.fromkeys(("power", "power_right", "coverage", "none", "unbounded"), 0.0)
    mean = 0.0
    for n1 in range(n + 1):
        for n2 in range(n + 1 - n1):
            p = float(stats.multinomial.pmf([n1, n2, n - n1 - n2], n, [toward, against, rest]))
            if n1 + n2 == 0:
                found["none"] += p
                continue
            rejects = sign_test(n1, n2, midp) <= 0.05 * (1 + 1e-12)
            found["power"] += p * rejects
            found["power_right"] += p * (rejects and (n1 > n2) == (beta > 0))
            if midp:
                low, high = midp_limits(n1, n1 + n2)
            else:
                low, high = stats.binomtest(n1, n1 + n2).proportion_ci(0.95, "exact")
            found["coverage"] += p * (low <= share <= high)
            found["unbounded"] += p * (n1 == 0 or n2 == 0)
            mean += p * math.log((2 * n1 + 1) / (2 * n2 + 1)) / 2
    return {**found, "estimate_mean": mean / (1 - found["none"])}


def cases(
    seed: int,
    replication: int,
    n: int,
    beta: float,
    ability: float,
    x_better: float,
    tied: float,
    tie_band: float,
    ability_sd: float,
) -> list[tuple[int, float, str, str]]:
    """Truth, ability and letters of each pair, by the addresses of its words."""
    rows = []
    for pair in range(n):
        w0, w1, w2, w3 = words(seed, replication, pair, 0, DATA)
        t = 0 if uniform(w0) < tied else (1 if uniform(w1) < x_better else -1)
        own = ability + ability_sd * normal(fine_uniform(w2, w3))
        found = []
        for word, u in zip(words(seed, replication, pair, 0, JUDGE), (own * t, -own * t), strict=False):
            chances = letters(u + beta, tie_band)
            draw = uniform(word)
            found.append("A" if draw < chances["A"] else ("tie" if draw < 1 - chances["B"] else "B"))
        rows.append((t, own, *found))
    return rows


def counts(seed: int, replication: int, n: int, *parameters: float) -> list[int]:
    said = [(first, second) for _, _, first, second in cases(seed, replication, n, *parameters)]
    return [said.count(pair) for pair in PAIRS]
