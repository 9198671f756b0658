"""One system alone: its mean with an interval, and what repeated runs say of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.mean_error import Mean, mean_of, mean_of_clusters
from simstudy.records.paired_values import cluster_codes
from simstudy.records.question import Question
from simstudy.records.records import Records
from simstudy.records.reduced import Reduced, reduced

Passes = tuple[int, int, tuple[float, float, float], tuple[float, float, float]]
MOST_K = 100
"""Runs up to which pass^k and pass@k are listed."""


@dataclass(frozen=True)
class OneSystem:
    """Everything that is said of one system; NaN where undefined.

    Parameters
    ----------
    record : dict
        The figures by the names of the documentation.
    binary : bool
        Whether every single value is 0 or 1.
    passes : tuple of tuple
        k, cases with so many runs, pass^k with its limits, pass@k with its limits.
    unreadable : mapping of str to int
        Rows without a value, by reason.
    even : bool
        Whether every case has as many runs.
    """

    record: dict[str, Any]
    binary: bool
    passes: tuple[Passes, ...]
    unreadable: dict[str, int]
    even: bool = True


def describe(records: Records, system: str, rule: str | None, question: Question, against: float | None) -> OneSystem:
    """Describe one system of records of one metric."""
    if system not in records.systems:
        raise UnknownNameError("system", system, records.systems)
    found = reduced(records, system, rule)
    if rule == "clustered":
        found = reduced(records, system, "mean")
    kept = ~np.isnan(found.value)
    if not kept.any():
        raise RecordsError(f"'{system}' has no value that can be read in {len(found.case)} cases.")
    mine = records.system.where(system)
    single = records.value[mine & records.usable()]
    binary = bool(np.isin(single, (0.0, 1.0)).all())
    column = records.further.get("cluster")
    value, cluster = found.value[kept], None if column is None else cluster_codes(column, found.rows[kept])
    main = mean_of(value) if cluster is None else mean_of_clusters(value, cluster)
    once = bool(np.isin(value, (0.0, 1.0)).all()) and cluster is None
    low, high = main.limits(question.level)
    if once:
        from simstudy.stats import wilson

        low, high = (float(limit) for limit in wilson(int(value.sum()), len(value), question.level))
    elif binary:
        low, high = _wilson_of_units(main, len(value), len(single), question.level)
    record: dict[str, Any] = {
        "system_a": system,
        "system_b": None,
        "n_cases": len(value),
        "n_runs": int(found.runs.max()),
        "mean_a": main.value,
        "se": main.error,
        "low": low,
        "high": high,
        "se_rows": mean_of(single).error,
        "unreadable_a": int(np.count_nonzero(mine & records.reason.present())),
        "left_out": int(np.count_nonzero(~kept)),
    }
    if cluster is not None:
        record["n_clusters"] = main.units
    if against is not None:
        record |= _against(value, against, once, main.p(against))
    passes = _of_runs(record, found, kept, question.level) if binary and found.runs.max() > 1 else ()
    even = bool((found.runs == found.runs.max()).all())
    return OneSystem(record, binary, passes, records.unreadable().get(system, {}), even)


def _wilson_of_units(main: Mean, n: int, rows: int, level: float) -> tuple[float, float]:
    """Return Wilson's limits at as many independent cases as give the standard error that was found."""
    from scipy import special

    from simstudy.stats.proportions import wilson_limits

    rate, worth = main.value, float(n)
    if 0 < rate < 1:
        worth = min(rate * (1 - rate) / main.error**2, rows) if main.error > 0 else float(rows)
    if math.isnan(main.error):
        return math.nan, math.nan
    low, high = wilson_limits(np.asarray(rate), np.asarray(worth), float(special.ndtri(0.5 + level / 2)))
    return float(low), float(high)


def _against(value: NDArray[np.float64], bound: float, binary: bool, p_of_mean: float) -> dict[str, Any]:
    from simstudy.records.rates import midp_binomial

    if not binary:
        return {"difference": float(value.mean()) - bound, "p_value": p_of_mean, "test": "one_sample_t"}
    p = midp_binomial(int(value.sum()), len(value), bound)
    return {"difference": float(value.mean()) - bound, "p_value": p, "test": "binomial_midp"}


def _of_runs(record: dict[str, Any], found: Reduced, kept: NDArray[np.bool_], level: float) -> tuple[Passes, ...]:
    """Enter what runs say into the record; return the chances that all, or one, of k runs are right."""
    # a case or two that were tried again say nothing of the runs of the others
    if 2 * np.count_nonzero(found.runs[kept] > 1) >= np.count_nonzero(kept):
        record |= _spread(found, kept, level)
    passes = tuple(_passes(found, kept, k, level) for k in range(1, min(int(found.runs.max()), MOST_K) + 1))
    for k, cases, every, some in passes:
        record |= {f"n_cases_{k}": cases, f"pass_all_{k}": every[0], f"pass_any_{k}": some[0]}
    return passes


def _spread(found: Reduced, kept: NDArray[np.bool_], level: float) -> dict[str, Any]:
    from simstudy.stats import rerun_spread

    spread = rerun_spread(found.right[kept], found.runs[kept], level)
    return {"rerun_band": spread.rerun_band, "rerun_sd": spread.rerun_sd, "icc": spread.icc}


def _passes(found: Reduced, kept: NDArray[np.bool_], k: int, level: float) -> Passes:
    from simstudy.stats import pass_all, pass_any

    enough = kept & (found.runs >= k)
    right, runs = found.right[enough], found.runs[enough]
    shares = []
    for each in (pass_all(right, runs, k), pass_any(right, runs, k)):
        mean = mean_of(np.asarray(each)) if enough.any() else None
        limits = (math.nan, math.nan) if mean is None else mean.limits(level)
        shares.append((math.nan if mean is None else mean.value, *limits))
    return k, int(enough.sum()), shares[0], shares[1]
