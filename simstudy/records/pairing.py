"""Pair two systems case by case: right and wrong, missing values, repeated runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import ParameterError, RecordsError, UnknownNameError
from simstudy.records.long_table import Results, listed, natural_key, no_value
from simstudy.records.repeats import RUN_RULES, PairedRows, Row, match_rows, refuse_repeats

RowsByCase = dict[str, list[Row]]


@dataclass(frozen=True, eq=False)
class PairedOutcomes:
    """Right and wrong answers of two systems to the same cases; arrays have an entry per pair."""

    system_a: str
    system_b: str
    cases: NDArray[np.object_]
    runs: NDArray[np.object_]  # "" where there is one per case
    right_a: NDArray[np.bool_]
    right_b: NDArray[np.bool_]
    clusters: NDArray[np.object_]  # the case itself unless cases share a source
    clustered: bool  # whether pairs share a cluster
    run_rule: str | None  # None where no case was repeated
    unusable: int  # pairs left out because a value was missing, could not be read, or was undefined
    only_a: tuple[str, ...]  # cases that A alone answered
    only_b: tuple[str, ...]
    notes: tuple[str, ...]  # what was guessed or left out

    @property
    def n(self) -> int:
        """Pairs that count."""
        return len(self.cases)

    @property
    def n_cases(self) -> int:
        """Distinct cases among them."""
        return len(set(self.cases.tolist()))

    @property
    def n10(self) -> int:
        """Pairs that only A got right."""
        return int(np.count_nonzero(self.right_a & ~self.right_b))

    @property
    def n01(self) -> int:
        """Pairs that only B got right."""
        return int(np.count_nonzero(~self.right_a & self.right_b))

    @property
    def n11(self) -> int:
        """Pairs that both got right."""
        return int(np.count_nonzero(self.right_a & self.right_b))

    @property
    def n00(self) -> int:
        """Pairs that neither got right."""
        return int(np.count_nonzero(~self.right_a & ~self.right_b))

    @property
    def unusable_share(self) -> float:
        """Share of the pairs of common cases that had to be left out."""
        return self.unusable / (self.n + self.unusable)

    def cluster_sums(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for each cluster the sum of B minus A over its pairs, and their number."""
        _, place = np.unique(self.clusters, return_inverse=True)
        sizes = np.bincount(place).astype(np.int64)
        sums = np.zeros(len(sizes), dtype=np.int64)
        np.add.at(sums, place, self.right_b.astype(np.int64) - self.right_a.astype(np.int64))
        return sums, sizes


def pair_systems(
    results: Results,
    system_a: str,
    system_b: str,
    *,
    runs: str | None = None,
    threshold: float | None = None,
) -> PairedOutcomes:
    """Pair two systems by case, sorted by case and run; the order of the lines changes nothing."""
    # A missing value, an error or an even majority is never counted as wrong: the pair is left out, counted and named
    if runs is not None and not (isinstance(runs, str) and runs in RUN_RULES):
        raise UnknownNameError("rule for runs", runs, RUN_RULES)
    if threshold is not None and not np.isfinite(threshold):
        raise ParameterError(f"threshold is {threshold:g}; it must be a finite number, such as 0.5.")
    notes = list(results.notes)
    a, b = _system_rows(results, system_a, system_b, threshold, notes)
    common, only_a, only_b = _common_cases(results, (system_a, a), (system_b, b), notes)
    rows = PairedRows(
        results,
        (system_a, system_b),
        {case: a[case] for case in common},
        {case: b[case] for case in common},
    )
    if rows.repeated() and runs is None:
        refuse_repeats(rows)
    if runs is not None and not rows.repeated():
        notes.append(f"runs={runs} had nothing to do: each system has one value per case.")
    rule = runs if rows.repeated() else None
    pairs, unusable = match_rows(rows, rule, notes)
    if not pairs:
        raise RecordsError(f"{results.path}: no usable pair of '{system_a}' and '{system_b}' is left. {notes[-1]}")
    if rule is not None:
        # Pairs whose runs bear no number sort by their outcome, so that the order of lines is lost.
        pairs = sorted(pairs, key=lambda pair: (natural_key(pair.case), natural_key(pair.run), pair.a, pair.b))
    cluster_of = _clusters(results, set(common))
    clusters = [cluster_of.get(pair.case, pair.case) for pair in pairs]
    return PairedOutcomes(
        system_a=system_a,
        system_b=system_b,
        cases=np.array([pair.case for pair in pairs], dtype=np.object_),
        runs=np.array([pair.run for pair in pairs], dtype=np.object_),
        right_a=np.array([pair.a for pair in pairs], dtype=np.bool_),
        right_b=np.array([pair.b for pair in pairs], dtype=np.bool_),
        clusters=np.array(clusters, dtype=np.object_),
        clustered=len(set(clusters)) < len(clusters),
        run_rule=rule,
        unusable=unusable,
        only_a=only_a,
        only_b=only_b,
        notes=tuple(notes),
    )


def _system_rows(
    results: Results, system_a: str, system_b: str, threshold: float | None, notes: list[str]
) -> tuple[RowsByCase, RowsByCase]:
    if system_a == system_b:
        raise RecordsError(f"'{system_a}' was named for both systems; name two different ones.")
    for name in (system_a, system_b):
        if name in results.unparsed:
            line, text = results.unparsed[name]
            raise no_value(results.path, line, name, text)
        if name not in results.system_names:
            raise UnknownNameError("system", name, results.system_names)
    return (
        _rows_of(results, system_a, threshold, notes),
        _rows_of(results, system_b, threshold, notes),
    )


def _rows_of(results: Results, system: str, threshold: float | None, notes: list[str]) -> RowsByCase:
    mine = np.flatnonzero(results.systems == system)
    values = results.values[mine]
    between = ~np.isnan(values) & (values != 0) & (values != 1)
    if between.any() and threshold is None:
        first = mine[np.flatnonzero(between)[0]]
        column = results.value_column or system
        raise RecordsError(
            f"{results.path}, line {results.lines[first]}: '{system}' has the value "
            f"{results.values[first]:g} in the column '{column}' ({np.count_nonzero(between)} of "
            f"{len(values)} values are neither 0 nor 1). A paired test needs right or wrong. Give "
            "threshold=0.5 to count values at or above it as right."
        )
    if threshold is not None:
        notes.append(
            f"Values of '{system}' at or above {threshold:g} count as right; "
            f"{np.count_nonzero(between)} of {len(values)} were neither 0 nor 1."
        )
        values = np.where(np.isnan(values), np.nan, (values >= threshold).astype(np.float64))
    rows: RowsByCase = {}
    cells = zip(results.runs[mine].tolist(), results.lines[mine].tolist(), values.tolist(), strict=True)
    for case, row in zip(results.cases[mine].tolist(), cells, strict=True):
        found = rows.get(case)
        if found is None:
            rows[case] = [row]
        else:
            found.append(row)
    return rows


def _common_cases(
    results: Results, first: tuple[str, RowsByCase], second: tuple[str, RowsByCase], notes: list[str]
) -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
    (name_a, a), (name_b, b) = first, second
    common = sorted(set(a) & set(b), key=natural_key)
    only_a, only_b = (tuple(sorted(set(x) - set(y), key=natural_key)) for x, y in ((a, b), (b, a)))
    if not common:
        raise RecordsError(
            f"{results.path}: '{name_a}' and '{name_b}' have no case in common "
            f"(cases of the first: {listed(a)}; of the second: {listed(b)})."
        )
    for name, only in ((name_a, only_a), (name_b, only_b)):
        if only:
            notes.append(f"{len(only)} of the cases have rows of '{name}' alone and were left out: {listed(only)}.")
    return common, only_a, only_b


def _clusters(results: Results, cases: set[str]) -> dict[str, str]:
    clusters: dict[str, str] = {}
    if not results.clusters.any():
        return clusters
    for case, cluster, line in zip(
        results.cases.tolist(), results.clusters.tolist(), results.lines.tolist(), strict=True
    ):
        if cluster and case in cases and clusters.setdefault(case, cluster) != cluster:
            raise RecordsError(
                f"{results.path}, line {line}: case {case} is in cluster '{cluster}' here and in cluster "
                f"'{clusters[case]}' before; a case belongs to one cluster."
            )
    return clusters
