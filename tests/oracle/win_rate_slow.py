"""Slow twins of win_rate: pair after pair by its addressed words, adaptive quadrature, whole numbers, every outcome."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from scipy import integrate

from tests.oracle.kernels import DATA, fine_uniform, logistic, normal, uniform, words

PICKS = ("b", "a", "tie")
PAIRS = list(itertools.product(PICKS, PICKS))
Pair = tuple[str, str]


def picks(x: float, bonus: float, tie_band: float) -> dict[str, float]:
    """Probabilities of a pass; `bonus` is what its order adds to B."""
    b, a = logistic(x + bonus - tie_band), logistic(-x - bonus - tie_band)
    return {"b": b, "a": a, "tie": max(1 - b - a, 0.0) if tie_band else 0.0}


def law(strength: float, strength_sd: float, beta: float, tie_band: float) -> dict[Pair, float]:
    """Probability of each (pick of pass 1, pick of pass 2)."""

    def both(x: float, pair: Pair) -> float:
        return picks(x, -beta, tie_band)[pair[0]] * picks(x, beta, tie_band)[pair[1]]

    return {pair: mean(lambda x, pair=pair: both(x, pair), strength, strength_sd) for pair in PAIRS}


def mean(function: Callable[[float], float], centre: float, sd: float) -> float:
    """E[function(x)] for x ~ N(centre, sd²), by quadrature over pieces of two standard deviations."""
    if sd == 0:
        return function(centre)

    def density(z: float) -> float:
        return function(centre + sd * z) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    pieces = itertools.pairwise(range(-10, 12, 2))
    return math.fsum(integrate.quad(density, a, b, epsabs=1e-13, epsrel=1e-11, limit=200)[0] for a, b in pieces)


def score(pair: Pair, protocol: str) -> tuple[int, int]:
    """Wins and losses of B that a pair counts for."""
    for_b, for_a = pair.count("b"), pair.count("a")
    if protocol == "one_order":
        return int(pair[0] == "b"), int(pair[0] == "a")
    if protocol == "consistent":
        return int(pair == ("b", "b")), int(pair == ("a", "a"))
    if protocol == "averaged":
        return int(for_b > for_a), int(for_a > for_b)
    assert protocol == "averaged_passes"
    return for_b, for_a


def p_value(wins: int, losses: int, alternative: str = "greater") -> Fraction:
    """Tails of Bin(m, ½), counted."""
    m = wins + losses
    above = Fraction(sum(math.comb(m, k) for k in range(wins, m + 1)), 2**m)
    below = Fraction(sum(math.comb(m, k) for k in range(wins + 1)), 2**m)
    return {"greater": above, "less": below, "two-sided": min(Fraction(1), 2 * min(above, below))}[alternative]


def rejects(wins: int, losses: int, alpha: str = "0.05") -> bool:
    return p_value(wins, losses) <= Fraction(alpha)


def reaches(wins: int, losses: int, bound: str = "0.55") -> bool:
    return wins + losses > 0 and wins >= Fraction(bound) * (wins + losses)


def critical_counts(most: int, alpha: str = "0.05") -> list[int]:
    """Smallest number of wins that rejects, for 0, 1, ... decisive pairs; one more than the pairs where none does."""
    level, found = Fraction(alpha), []
    for m in range(most + 1):
        wins, term = m, 1
        # C(m, wins) from the top, as long as the sum is at most alpha·2^m
        tail = term
        while tail <= level * 2**m:
            term = term * wins // (m - wins + 1)
            wins, tail = wins - 1, tail + term
        found.append(wins + 1)
    return found


def counted_law(n_pairs: int, pairs: Mapping[Pair, float], protocol: str) -> dict[tuple[int, int], float]:
    """Probability of each (wins, losses) after n pairs, pair after pair."""
    now = {(0, 0): 1.0}
    for _ in range(n_pairs):
        new: dict[tuple[int, int], float] = {}
        for (wins, losses), p in now.items():
            for pair, q in pairs.items():
                if q > 0:
                    more, fewer = score(pair, protocol)
                    place = wins + more, losses + fewer
                    new[place] = new.get(place, 0.0) + p * q
        now = new
    return now


def cases(
    seed: int, replication: int, n_pairs: int, strength: float, strength_sd: float, beta: float, tie_band: float
) -> list[tuple[float, str, str]]:
    """Advantage of B and picks of each pair, by the addresses of its words."""
    rows = []
    for pair in range(n_pairs):
        w0, w1, w2, w3 = words(seed, replication, pair, 0, DATA)
        x = strength + strength_sd * normal(fine_uniform(w0, w1))
        found = []
        for word, bonus in ((w2, -beta), (w3, beta)):
            chances = picks(x, bonus, tie_band)
            draw = uniform(word)
            found.append("b" if draw < chances["b"] else ("a" if draw >= 1 - chances["a"] else "tie"))
        rows.append((x, found[0], found[1]))
    return rows


def counts(seed: int, replication: int, n_pairs: int, *parameters: float) -> list[int]:
    said = [(one, two) for _, one, two in cases(seed, replication, n_pairs, *parameters)]
    return [said.count(pair) for pair in PAIRS]
