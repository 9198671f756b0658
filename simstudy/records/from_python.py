"""Comparisons as they are asked for in Python."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from simstudy.errors import ParameterError
from simstudy.options import COMPARE, the_option
from simstudy.records.keywords import in_keywords
from simstudy.records.question import Question
from simstudy.records.read_options import ReadOptions, reading_options
from simstudy.records.records import Records

if TYPE_CHECKING:
    pass

from simstudy.records.compared import Asked, compare_counts, compare_records
from simstudy.records.evidence import Evidence


def compare(
    source: Any = None,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    counts: str | Sequence[int] | None = None,
    against: float | None = None,
    metric: str | None = None,
    runs: str | None = None,
    threshold: float | None = None,
    margin: float | None = None,
    difference: float | Sequence[float] = (),
    unpaired: bool = False,
    lower_is_better: bool | None = None,
    stratum: str | None = None,
    stratum_weights: Mapping[str, float] | None = None,
    failed: Sequence[str] | AbstractSet[str] = (),
    filter: str | None = None,
    case_column: str | None = None,
    system_column: str | None = None,
    value_column: str | None = None,
    run_column: str | None = None,
    cluster: str | None = None,
    layout: str | None = None,
    split_ids: bool = True,
    alpha: float = 0.05,
    level: float = 0.95,
    target: float = 0.8,
    seed: int = 1,
    draws: int = 2000,
) -> Evidence:
    """Compare systems on people's own results.

    Parameters
    ----------
    source : path, sequence of paths or pandas.DataFrame, optional
        Files of results in any format that is known, or a table; one file may hold several systems.
    system_a, system_b : str, optional
        The systems, B − A being the difference; by default all that there are. One alone is described.
    counts : str or sequence of int, optional
        In place of files: both right, only A, only B, neither; or ``"193/358"``, or ``"78/100,82/100"``.
    against : float, optional
        A rate or mean to compare one system with.
    metric, filter : str, optional
        Which metric, and which of several answers per case.
    runs : {"first", "majority", "mean", "clustered"}, optional
        What to do with repeated runs of a case.
    threshold : float, optional
        Values at or above it count as right.
    margin : float, optional
        A loss of B that would still be accepted; claims about it are one-sided at `alpha`.
    difference : float or sequence of float
        Differences to plan for; by default 5 and 10 points, of scores .2 and .5 standard deviations.
    unpaired : bool
        Compare as sets of different cases.
    lower_is_better : bool, optional
        Direction of the values; by default by the name of the metric.
    stratum : str, optional
        Column of strata, whose mean differences are weighed.
    stratum_weights : mapping of str to float, optional
        Their weights; by default all alike.
    failed : list, tuple or set of str
        Words that count as failed instead of unreadable, such as ``"timeout"``.
    case_column, system_column, value_column, run_column : str, optional
        Columns, where they are not to be guessed.
    cluster : str, optional
        Column of clusters, which are then the independent units.
    layout : {"long", "wide"}, optional
        Of a table: a row per case and system, or a column per system; by default guessed.
    split_ids : bool
        Whether ids such as 1, 1.1, 1.2 are runs of case 1.
    alpha, level, target : float
        Two-sided level of tests, confidence level, and power of the smallest difference and of the cases needed.
    seed : int
        Of the posterior draws and of resamples.
    draws : int
        Posterior draws, at least 100.

    Returns
    -------
    Evidence
        A report with ``str()``, ``to_dict()``, ``to_dataframe()`` and a view for notebooks.

    Raises
    ------
    RequestError
        Where a file cannot be read or understood, nothing can be paired, or an argument means nothing; the message says
        what was found and what to do.

    Notes
    -----
    0/1 values of independent cases: mid-p McNemar and Tango's interval. Scores: the paired t test. Clusters, or runs
    that are kept: a t test with the clusters as units. No test is chosen by its result.
    """
    _refuse_other_than_texts(
        system_a=system_a,
        system_b=system_b,
        metric=metric,
        filter=filter,
        runs=runs,
        stratum=stratum,
        case_column=case_column,
        system_column=system_column,
        value_column=value_column,
        run_column=run_column,
        cluster=cluster,
        layout=layout,
    )
    _refuse_other_kinds(failed, stratum_weights, unpaired, lower_is_better)
    question = Question(
        alpha=_checked("alpha", alpha),
        level=_checked("level", level),
        power=_power(target),
        differences=_sizes(difference),
        margin=None if margin is None else _real("margin", margin),
        seed=int(the_option("seed", COMPARE).check(seed)),
        draws=int(the_option("draws", COMPARE).check(draws)),
    )
    bound = None if against is None else _real("against", against)
    if (source is None) == (counts is None):
        raise ParameterError("Give a file of results (or several, or a table), or counts: one of them, and not both.")
    if counts is not None:
        with in_keywords():
            return compare_counts(counts, question, bound)
    options = reading_options(
        case_column=case_column,
        system_column=system_column,
        value_column=value_column,
        run_column=run_column,
        cluster_column=cluster,
        layout=layout,
        metric=metric,
        filter=filter,
        split_ids=the_option("split_ids", COMPARE).check(split_ids),
        systems=tuple(name for name in (system_a, system_b) if name is not None),
        failed=frozenset(word.strip().casefold() for word in failed),
        columns=() if stratum is None else (stratum,),
    )
    asked = Asked(
        system_a,
        system_b,
        metric,
        runs,
        None if threshold is None else _real("threshold", threshold),
        stratum,
        None if stratum_weights is None else {str(name): float(weight) for name, weight in stratum_weights.items()},
        unpaired,
        lower_is_better,
        bound,
        cluster,
    )
    with in_keywords():
        return compare_records(_records_of(source, options), asked, question)


def pilot(path: Any, system_a: str | None = None, system_b: str | None = None, **asked: Any) -> Evidence:
    """Compare two systems on people's own results: another name of :func:`compare`.

    Parameters
    ----------
    path : path, sequence of paths or pandas.DataFrame
        As `source` of :func:`compare`.
    system_a, system_b : str, optional
        The systems, B − A being the difference.
    **asked
        As :func:`compare` takes it; `cluster_column` is its `cluster`.

    Returns
    -------
    Evidence
        The report of :func:`compare`.

    Raises
    ------
    RequestError
        As :func:`compare`, and where `method` is given, which has no place any more.
    """
    if "method" in asked:
        raise ParameterError(
            "method has no place here any more: cases are planned for by the mid-p McNemar test. For another method: "
            "simstudy size paired --pilot FILE --method NAME."
        )
    if "cluster_column" in asked:
        asked["cluster"] = asked.pop("cluster_column")
    return compare(path, system_a, system_b, **asked)


def _records_of(source: Any, options: ReadOptions) -> Records:
    from simstudy.records.reading import read_records

    if isinstance(source, (str, os.PathLike)):
        return read_records([os.fspath(source)], options)
    if hasattr(source, "columns") and hasattr(source, "itertuples"):
        from simstudy.records.frame import read_frame

        return read_frame(source, options)
    try:
        return read_records([os.fspath(one) for one in source], options)
    except TypeError:
        raise ParameterError(
            f"source is of type {type(source).__name__}; give a path, several paths, or a pandas.DataFrame."
        ) from None


def _checked(name: str, value: Any) -> float:
    return float(the_option(name, COMPARE).check(value))


def _refuse_other_kinds(failed: Any, weights: Any, unpaired: Any, lower_is_better: Any) -> None:
    listed = isinstance(failed, list | tuple | set | frozenset)
    if not (listed and all(isinstance(word, str) for word in failed)):
        raise ParameterError(f"failed is {failed!r}; it must be a list of words.")
    if not (weights is None or isinstance(weights, Mapping)):
        raise ParameterError(f"stratum_weights is {weights!r}; it must be a dict, stratum → weight.")
    for name, weight in (weights or {}).items():
        if not 0 < _real("stratum_weights", weight) < math.inf:
            raise ParameterError(f"stratum_weights holds {weight:g} for '{name}'; weights must be above 0.")
    if not isinstance(unpaired, bool | np.bool_):
        raise ParameterError(f"unpaired is {unpaired!r}; it must be True or False.")
    if not (lower_is_better is None or isinstance(lower_is_better, bool | np.bool_)):
        raise ParameterError(f"lower_is_better is {lower_is_better!r}; it must be True, False or None.")


def _refuse_other_than_texts(**given: object) -> None:
    for name, text in given.items():
        if not (text is None or isinstance(text, str)):
            raise ParameterError(f"{name} is {text!r}; it must be a text.")


def _power(target: Any) -> float:
    power = _real("target", target)
    if not 0.0 < power < 1.0:
        raise ParameterError(f"target is {power:g}; it must be a number in (0, 1).")
    return power


def _real(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ParameterError(f"{name} is {value!r}; it must be a number.")
    try:
        return float(value)
    except OverflowError:
        raise ParameterError(f"{name} is {value!r}; it must be a number that a float can hold.") from None


def _sizes(difference: Any) -> tuple[float, ...]:
    if isinstance(difference, np.ndarray):
        difference = difference.tolist()
    several = difference if isinstance(difference, (list, tuple)) else (difference,)
    return tuple(_real("difference", size.item() if isinstance(size, np.generic) else size) for size in several)
