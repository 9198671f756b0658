"""Two systems on the same cases: values side by side, and everything that has no counterpart, by reason."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.coded import ABSENT, Coded
from simstudy.records.natural_order import listed
from simstudy.records.records import Records
from simstudy.records.reduced import Reduced, reduced

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
MOST_DIFFERENT = 0.5
"""Share of the common cases whose inputs may differ before the two files are refused as different sets."""


@dataclass(frozen=True, eq=False)
class PairedValues:
    """Values of two systems on the cases that both have; arrays have an entry per pair."""

    system_a: str
    system_b: str
    cases: tuple[str, ...]
    a: FloatArray
    b: FloatArray
    cluster: IntArray | None  # codes; None where pairs are independent
    rule: str | None
    n_runs: int  # the most that a case has of one system
    unreadable_a: int  # rows of A without a value
    unreadable_b: int
    left_out: tuple[tuple[str, str], ...]  # case and reason
    unreadable: tuple[tuple[str, str, str], ...]  # case, system and reason
    lost: int = 0  # pairs of which a value is missing

    @property
    def n_cases(self) -> int:
        """Distinct cases among the pairs."""
        return len(set(self.cases))

    @property
    def binary(self) -> bool:
        """Whether every value is 0 or 1."""
        return bool(np.isin(self.a, (0.0, 1.0)).all() and np.isin(self.b, (0.0, 1.0)).all())


def pair(records: Records, system_a: str, system_b: str, rule: str | None) -> PairedValues:
    """Pair two systems of records of one metric by case (and by run where runs are kept)."""
    for name in (system_a, system_b):
        if name not in records.systems:
            raise UnknownNameError("system", name, records.systems)
    if system_a == system_b:
        raise RecordsError(f"'{system_a}' was named for both systems; name two different ones.")
    if records.ids_from == "lines" and len(records.read) > 1:
        raise RecordsError(
            "The files have no ids and no text that tells their cases apart, and the order of lines says nothing: name "
            "a column of ids (--case-column), or compare them as two unpaired sets (--unpaired)."
        )
    sides = reduced(records, system_a, rule), reduced(records, system_b, rule)
    left_out = _alone(records, sides)
    differing = _differing_inputs(records, sides)
    keys = [_keys(side) for side in sides]
    _, at_a, at_b = np.intersect1d(keys[0], keys[1], return_indices=True, assume_unique=True)
    if not len(at_a):
        raise RecordsError(_nothing_in_common(records, sides))
    kept = ~np.isin(sides[0].case[at_a], np.array(sorted(differing), np.int64))
    at_a, at_b = at_a[kept], at_b[kept]
    a, b = sides[0].value[at_a], sides[1].value[at_b]
    names = records.case.words
    left_out += [(names[code], "input differs") for code in sorted(differing)]
    if rule == "clustered":
        lonely = [np.setdiff1d(own, other) for own, other in (keys, keys[::-1])]
        left_out += _lonely_runs(records, sides, lonely)
    both = ~np.isnan(a) & ~np.isnan(b)
    unreadable = [
        (names[side.case[at]], side.system, _reason(records, side, at))
        for side, places, value in ((sides[0], at_a, a), (sides[1], at_b, b))
        for at in places[np.isnan(value)].tolist()
    ]
    if not both.any():
        raise RecordsError(
            f"'{system_a}' and '{system_b}' have {len(at_a)} cases in common and in none a value of both can be read "
            f"({listed([case for case, _, _ in unreadable])})."
        )
    rows = sides[0].rows[at_a[both]]
    cases = tuple(names[code] for code in sides[0].case[at_a[both]].tolist())
    counts = _unreadable_rows(records, system_a), _unreadable_rows(records, system_b)
    cluster = _clusters(records, rows, cases, rule)
    most = max(int(side.runs.max(initial=0)) for side in sides)
    return PairedValues(
        system_a=system_a,
        system_b=system_b,
        cases=cases,
        a=a[both],
        b=b[both],
        cluster=cluster,
        rule=rule,
        n_runs=most,
        unreadable_a=counts[0],
        unreadable_b=counts[1],
        left_out=tuple(left_out),
        unreadable=tuple(unreadable),
        lost=int(np.count_nonzero(~both)),
    )


def _keys(side: Reduced) -> NDArray[np.object_] | IntArray:
    """Return what pairs by: the case, or the case and the run."""
    if side.run is None:
        return side.case
    keys = np.empty(len(side.case), dtype=np.object_)
    keys[:] = list(zip(side.case.tolist(), side.run, strict=True))
    if len(set(keys.tolist())) < len(keys):
        raise RecordsError(
            f"'{side.system}' has the same run of a case more than once: name the column of the runs (--run-column), "
            "or reduce them (--runs mean)."
        )
    return keys


def _alone(records: Records, sides: tuple[Reduced, Reduced]) -> list[tuple[str, str]]:
    """Return the cases that one side alone has."""
    found = []
    for own, other in (sides, sides[::-1]):
        only = np.setdiff1d(own.case, other.case)
        found += [(records.case.words[code], f"only in '{own.system}'") for code in only.tolist()]
    return found


def _lonely_runs(
    records: Records, sides: tuple[Reduced, Reduced], lonely: list[NDArray[np.object_]]
) -> list[tuple[str, str]]:
    common = set(sides[0].case.tolist()) & set(sides[1].case.tolist())
    return [
        (records.case.words[case], f"run {run} only in '{side.system}'")
        for side, keys in zip(sides, lonely, strict=True)
        for case, run in keys.tolist()
        if case in common
    ]


def _differing_inputs(records: Records, sides: tuple[Reduced, Reduced]) -> set[int]:
    """Return the cases whose inputs are not the same on both sides; refuse where they are most."""
    hashes = records.input_hash
    if hashes is None:
        return set()
    common, at_a, at_b = np.intersect1d(sides[0].case, sides[1].case, return_indices=True)
    first, second = hashes[sides[0].rows[at_a]], hashes[sides[1].rows[at_b]]
    differ = (first != 0) & (second != 0) & (first != second)
    if differ.sum() > MOST_DIFFERENT * max(1, len(common)):
        names = [records.case.words[code] for code in common[differ].tolist()]
        raise RecordsError(
            f"In {int(differ.sum())} of the {len(common)} cases that bear the same id the inputs of the two systems "
            f"differ ({listed(names)}): these are not the same cases. Compare them as two unpaired sets (--unpaired)."
        )
    return set(common[differ].tolist())


def _nothing_in_common(records: Records, sides: tuple[Reduced, Reduced]) -> str:
    (a, b), names = sides, records.case.words
    shown = [listed([names[code] for code in np.unique(side.case).tolist()]) for side in sides]
    return (
        f"'{a.system}' and '{b.system}' have no case in common (cases of the first: {shown[0]}; of the second: "
        f"{shown[1]}): compare them as two unpaired sets (--unpaired)."
    )


def _reason(records: Records, side: Reduced, at: int) -> str:
    if side.case[at] in side.ties:
        return "runs evenly split"
    code = int(side.reason[at])
    return records.reason.words[code] if code != ABSENT else "no run with a value"


def _unreadable_rows(records: Records, system: str) -> int:
    return int(np.count_nonzero(records.system.where(system) & records.reason.present()))


def _clusters(records: Records, rows: IntArray, cases: tuple[str, ...], rule: str | None) -> IntArray | None:
    """Return codes of the clusters: of a column, or of the cases where their runs are kept."""
    column = records.further.get("cluster")
    if column is None and rule != "clustered":
        return None
    if column is None:
        return np.unique(np.array(cases, dtype=np.object_), return_inverse=True)[1].astype(np.int64)
    return cluster_codes(column, rows)


def cluster_codes(column: Coded, rows: IntArray) -> IntArray:
    """Return codes of the clusters of some rows; what has none is a cluster of its own."""
    codes = column.codes[rows].astype(np.int64)
    codes[codes == ABSENT] = len(column.words) + np.arange(np.count_nonzero(codes == ABSENT))
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)
