"""What is asked of records or counts, and which comparison answers it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from simstudy.errors import ParameterError, RecordsError, UnknownNameError
from simstudy.records.many_systems import ManyCompared, compare_many
from simstudy.records.natural_order import listed
from simstudy.records.one_scale import scale_remarks
from simstudy.records.one_system import OneSystem, describe
from simstudy.records.paired_values import PairedValues, pair
from simstudy.records.question import Question, check
from simstudy.records.rates import one_rate, pairs_of_counts, parse_counts, two_rates
from simstudy.records.records import Records
from simstudy.records.reduced import reduced, rule_for
from simstudy.records.strata import Strata
from simstudy.records.two_compared import TwoCompared, compare_pairs

if TYPE_CHECKING:
    pass

from simstudy.records.evidence import Evidence, Rates

Progress = Callable[[int, int, str], None]
MOST_WORDS = 12
LARGEST = 1e75
"""Value whose square still is a number, of as many cases as there may be."""


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
