"""Two systems on the same cases: the difference by the test that suits the values, and what this set could see."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import ParameterError
from simstudy.records.mean_plans import (
    bisected,
    cases_for_mean,
    cases_with_doubt,
    expected_power,
    smallest_mean,
    t_power,
)
from simstudy.records.natural_order import listed
from simstudy.records.paired_values import PairedValues
from simstudy.records.planning import Plan, admissible_discordance, power_at, smallest_seen
from simstudy.records.posterior import needed_for, posterior_cells

FloatArray = NDArray[np.float64]
IN_POINTS, IN_SDS = (0.05, 0.1), (0.2, 0.5)
"""Differences that are spoken of where none is named: of rates, and of scores in standard deviations."""
MCNEMAR, PAIRED_T, CLUSTER_T, STRATIFIED = "mcnemar_midp", "paired_t", "cluster_t", "stratified_t"
EXACT_PLANS = 2000
"""Cases up to which the smallest difference of each of many pairs is found by the exact law."""
MULTIPLES = (1, 2, 4, 8)
"""Sizes whose expected power is said, in sets like this one."""
ROUNDING = 1e-9
"""More than sums of scores are rounded by, and far less than a step of any scale."""


@dataclass(frozen=True)
class Question:
    """What is asked of a comparison.

    Parameters
    ----------
    alpha : float
        Two-sided level of tests; claims about a margin are one-sided at it.
    level : float
        Confidence level.
    power : float
        Power of the smallest difference seen and of the cases needed.
    differences : tuple of float
        Differences to plan for; empty: 5 and 10 points, of scores .2 and .5 standard deviations.
    margin : float or None
        A loss that would still be accepted.
    lower_is_better : bool
        Direction of the values.
    seed, draws : int
        Of the posterior of the cells, and of resamples.
    """

    alpha: float = 0.05
    level: float = 0.95
    power: float = 0.8
    differences: tuple[float, ...] = ()
    margin: float | None = None
    lower_is_better: bool = False
    seed: int = 1
    draws: int = 2000


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


@dataclass(frozen=True)
class TwoCompared:
    """Everything that is said of two systems on the same cases; NaN where undefined.

    Parameters
    ----------
    record : dict
        The figures by the names of the documentation.
    seen : tuple of Seen
        One for each difference planned for.
    pairs : PairedValues
        The values.
    binary, clustered : bool
        Whether all values are 0 or 1, and whether pairs share clusters (or runs of a case are kept).
    half : float
        Chance that a set like this finds half of the smallest difference seen.
    strata : tuple of tuple
        Name, weight, cases, mean of A, mean of B and difference of each stratum.
    regressed, improved : tuple of str
        Cases in which B is worse, and better, than A.
    """

    record: dict[str, Any]
    seen: tuple[Seen, ...]
    pairs: PairedValues
    binary: bool
    clustered: bool
    half: float = math.nan
    strata: tuple[tuple[str, float, int, float, float, float], ...] = ()
    regressed: tuple[str, ...] = field(default=())
    improved: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Mean:
    """A mean difference with the error of the units that count."""

    value: float
    error: float  # 0 where all units are alike
    units: int
    df: float

    def limits(self, level: float) -> tuple[float, float]:
        """Return the t interval; NaN where there is no spread."""
        from scipy import special

        if not self.error > 0:
            return math.nan, math.nan
        reach = self.error * float(special.stdtrit(self.df, 0.5 + level / 2))
        return self.value - reach, self.value + reach

    def p(self, null: float = 0.0, *, upward: bool | None = None) -> float:
        """Return the p-value of a mean of `null`, two-sided or of one direction."""
        from scipy import special

        if not self.error > 0:
            return math.nan
        t = (self.value - null) / self.error
        if upward is None:
            return float(2 * special.stdtr(self.df, -abs(t)))
        return float(special.stdtr(self.df, -t if upward else t))


def mean_of(values: FloatArray, scale: float | None = None) -> Mean:
    """Return the mean of independent units; rounding goes by `scale`, the size of what they came from (their own)."""
    n = len(values)
    error = _spread(values, scale) / math.sqrt(n) if n > 1 else math.nan
    return Mean(float(values.mean()), error, n, n - 1.0)


def _spread(values: FloatArray, scale: float | None = None) -> float:
    """Return the standard deviation, 0 where values differ by rounding alone."""
    if np.ptp(values) <= ROUNDING * (float(np.abs(values).max()) if scale is None else scale):
        return 0.0
    return float(values.std(ddof=1))


def mean_of_clusters(values: FloatArray, cluster: NDArray[np.int64], scale: float | None = None) -> Mean:
    """Return the mean per row with clusters as units: V = C/(C − 1)·Σ(S_c − n_c·d)²/N²."""
    sums, sizes = np.bincount(cluster, weights=values), np.bincount(cluster)
    clusters, n, mean = len(sizes), len(values), float(values.mean())
    apart = sums - sizes * mean
    if clusters < 2:
        return Mean(mean, math.nan, clusters, 0.0)
    alike = float(np.abs(apart).max()) <= ROUNDING * (float(np.abs(values).max()) if scale is None else scale)
    error = 0.0 if alike else math.sqrt(clusters / (clusters - 1) * float(np.sum(apart**2))) / n
    return Mean(mean, error, clusters, clusters - 1.0)


def scale_of(pairs: PairedValues) -> float:
    """Return the largest value of either system, which says how far rounding may part their differences."""
    return float(max(np.abs(pairs.a).max(), np.abs(pairs.b).max()))


def compare_pairs(
    pairs: PairedValues, question: Question, strata: Strata | None = None, *, one_of_many: bool = False
) -> TwoCompared:
    """Compare two systems; nothing here chooses a test by its result."""
    # one pair of many systems leaves out what is drawn and the cases for the next set, and above `EXACT_PLANS` cases
    # takes the smallest difference from the t law
    d = pairs.b - pairs.a
    binary, clustered = pairs.binary, pairs.cluster is not None
    scale = scale_of(pairs)
    rows = mean_of(d, scale)
    if strata is not None:
        main, parts = strata.mean(pairs, d)
    else:
        main, parts = (rows if pairs.cluster is None else mean_of_clusters(d, pairs.cluster, scale)), ()
    test = STRATIFIED if strata else CLUSTER_T if clustered else MCNEMAR if binary else PAIRED_T
    record = _frame(pairs, main, rows, test)
    if parts:
        record |= {
            "mean_a": sum(part[1] * part[3] for part in parts),
            "mean_b": sum(part[1] * part[4] for part in parts),
        }
    record |= _of_cells(pairs, question.level) if binary and pairs.rule != "clustered" else {}
    record |= {"p_paired_t": rows.p()} if one_of_many else _of_scores(d, rows, question)
    if clustered:
        record |= {"n_clusters": main.units, "p_cluster_t": main.p()}
    low, high = main.limits(question.level)
    record |= {"low": low, "high": high, "p_value": main.p()}
    if test == MCNEMAR:
        record |= {
            "low": record["tango_low"],
            "high": record["tango_high"],
            "p_value": record["p_mcnemar_midp"],
        }
    record |= _of_margin(pairs, main, test, question)
    for size in question.differences if binary else ():
        if not abs(size) < 1:
            raise ParameterError(f"difference is {size:g}; of rates it must be a proportion below 1, such as 0.05.")
    planner = _planner(pairs, main, question, stratified=strata is not None, one_of_many=one_of_many)
    smallest = planner.smallest()
    record |= smallest
    reachable = [size for size in smallest.values() if not math.isnan(size)]
    half = math.nan if one_of_many or not reachable else planner.power(reachable[0] / 2)
    seen = () if one_of_many else tuple(planner.seen(size) for size in planner.sizes())
    if seen:
        record |= planned(seen[0])
    worse, better = (d > 0, d < 0) if question.lower_is_better else (d < 0, d > 0)
    names = np.array(pairs.cases, dtype=np.object_)
    return TwoCompared(
        record=record,
        seen=seen,
        pairs=pairs,
        binary=binary,
        clustered=clustered,
        half=half,
        strata=parts,
        regressed=tuple(dict.fromkeys(names[worse])),
        improved=tuple(dict.fromkeys(names[better])),
    )


def planned(one: Seen) -> dict[str, float]:
    """Return the cases for the first difference, with their Monte Carlo errors."""
    return {
        "cases_recommended": one.high,
        "cases_recommended_mcse": one.mcse[2],
        "cases_median": one.median,
        "cases_median_mcse": one.mcse[1],
    }


def _planner(
    pairs: PairedValues, main: Mean, question: Question, *, stratified: bool, one_of_many: bool
) -> _CellPlanner | _ClusterPlanner | _MeanPlanner:
    if not pairs.binary or stratified:
        return _MeanPlanner(pairs, main, question, in_points=pairs.binary)
    if pairs.cluster is not None:
        return _ClusterPlanner(pairs, main, question)
    if one_of_many and len(pairs.a) > EXACT_PLANS:
        return _MeanPlanner(pairs, main, question, in_points=True)
    return _CellPlanner(pairs, question)


def check(question: Question) -> None:
    """Refuse settings that mean nothing."""
    if not 0 < question.alpha < 1:
        raise ParameterError(f"alpha is {question.alpha:g}; it must lie strictly between 0 and 1.")
    if not 0 < question.level < 1:
        raise ParameterError(f"level is {question.level:g}; it must lie strictly between 0 and 1.")
    if not question.alpha < question.power < 1:
        raise ParameterError(f"target is {question.power:g}; power must lie between alpha and 1.")
    if question.margin is not None and not (math.isfinite(question.margin) and question.margin > 0):
        raise ParameterError(f"margin is {question.margin:g}; it must be above 0.")
    for size in question.differences:
        if not (math.isfinite(size) and size != 0):
            raise ParameterError(f"difference is {size:g}; it must be a finite number other than 0.")


def _frame(pairs: PairedValues, main: Mean, rows: Mean, test: str) -> dict[str, Any]:
    return {
        "system_a": pairs.system_a,
        "system_b": pairs.system_b,
        "n_cases": pairs.n_cases,
        "n_runs": pairs.n_runs,
        "mean_a": float(pairs.a.mean()),
        "mean_b": float(pairs.b.mean()),
        "difference": main.value,
        "se": main.error,
        "test": test,
        "se_rows": rows.error,
        "unreadable_a": pairs.unreadable_a,
        "unreadable_b": pairs.unreadable_b,
        "left_out": len(pairs.left_out),
    }


def _cells(pairs: PairedValues) -> tuple[int, int, int, int]:
    """Return how often both, A alone, B alone and neither are right."""
    a, b = pairs.a == 1, pairs.b == 1
    return int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum())


def _of_cells(pairs: PairedValues, level: float) -> dict[str, Any]:
    from simstudy.stats import mcnemar_exact, mcnemar_midp, tango

    both, only_a, only_b, neither = _cells(pairs)
    low, high = tango(only_a, only_b, len(pairs.a), level)
    return {
        "both_right": both,
        "only_a": only_a,
        "only_b": only_b,
        "neither": neither,
        "p_mcnemar_exact": float(mcnemar_exact(only_a, only_b)),
        "p_mcnemar_midp": float(mcnemar_midp(only_a, only_b)),
        "tango_low": float(low),
        "tango_high": float(high),
    }


def _of_scores(d: FloatArray, rows: Mean, question: Question) -> dict[str, Any]:
    from simstudy.stats import bootstrap_t, score_sign_flip, wilcoxon

    bootstrap = bootstrap_t(d, question.level, seed=question.seed)
    flips = score_sign_flip(d, seed=question.seed)
    return {
        "p_paired_t": rows.p(),
        "p_wilcoxon": float(wilcoxon(d)),
        "p_sign_flip": flips.p_value,
        "p_sign_flip_mcse": flips.mcse,
        **{f"bootstrap_t_{name}": value for name, value in bootstrap._asdict().items()},
    }


def _of_margin(pairs: PairedValues, main: Mean, test: str, question: Question) -> dict[str, Any]:
    margin = question.margin
    if margin is None:
        return {}
    worse = margin if question.lower_is_better else -margin
    if test == MCNEMAR and margin >= 1:
        raise ParameterError(f"margin is {margin:g}; of rates it must lie strictly between 0 and 1.")
    if test == MCNEMAR:
        from simstudy.stats import noninferiority_tango

        _, only_a, only_b, _ = _cells(pairs)
        lost, won = (only_b, only_a) if question.lower_is_better else (only_a, only_b)
        no_worse = float(noninferiority_tango(lost, won, len(pairs.a), margin))
        no_better = float(noninferiority_tango(won, lost, len(pairs.a), margin))
    else:
        no_worse = main.p(worse, upward=not question.lower_is_better)
        no_better = main.p(-worse, upward=question.lower_is_better)
    return {"margin": margin, "noninferior_p": no_worse, "equivalent_p": float(np.maximum(no_worse, no_better))}


def clustering(pairs: PairedValues, main: Mean) -> float:
    """Return the rows that are worth an independent one: the design effect, at least 1; where undefined, a cluster."""
    rows = mean_of(pairs.b - pairs.a, scale_of(pairs)).error
    return max(1.0, (main.error / rows) ** 2) if rows > 0 and main.error > 0 else len(pairs.a) / main.units


class _CellPlanner:
    """Plans by the mid-p McNemar test, at the cells of this set."""

    def __init__(self, pairs: PairedValues, question: Question) -> None:
        self.question = question
        self.plan = Plan(question.power, MCNEMAR, question.alpha, question.seed, question.draws)
        both, only_a, only_b, neither = _cells(pairs)
        self.n = len(pairs.a)
        self.counts = (only_a, only_b, both, neither)
        self.accuracy, self.discordance = (both + only_a) / self.n, (only_a + only_b) / self.n

    def sizes(self) -> tuple[float, ...]:
        return self.question.differences or IN_POINTS

    def smallest(self) -> dict[str, float]:
        up, down = smallest_seen(self.n, self.accuracy, self.discordance, self.plan)
        return {"mde_positive": up, "mde_negative": down}

    def power(self, size: float) -> float:
        psi = admissible_discordance(self.accuracy, size, self.discordance)
        return float(power_at(self.n, psi, size, self.plan))

    def seen(self, size: float) -> Seen:
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


class _ClusterPlanner:
    """Plans by the t test on the clusters, at the discordance of this set and the design effect that was found."""

    def __init__(self, pairs: PairedValues, main: Mean, question: Question) -> None:
        self.question, self.units = question, main.units
        both, only_a, only_b, _ = _cells(pairs)
        n = len(pairs.a)
        self.accuracy, self.discordance = (both + only_a) / n, (only_a + only_b) / n
        # variance of a cluster's share of the mean, of independent rows of variance 1
        self.per_unit = clustering(pairs, main) * main.units / n
        self.cases_per_unit = pairs.n_cases / main.units

    def sizes(self) -> tuple[float, ...]:
        return self.question.differences or IN_POINTS

    def _sd(self, size: float) -> float:
        psi = float(admissible_discordance(self.accuracy, size, self.discordance))
        return math.sqrt(max(0.0, psi - size * size) * self.per_unit)

    def power(self, size: float) -> float:
        return t_power(size, self._sd(size), self.units, self.question.alpha)

    def smallest(self) -> dict[str, float]:
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
        if not 0 <= self.accuracy + size <= 1:
            size = -size
        if self.units < 2:
            return Seen(size, *[math.nan] * 5)
        sd, df, alpha = self._sd(size), self.units - 1.0, self.question.alpha
        needed = (
            cases_for_mean(size, sd, alpha, self.question.power),
            *cases_with_doubt(size, sd, df, alpha, self.question.power),
        )
        expected = tuple(expected_power(size, sd, df, multiple * self.units, alpha) for multiple in MULTIPLES)
        exact = (0.0,) * len(expected)
        cases = (_whole(x * self.cases_per_unit) for x in needed)
        return Seen(size, self.power(size), *cases, expected=expected, expected_mcse=exact)


def _whole(cases: float) -> float:
    return float(math.ceil(cases - ROUNDING)) if math.isfinite(cases) else cases


class _MeanPlanner:
    """Plans by a t test at the spread of this set."""

    def __init__(self, pairs: PairedValues, main: Mean, question: Question, *, in_points: bool) -> None:
        self.question, self.main, self.in_points = question, main, in_points
        self.sd = main.error * math.sqrt(main.units) if main.error > 0 else math.nan
        self.cases_per_unit = pairs.n_cases / main.units
        self.scale = _spread(pairs.b - pairs.a, scale_of(pairs)) if len(pairs.a) > 1 else math.nan

    def sizes(self) -> tuple[float, ...]:
        usual = IN_POINTS if self.in_points else tuple(share * self.scale for share in IN_SDS)
        return self.question.differences or usual

    def smallest(self) -> dict[str, float]:
        found = smallest_mean(self.sd, self.main.units, self.question.alpha, self.question.power, self.main.df)
        return {"mde_positive": found, "mde_negative": -found}

    def power(self, size: float) -> float:
        return t_power(size, self.sd, self.main.units, self.question.alpha, self.main.df)

    def seen(self, size: float) -> Seen:
        alpha, power = self.question.alpha, self.question.power
        needed = (
            cases_for_mean(size, self.sd, alpha, power),
            *cases_with_doubt(size, self.sd, self.main.df, alpha, power),
        )
        return Seen(size, self.power(size), *(_whole(x * self.cases_per_unit) for x in needed))


@dataclass(frozen=True)
class Strata:
    """Weights of strata, and which stratum each case belongs to; equal weights where none are given."""

    of_case: dict[str, str]
    weights: dict[str, float] | None = None

    def mean(
        self, pairs: PairedValues, d: FloatArray
    ) -> tuple[Mean, tuple[tuple[str, float, int, float, float, float], ...]]:
        """Return the weighted mean of the differences of the strata, degrees of freedom by Satterthwaite (1946)."""
        if pairs.cluster is not None:
            raise ParameterError("Strata and clusters cannot be asked for together: leave one of them out.")
        names = [self.of_case.get(case, "") for case in pairs.cases]
        found = sorted(set(names))
        weights = dict.fromkeys(found, 1.0) if self.weights is None else self.weights
        if set(weights) != set(found):
            odd = listed(sorted(set(weights) ^ set(found)))
            raise ParameterError(f"Every stratum of the file needs a weight, and no other; not so: {odd}.")
        total = sum(weights.values())
        parts, value, variance, parts_of_df = [], 0.0, 0.0, 0.0
        for name in found:
            mine = np.array([stratum == name for stratum in names])
            own, weight = mean_of(d[mine], scale_of(pairs)), weights[name] / total
            value += weight * own.value
            share = (weight * own.error) ** 2
            variance += share
            parts_of_df += share**2 / own.df if own.df > 0 else math.nan
            rates = float(pairs.a[mine].mean()), float(pairs.b[mine].mean())
            parts.append((name, weight, int(mine.sum()), *rates, own.value))
        df = variance**2 / parts_of_df if parts_of_df > 0 else math.nan
        return Mean(value, math.sqrt(variance), len(d), df), tuple(parts)
