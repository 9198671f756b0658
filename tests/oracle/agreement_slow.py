"""Slow twins of scenario agreement: lists of single verdicts, exact fractions, derivatives by a tiny rational step."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from statistics import NormalDist

from tests.oracle.kernels import DATA, uniform, words

JUDGE = 6
STEP = Fraction(1, 10**40)
Table = Sequence[Sequence[Fraction | float | int]]
Interval = tuple[float, float]
UNDEFINED = (math.nan, math.nan)


def agreement(size: int, power: int | None) -> list[list[Fraction]]:
    """Weights of agreement: none (power None), linear (1), quadratic (2)."""
    if power is None:
        return [[Fraction(i == j) for j in range(size)] for i in range(size)]
    return [[1 - Fraction(abs(i - j), size - 1) ** power for j in range(size)] for i in range(size)]


def kappa(shares: Table, power: int | None = None) -> Fraction | None:
    """(p_o − p_e)/(1 − p_e) as sums over all pairs of categories."""
    k = len(shares)
    weights = agreement(k, power)
    pairs = list(itertools.product(range(k), repeat=2))
    rows = [sum(shares[i]) for i in range(k)]
    columns = [sum(row[j] for row in shares) for j in range(k)]
    observed = sum(weights[i][j] * shares[i][j] for i, j in pairs)
    chance = sum(weights[i][j] * rows[i] * columns[j] for i, j in pairs)
    return None if chance == 1 else (observed - chance) / (1 - chance)


def shares_of(table: Table) -> list[list[Fraction]]:
    n = sum(map(sum, table))
    return [[Fraction(cell) / Fraction(n) for cell in row] for row in table]


def influences(table: Table, power: int | None = None) -> list[list[Fraction]]:
    """The derivative of kappa towards each cell, by a step of 1e-40 in fractions."""
    shares = shares_of(table)
    centre, k = kappa(shares, power), len(table)
    found = [[Fraction(0)] * k for _ in range(k)]
    for i, j in itertools.product(range(k), repeat=2):
        moved = [[(1 - STEP) * p for p in row] for row in shares]
        moved[i][j] += STEP
        found[i][j] = (kappa(moved, power) - centre) / STEP
    return found


def standard_error(table: Table, power: int | None = None) -> float:
    """Delta method: the variance of the derivatives."""
    shares = shares_of(table)
    if kappa(shares, power) is None:
        return math.nan
    n, slopes = sum(map(sum, table)), influences(table, power)
    second = sum(
        p * slope**2
        for row, row_slopes in zip(shares, slopes, strict=True)
        for p, slope in zip(row, row_slopes, strict=True)
    )
    # a step of 1e-40 leaves an error of that order, which must not pass for a variance
    return math.sqrt(second / Fraction(n)) if second > Fraction(1, 10**60) else 0.0


def kappa_wald(tp: float, fn: float, fp: float, tn: float, level: float = 0.95) -> Interval:
    table = [[Fraction(tp), Fraction(fn)], [Fraction(fp), Fraction(tn)]]
    if tp + fn + fp + tn == 0:
        return UNDEFINED
    error = standard_error(table)
    if math.isnan(error) or error == 0:
        return UNDEFINED
    centre = float(kappa(shares_of(table)))
    z = NormalDist().inv_cdf(0.5 + level / 2)
    return max(-1.0, centre - z * error), min(1.0, centre + z * error)


def kappa_adjusted(tp: int, fn: int, fp: int, tn: int, level: float = 0.95) -> Interval:
    if tp + fn + fp + tn in (0, tp, tn):
        return UNDEFINED
    return kappa_wald(*(Fraction(cell) + Fraction(1, 2) for cell in (tp, fn, fp, tn)), level)


def kappa_few(tp: int, fn: int, fp: int, tn: int, level: float = 0.95) -> Interval:
    """The adjusted limits; without a disagreement also the score equation, solved by halving."""
    low, high = kappa_adjusted(tp, fn, fp, tn, level)
    if fn == fp == 0 < min(tp, tn):
        low = min(low, _score_limit(tp, tn, level))
    return low, high


def _score_limit(tp: int, tn: int, level: float) -> float:
    """The kappa below which an estimate of 1 is more than z standard errors away (Bloch & Kraemer's variance)."""
    n, z = tp + tn, NormalDist().inv_cdf(0.5 + level / 2)
    prevalence = tp / n
    low, high = -1.0, 1.0
    for _ in range(100):
        k = (low + high) / 2
        spread = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * prevalence * (1 - prevalence)))
        low, high = (k, high) if (1 - k) ** 2 * n > z * z * spread else (low, k)
    return low


def kappa_wilson_po(tp: int, fn: int, fp: int, tn: int, level: float = 0.95) -> Interval:
    """Wilson's limits by halving the score equation of p_o, on the scale of kappa."""
    n = tp + fn + fp + tn
    if n in (0, tp, tn):
        return UNDEFINED
    z, agreed = NormalDist().inv_cdf(0.5 + level / 2), (tp + tn) / n
    chance = ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)) / n**2
    limits = []
    for end in (0.0, 1.0):
        # the share nearest to the end that is not rejected
        outside, inside = end, agreed
        for _ in range(100):
            p = (outside + inside) / 2
            rejected = n * (agreed - p) ** 2 > z * z * p * (1 - p)
            outside, inside = (p, inside) if rejected else (outside, p)
        limits.append((inside - chance) / (1 - chance))
    return max(-1.0, limits[0]), min(1.0, limits[1])


def multinomial(n: int, probabilities: Sequence[float]) -> Iterator[tuple[tuple[int, ...], float]]:
    """All tables of n units with their probabilities."""
    for cells in itertools.product(range(n + 1), repeat=len(probabilities) - 1):
        if sum(cells) <= n:
            full = (*cells, n - sum(cells))
            ways = math.factorial(n) // math.prod(map(math.factorial, full))
            yield full, ways * math.prod(p**c for p, c in zip(probabilities, full, strict=True))


def cell_probabilities(prevalence: float, sensitivity: float, specificity: float, unreadable: float) -> list[float]:
    truths = [(True, prevalence), (False, 1 - prevalence)]
    readable = 1 - unreadable
    cells = []
    for right, share in truths:
        correct = sensitivity if right else 1 - specificity
        cells += [share * readable * correct, share * readable * (1 - correct)]
    return [*cells, unreadable]


def operating(
    interval: Callable[..., Interval], n: int, probabilities: Sequence[float], threshold: float, truth: float
) -> dict[str, float]:
    """Power, coverage, share undefined and mean width where defined, by listing every table."""
    sums = dict.fromkeys(("power", "coverage", "undefined", "width"), 0.0)
    for (tp, fn, fp, tn, _), probability in multinomial(n, probabilities):
        low, high = interval(tp, fn, fp, tn)
        if math.isnan(low):
            sums["undefined"] += probability
            continue
        sums["power"] += probability * (low > threshold)
        sums["coverage"] += probability * (low <= truth <= high)
        sums["width"] += probability * (high - low)
    defined = 1 - sums["undefined"]
    return {**sums, "width": sums["width"] / defined if defined else math.nan}


def verdicts(
    seed: int, replication: int, n: int, prevalence: float, sensitivity: float, specificity: float, unreadable: float
) -> list[tuple[bool, bool | None]]:
    """Label and verdict of each answer; None where unreadable."""
    rows: list[tuple[bool, bool | None]] = []
    for answer in range(n):
        truth = uniform(words(seed, replication, answer // 4, 0, DATA)[answer % 4])
        said = uniform(words(seed, replication, answer // 4, 0, JUDGE)[answer % 4])
        right = truth < prevalence
        correct = (1 - unreadable) * (sensitivity if right else 1 - specificity)
        rows.append((right, None if said >= 1 - unreadable else said < correct))
    return rows


def counted(rows: Sequence[tuple[bool, bool | None]]) -> list[int]:
    kinds = [(True, True), (True, False), (False, True), (False, False)]
    cells = [rows.count(kind) for kind in kinds]
    return [*cells, len(rows) - sum(cells)]


def krippendorff(ratings: Sequence[Sequence[float | None]], metric: str) -> float:
    """1 − D_o/D_e over all ordered pairs: within units for D_o, over all pairable ratings for D_e."""
    units = [[r for r in unit if r is not None] for unit in ratings]
    units = [unit for unit in units if len(unit) > 1]
    pool = sorted(r for unit in units for r in unit)

    def between(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        inside = sum(low < r < high for r in pool)
        return inside + (pool.count(low) + pool.count(high)) / 2

    def distance(a: float, b: float) -> float:
        if a == b:
            return 0.0
        return {"nominal": 1.0, "interval": (a - b) ** 2, "ordinal": between(a, b) ** 2}[metric]

    n = len(pool)
    observed = sum(distance(a, b) / (len(unit) - 1) for unit in units for a, b in itertools.permutations(unit, 2)) / n
    expected = sum(distance(a, b) for a, b in itertools.permutations(pool, 2)) / (n * (n - 1))
    return 1 - observed / expected
