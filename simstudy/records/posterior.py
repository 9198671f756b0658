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
MULTIPLES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Sizes of the assurance curve, in pilots."""
TAILS = (0.05, 0.5, 0.95)
EXACT_DRAWS = 200
"""Draws whose power is exact on the assurance curve; the others enter as a control variate."""

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Needed:
    """Cases needed to see one difference.

    Parameters
    ----------
    difference : float
        B minus A.
    observed : bool
        Whether it is the difference that the pilot happened to show.
    accuracy_a, discordance : float
        The design point: A's accuracy, and the pilot's discordance moved into what is possible.
    n : float
        Independent cases from which the target power is never lost again; NaN where not found.
    first : float
        The first number of cases that reaches it.
    status : str
        ``found``, ``unreachable``, ``outside the range`` or ``impossible``.
    quantiles : tuple of float
        5%, 50% and 95% points of n over the posterior; inf above 100,000, NaN if impossible.
    quantiles_low, quantiles_high : tuple of float
        Monte Carlo 95% limits of the three.
    impossible_share : float
        Share of posterior draws in which A's accuracy leaves no room for the difference; they are
        left out of quantiles and assurance.
    assurance, assurance_mcse : tuple of float
        Power expected over the posterior at each size of the curve, and its Monte Carlo error.
    """

    difference: float
    observed: bool
    accuracy_a: float
    discordance: float
    n: float
    first: float
    status: str
    quantiles: tuple[float, ...]
    quantiles_low: tuple[float, ...]
    quantiles_high: tuple[float, ...]
    impossible_share: float
    assurance: tuple[float, ...]
    assurance_mcse: tuple[float, ...]


def posterior_cells(counts: Sequence[float], plan: Plan) -> FloatArray:
    """Draw (p10, p01, p11, p00) from Dirichlet(counts + 1/2); counts are divided by the design effect before."""
    generator = np.random.Generator(np.random.Philox(key=plan.seed))
    return generator.dirichlet(np.asarray(counts, dtype=np.float64) + PRIOR, size=plan.draws)


def needed_for(
    difference: float | None,
    point: tuple[float, float, float],
    cells: FloatArray,
    sizes: Sequence[int],
    plan: Plan,
) -> Needed:
    """Return the cases needed for one difference, and how sure the pilot is of that."""
    # `point` is the pilot's accuracy of A, discordance and difference. For a named difference the draws keep it and
    # vary the first two; None takes the observed difference, a noisy guess, and each draw then has its own.
    accuracy_a, discordance, observed = point
    wanted = observed if difference is None else difference
    drawn_a, drawn = cells[:, 0] + cells[:, 2], cells[:, 0] + cells[:, 1]
    own = cells[:, 1] - cells[:, 0] if difference is None else np.full(len(cells), difference)
    psi = drawn if difference is None else admissible_discordance(drawn_a, own, drawn)
    possible = ~np.isnan(psi)
    answer = size_answer(wanted, (accuracy_a, discordance), plan)
    ranges = posterior_range(psi[possible], own[possible], plan)
    curve = assurance_curve(psi[possible], own[possible], sizes, plan)
    return Needed(
        difference=wanted,
        observed=difference is None,
        accuracy_a=accuracy_a,
        discordance=float(admissible_discordance(accuracy_a, wanted, discordance)),
        n=answer[0],
        first=answer[1],
        status=answer[2],
        quantiles=ranges[0],
        quantiles_low=ranges[1],
        quantiles_high=ranges[2],
        impossible_share=float(np.mean(~possible)),
        assurance=curve[0],
        assurance_mcse=curve[1],
    )


def posterior_range(
    psi: FloatArray, difference: FloatArray, plan: Plan
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Return the 5%, 50% and 95% points of n over the possible draws, and their lower and upper Monte Carlo limits."""
    # Draws are put in order by the normal approximation, which is within a few percent of a constant multiple of n, or
    # within a case or two where n is small; only the draws at the nine ranks are then solved by the exact power, to a
    # thousandth. The limits are order statistics at 95%, widened to hold the quantile where the two orders differ.
    if not len(psi):
        nothing = (math.nan,) * len(TAILS)
        return nothing, nothing, nothing
    guesses = normal_size(psi, difference, plan)
    order = np.argsort(guesses, kind="stable")

    def solved(shares: Sequence[float]) -> tuple[float, ...]:
        ranks = [min(max(math.ceil(share * len(order)) - 1, 0), len(order) - 1) for share in shares]
        chosen = order[ranks]
        return tuple(exact_size(float(psi[i]), float(difference[i]), float(guesses[i]), plan) for i in chosen)

    margins = [1.96 * math.sqrt(share * (1 - share) / len(order)) for share in TAILS]
    low = [share - margin for share, margin in zip(TAILS, margins, strict=True)]
    high = [share + margin for share, margin in zip(TAILS, margins, strict=True)]
    quantiles = tuple(sorted(solved(TAILS)))
    return quantiles, tuple(map(min, quantiles, solved(low))), tuple(map(max, quantiles, solved(high)))


def assurance_curve(
    psi: FloatArray, difference: FloatArray, sizes: Sequence[int], plan: Plan
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the power expected over the possible draws at several sizes, and its Monte Carlo errors."""
    # Exact power of the first 200 draws, with the normal approximation as a control variate: mean of (exact - normal)
    # over them plus the mean of normal over all draws. This has no bias. Assurance: O'Hagan, Stevens & Campbell 2005,
    # doi:10.1002/pst.175.
    if not len(psi):
        nothing = (math.nan,) * len(sizes)
        return nothing, nothing
    few = slice(0, EXACT_DRAWS)
    means, errors = [], []
    for n in sizes:
        normal = normal_power(n, psi, difference, plan.alpha)
        gap = power_at(n, psi[few], difference[few], plan) - normal[few]
        means.append(float(np.clip(normal.mean() + gap.mean(), 0.0, 1.0)))
        errors.append(_combined_error(normal, gap))
    return tuple(means), tuple(errors)


def _combined_error(normal: FloatArray, gap: FloatArray) -> float:
    """Return the standard error of the sum of two means, the second over the first draws only."""
    if len(gap) < 2:
        return math.nan
    spread = np.cov(normal[: len(gap)], gap)
    own = np.var(normal, ddof=1) + 2 * spread[0, 1]
    return math.sqrt(max(0.0, float(own / len(normal) + spread[1, 1] / len(gap))))
