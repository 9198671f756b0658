"""Verdicts of judges on pairs whose better answer is known, each pair read in both orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special
from scipy import stats as distributions

from experiments.real.reading import Row
from simstudy import stats
from simstudy.stats.position import PositionFit

GROUP = ("judge", "strategy")
ALPHA = 0.05
WINNER = {"1": "X", "2": "Y"}


@dataclass(frozen=True)
class Verdicts:
    """What a judge said about some pairs.

    Attributes
    ----------
    name : tuple of str
        Judge and strategy, or what else the pairs have in common.
    rows : tuple of dict
        One row per pair; answer 1 is shown first in the pass `w_noswap`, answer 2 in the pass `w_swap`, and both
        columns name the winner by its number.
    """

    name: tuple[str, ...]
    rows: tuple[Row, ...]

    @cached_property
    def read(self) -> list[Row]:
        """Pairs with two readable verdicts."""
        return [row for row in self.rows if row["w_noswap"] and row["w_swap"]]

    @property
    def one_unreadable(self) -> int:
        """Pairs with one verdict alone."""
        return sum(bool(row["w_noswap"]) != bool(row["w_swap"]) for row in self.rows)

    @property
    def both_unreadable(self) -> int:
        """Pairs without a verdict."""
        return len(self.rows) - len(self.read) - self.one_unreadable

    @cached_property
    def cells(self) -> Counter[str]:
        """Pairs by what the judge did: right or wrong in both orders, or first or second shown in both."""
        return Counter(cell(row) for row in self.read)

    @property
    def n(self) -> int:
        """Pairs with two readable verdicts."""
        return len(self.read)

    @property
    def flips(self) -> int:
        """Contradictions: the same position in both orders."""
        return self.cells["first"] + self.cells["second"]

    @property
    def right_first(self) -> int:
        """Right verdicts in the order that shows the better answer first."""
        return self.cells["right"] + self.cells["first"]

    @property
    def right_second(self) -> int:
        """Right verdicts in the order that shows the better answer second."""
        return self.cells["right"] + self.cells["second"]

    @property
    def beta(self) -> float:
        """Position bias in logits, from the contradictions."""
        return float(stats.position_bias(self.cells["first"], self.cells["second"]))

    @property
    def beta_limits(self) -> tuple[float, float]:
        """Its 95% mid-p limits."""
        low, high = stats.position_bias_midp(self.cells["first"], self.cells["second"])
        return float(low), float(high)

    @property
    def beta_p(self) -> float:
        """P-value of the exact test that neither position is preferred."""
        return float(stats.mcnemar_exact(self.cells["second"], self.cells["first"]))

    @cached_property
    def fit(self) -> PositionFit:
        """One ability and one position bias for all pairs, by maximum likelihood."""
        return stats.fit_position(*(_counted([row for row in self.read if row["label"] == better]) for better in "12"))

    @property
    def fit_p(self) -> float:
        """P-value of the fitted model: Fisher's exact test of the flips."""
        # The fit reproduces how often the judge is right with the better answer shown first, and shown second. Under
        # the model the two verdicts on a pair are independent, so that given these two numbers the flips have a law
        # without parameters: that of Fisher's test.
        both = self.cells["right"]
        return float(stats.fisher_exact(self.right_second - both, self.n - self.right_first, both, self.right_first))

    @property
    def fit_range(self) -> tuple[float, float]:
        """Central 95% of the flip rate under the model, given the same two numbers."""
        law = distributions.hypergeom(self.n, self.right_first, self.right_second)
        right = self.right_first + self.right_second
        low, high = ((right - 2 * float(law.ppf(tail))) / self.n for tail in (1 - ALPHA / 2, ALPHA / 2))
        return low, high


def cell(row: Row) -> str:
    """Tell what the judge did in both orders: right, wrong, or the same position, first or second."""
    if row["w_noswap"] == row["w_swap"]:
        return "right" if row["w_noswap"] == row["label"] else "wrong"
    return "first" if row["w_noswap"] == "1" else "second"


def _counted(rows: Sequence[Row]) -> NDArray[np.int64]:
    return stats.verdict_counts_of_winners(
        [WINNER[row["w_noswap"]] for row in rows], [WINNER[row["w_swap"]] for row in rows]
    )


def grouped(rows: Iterable[Row], by: Sequence[str]) -> list[Verdicts]:
    """Return the verdicts of each group of rows, in order of its name."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in by), []).append(row)
    return [Verdicts(name, tuple(groups[name])) for name in sorted(groups)]


def is_rating(row: Row) -> bool:
    """Tell whether each answer was scored alone, so that the order means nothing."""
    return row["strategy"].startswith("Rating")


# ---- what the model with one ability leaves unsaid


def within_sets(group: Verdicts) -> float:
    """Return the flip rate predicted where every set of pairs has an ability and a beta of its own."""
    # A set on which the judge never errs with the better answer in one position has no finite estimate, but its
    # likeliest flip rate exists: that of independent verdicts with the observed shares.
    total = 0.0
    for part in grouped(group.read, ("dataset",)):
        first, second = part.right_first / part.n, part.right_second / part.n
        total += part.n * (first * (1 - second) + second * (1 - first))
    return total / group.n


def ability_spread(group: Verdicts) -> tuple[float, float]:
    """Return mean and standard deviation of the normal abilities, in logits, that give the observed cells."""
    # The contradictions fix beta whatever the abilities are; mean and standard deviation follow from the shares of
    # pairs that are right in both orders, and wrong in both. The latter is 0 where one ability for all gives no more
    # flips than observed.
    beta = group.beta
    lead = (group.cells["right"] - group.cells["wrong"]) / group.n

    def mean_at(sd: float) -> float:
        return float(optimize.brentq(lambda mean: np.subtract(*steady_shares(mean, sd, beta)) - lead, -60, 60))

    def excess(sd: float) -> float:
        return 1 - sum(steady_shares(mean_at(sd), sd, beta)) - group.flips / group.n

    sd = float(optimize.brentq(excess, 0, 40)) if excess(0) > 0 else 0.0
    return mean_at(sd), sd


def steady_shares(mean: float, sd: float, beta: float) -> tuple[float, float]:
    """Return the shares of pairs that are right, and wrong, in both orders, by the trapezoid rule."""
    z = np.linspace(-8.5, 8.5, 501)
    weights = np.exp(-0.5 * z**2)
    ability = mean + sd * z
    chances = (special.expit(sign * ability + beta) * special.expit(sign * ability - beta) for sign in (1, -1))
    right, wrong = (float(weights @ chance / weights.sum()) for chance in chances)
    return right, wrong


# ---- the published statistics


@dataclass(frozen=True)
class Check:
    """How the published counts follow from the verdicts.

    Attributes
    ----------
    groups, agreeing : int
        Groups of one set, judge and strategy; those whose four published counts come out.
    silent : int
        Pairs without any readable verdict that are published as agreement of the two orders.
    """

    groups: int
    agreeing: int
    silent: int


def published_counts(verdicts: Verdicts) -> tuple[int, int, int, int]:
    """Count as published: an unreadable verdict is wrong, and two of them agree."""
    pairs = [(row["w_noswap"], row["w_swap"], row["label"]) for row in verdicts.rows]
    return (
        sum(normal == label for normal, _, label in pairs),
        sum(swapped == label for _, swapped, label in pairs),
        sum(normal == swapped == label for normal, swapped, label in pairs),
        sum(normal == swapped for normal, swapped, _ in pairs),
    )


def check_published(rows: Iterable[Row], published: Iterable[Row]) -> Check:
    """Hold the verdicts against the published counts."""
    key = ("dataset", *GROUP)
    columns = ("correct_False", "correct_True", "correct_both", "equal")
    known = {
        tuple(row[column] for column in key): tuple(int(row[column].partition("/")[0]) for column in columns)
        for row in published
        if row["dataset"].partition("/")[0] != "CaseStudy"
    }
    groups = grouped(rows, key)
    agreeing = sum(published_counts(group) == known.get(group.name) for group in groups)
    return Check(len(groups), agreeing, sum(group.both_unreadable for group in groups))
