"""Cases needed, with the pilot's own uncertainty: a posterior of the cells, ranges of n, assurance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simstudy.records.planning import Plan, admissible_discordance, power_at
from simstudy.records.sizes import exact_size, normal_power, normal_size, size_answer

PRIOR = 0.5
"""Jeffreys prior of the four cells."""
TAILS = (0.05, 0.5, 0.95)
EXACT_DRAWS = 200
LARGE, FEWER_DRAWS = 5000, 20  # at sizes where the two agree closely
"""Draws whose power is exact on the assurance curve; the others enter as a control variate."""

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Needed:
    """Independent cases needed to see one difference."""

    n: float  # from which the target power is never lost again; NaN where not found
    quantiles: tuple[float, ...]  # 5%, 50% and 95% points of n over the posterior; inf above 100,000
    quantiles_mcse: tuple[float, ...]
    assurance: tuple[float, ...]  # power expected over the posterior at each size that was asked for
    assurance_mcse: tuple[float, ...]
    impossible_share: float  # of the draws, that leave the difference no room and were left out


def posterior_cells(counts: Sequence[float], plan: Plan) -> FloatArray:
    """Draw (p10, p01, p11, p00) from Dirichlet(counts + 1/2); counts are divided by the design effect before."""
    generator = np.random.Generator(np.random.Philox(key=plan.seed))
    return generator.dirichlet(np.asarray(counts, dtype=np.float64) + PRIOR, size=plan.draws)


def needed_for(
    difference: float, point: tuple[float, float], cells: FloatArray, sizes: Sequence[int], plan: Plan
) -> Needed:
    """Return the cases needed for a difference, and how sure a set is of that; `point` is accuracy and discordance."""
    # the draws keep the difference and vary the accuracy of A and the discordance; those that leave it no room are
    # left out
    psi = admissible_discordance(cells[:, 0] + cells[:, 2], difference, cells[:, 0] + cells[:, 1])
    possible = ~np.isnan(psi)
    psi = psi[possible]
    own = np.full(len(psi), difference)
    return Needed(
        size_answer(difference, point, plan),
        *posterior_range(psi, own, plan),
        *assurance_curve(psi, own, sizes, plan),
        impossible_share=float(np.mean(~possible)),
    )


Points = tuple[tuple[float, ...], tuple[float, ...]]
"""Figures and their Monte Carlo errors."""


def posterior_range(psi: FloatArray, difference: FloatArray, plan: Plan) -> Points:
    """Return the 5%, 50% and 95% points of n over the possible draws, with errors; NaN where there is none."""
    # Draws are put in order by the normal approximation, which is within a few percent of a constant multiple of n, or
    # within a case or two where n is small; only the draws at the three ranks are then solved by the exact power, to a
    # thousandth.
    if not len(psi):
        return (math.nan,) * len(TAILS), (math.nan,) * len(TAILS)
    guesses = normal_size(psi, difference, plan)
    order = np.argsort(guesses, kind="stable")
    ranks = [min(max(math.ceil(share * len(order)) - 1, 0), len(order) - 1) for share in TAILS]
    chosen = order[ranks]
    found = sorted(exact_size(float(psi[i]), float(difference[i]), float(guesses[i]), plan) for i in chosen)
    shares = [relative_error(guesses[order], share) for share in TAILS]
    return tuple(found), tuple(n * share for n, share in zip(found, shares, strict=True))


def relative_error(ordered: FloatArray, share: float) -> float:
    """Return the Monte Carlo error of a quantile of draws in order, over the quantile."""
    # the rank of a quantile has the standard deviation √(n·q·(1 − q)); half the way between the draws there
    last = len(ordered) - 1
    rank = min(max(math.ceil(share * len(ordered)) - 1, 0), last)
    away = max(1, round(math.sqrt(len(ordered) * share * (1 - share))))
    below, at, above = (float(ordered[min(max(place, 0), last)]) for place in (rank - away, rank, rank + away))
    return (above - below) / (2 * at) if 0 < at < math.inf and above < math.inf else math.nan


def assurance_curve(psi: FloatArray, difference: FloatArray, sizes: Sequence[int], plan: Plan) -> Points:
    """Return the power expected over the possible draws at several sizes, with errors; NaN where there is no draw."""
    # Exact power of the first 200 draws, with the normal approximation as a control variate: mean of (exact - normal)
    # over them plus the mean of normal over all draws. This has no bias. Assurance: O'Hagan, Stevens & Campbell 2005,
    # doi:10.1002/pst.175.
    if not len(psi):
        return (math.nan,) * len(sizes), (math.nan,) * len(sizes)
    means, errors = [], []
    for n in sizes:
        few = slice(0, EXACT_DRAWS if n <= LARGE else FEWER_DRAWS)
        normal = normal_power(n, psi, difference, plan.alpha)
        gap = power_at(n, psi[few], difference[few], plan) - normal[few]
        means.append(float(np.clip(normal.mean() + gap.mean(), 0.0, 1.0)))
        errors.append(_error_of_both(normal, gap))
    return tuple(means), tuple(errors)


def _error_of_both(normal: FloatArray, gap: FloatArray) -> float:
    """Return the standard error of the sum of two means, the second over the first draws only."""
    if len(gap) < 2:
        return math.nan
    spread = np.cov(normal[: len(gap)], gap)
    own = np.var(normal, ddof=1) + 2 * spread[0, 1]
    return math.sqrt(max(0.0, float(own / len(normal) + spread[1, 1] / len(gap))))
