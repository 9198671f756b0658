"""Values of one system by case: repeated runs reduced by a rule, or kept with the case as their cluster."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.coded import ABSENT
from simstudy.records.natural_order import listed, natural_key
from simstudy.records.records import Records

RUN_RULES = ("first", "majority", "mean", "clustered")

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reduced:
    """The values of one system, one per case, or one per case and run where runs are kept."""

    system: str
    case: IntArray  # codes of `Records.case`, sorted
    value: FloatArray  # NaN where no run has a value that counts
    reason: IntArray  # code of `Records.reason` of the first row that has none, -1 where there is a value
    runs: IntArray  # runs with a value, of each case
    right: FloatArray  # their sum: of 0/1 values, how many are right
    run: tuple[str, ...] | None  # names of the runs where they are kept
    rows: IntArray  # a row of `Records` for each entry
    ties: IntArray  # cases whose runs are evenly split (majority)


def rule_for(records: Records, rule: str | None) -> tuple[str | None, str]:
    """Return the rule for repeated runs, and a sentence on it; refuse doubled ids that nothing explains."""
    if rule is not None and rule not in RUN_RULES:
        raise UnknownNameError("rule for runs", rule, RUN_RULES)
    repeated = _repeated(records)
    if not len(repeated):
        said = f"There was nothing to reduce by --runs {rule}: each system has one value per case." if rule else ""
        return None, said
    if rule is not None:
        return rule, ""
    if "run" not in records.further:
        names = [records.case.words[code] for code in repeated.tolist()]
        several = "1 case has" if len(names) == 1 else f"{len(names)} cases have"
        raise RecordsError(
            f"{several} more than one record of a system and no column tells runs apart: "
            f"{listed(names)}. Say what they are: --runs mean, first or majority (one value for each case), "
            "--runs clustered (all of them, the case as the cluster), or name the column of the runs (--run-column)."
        )
    return (
        "mean",
        "Each system's mean over the runs of a case was taken (otherwise: --runs first, majority, clustered).",
    )


def _repeated(records: Records) -> IntArray:
    """Return the cases that some system has more than once."""
    pairs = records.case.codes.astype(np.int64) * max(1, len(records.systems)) + records.system.codes
    known = records.case.present() & records.system.present()
    found, times = np.unique(pairs[known], return_counts=True)
    return np.unique(found[times > 1] // max(1, len(records.systems)))


def reduced(records: Records, system: str, rule: str | None) -> Reduced:
    """Return the values of a system by case; the order of the lines decides nothing but which run is the first."""
    mine = np.flatnonzero(records.system.where(system) & records.case.present())
    run = records.further.get("run")
    # in the order of the cases, then of the runs, then of the file
    runs_in_order = np.zeros(len(mine), np.int64) if run is None else _run_order(run.words)[run.codes[mine]]
    order = mine[np.lexsort((mine, runs_in_order, records.case.codes[mine]))]
    cases = records.case.codes[order].astype(np.int64)
    usable = ~records.reason.present()[order]
    starts = np.flatnonzero(np.diff(cases, prepend=-1))
    sums = np.add.reduceat(np.where(usable, records.value[order], 0.0), starts) if len(starts) else np.zeros(0)
    runs = np.add.reduceat(usable.astype(np.int64), starts) if len(starts) else np.zeros(0, np.int64)
    place = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(cases)))
    if rule == "clustered":
        names = None if run is None else tuple(run.words[code] if code != ABSENT else "" for code in run.codes[order])
        kept = np.where(usable, records.value[order], np.nan)
        reasons = records.reason.codes[order].astype(np.int64)
        names = names or tuple(str(number) for number in (np.arange(len(order)) - starts[place]).tolist())
        return Reduced(system, cases, kept, reasons, runs[place], sums[place], names, order, np.zeros(0, np.int64))
    value = np.full(len(starts), np.nan)
    some = runs > 0
    ties = np.zeros(0, np.int64)
    if rule == "first":
        first = np.full(len(starts), len(order))
        np.minimum.at(first, place[usable], np.flatnonzero(usable))
        value[some] = records.value[order][first[some]]
    else:
        value[some] = sums[some] / runs[some]
        if rule == "majority":
            if not np.isin(records.value[order][usable], (0.0, 1.0)).all():
                raise RecordsError(
                    f"A majority is of runs that are right or wrong, and '{system}' has scores: take --runs mean, or "
                    "cut them (--threshold)."
                )
            ties = cases[starts][some & (2 * sums == runs)]
            value = np.where(some & (2 * sums != runs), (2 * sums > runs).astype(np.float64), np.nan)
    reason = np.where(np.isnan(value), records.reason.codes[order][starts], ABSENT).astype(np.int64)
    return Reduced(system, cases[starts], value, reason, runs, sums, None, order[starts], ties)


def _run_order(words: tuple[str, ...]) -> IntArray:
    """Return the place of each run among the runs, numbers by their size; the last entry is that of no run."""
    place = np.zeros(len(words) + 1, dtype=np.int64)
    order = sorted(range(len(words)), key=lambda code: natural_key(words[code]))
    place[np.array(order, np.int64)] = np.arange(len(words))
    place[-1] = -1
    return place
