"""Arena-Hard: a model's answers against those of a baseline, each pair judged in both orders."""

from __future__ import annotations

from typing import Any

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
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "arena-hard"
SAYS = "judgments of Arena-Hard: uid, model, two games with a score from A>>B to B>>A, the second in swapped order"
BASELINE = "the baseline"


def sniff(head: Head) -> float:
    """Tell judgments by their games."""
    return 0.95 if have(head, "model", "games") else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return the win rate of the model over its games, and the verdict of each game."""
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    changed = total = strong = 0
    for place, record in objects(source, builder, "games"):
        games = record["games"] if isinstance(record["games"], list) else []
        scores = [game.get("score") if isinstance(game, dict) else None for game in games]
        won = [_won(number, score) for number, score in enumerate(scores)]
        total += 1
        changed += None not in won and len(set(won)) > 1
        strong += any(isinstance(score, str) and (">>" in score or "<<" in score) for score in scores)
        _add(builder, source.stem, place, record, scores, won)
    builder.remark(
        "orders",
        f"A win is the mean of the games in both orders, a tie half a win; {changed} of {total} verdicts change with "
        "the order.",
    )
    if strong:
        builder.remark(
            "weight",
            f"A>>B counts like A>B, in {strong} of {total} records; Arena-Hard's own score gives it more weight.",
        )
    return with_columns(builder.records(), options)


def _won(number: int, score: Any) -> str | None:
    """Return "first" where the model wins a game; it is shown second in the first game, and first in the next."""
    shown = verdict_of(score)
    return shown if shown is None or number % 2 else OTHER_WAY[shown]


def _add(
    builder: RecordsBuilder,
    stem: str,
    place: int,
    record: dict[str, Any],
    scores: list[Any],
    won: list[str | None],
) -> None:
    model, baseline = name_of(record.get("model"), stem), name_of(record.get("baseline"), BASELINE)
    case, judge = record.get("uid", record.get("question_id")), record.get("judge")
    wins = [WINS[winner] for winner in won if winner is not None]
    readable = len(wins) == len(won) > 0
    unread = Reason.MISSING if None in scores or not scores else Reason.NOT_A_VALUE
    extra = {"category": record["category"]} if isinstance(record.get("category"), str) else {}
    builder.add(
        case,
        model,
        sum(wins) / len(wins) if readable else ", ".join(map(str, scores)),
        metric=f"win rate against {baseline}",
        place=place,
        reason=None if readable else str(unread),
        judge=judge,
        extra=extra,
    )
    for number, score in enumerate(scores):
        shown = (model, baseline) if number % 2 else (baseline, model)
        verdict = verdict_of(score) or score
        builder.add(
            case,
            None,
            None,
            metric=None,
            place=place,
            first=shown[0],
            second=shown[1],
            verdict=verdict,
            judge=judge,
            extra=extra,
        )
