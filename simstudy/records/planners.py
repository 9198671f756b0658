"""What a set of pairs finds, and how many cases would: by the test of its answer."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from simstudy.records.mean_error import ROUNDING, Mean, clustering, scale_of, spread_of
from simstudy.records.mean_plans import (
    bisected,
    cases_for_mean,
    cases_with_doubt,
    expected_power,
    smallest_mean,
    t_power,
)
from simstudy.records.paired_values import PairedValues
from simstudy.records.planning import Plan, admissible_discordance, power_at, smallest_seen
from simstudy.records.posterior import needed_for, posterior_cells
from simstudy.records.question import Question

IN_POINTS, IN_SDS = (0.05, 0.1), (0.2, 0.5)
"""Differences that are spoken of where none is named: of rates, and of scores in standard deviations."""
MCNEMAR = "mcnemar_midp"
EXACT_PLANS = 2000
"""Cases up to which the smallest difference of each of many pairs is found by the exact law."""
MULTIPLES = (1, 2, 4, 8)
"""Sizes whose expected power is said, in sets like this one."""


@dataclass(frozen=True)
class Seen:
    """What this set finds of one difference, and how many cases would.

    Parameters
    ----------
    difference : float
        Size of the difference, in the units of the values.
    power : float
        Chance that a set like this finds it; NaN where it cannot exist.
    cases, low, median, high : float
        Cases needed at the values as they are, and 5%, 50% and 95% points over what they may be.
    mcse : tuple of float
        Monte Carlo errors of low, median and high; 0 where nothing is drawn.
    expected, expected_mcse : tuple of float
        Power expected over what they may be, of sets `MULTIPLES` as large as this one, and its Monte Carlo errors;
        empty where it is not computed.
    impossible_share : float
        Share of the draws that leave the difference no room, and were left out.
    """

    difference: float
    power: float
    cases: float
    low: float
    median: float
    high: float
    mcse: tuple[float, float, float] = field(default=(0.0, 0.0, 0.0), kw_only=True)
    expected: tuple[float, ...] = field(default=(), kw_only=True)
    expected_mcse: tuple[float, ...] = field(default=(), kw_only=True)
    impossible_share: float = field(default=0.0, kw_only=True)


def planned(one: Seen) -> dict[str, float]:
    """Return the cases for the first difference, with their Monte Carlo errors."""
    return {
        "cases_recommended": one.high,
        "cases_recommended_mcse": one.mcse[2],
        "cases_median": one.median,
        "cases_median_mcse": one.mcse[1],
    }


def planner_of(
    pairs: PairedValues, main: Mean, question: Question, *, stratified: bool, one_of_many: bool
) -> CellPlanner | ClusterPlanner | MeanPlanner:
    """Return the planner of the test that the answer is by."""
    if not pairs.binary or stratified:
        return MeanPlanner(pairs, main, question, in_points=pairs.binary)
    if pairs.cluster is not None:
        return ClusterPlanner(pairs, main, question)
    if one_of_many and len(pairs.a) > EXACT_PLANS:
        return MeanPlanner(pairs, main, question, in_points=True)
    return CellPlanner(pairs, question)


def cells_of(pairs: PairedValues) -> tuple[int, int, int, int]:
    """Return how often both, A alone, B alone and neither are right."""
    a, b = pairs.a == 1, pairs.b == 1
    return int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum())


class CellPlanner:
    """Plans by the mid-p McNemar test, at the cells of this set."""

    def __init__(self, pairs: PairedValues, question: Question) -> None:
        self.question = question
        self.plan = Plan(question.power, MCNEMAR, question.alpha, question.seed, question.draws)
        both, only_a, only_b, neither = cells_of(pairs)
        self.n = len(pairs.a)
        self.counts = (only_a, only_b, both, neither)
        self.accuracy, self.discordance = (both + only_a) / self.n, (only_a + only_b) / self.n

    def sizes(self) -> tuple[float, ...]:
        """Return the differences to speak of."""
        return self.question.differences or IN_POINTS

    def smallest(self) -> dict[str, float]:
        """Return the smallest differences found with the power asked for, of both directions."""
        up, down = smallest_seen(self.n, self.accuracy, self.discordance, self.plan)
        return {"mde_positive": up, "mde_negative": down}

    def power(self, size: float) -> float:
        """Return the chance that this set finds a difference."""
        psi = admissible_discordance(self.accuracy, size, self.discordance)
        return float(power_at(self.n, psi, size, self.plan))

    def seen(self, size: float) -> Seen:
        """Return what this set finds of a difference, and how many cases would."""
        if not 0 <= self.accuracy + size <= 1:
            size = -size
        cells = posterior_cells(self.counts, self.plan)
        larger = [multiple * self.n for multiple in MULTIPLES]
        needed = needed_for(size, (self.accuracy, self.discordance), cells, larger, self.plan)
        low, median, high = needed.quantiles_mcse
        return Seen(
            size,
            self.power(size),
            needed.n,
            *needed.quantiles,
            mcse=(low, median, high),
            expected=needed.assurance,
            expected_mcse=needed.assurance_mcse,
            impossible_share=needed.impossible_share,
        )


class ClusterPlanner:
    """Plans by the t test on the clusters, at the discordance of this set and the design effect that was found."""

    def __init__(self, pairs: PairedValues, main: Mean, question: Question) -> None:
        self.question, self.units, self.spread_df = question, main.units, main.spread_df
        both, only_a, only_b, _ = cells_of(pairs)
        n = len(pairs.a)
        self.accuracy, self.discordance = (both + only_a) / n, (only_a + only_b) / n
        # variance of a cluster's share of the mean, of independent rows of variance 1
        self.per_unit = clustering(pairs, main) * main.units / n
        self.cases_per_unit = pairs.n_cases / main.units

    def sizes(self) -> tuple[float, ...]:
        """Return the differences to speak of."""
        return self.question.differences or IN_POINTS

    def _sd(self, size: float) -> float:
        psi = float(admissible_discordance(self.accuracy, size, self.discordance))
        return math.sqrt(max(0.0, psi - size * size) * self.per_unit)

    def power(self, size: float) -> float:
        """Return the chance that this set finds a difference."""
        return t_power(size, self._sd(size), self.units, self.question.alpha)

    def smallest(self) -> dict[str, float]:
        """Return the smallest differences found with the power asked for, of both directions."""
        found = {}
        for name, room in (("mde_positive", 1 - self.accuracy), ("mde_negative", -self.accuracy)):
            # short of a difference of 1, where no case differs from another and t is undefined
            most = abs(room) * (1 - ROUNDING)
            sign = math.copysign(1.0, room)

            def reached(size: float, sign: float = sign) -> bool:
                return self.power(sign * size) >= self.question.power

            found[name] = sign * bisected(most, reached) if reached(most) else math.nan
        return found

    def seen(self, size: float) -> Seen:
        """Return what this set finds of a difference, and how many cases would."""
        if not 0 <= self.accuracy + size <= 1:
            size = -size
        if self.units < 2:
            return Seen(size, *[math.nan] * 5)
        sd, alpha = self._sd(size), self.question.alpha
        needed = (
            cases_for_mean(size, sd, alpha, self.question.power),
            *cases_with_doubt(size, sd, self.spread_df, alpha, self.question.power),
        )
        expected = tuple(
            expected_power(size, sd, self.spread_df, multiple * self.units, alpha) for multiple in MULTIPLES
        )
        exact = (0.0,) * len(expected)
        cases = (_whole(x * self.cases_per_unit) for x in needed)
        return Seen(size, self.power(size), *cases, expected=expected, expected_mcse=exact)


def _whole(cases: float) -> float:
    return float(math.ceil(cases - ROUNDING)) if math.isfinite(cases) else cases


class MeanPlanner:
    """Plans by a t test at the spread of this set."""

    def __init__(self, pairs: PairedValues, main: Mean, question: Question, *, in_points: bool) -> None:
        self.question, self.main, self.in_points = question, main, in_points
        self.sd = main.error * math.sqrt(main.units) if main.error > 0 else math.nan
        self.cases_per_unit = pairs.n_cases / main.units
        self.scale = spread_of(pairs.b - pairs.a, scale_of(pairs)) if len(pairs.a) > 1 else math.nan

    def sizes(self) -> tuple[float, ...]:
        """Return the differences to speak of."""
        usual = IN_POINTS if self.in_points else tuple(share * self.scale for share in IN_SDS)
        return self.question.differences or usual

    def smallest(self) -> dict[str, float]:
        """Return the smallest differences found with the power asked for, of both directions."""
        found = smallest_mean(self.sd, self.main.units, self.question.alpha, self.question.power, self.main.df)
        return {"mde_positive": found, "mde_negative": -found}

    def power(self, size: float) -> float:
        """Return the chance that this set finds a difference."""
        return t_power(size, self.sd, self.main.units, self.question.alpha, self.main.df)

    def seen(self, size: float) -> Seen:
        """Return what this set finds of a difference, and how many cases would."""
        alpha, power = self.question.alpha, self.question.power
        needed = (
            cases_for_mean(size, self.sd, alpha, power),
            *cases_with_doubt(size, self.sd, self.main.spread_df, alpha, power),
        )
        return Seen(size, self.power(size), *(_whole(x * self.cases_per_unit) for x in needed))
