"""Two systems on the same cases: the difference by the test that suits the values, and what this set could see."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import ParameterError
from simstudy.records.mean_error import Mean, mean_of, mean_of_clusters, scale_of
from simstudy.records.paired_values import PairedValues
from simstudy.records.planners import MCNEMAR, Seen, cells_of, planned, planner_of
from simstudy.records.question import Question
from simstudy.records.strata import Strata

FloatArray = NDArray[np.float64]
PAIRED_T, CLUSTER_T, STRATIFIED = "paired_t", "cluster_t", "stratified_t"


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
    planner = planner_of(pairs, main, question, stratified=strata is not None, one_of_many=one_of_many)
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


def _of_cells(pairs: PairedValues, level: float) -> dict[str, Any]:
    from simstudy.stats import mcnemar_exact, mcnemar_midp, tango

    both, only_a, only_b, neither = cells_of(pairs)
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

        _, only_a, only_b, _ = cells_of(pairs)
        lost, won = (only_b, only_a) if question.lower_is_better else (only_a, only_b)
        no_worse = float(noninferiority_tango(lost, won, len(pairs.a), margin))
        no_better = float(noninferiority_tango(won, lost, len(pairs.a), margin))
    else:
        no_worse = main.p(worse, upward=not question.lower_is_better)
        no_better = main.p(-worse, upward=question.lower_is_better)
    return {"margin": margin, "noninferior_p": no_worse, "equivalent_p": float(np.maximum(no_worse, no_better))}
