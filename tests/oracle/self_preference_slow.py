"""Slow twins of scenario self_preference: every pattern of verdicts, one pair added at a time, SciPy's laws."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, stats

from tests.oracle import kernels

DATA, JUDGE = 0, 6
# verdicts for the own system: own judge with it first, own judge second, third-party judge first, second
Pattern = tuple[int, int, int, int]
Law = dict[Pattern, float]
Projection = Callable[[Pattern], tuple[int, int]]


def logistic(x: float) -> float:
    return kernels.logistic(x)


def verdict(picks: int, logit: float) -> float:
    return logistic(logit if picks else -logit)


def patterns(
    bonus: float, ability: float = 2.5, beta: float = 0.0, tied: float = 0.0, judge_pair_sd: float = 0.0
) -> Law:
    """Probability of each of the 16 patterns; what a pair adds is integrated by adaptive quadrature."""
    law: Law = {}
    for pattern in itertools.product((0, 1), repeat=4):
        law[pattern] = 0.0
        for d, share in ((1, (1 - tied) / 2), (-1, (1 - tied) / 2), (0, tied)):
            first, second = ability * d + beta, ability * d - beta
            third = verdict(pattern[2], first) * verdict(pattern[3], second)

            def own(w: float, first: float = first, second: float = second, pattern: Pattern = pattern) -> float:
                return verdict(pattern[0], first + bonus + w) * verdict(pattern[1], second + bonus + w)

            law[pattern] += share * third * expected(own, judge_pair_sd)
    return law


def expected(function: Callable[[float], float], sd: float) -> float:
    """E[function(w)] for w ~ N(0, sd²)."""
    if sd == 0:
        return function(0.0)
    density = stats.norm(scale=sd).pdf
    reach = 10 * sd
    found = integrate.quad(lambda w: function(w) * density(w), -reach, reach, epsabs=1e-13, epsrel=1e-12, limit=500)
    return float(found[0])


def orders(pattern: Pattern) -> tuple[int, int]:
    """(plus, minus): orders in which only the own judge, only the third-party judge picks the own system."""
    pairs = ((pattern[0], pattern[2]), (pattern[1], pattern[3]))
    return sum(o > t for o, t in pairs), sum(o < t for o, t in pairs)


def either(pattern: Pattern) -> tuple[int, int]:
    """(plus, minus) of "picked in any order": what adding arrays of bool gives."""
    own, third = np.array(pattern[:2], bool), np.array(pattern[2:], bool)
    picked = np.add(own[0], own[1]), np.add(third[0], third[1])
    assert picked[0].dtype == bool
    return int(picked[0] > picked[1]), int(picked[0] < picked[1])


def mean_gap(law: Mapping[Pattern, float], reads: Projection = orders) -> float:
    return math.fsum(p * (reads(pattern)[0] - reads(pattern)[1]) / 2 for pattern, p in law.items())


def sums(n: int, law: Mapping[Pattern, float], reads: Projection = orders) -> NDArray[np.float64]:
    """P(plus = i, minus = j) over n pairs, one pair added at a time."""
    unit: dict[tuple[int, int], float] = {}
    for pattern, p in law.items():
        unit[reads(pattern)] = unit.get(reads(pattern), 0.0) + p
    table = np.zeros((2 * n + 1, 2 * n + 1))
    table[0, 0] = 1.0
    for _ in range(n):
        following = np.zeros_like(table)
        for (i, j), p in unit.items():
            following[i:, j:] += p * table[: len(table) - i, : len(table) - j]
        table = following
    return table


@cache
def mcnemar(minus: int, plus: int, midp: bool) -> float:
    if not midp:
        return float(stats.binomtest(plus, plus + minus).pvalue) if plus + minus else 1.0
    law = stats.binom(plus + minus, 0.5)
    least = min(plus, minus)
    return 1.0 if plus == minus else float(2 * law.cdf(least) - law.pmf(least))


def mcnemar_power(n: int, law: Mapping[Pattern, float], midp: bool, alpha: float = 0.05) -> float:
    table = sums(n, law)
    likely = np.argwhere(table > 1e-18)
    return math.fsum(table[i, j] for i, j in likely if mcnemar(int(j), int(i), midp) <= alpha)


def magnitudes(n: int, law: Mapping[Pattern, float]) -> dict[tuple[int, int, int], float]:
    """P(twice the sum of gaps, halves, wholes): sizes of the gaps first, then their signs given the sizes."""
    by_gap: dict[int, float] = {}
    for pattern, p in law.items():
        gap2 = orders(pattern)[0] - orders(pattern)[1]
        by_gap[gap2] = by_gap.get(gap2, 0.0) + p
    half, whole = by_gap[1] + by_gap[-1], by_gap[2] + by_gap[-2]
    found: dict[tuple[int, int, int], float] = {}
    for halves in range(n + 1):
        at_halves = float(stats.binom.pmf(halves, n, half))
        up = stats.binom.pmf(np.arange(halves + 1), halves, by_gap[1] / half)
        for wholes in range(n - halves + 1):
            sizes = at_halves * float(stats.binom.pmf(wholes, n - halves, whole / (1 - half)))
            if sizes < 1e-14:
                continue
            up2 = stats.binom.pmf(np.arange(wholes + 1), wholes, by_gap[2] / whole)
            total = np.zeros(2 * (halves + 2 * wholes) + 1)
            for i, j in itertools.product(range(halves + 1), range(wholes + 1)):
                total[2 * i + 4 * j] += up[i] * up2[j]
            for position in np.flatnonzero(total).tolist():
                found[position - halves - 2 * wholes, halves, wholes] = sizes * float(total[position])
    return found


def flip_p_value(total2: int, halves: int, wholes: int) -> float:
    """Share of all flips of `halves` ones and `wholes` twos whose sum is at least as far from 0, by counting."""
    ways = {0: 1}
    for size in [1] * halves + [2] * wholes:
        following: dict[int, int] = {}
        for value, count in ways.items():
            for sign in (-1, 1):
                following[value + sign * size] = following.get(value + sign * size, 0) + count
        ways = following
    extreme = sum(count for value, count in ways.items() if abs(value) >= abs(total2))
    return extreme / 2 ** (halves + wholes)


def t_test(gaps: Sequence[float], normal: bool) -> float:
    """P-value of a mean gap of 0; NaN where all gaps are the same."""
    if len(set(gaps)) == 1:
        return math.nan
    t = float(np.mean(gaps)) / (float(np.std(gaps, ddof=1)) / math.sqrt(len(gaps)))
    return float(2 * (stats.norm.sf(abs(t)) if normal else stats.t.sf(abs(t), len(gaps) - 1)))


def pairs(
    seed: int, replication: int, n: int, bonus: float, ability: float, beta: float, tied: float, judge_pair_sd: float
) -> list[tuple[int, float, Pattern]]:
    """Truth, what the own judge adds, and the verdicts of each pair, by the addresses of the draws."""
    rows = []
    for pair in range(n):
        is_tied, better, *_ = map(kernels.uniform, kernels.words(seed, replication, pair, 0, DATA))
        d = 0 if is_tied < tied else 1 if better < 0.5 else -1
        high, low, *_ = kernels.words(seed, replication, pair, 1, JUDGE)
        added = bonus
        if judge_pair_sd > 0:
            added += judge_pair_sd * kernels.normal(kernels.fine_uniform(high, low))
        u = [kernels.uniform(word) for word in kernels.words(seed, replication, pair, 0, JUDGE)]
        logits = [ability * d + sign * beta + extra for extra in (added, 0.0) for sign in (1, -1)]
        verdicts = tuple(int(x < logistic(logit)) for x, logit in zip(u, logits, strict=True))
        rows.append((d, added, verdicts))
    return rows


def class_of(pattern: Pattern) -> str:
    """Name of the class of a pair, from what the projections make of it."""
    (plus, minus), (seen_up, seen_down) = orders(pattern), either(pattern)
    if plus == minus:
        return "cross" if plus else "agree"
    way = "up" if plus > minus else "down"
    if plus + minus == 2:
        return f"whole_{way}"
    return f"half_{way}_{'seen' if seen_up + seen_down else 'hidden'}"
