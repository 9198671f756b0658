"""The pilot analysis: what a file of results says about two systems, and about the next set."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simstudy.errors import ParameterError, UnknownNameError
from simstudy.options import PILOT, the_option
from simstudy.records.comparison import Comparison, Estimate, compare
from simstudy.records.flat import comparison_rows, flat_row, needed_rows, plain_values, which
from simstudy.records.pairing import PairedOutcomes, pair_systems
from simstudy.records.planning import (
    ROUNDING,
    Plan,
    Smallest,
    admissible_discordance,
    power_at,
    smallest_seen,
    whole_cases,
)
from simstudy.records.posterior import MULTIPLES, Needed, needed_for, posterior_cells
from simstudy.records.results_file import READING, read_results

if TYPE_CHECKING:
    from simstudy.study.simulated_points import Progress

BY_INTERVAL = ("tango", "newcombe", "bootstrap_percentile", "paired_z")


@dataclass(frozen=True)
class PilotReport:
    """Everything that a pilot says.

    Parameters
    ----------
    path, system_a, system_b : str
        The file and the systems; differences are B minus A.
    n, n_cases : int
        Pairs that count, and distinct cases among them.
    n10, n01, n11, n00 : int
        Only A right, only B right, both, neither.
    run_rule : str or None
        How repeated runs were met.
    unusable : int
        Pairs left out for missing, unreadable or undefined values.
    unusable_share : float
        Their share, to be passed on to a sample-size question.
    only_a, only_b : tuple of str
        Cases that one system alone answered.
    notes : tuple of str
        What was guessed or left out.
    comparison : Comparison
        Accuracies, tests, intervals, and the same with clusters.
    significant : mapping of str to bool or None
        For each test and interval, whether it finds a difference; None where undefined. Intervals
        are asked only where level = 1 - alpha.
    plan : Plan
        Target, test, alpha, seed, draws.
    level : float
        Confidence level.
    n_independent : int
        Independent cases that the pilot is worth: n, or n over the design effect.
    smallest : tuple of Smallest
        What this set could have seen, upward and downward.
    needed : tuple of Needed
        Named differences, then the observed one.
    curve_sizes : tuple of int
        Independent cases of the assurance curve.
    curve_clusters : tuple of float
        The same in clusters, at the pilot's cluster size; empty where not clustered.
    """

    path: str
    system_a: str
    system_b: str
    n: int
    n_cases: int
    n10: int
    n01: int
    n11: int
    n00: int
    run_rule: str | None
    unusable: int
    unusable_share: float
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    notes: tuple[str, ...]
    comparison: Comparison
    significant: Mapping[str, bool | None]
    plan: Plan
    level: float
    n_independent: int
    smallest: tuple[Smallest, ...]
    needed: tuple[Needed, ...]
    curve_sizes: tuple[int, ...]
    curve_clusters: tuple[float, ...]

    @property
    def clusters_per_case(self) -> float:
        """Clusters for each independent case needed; NaN where pairs are not clustered.

        An approximation: the design effect of the pilot is taken to hold at every size.
        """
        clustered = self.comparison.clustered
        return math.nan if clustered is None else clustered.factor / clustered.mean_size

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON.

        Returns
        -------
        dict
            Nested; None for undefined or unbounded figures.
        """
        plain: dict[str, Any] = plain_values(self)
        plain["clusters_per_case"] = plain_values(self.clusters_per_case)
        for plain_needed, needed in zip(plain["needed"], self.needed, strict=True):
            plain_needed["n_clusters"] = plain_values(self.clusters_for(needed.n))
            plain_needed["quantiles_clusters"] = plain_values([self.clusters_for(n) for n in needed.quantiles])
        return plain

    def clusters_for(self, n: float) -> float:
        """Return the clusters that are worth n independent cases.

        Parameters
        ----------
        n : float
            Independent cases.

        Returns
        -------
        float
            Whole clusters, rounded up; NaN where pairs are not clustered or n is undefined.
        """
        return float(np.ceil(n * self.clusters_per_case - ROUNDING))

    def power_for(self, difference: float) -> float:
        """Return the power of this set for a difference, at A's accuracy and the pilot's discordance.

        Parameters
        ----------
        difference : float
            B minus A, a proportion.

        Returns
        -------
        float
            Exact, for as many independent cases as the pilot is worth; NaN where B's accuracy would leave [0, 1].
        """
        c = self.comparison
        psi = admissible_discordance(c.accuracy_a.value, difference, c.discordance)
        return float(power_at(self.n_independent, psi, difference, self.plan))

    def to_records(self) -> list[dict[str, Any]]:
        """Return the report as flat rows for CSV.

        Returns
        -------
        list of dict
            Keys ``quantity``, ``of`` (method, system or difference), ``value``, ``low``, ``high``
            and ``status``; None for undefined figures.
        """
        c = self.comparison
        names = ("n", "n_cases", "n10", "n01", "n11", "n00", "unusable", "n_independent")
        rows = [flat_row(name, "", getattr(self, name)) for name in names]
        rows += comparison_rows(c, self.system_a, self.system_b)
        rows += [flat_row("mde", s.direction, s.difference, status=s.status) for s in self.smallest]
        for needed in self.needed:
            rows += needed_rows(needed, self.curve_sizes)
            if c.clustered is not None:
                clusters = self.clusters_for(needed.n)
                rows.append(flat_row("clusters_needed", which(needed), clusters, status=needed.status))
        return rows


def pilot(
    path: str | os.PathLike[str],
    system_a: str,
    system_b: str,
    *,
    runs: str | None = None,
    difference: float | Sequence[float] | None = None,
    target: float = 0.8,
    method: str = "mcnemar_midp",
    alpha: float = 0.05,
    level: float = 0.95,
    seed: int = 1,
    draws: int = 2000,
    threshold: float | None = None,
    **reading: Any,
) -> PilotReport:
    """Analyse a file of results for two systems, and plan the next set from it.

    Parameters
    ----------
    path : str or path-like
        A .csv, .tsv or .jsonl file, long or wide.
    system_a, system_b : str
        The systems; differences are B minus A.
    runs : {"first", "majority", "clustered"}, optional
        How repeated runs of a case are met; needed only where there are any.
    difference : float or sequence of float, optional
        Sizes of difference, in (0, 1), for which the cases needed are wanted. Each is answered for
        B better and for B worse.
    target : float
        Power wanted.
    method : str
        The McNemar test to plan for.
    alpha : float
        Two-sided level.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the posterior draws: the same file and seed give the same figures.
    draws : int
        Posterior draws.
    threshold : float, optional
        Values at or above it count as right; needed only for values other than 0 and 1.
    **reading
        Names of columns and layout, see `simstudy.records.results_file.read_results`.

    Returns
    -------
    PilotReport
        Everything, as numbers.

    Raises
    ------
    RecordsError
        Where the file cannot be read or paired.
    ParameterError, UnknownNameError
        Where a number or a name is not allowed, or of a wrong type; before the file is read.

    Notes
    -----
    Clustered pairs enter the posterior and the plan as n over the design effect independent cases
    (at least 1), which is approximate: the design effect is itself estimated from few clusters.
    """
    plan = Plan(target=target, method=method, alpha=alpha, seed=seed, draws=draws)
    question = PilotQuestion(plan, level, difference)
    return answer(question, path, system_a, system_b, runs=runs, threshold=threshold, reading=reading)


@dataclass(frozen=True)
class PilotQuestion:
    """What is asked of a pilot, apart from how its file is read; as it was given until it is `checked`."""

    plan: Plan
    level: float
    difference: Any

    def checked(self) -> PilotQuestion:
        """Return it with proper numbers, the sizes of difference each once, without sign, ascending; or refuse it."""
        given = the_option("difference", PILOT).check(self.difference)
        differences = () if given is None else given if isinstance(given, tuple) else (given,)
        for value in differences:
            if not 0 < abs(value) < 1:
                raise ParameterError(f"difference is {value:g}; it must be a proportion between 0 and 1, such as 0.05.")
        level = the_option("level", PILOT).check(self.level)
        return PilotQuestion(self.plan.checked(), level, tuple(sorted({abs(value) for value in differences})))


def answer(
    question: PilotQuestion,
    path: str | os.PathLike[str],
    system_a: str,
    system_b: str,
    *,
    runs: str | None,
    threshold: float | None,
    reading: Mapping[str, Any],
    progress: Progress | None = None,
) -> PilotReport:
    """Read a file, pair two systems and answer what is asked; everything that can be refused is before the work."""
    question = question.checked()
    for name, system in (("system_a", system_a), ("system_b", system_b)):
        if not isinstance(system, str):
            raise ParameterError(f"{name} is {system!r}; it must be text, as the file calls the system.")
    threshold = the_option("threshold", PILOT).check(threshold)
    for name in reading:
        if name not in READING:
            raise UnknownNameError("option of a pilot", name, READING)
    results = read_results(path, **reading)
    outcomes = pair_systems(results, system_a, system_b, runs=runs, threshold=threshold)
    return report_of(outcomes, os.fsdecode(path), question, progress)


def report_of(
    outcomes: PairedOutcomes, path: str, question: PilotQuestion, progress: Progress | None = None
) -> PilotReport:
    """Analyse pairs that are already read; each size of difference wanted is answered in both directions."""
    plan, level, wanted = question.plan, question.level, question.difference
    comparison = compare(outcomes, level)
    clustered = comparison.clustered
    factor = 1.0 if clustered is None else clustered.factor
    worth = outcomes.n / factor
    counts = [count / factor for count in (outcomes.n10, outcomes.n01, outcomes.n11, outcomes.n00)]
    independent, *sizes = (whole_cases(multiple * worth) for multiple in (1.0, *MULTIPLES))
    point = (comparison.accuracy_a.value, comparison.discordance, comparison.difference)
    cells = posterior_cells(counts, plan)
    asked: list[float | None] = [*(sign * size for size in wanted for sign in (1, -1)), None]
    needed = []
    for done, size in enumerate(asked):
        if progress is not None:
            progress(done, len(asked), "differences")
        needed.append(needed_for(size, point, cells, sizes, plan))
    return PilotReport(
        path=path,
        system_a=outcomes.system_a,
        system_b=outcomes.system_b,
        n=outcomes.n,
        n_cases=outcomes.n_cases,
        n10=outcomes.n10,
        n01=outcomes.n01,
        n11=outcomes.n11,
        n00=outcomes.n00,
        run_rule=outcomes.run_rule,
        unusable=outcomes.unusable,
        unusable_share=outcomes.unusable_share,
        only_a=outcomes.only_a,
        only_b=outcomes.only_b,
        notes=outcomes.notes,
        comparison=comparison,
        significant=verdicts(comparison, plan.alpha, level),
        plan=plan,
        level=level,
        n_independent=independent,
        smallest=smallest_seen(independent, point[0], point[1], plan),
        needed=tuple(needed),
        curve_sizes=tuple(sizes),
        curve_clusters=() if clustered is None else tuple(m * clustered.clusters for m in MULTIPLES),
    )


def verdicts(comparison: Comparison, alpha: float, level: float) -> dict[str, bool | None]:
    """Say which tests, and at 1 - alpha which intervals, find a difference; None where one is undefined."""
    found = {name: None if math.isnan(p) else p <= alpha for name, p in comparison.p_values.items()}
    same_level = math.isclose(level, 1 - alpha)
    if same_level:
        for name in BY_INTERVAL[:3]:
            found[f"{name} interval"] = _excludes_zero(comparison.intervals[name])
    clustered = comparison.clustered
    if clustered is not None:
        found["cluster t"] = None if math.isnan(clustered.p_t) else clustered.p_t <= alpha
        found["cluster sign flips"] = clustered.p_sign_flip <= alpha
    return found


def _excludes_zero(interval: Estimate) -> bool | None:
    return None if math.isnan(interval.low) else interval.low > 0 or interval.high < 0
