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
    assurance: tuple[float, ...]  # power expected over the posterior at each size that was asked for


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
    psi = psi[~np.isnan(psi)]
    own = np.full(len(psi), difference)
    return Needed(
        size_answer(difference, point, plan), posterior_range(psi, own, plan), assurance_curve(psi, own, sizes, plan)
    )


def posterior_range(psi: FloatArray, difference: FloatArray, plan: Plan) -> tuple[float, ...]:
    """Return the 5%, 50% and 95% points of n over the possible draws; NaN where there is none."""
    # Draws are put in order by the normal approximation, which is within a few percent of a constant multiple of n, or
    # within a case or two where n is small; only the draws at the three ranks are then solved by the exact power, to a
    # thousandth.
    if not len(psi):
        return (math.nan,) * len(TAILS)
    guesses = normal_size(psi, difference, plan)
    order = np.argsort(guesses, kind="stable")
    ranks = [min(max(math.ceil(share * len(order)) - 1, 0), len(order) - 1) for share in TAILS]
    chosen = order[ranks]
    return tuple(sorted(exact_size(float(psi[i]), float(difference[i]), float(guesses[i]), plan) for i in chosen))


def assurance_curve(psi: FloatArray, difference: FloatArray, sizes: Sequence[int], plan: Plan) -> tuple[float, ...]:
    """Return the power expected over the possible draws at several sizes; NaN where there is no draw."""
    # Exact power of the first 200 draws, with the normal approximation as a control variate: mean of (exact - normal)
    # over them plus the mean of normal over all draws. This has no bias. Assurance: O'Hagan, Stevens & Campbell 2005,
    # doi:10.1002/pst.175.
    if not len(psi):
        return (math.nan,) * len(sizes)
    means = []
    for n in sizes:
        few = slice(0, EXACT_DRAWS if n <= LARGE else FEWER_DRAWS)
        normal = normal_power(n, psi, difference, plan.alpha)
        gap = power_at(n, psi[few], difference[few], plan) - normal[few]
        means.append(float(np.clip(normal.mean() + gap.mean(), 0.0, 1.0)))
    return tuple(means)
