"""Repeated runs of a case: keep the first, take the majority, or keep all as a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple, NoReturn

import numpy as np

from simstudy.errors import RecordsError
from simstudy.records.long_table import Results, listed, natural_key

RUN_RULES = ("first", "majority", "clustered")

Row = tuple[str, int, float]
"""Run, line and value."""


class Pair(NamedTuple):
    """One pair that counts."""

    case: str
    run: str
    a: bool
    b: bool


@dataclass(frozen=True)
class PairedRows:
    """The rows of two systems, A and B, by case, on the cases that both have."""

    results: Results
    systems: tuple[str, str]
    a: dict[str, list[Row]]
    b: dict[str, list[Row]]

    def repeated(self) -> bool:
        """Whether any case has more than one row of a system."""
        return any(len(rows) > 1 for side in (self.a, self.b) for rows in side.values())

    def numbered(self) -> bool:
        """Whether runs bear a number or a name."""
        return self.results.runs_from != "none"


def match_rows(rows: PairedRows, rule: str | None, notes: list[str]) -> tuple[list[Pair], int]:
    """Reduce the rows of every case to pairs by the rule for repeated runs; count those left out, and note why."""
    _refuse_same_run(rows)
    if rule is None:
        return _usable(((case, rows.a[case][0], rows.b[case][0]) for case in rows.a), notes)
    reduce: dict[str, Callable[[PairedRows, list[str]], tuple[list[Pair], int]]] = {
        "first": _first,
        "majority": _majority,
        "clustered": _clustered,
    }
    return reduce[rule](rows, notes)


def refuse_repeats(rows: PairedRows) -> NoReturn:
    """Say why repeated runs need a decision, with the standard errors of this very file."""
    most = max(len(found) for side in (rows.a, rows.b) for found in side.values())
    where = {"none": "without a column of runs", "ids": "by ids such as 1, 1.1, 1.2", "column": "by its runs"}
    raise RecordsError(
        f"{rows.results.path}: cases are repeated, up to {most} times ({where[rows.results.runs_from]}). "
        "Runs of one case resemble each other, so they are not as many independent cases."
        f"{_errors_in_words(rows)} Say what to do: "
        "runs=first (keep the first run of a case), runs=majority (each system's majority over its runs) or "
        "runs=clustered (keep all, with the case as the cluster)."
        f"{' If the ids are no runs: split_ids=False.' if rows.results.runs_from == 'ids' else ''}"
    )


def _errors_in_words(rows: PairedRows) -> str:
    try:
        pairs, _ = match_rows(rows, "clustered", [])
    except RecordsError:
        return ""
    if len({pair.case for pair in pairs}) < 2:
        return ""
    naive, clustered = standard_errors(pairs)
    return (
        f" On this file the standard error of the difference is {naive:.3f} if rows are taken as independent "
        f"and {clustered:.3f} with cases as clusters."
    )


def standard_errors(pairs: list[Pair]) -> tuple[float, float]:
    """Return the standard errors of the difference with rows, and with cases (two at least), as units."""
    from simstudy.stats.clusters import cluster_standard_error

    differences = np.array([int(pair.b) - int(pair.a) for pair in pairs], dtype=np.int64)
    naive = float(np.std(differences, ddof=1) / np.sqrt(len(differences)))
    _, place = np.unique([pair.case for pair in pairs], return_inverse=True)
    sums = np.bincount(place, weights=differences)
    return naive, float(cluster_standard_error(sums, np.bincount(place)))


def _refuse_same_run(rows: PairedRows) -> None:
    if not rows.numbered():
        return
    for system, side in zip(rows.systems, (rows.a, rows.b), strict=True):
        for case, found in side.items():
            lines: dict[str, int] = {}
            for run, line, _ in found:
                if run in lines:
                    raise RecordsError(
                        f"{rows.results.path}: '{system}' has run {run} of case {case} twice, "
                        f"on lines {lines[run]} and {line}."
                    )
                lines[run] = line


def _usable(matched: Iterable[tuple[str, Row, Row]], notes: list[str]) -> tuple[list[Pair], int]:
    """Keep the pairs with both values; count and name the others."""
    pairs: list[Pair] = []
    lost: list[str] = []
    for case, (run, _, a), (_, _, b) in matched:
        if isnan(a) or isnan(b):
            lost.append(case)
        else:
            pairs.append(Pair(case, run, a == 1, b == 1))
    if lost:
        total = len(pairs) + len(lost)
        notes.append(
            f"{len(lost)} of {total} pairs were left out, not scored as wrong, because a value is missing or "
            f"could not be read (cases {listed(lost)})."
        )
    return pairs, len(lost)


def _first(rows: PairedRows, notes: list[str]) -> tuple[list[Pair], int]:
    if not rows.numbered():
        raise RecordsError(
            f"{rows.results.path}: runs=first needs a column of runs (run_column); without it the first "
            "would depend on the order of the lines. runs=majority and runs=clustered do not."
        )

    def first(found: list[Row]) -> Row:
        return min(found, key=lambda row: natural_key(row[0]))

    dropped = sum(len(found) - 1 for side in (rows.a, rows.b) for found in side.values())
    notes.append(f"The first run of each case was kept; {dropped} rows of later runs were left aside.")
    return _usable(((case, first(rows.a[case]), first(rows.b[case])) for case in rows.a), notes)


def _majority(rows: PairedRows, notes: list[str]) -> tuple[list[Pair], int]:
    ties = sorted(case for case in rows.a if any(_has_tie(side[case]) for side in (rows.a, rows.b)))
    notes.append(
        "Each system's majority over the usable runs of a case was taken; it describes the majority, not a single run."
    )
    if ties:
        notes.append(
            f"{len(ties)} of {len(rows.a)} cases were left out because a system's runs were evenly split, "
            f"which has no majority (cases {listed(ties)})."
        )
    left_out = set(ties)
    kept = [case for case in rows.a if case not in left_out]
    pairs, lost = _usable(((case, _vote(rows.a[case]), _vote(rows.b[case])) for case in kept), notes)
    return pairs, lost + len(ties)


def _has_tie(found: list[Row]) -> bool:
    usable = [value for _, _, value in found if not isnan(value)]
    return bool(usable) and 2 * sum(usable) == len(usable)


def _vote(found: list[Row]) -> Row:
    usable = [value for _, _, value in found if not isnan(value)]
    value = float(2 * sum(usable) > len(usable)) if usable else float("nan")
    return "", 0, value


def _clustered(rows: PairedRows, notes: list[str]) -> tuple[list[Pair], int]:
    notes.append("All runs were kept, with the case as the cluster.")
    if rows.numbered():
        return _usable(_matched_by(rows, lambda row: row[0], notes), notes)
    if rows.results.layout == "wide":
        matched = _matched_by(rows, lambda row: str(row[1]), notes)
        unnumbered = ((case, ("", 0, a), ("", 0, b)) for case, (_, _, a), (_, _, b) in matched)
        return _usable(unnumbered, notes)
    return _unnumbered(rows, notes)


def _matched_by(rows: PairedRows, key: Callable[[Row], str], notes: list[str]) -> list[tuple[str, Row, Row]]:
    matched: list[tuple[str, Row, Row]] = []
    alone: list[str] = []
    for case in rows.a:
        a, b = ({key(row): row for row in side[case]} for side in (rows.a, rows.b))
        matched += [(case, a[run], b[run]) for run in sorted(set(a) & set(b), key=natural_key)]
        alone += [case] * len(set(a) ^ set(b))
    if alone:
        notes.append(
            f"{len(alone)} runs of one system have no counterpart of the other and were left out "
            f"(cases {listed(alone)})."
        )
    return matched


def _unnumbered(rows: PairedRows, notes: list[str]) -> tuple[list[Pair], int]:
    """Pair runs that bear no number as independent runs of a case would be, rounded.

    Any pairing gives the same difference and the same clustered standard error; only the counts of
    discordant rows depend on it, and a sorted pairing would make them too small.
    """
    pairs: list[Pair] = []
    lost: list[str] = []
    for case in rows.a:
        a, b = ([value for _, _, value in side[case] if not isnan(value)] for side in (rows.a, rows.b))
        if len(a) != len(b):
            raise RecordsError(
                f"{rows.results.path}: case {case} has {len(a)} usable rows of '{rows.systems[0]}' and "
                f"{len(b)} of '{rows.systems[1]}', without a run number to pair them by. Name a run_column, "
                "or use runs=majority."
            )
        lost += [case] * (len(rows.a[case]) - len(a))
        pairs += _as_independent(case, int(sum(a)), int(sum(b)), len(a))
    if lost:
        notes.append(f"{len(lost)} runs with a missing value were left out (cases {listed(lost)}).")
    notes.append(
        "Runs bear no number: within a case they were paired as independent runs would be on average, rounded."
    )
    return pairs, len(lost)


def _as_independent(case: str, right_a: int, right_b: int, runs: int) -> list[Pair]:
    both = round(right_a * right_b / runs) if runs else 0
    both = min(max(both, right_a + right_b - runs), right_a, right_b)
    cells = (
        (True, True, both),
        (True, False, right_a - both),
        (False, True, right_b - both),
        (False, False, runs - right_a - right_b + both),
    )
    return [Pair(case, "", a, b) for a, b, count in cells for _ in range(count)]
