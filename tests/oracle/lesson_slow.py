"""Slow twins for the judge tables of a published lesson: every outcome is listed, nothing is shared with the package.

Parameters of the lesson's judges, as its figures and its data give them: verdicts of a pair with the logit ability·t ±
beta, ability 2.5; lazy, strict and good judges of single answers; scores 2 + 2·right + gamma·log2(words/10) with normal
noise of .5, rounded and cut to 1 to 5.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from scipy import stats


def sigma(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def mean_and_sd(law: dict[float, float]) -> tuple[float, float]:
    mean = sum(value * p for value, p in law.items())
    return mean, math.sqrt(sum((value - mean) ** 2 * p for value, p in law.items()))


def add(law: dict[float, float], other: dict[float, float]) -> dict[float, float]:
    """Law of the sum of two independent numbers; keys are rounded so that equal sums meet."""
    total: dict[float, float] = {}
    for (a, p), (b, q) in itertools.product(law.items(), other.items()):
        total[round(a + b, 9)] = total.get(round(a + b, 9), 0.0) + p * q
    return total


def sum_of(laws: Sequence[dict[float, float]]) -> dict[float, float]:
    total = {0.0: 1.0}
    for law in laws:
        total = add(total, law)
    return total


# ---- judges of single answers


def errors(groups: Sequence[tuple[int, float]]) -> dict[float, float]:
    """Law of the number of errors: (copies, probability) of every distinct answer; copies share one verdict."""
    laws = ({0.0: 1 - p, float(copies): p} for copies, p in groups)
    return sum_of([{value: p for value, p in law.items() if p > 0} for law in laws])


def kappa(right: int, wrong: int, missed: float, passed: float) -> float:
    """Cohen's kappa of a judge that misses right answers and passes wrong ones; NaN where it has none."""
    n = right + wrong
    said = right - missed + passed
    agreed = (n - missed - passed) / n
    chance = (right * said + wrong * (n - said)) / n**2
    return (agreed - chance) / (1 - chance) if chance < 1 else math.nan


def kappa_law(right: int, wrong: int, missed: dict[float, float], passed: dict[float, float]) -> dict[float, float]:
    law: dict[float, float] = {}
    for (a, p), (b, q) in itertools.product(missed.items(), passed.items()):
        value = kappa(right, wrong, a, b)
        law[value] = law.get(value, 0.0) + p * q
    return law


# ---- judges of pairs


def pair_outcomes(truth: int, beta: float, ability: float = 2.5) -> list[tuple[float, dict[str, float]]]:
    """The four verdict pairs of one pair: probability, and what each adds to the table. X is better at truth 1."""
    in_ab, in_ba = sigma(ability * truth + beta), sigma(-ability * truth + beta)
    listed = []
    for first_ab, first_ba in itertools.product((True, False), repeat=2):
        p = (in_ab if first_ab else 1 - in_ab) * (in_ba if first_ba else 1 - in_ba)
        wins = first_ab, not first_ba
        adds = {
            "flipped": float(first_ab == first_ba),
            "first_position": float(first_ab + first_ba),
            "win_one_order": float(wins[0]),
            "win_averaged": sum(wins) / 2,
        }
        listed.append((p, adds))
    return listed


def position(truths: Sequence[int], beta: float, figure: str) -> tuple[float, float]:
    """Mean and standard deviation of a figure over pairs whose truth is fixed; win rates are shares."""
    laws = []
    for truth in truths:
        law: dict[float, float] = {}
        for p, adds in pair_outcomes(truth, beta):
            law[adds[figure]] = law.get(adds[figure], 0.0) + p
        laws.append(law)
    mean, sd = mean_and_sd(sum_of(laws))
    scale = len(truths) if figure.startswith("win") else 1
    return mean / scale, sd / scale


# ---- self-preference


def gap_law(bonus: float, published: bool, ability: float = 2.5) -> dict[float, float]:
    """Law of one pair's gap, own judge minus third-party judge, both orders, beta 0, truth ±1 at even odds.

    As published, two Boolean arrays were added, which is a logical OR: a win in both orders counts as one.
    """
    law: dict[float, float] = {}
    for truth, *picks in itertools.product((1, -1), *[(0, 1)] * 4):
        own, third = sigma(ability * truth + bonus), sigma(ability * truth)
        p = 0.5
        for pick, chance in zip(picks, (own, own, third, third), strict=True):
            p *= chance if pick else 1 - chance
        join = max if published else sum
        gap = (join(picks[:2]) - join(picks[2:])) / 2
        law[gap] = law.get(gap, 0.0) + p
    return law


def gap_power(bonus: float, n: int, published: bool) -> float:
    """Power of the two-sided z test of the mean gap at .05: every count of the five gaps is listed (slow)."""
    law = gap_law(bonus, published)
    # gaps in halves: sums of d and d² over n pairs, pair by pair
    table = {(0, 0): 1.0}
    for _ in range(n):
        following: dict[tuple[int, int], float] = {}
        for (total, squares), p in table.items():
            for gap, q in law.items():
                d = round(2 * gap)
                key = total + d, squares + d * d
                following[key] = following.get(key, 0.0) + p * q
        table = {key: p for key, p in following.items() if p > 1e-18}
    power = 0.0
    for (total, squares), p in table.items():
        variance = (squares - total**2 / n) / (n - 1)
        if variance > 1e-12 and abs(total / n) / math.sqrt(variance / n) > stats.norm.ppf(0.975):
            power += p
    return power


# ---- length


def score_moments(gamma: float, words: int, noise_sd: float = 0.5) -> tuple[float, float]:
    """Mean and variance of the score of a right answer."""
    mean = 4 + gamma * math.log2(words / 10)
    cuts = stats.norm.cdf((np.array([1.5, 2.5, 3.5, 4.5]) - mean) / noise_sd)
    chances = np.diff(cuts, prepend=0.0, append=1.0)
    first = float(chances @ np.arange(1, 6))
    return first, float(chances @ np.arange(1, 6) ** 2) - first**2


def slope(words: Sequence[Sequence[int]], gamma: float) -> tuple[float, float]:
    """Mean and standard deviation of the slope of one line through all scores; words of every version of a case."""
    flat = [count for case in words for count in case]
    x = np.log2(flat)
    weights = np.linalg.pinv(np.column_stack([np.ones_like(x), x]))[1]
    moments = np.array([score_moments(gamma, count) for count in flat])
    return float(weights @ moments[:, 0]), math.sqrt(weights**2 @ moments[:, 1])
