"""More than two systems: each with an interval, all pairs adjusted by Holm, and which cannot be told from the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from simstudy.errors import RecordsError
from simstudy.records.one_system import OneSystem, describe
from simstudy.records.paired_values import pair
from simstudy.records.question import Question
from simstudy.records.records import Records
from simstudy.records.two_compared import TwoCompared, compare_pairs

MOST_SYSTEMS = 100


@dataclass(frozen=True)
class ManyCompared:
    """Everything that is said of several systems.

    Parameters
    ----------
    systems : tuple of OneSystem
        The best mean first.
    pairs : tuple of TwoCompared
        Every pair, the better-placed system as A; `record` holds p_holm over all pairs.
    best : str
        The system with the best mean.
    not_told_from_best : tuple of str
        Those that Holm, over the comparisons with the best alone, does not tell from it.
    not_compared_with_best : tuple of str
        Those that have no case in common with it.
    refused : tuple of tuple
        Two systems and why they could not be compared.
    """

    systems: tuple[OneSystem, ...]
    pairs: tuple[TwoCompared, ...]
    best: str
    not_told_from_best: tuple[str, ...]
    not_compared_with_best: tuple[str, ...]
    refused: tuple[tuple[str, str, str], ...]


def compare_many(
    records: Records,
    systems: Sequence[str],
    rule: str | None,
    question: Question,
    progress: Callable[[int, int, str], None] | None = None,
) -> ManyCompared:
    """Compare every pair of several systems."""
    if len(systems) > MOST_SYSTEMS:
        raise RecordsError(
            f"The file has {len(systems)} systems, and {MOST_SYSTEMS} are compared at most: name two of them "
            "(--system-a, --system-b)."
        )
    described = [describe(records, system, rule, question, None) for system in systems]
    sign = -1 if question.lower_is_better else 1
    described.sort(key=lambda one: (-sign * one.record["mean_a"], one.record["system_a"]))
    order = [str(one.record["system_a"]) for one in described]
    found: list[TwoCompared] = []
    refused: list[tuple[str, str, str]] = []
    todo = list(combinations(order, 2))
    for done, (first, second) in enumerate(todo):
        if progress is not None:
            progress(done, len(todo), "pairs of systems")
        try:
            found.append(compare_pairs(pair(records, first, second, rule), question, one_of_many=True))
        except RecordsError as error:
            refused.append((first, second, str(error)))
    if not found:
        raise RecordsError(refused[0][2])
    _adjust(found, "p_holm")
    with_best = [two for two in found if two.record["system_a"] == order[0]]
    told = {
        two.record["system_b"]: p <= question.alpha
        for two, p in zip(with_best, _holm([two.record["p_value"] for two in with_best]), strict=True)
    }
    for two in with_best:
        two.record["not_told_from_best"] = not told[two.record["system_b"]]
    untold = tuple(name for name in order[1:] if name in told and not told[name])
    apart = tuple(name for name in order[1:] if name not in told)
    return ManyCompared(tuple(described), tuple(found), order[0], untold, apart, tuple(refused))


def _holm(p_values: list[Any]) -> list[float]:
    from simstudy.stats import holm

    return [float(p) for p in holm(np.array(p_values, dtype=np.float64))]


def _adjust(found: list[TwoCompared], name: str) -> None:
    for two, p in zip(found, _holm([two.record["p_value"] for two in found]), strict=True):
        two.record[name] = p
