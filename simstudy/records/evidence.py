"""Evidence: people's own results compared, and a report of the answer, the figures and how the files were read."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from simstudy.errors import ParameterError, RecordsError, UnknownNameError
from simstudy.options import COMPARE, the_option
from simstudy.records.keywords import in_keywords
from simstudy.records.many_systems import ManyCompared, compare_many
from simstudy.records.natural_order import listed
from simstudy.records.one_scale import scale_remarks
from simstudy.records.one_system import OneSystem, describe
from simstudy.records.paired_values import PairedValues, pair
from simstudy.records.planners import Seen
from simstudy.records.question import Question, check
from simstudy.records.rates import one_rate, pairs_of_counts, parse_counts, two_rates
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import Records
from simstudy.records.reduced import reduced, rule_for
from simstudy.records.strata import Strata
from simstudy.records.two_compared import TwoCompared, compare_pairs

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[int, int, str], None]
MOST_WORDS = 12
LARGEST = 1e75
"""Value whose square still is a number, of as many cases as there may be."""


@dataclass(frozen=True)
class Rates:
    """One rate, or two rates of different cases."""

    record: dict[str, Any]
    seen: tuple[Seen, ...]
    against: float | None = None


@dataclass(frozen=True)
class Evidence:
    """What people's own results say: the answer first, then figures, then how the files were read.

    Parameters
    ----------
    found : TwoCompared, OneSystem, ManyCompared or Rates
        The comparison.
    question : Question
        What was asked.
    remarks : tuple of str
        How the files were read, one sentence each.
    metric : str or None
        The metric compared, where files have names for it.
    flips : str or None
        A warning where the answer turns between threshold and mean.
    unreadable : mapping of str to mapping of str to int
        System → reason → rows without a value.
    lost : tuple of tuple of str
        Case, system and reason of each such row, where two systems are not compared case by case.

    Notes
    -----
    ``print`` shows the report as text; notebooks show it as tables; :meth:`to_dict` and :meth:`to_dataframe` give the
    figures with the names of the documentation.
    """

    found: TwoCompared | OneSystem | ManyCompared | Rates
    question: Question
    remarks: tuple[str, ...] = ()
    metric: str | None = None
    flips: str | None = None
    unreadable: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    lost: tuple[tuple[str, str, str], ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """Return the figures as flat records, one per comparison.

        Returns
        -------
        list of dict
            None for what is undefined or has no place.
        """
        found = self.found
        if isinstance(found, ManyCompared):
            return [_flat(two.record) for two in found.pairs]
        return [_flat(found.record)]

    def to_dict(self) -> dict[str, Any]:
        """Return the whole report as plain values.

        Returns
        -------
        dict
            ``answer`` (sentences), ``records`` (as :meth:`records`), ``remarks`` (how the files were read), and of more
            than two systems ``not_told_from_best`` (names).
        """
        from simstudy.pages.evidence_answer import answer

        plain = {"answer": answer(self), "records": self.records(), "remarks": list(self.remarks)}
        if isinstance(self.found, ManyCompared):
            plain["not_told_from_best"] = list(self.found.not_told_from_best)
        return plain

    def to_dataframe(self) -> pd.DataFrame:
        """Return the figures as a table, one row per comparison.

        Returns
        -------
        pandas.DataFrame
            Columns as the keys of :meth:`records`.
        """
        import pandas as pd

        return pd.DataFrame(self.records())

    def __str__(self) -> str:
        from simstudy.pages.evidence_text import text

        return text(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from simstudy.pages.evidence_text import html

        return html(self)


PAIR = (
    "system_a",
    "system_b",
    "n_cases",
    "n_runs",
    "mean_a",
    "mean_b",
    "difference",
    "se",
    "low",
    "high",
    "p_value",
    "test",
    "both_right",
    "only_a",
    "only_b",
    "neither",
    "p_mcnemar_exact",
    "p_mcnemar_midp",
    "tango_low",
    "tango_high",
    "p_paired_t",
    "p_wilcoxon",
    "p_sign_flip",
    "bootstrap_t_low",
    "bootstrap_t_high",
    "p_sign_flip_mcse",
    "bootstrap_t_low_mcse",
    "bootstrap_t_high_mcse",
    "p_cluster_t",
    "n_clusters",
    "se_rows",
    "p_holm",
    "unreadable_a",
    "unreadable_b",
    "left_out",
    "mde_positive",
    "mde_negative",
    "cases_recommended",
    "cases_median",
    "cases_recommended_mcse",
    "cases_median_mcse",
    "margin",
    "noninferior_p",
    "equivalent_p",
    "rerun_band",
    "icc",
)
"""Keys that every record has, None where they mean nothing."""


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(name, value) for name, value in (dict.fromkeys(PAIR) | dict(record)).items()}


def _plain(name: str, value: Any) -> Any:
    """Return None for what is undefined, and cases as whole numbers."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    whole = name in ("cases_recommended", "cases_median") and value is not None
    return int(value) if whole else value


def compare_counts(counts: str | Sequence[int], question: Question, against: float | None = None) -> Evidence:
    """Compare two systems, or rates, that are given as counts."""
    check(question)
    text = counts if isinstance(counts, str) else ",".join(str(count) for count in counts)
    parsed = parse_counts(text)
    if isinstance(parsed[0], int):
        if against is not None:
            raise ParameterError(
                "against cannot be used with four counts, which are two systems; it takes one rate, 193/358."
            )
        return Evidence(compare_pairs(pairs_of_counts(_four(parsed)), question), question, ("Given as counts.",))
    first, *rest = [rate for rate in parsed if isinstance(rate, tuple)]
    if not rest:
        if question.margin is not None:
            raise ParameterError("margin cannot be used with one rate: give two, such as 78/100,82/100.")
        if question.differences and against is None:
            raise ParameterError(
                "difference cannot be used with one rate alone: name what to compare it with (--against)."
            )
        return Evidence(Rates(*one_rate(*first, against, question), against), question, ("Given as counts.",))
    if against is not None:
        raise ParameterError(
            "against cannot be used with two rates, which are compared with each other; it takes one rate."
        )
    return Evidence(Rates(*two_rates(first, rest[0], ("A", "B"), question)), question, ("Given as counts.",))


def _four(parsed: tuple[Any, ...]) -> tuple[int, int, int, int]:
    a, b, c, d = (int(count) for count in parsed)
    return a, b, c, d


@dataclass(frozen=True)
class Asked:
    """What is asked of records beside the question: systems, metric, runs and the like."""

    system_a: str | None = None
    system_b: str | None = None
    metric: str | None = None
    runs: str | None = None
    threshold: float | None = None
    stratum: str | None = None
    stratum_weights: Mapping[str, float] | None = None
    unpaired: bool = False
    lower_is_better: bool | None = None
    against: float | None = None
    cluster: str | None = None  # the column of clusters, where one was named


def compare_records(records: Records, asked: Asked, question: Question, progress: Progress | None = None) -> Evidence:
    """Compare what was read from files."""
    check(question)
    records = records.of_metric(asked.metric)
    metric = next(iter(records.metrics), None)
    lower = asked.lower_is_better
    if lower is None:
        lower = metric is not None and records.metrics[metric].lower_is_better
    question = replace(question, lower_is_better=lower)
    flips = None
    if asked.threshold is not None:
        plain = records
        records = _cut(records, asked.threshold)
        flips = _turns(plain, records, asked)
    rule, said = rule_for(records, asked.runs)
    remarks = [remark.says for remark in records.remarks] + ([said] if said else [])
    remarks += [f"Left aside: {aside.says(records.read)}." for aside in records.aside]
    if words := records.no_values():
        remarks.append(f"In place of values stood {listed((repr(word) for word in words), MOST_WORDS)}.")
    systems = _systems(records, asked)
    _refuse_too_large(records)
    if asked.threshold is None and len(records.read) > 1:
        remarks += [remark.says for remark in scale_remarks(records, systems)]
    found: TwoCompared | OneSystem | ManyCompared | Rates
    _refuse_what_does_not_fit(asked, question, systems, rule)
    if asked.unpaired:
        if "cluster" in records.further:
            remarks.append("Cases of this file share clusters; unpaired sets take them as independent.")
        found = _unpaired(records, systems, rule, question)
    elif len(systems) == 1:
        found = describe(records, systems[0], rule, question, asked.against)
    elif len(systems) == 2:
        found = compare_pairs(pair(records, *systems, rule), question, _strata(records, asked))
    else:
        found = compare_many(records, systems, rule, question, progress)
    lost = () if isinstance(found, TwoCompared) else _lost(records, systems)
    return Evidence(found, question, tuple(dict.fromkeys(remarks)), metric, flips, records.unreadable(), lost)


def _refuse_too_large(records: Records) -> None:
    found = np.flatnonzero(records.usable() & (np.abs(records.value) > LARGEST))
    if len(found):
        case, value = records.case.texts()[found[0]], float(records.value[found[0]])
        raise RecordsError(
            f"Case '{case}' has the value {value:g}, and values must not exceed {LARGEST:g}: perhaps it is no score; "
            "choose another column (--value-column) or metric (--metric)."
        )


def _refuse_what_does_not_fit(asked: Asked, question: Question, systems: Sequence[str], rule: str | None) -> None:
    """Refuse what would be passed over: an option that says nothing to so many systems, or to unpaired sets."""
    if asked.stratum_weights is not None and asked.stratum is None:
        raise ParameterError("stratum_weights cannot be used without the column of the strata (--stratum).")
    if asked.stratum is not None and asked.cluster is not None:
        raise ParameterError("stratum cannot be used with --cluster: leave one of them out.")
    if asked.unpaired:
        _refuse_unpaired(asked, rule)
    elif len(systems) != 2 and asked.stratum is not None:
        raise ParameterError(f"stratum cannot be used with {_so_many(systems)}: name two (--system-a, --system-b).")
    if len(systems) != 1 and asked.against is not None:
        raise ParameterError(f"against cannot be used with {_so_many(systems)}: name one system (--system-a).")
    for name, given in (("margin", question.margin), ("difference", question.differences)):
        if len(systems) == 1 and given:
            raise ParameterError(f"{name} cannot be used with one system: name two (--system-a, --system-b).")


def _refuse_unpaired(asked: Asked, rule: str | None) -> None:
    for name, given in (("stratum", asked.stratum), ("cluster", asked.cluster)):
        if given is not None:
            raise ParameterError(f"{name} cannot be used with unpaired sets: leave out --{name} or --unpaired.")
    if rule == "clustered":
        raise ParameterError(
            "runs=clustered cannot be used with unpaired sets: count one run of each case (--runs first)."
        )


def _so_many(systems: Sequence[str]) -> str:
    return "one system" if len(systems) == 1 else f"{len(systems)} systems"


def _lost(records: Records, systems: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    """Return case, system and reason of every row without a value."""
    rows = records.take(records.reason.present())
    texts = zip(rows.case.texts(), rows.system.texts(), rows.reason.texts(), strict=True)
    return tuple((case or "", system or "", why or "") for case, system, why in texts if system in systems)


def two_systems(records: Records, asked: Asked) -> tuple[PairedValues, list[str]]:
    """Pair the two systems of records, named where there are more; return remarks on how they were read too."""
    records = records.of_metric(asked.metric)
    if asked.threshold is not None:
        records = _cut(records, asked.threshold)
    rule, said = rule_for(records, asked.runs)
    systems = _systems(records, asked)
    if len(systems) != 2:
        raise RecordsError(
            f"Two systems are needed; there are {', '.join(records.systems)}: name two (--system-a, --system-b)."
        )
    pairs = pair(records, *systems, rule)
    remarks = [*(remark.says for remark in records.remarks), *([said] if said and asked.runs is None else [])]
    return pairs, list(dict.fromkeys(remarks))


def _systems(records: Records, asked: Asked) -> tuple[str, ...]:
    """Return the systems to compare: those that are named, else all."""
    named = tuple(name for name in (asked.system_a, asked.system_b) if name is not None)
    for name in named:
        if name not in records.systems:
            raise UnknownNameError("system", name, records.systems)
    if len(named) == 2 or (named and asked.system_b is None):
        return named
    if named:
        others = tuple(name for name in records.systems if name not in named)
        return (others[0], *named) if len(others) == 1 else named
    return records.systems


def _cut(records: Records, threshold: float) -> Records:
    if not math.isfinite(threshold):
        raise ParameterError(f"threshold is {threshold:g}; it must be a finite number, such as 0.5.")
    value = np.where(np.isnan(records.value), np.nan, (records.value >= threshold).astype(np.float64))
    return replace(records, value=value)


def _turns(plain: Records, cut: Records, asked: Asked) -> str | None:
    """Say where a threshold turns the sign of the difference, or where another threshold would."""
    systems = _systems(plain, asked)
    if len(systems) != 2:
        return None
    means = [_difference(plain, systems, asked.runs), _difference(cut, systems, asked.runs)]
    if any(math.isnan(mean) for mean in means):
        return None
    usable = plain.value[plain.usable()]
    others = [(t, _difference(_cut(plain, t), systems, asked.runs)) for t in np.unique(usable)[1:6].tolist()]
    turned = [f"at threshold {t:g} {d:+.3f}" for t, d in others if d * means[1] < 0]
    if means[0] * means[1] < 0:
        turned.insert(0, f"of the mean scores {means[0]:+.3f}")
    if not turned:
        return None
    return (
        f"The sign of the answer depends on the threshold: the difference is {means[1]:+.3f} at threshold "
        f"{asked.threshold:g}, and {', '.join(turned)}. Compare the scores themselves unless the threshold was decided "
        "before."
    )


def _difference(records: Records, systems: tuple[str, ...], runs: str | None) -> float:
    try:
        rule, _ = rule_for(records, runs)
        pairs = pair(records, systems[0], systems[1], rule)
    except RecordsError:
        return math.nan
    return float((pairs.b - pairs.a).mean())


def _unpaired(records: Records, systems: tuple[str, ...], rule: str | None, question: Question) -> Rates:
    """Compare two systems as if they had answered different cases."""
    if len(systems) != 2:
        raise ParameterError(
            f"Two systems are compared as unpaired sets; there are {', '.join(systems)}: name two "
            "(--system-a, --system-b)."
        )
    values = [reduced(records, system, rule).value for system in systems]
    values = [value[~np.isnan(value)] for value in values]
    if not all(len(value) and np.isin(value, (0.0, 1.0)).all() for value in values):
        raise ParameterError("Unpaired sets are compared as rates of 0 and 1; give --threshold, or --runs first.")
    (x_a, n_a), (x_b, n_b) = ((int(value.sum()), len(value)) for value in values)
    record, seen = two_rates((x_a, n_a), (x_b, n_b), (systems[0], systems[1]), question)
    lost = [int(np.count_nonzero(records.system.where(system) & ~records.usable())) for system in systems]
    return Rates({**record, "unreadable_a": lost[0], "unreadable_b": lost[1]}, seen)


def _strata(records: Records, asked: Asked) -> Strata | None:
    if asked.stratum is None:
        return None
    columns = {**records.extra, **records.further}
    if asked.stratum not in columns:
        raise UnknownNameError("column of strata", asked.stratum, columns)
    pairs = zip(records.case.texts(), columns[asked.stratum].texts(), strict=True)
    return Strata(
        {case: stratum or "" for case, stratum in pairs if case is not None},
        None if asked.stratum_weights is None else dict(asked.stratum_weights),
    )


def reading_options(**given: Any) -> ReadOptions:
    """Return options of reading, without what was not said."""
    return ReadOptions(**{name: value for name, value in given.items() if value is not None})


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
