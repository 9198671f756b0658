"""Slow, readable twins of scenario judged: cases one by one, and corrections case by case.

They share nothing with the package: the kernel's twin draws with the Philox of tests/oracle/kernels.py, the law is a
sum over a case's whole history, and variances come from weights of single cases, moved a little, or from exact
fractions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.oracle import paired_slow
from tests.oracle.kernels import uniform, words
from tests.oracle.paired_slow import paired_cases

JUDGE = 6
PAIRS = [(True, False), (False, True), (True, True), (False, False)]
Case = tuple[bool, bool, bool, bool]


def cases(
    seed: int,
    replication: int,
    n_cases: int,
    n_labelled: int,
    logits: tuple[float, float],
    difficulty_sd: float,
    reworded: tuple[float, float],
    p_fn: float,
    extra_fn: float,
    p_fp: float,
) -> list[tuple[float, bool, bool, bool, bool, bool, bool, bool]]:
    """Rows of a replay: difficulty, right, reworded and accepted of A and B, labelled."""
    rows = []
    for case, (difficulty, *right) in enumerate(paired_cases(seed, replication, n_cases, *logits, difficulty_sd)):
        four = words(seed, replication, case, 0, JUDGE)
        other = [right[s] and uniform(four[2 + s]) < reworded[s] for s in (0, 1)]
        chances = [1 - p_fn - extra_fn * other[s] if right[s] else p_fp for s in (0, 1)]
        accepted = [uniform(four[s]) < chances[s] for s in (0, 1)]
        rows.append((difficulty, *right, *other, *accepted, case < n_labelled))
    return rows


def class_counts(rows: Sequence[Sequence[float]]) -> list[int]:
    """Counts of the labelled cases by truth and verdict, then of the others by verdict."""
    of_labelled = [((a, b), (v, w)) for _, a, b, _, _, v, w, labelled in rows if labelled]
    of_others = [(v, w) for _, a, b, _, _, v, w, labelled in rows if not labelled]
    return [of_labelled.count(pair) for pair in itertools.product(PAIRS, PAIRS)] + [of_others.count(v) for v in PAIRS]


def law(
    logits: tuple[float, float],
    difficulty_sd: float,
    reworded: tuple[float, float],
    p_fn: float,
    extra_fn: float,
    p_fp: float,
) -> dict[tuple[tuple[bool, bool], tuple[bool, bool]], float]:
    """P(truth pair, verdict pair): a sum over rewordings of an adaptive quadrature over the difficulty."""
    truths = dict(zip(PAIRS, paired_slow.cells(*logits, difficulty_sd), strict=True))
    found = dict.fromkeys(itertools.product(PAIRS, PAIRS), 0.0)
    for truth, verdict in found:
        for other in itertools.product([False, True], repeat=2):
            p = truths[truth]
            for s in (0, 1):
                p *= reworded[s] if other[s] else 1 - reworded[s]
                chance = 1 - p_fn - extra_fn * other[s] if truth[s] else p_fp
                p *= chance if verdict[s] else 1 - chance
            found[truth, verdict] += p
    return found


def rogan_gladen_of_weights(
    labelled: Sequence[Case], others: Sequence[tuple[bool, bool]], weights: Sequence[float], pooled: bool
) -> float:
    """The corrected difference, not cut, where case i counts weights[i] times (labelled cases first)."""
    verdicts = [case[2:] for case in labelled] + list(others)
    rates = []
    for s in (0, 1):
        counted = (0, 1) if pooled else (s,)
        cells = [[0.0, 0.0], [0.0, 0.0]]
        for case, weight in zip(labelled, weights, strict=False):
            for system in counted:
                cells[case[system]][case[2 + system]] += weight
        sensitivity, specificity = cells[1][1] / sum(cells[1]), cells[0][0] / sum(cells[0])
        accepted = math.fsum(w * v[s] for w, v in zip(weights, verdicts, strict=True)) / math.fsum(weights)
        rates.append((accepted + specificity - 1) / (sensitivity + specificity - 1))
    return rates[1] - rates[0]


def standard_error(statistic: Callable[[list[float]], float], n: int, step: float = 1e-5) -> float:
    """Infinitesimal jackknife: the root of the summed squares of the derivatives in the weights of the cases."""
    squares = []
    for i in range(n):
        up, down = [1.0] * n, [1.0] * n
        up[i], down[i] = 1 + step, 1 - step
        squares.append(((statistic(up) - statistic(down)) / (2 * step)) ** 2)
    return math.sqrt(math.fsum(squares))


def ppi(
    labels: Sequence[int], verdicts: Sequence[int], others: Sequence[int], tuned: bool
) -> tuple[Fraction, Fraction]:
    """Prediction-powered mean and its variance, in exact fractions."""
    n, m = len(labels), len(others)
    weight = Fraction(1)
    if tuned:
        together = [*verdicts, *others]
        centre = Fraction(sum(together), n + m)
        variance = sum((x - centre) ** 2 for x in together) / (n + m - 1)
        covariance = Fraction(sum(y * f for y, f in zip(labels, verdicts, strict=True)), n)
        covariance -= Fraction(sum(labels), n) * Fraction(sum(verdicts), n)
        weight = min(Fraction(1), max(Fraction(0), covariance / ((1 + Fraction(n, m)) * variance)))
    rectifiers = [y - weight * f for y, f in zip(labels, verdicts, strict=True)]
    estimate = sum(rectifiers) / n + weight * Fraction(sum(others), m)
    return estimate, _variance(rectifiers) / n + weight**2 * _variance([Fraction(x) for x in others]) / m


def _variance(values: Sequence[Fraction]) -> Fraction:
    """With divisor n − 1."""
    centre = sum(values) / len(values)
    return sum(((x - centre) ** 2 for x in values), Fraction(0)) / (len(values) - 1)
