"""MT-bench, pairs of answers: who wins in each of the two orders."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from simstudy.records.cells import Reason
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import (
    OTHER_WAY,
    WINS,
    have,
    name_of,
    objects,
    place_of,
    verdict_of,
    with_columns,
)
from simstudy.records.readers.mt_bench import case_of, judge_of, with_turns
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "mt-bench pairs"
SAYS = "pairs of MT-bench: model_1, model_2, the winners g1_winner and g2_winner in the two orders"


class Pair(NamedTuple):
    """A pair of models on a question."""

    place: int
    record: dict[str, Any]  # without texts
    models: tuple[str, str]
    games: tuple[Any, Any]  # the winner in each order, model_2 being shown first in the second


def sniff(head: Head) -> float:
    """Tell pairs by their fields."""
    return 0.95 if have(head, "model_1", "model_2", "g1_winner", "g2_winner") else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return each model's win rate over both orders, and the verdict of each order."""
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    pairs = [
        Pair(
            place,
            {name: record.get(name) for name in ("question_id", "turn", "judge")},
            (name_of(record["model_1"], "model_1"), name_of(record["model_2"], "model_2")),
            (record["g1_winner"], record["g2_winner"]),
        )
        for place, record in objects(source, builder, "question_id", "model_1", "model_2", "g1_winner", "g2_winner")
    ]
    baseline = _baseline(pair.models for pair in pairs)
    for pair in pairs:
        _add(builder, pair, baseline)
    changed = sum(None not in (won := _winners(pair)) and won[0] != won[1] for pair in pairs)
    builder.remark(
        "orders",
        f"A win is the mean of the two orders, a tie half a win; {changed} of {len(pairs)} verdicts change with the "
        "order.",
    )
    return with_columns(with_turns(builder.records()), options)


def _baseline(models: Iterable[tuple[str, str]]) -> str | None:
    """Return the model that stands in all pairs, if there are several pairs and one such model."""
    found = {frozenset(pair) for pair in models}
    common = frozenset.intersection(*found)
    return next(iter(common)) if len(found) > 1 and len(common) == 1 else None


def _winners(pair: Pair) -> tuple[str | None, str | None]:
    """Return which of model_1 ("first") and model_2 won in each order."""
    first, second = (verdict_of(game) for game in pair.games)
    return first, second


def _add(builder: RecordsBuilder, pair: Pair, baseline: str | None) -> None:
    judge, prompt = judge_of(pair.record["judge"])
    common = {"cluster": pair.record["question_id"], "judge": judge}
    case, extra = case_of(pair.record), {"turn": pair.record["turn"], "prompt": prompt}
    winners = _winners(pair)
    wins = [WINS[winner] for winner in winners if winner is not None]
    readable = len(wins) == 2
    for number, model in enumerate(pair.models):
        if model == baseline:
            continue
        rate = sum(wins) / 2 if number == 0 else 1 - sum(wins) / 2
        builder.add(
            case,
            model,
            rate if readable else f"{pair.games[0]}, {pair.games[1]}",
            metric="win rate" if baseline is None else f"win rate against {baseline}",
            place=pair.place,
            reason=None if readable else str(Reason.ERROR if "error" in pair.games else Reason.NOT_A_VALUE),
            extra=extra,
            **common,
        )
    for winner, shown, said in zip(winners, (pair.models, pair.models[::-1]), pair.games, strict=True):
        as_shown = winner if winner is None or shown is pair.models else OTHER_WAY[winner]
        builder.add(
            case,
            None,
            None,
            metric=None,
            place=pair.place,
            first=shown[0],
            second=shown[1],
            verdict=as_shown or said,
            extra=extra,
            **common,
        )
