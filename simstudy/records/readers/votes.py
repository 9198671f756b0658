"""Votes about pairs of answers: two models, and who won."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.cells import Reason, read_verdict
from simstudy.records.pair_verdicts import tally
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import delimited
from simstudy.records.readers._objects import WINS, name_of, objects, place_of, with_columns
from simstudy.records.records import Records, RecordsBuilder, Remark
from simstudy.records.roles import CASE_NAMES, Role, folded, role_of
from simstudy.records.source import Head, Source

NAME = "votes"
SAYS = "votes: model_a, model_b, a winner (model_a, model_b, tie, tie (bothbad)), as a table or as JSON"
PAIRS = (("model_a", "model_b"), ("left", "right"), ("system_a", "system_b"))
WINNER = "winner"
JUDGES = ("judge", "judge_name", "annotator", "rater", "worker", "voter", "user")
METRIC = "win rate"


class Columns(NamedTuple):
    """Which column is what, as it is written in the file."""

    first: str
    second: str
    winner: str
    case: str | None
    judge: str | None
    others: tuple[str, ...]


def sniff(head: Head) -> float:
    """Tell votes by the two models and the winner."""
    return 0.9 if _columns(_names(head)) is not None else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return what each vote is worth to both models: 1, a half for ties of any kind, 0."""
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    columns = _named(source.name, _names(source.head), options)
    for place, row in _rows(source, builder, options):
        _add(builder, place, row, columns)
    records = builder.records(ids_from="lines" if columns.case is None else "column")
    if not len(records):
        raise RecordsError(f"{source.name} holds no vote about two models.")
    return with_columns(_told(records), dataclasses.replace(options, case_column=None))


def _names(head: Head) -> list[str]:
    """Return the columns of a table, or the fields of the first objects."""
    if head.records:
        return list(dict.fromkeys(name for record in head.records[:5] for name in record))
    return delimited.header_of(head)


def _columns(names: Iterable[str]) -> Columns | None:
    known = {folded(name): name for name in names}
    pair = next((pair for pair in PAIRS if known.keys() >= {*pair, WINNER}), None)
    if pair is None:
        return None
    case = next((known[name] for name in CASE_NAMES if name in known and known[name] not in pair), None)
    judge = next((known[name] for name in JUDGES if name in known), None)
    used = {*(known[name] for name in (*pair, WINNER)), case, judge}
    passed = (Role.TEXT, Role.INPUT)
    others = tuple(name for name in known.values() if name not in used and role_of(name) not in passed)
    return Columns(known[pair[0]], known[pair[1]], known[WINNER], case, judge, others)


def _named(name: str, names: list[str], options: ReadOptions) -> Columns:
    columns = _columns(names)
    if columns is None:
        shown = ", ".join(names[:20])
        raise RecordsError(f"{name} does not name two models and a winner (model_a, model_b, winner) but: {shown}.")
    if options.case_column is None:
        return columns
    if options.case_column not in names:
        raise UnknownNameError("column for case_column", options.case_column, names)
    return columns._replace(case=options.case_column)


def _rows(source: Source, builder: RecordsBuilder, options: ReadOptions) -> Iterator[tuple[int, dict[str, Any]]]:
    if source.head.records:
        yield from objects(source, builder, WINNER)
        return
    sheet = delimited.sheet_of(source, options)
    texts = {name: column.texts() for name, column in sheet.columns.items()}
    for row, place in enumerate(sheet.places.tolist()):
        yield place, {name: column[row] for name, column in texts.items()}
    for reason, found in sheet.aside.items():
        for place, example in found:
            builder.aside(reason, place, example)


def _add(builder: RecordsBuilder, place: int, row: dict[str, Any], columns: Columns) -> None:
    first, second = name_of(row.get(columns.first), ""), name_of(row.get(columns.second), "")
    if not first or not second or first == second:
        builder.aside("no two models", place, f"{first}, {second}")
        return
    said = row.get(columns.winner)
    word = said if isinstance(said, str) else ""
    verdict, reason = ("first" if word == first else "second", None) if word in (first, second) else read_verdict(word)
    why = None if verdict else str(Reason.MISSING if said is None else reason)
    extra = {name: row[name] for name in columns.others if isinstance(row.get(name), str | int | float)}
    judge = row.get(columns.judge) if columns.judge else None
    case = f"line {place}" if columns.case is None else row.get(columns.case)
    worth = WINS[verdict] if verdict else None
    for model, value in ((first, worth), (second, None if worth is None else 1 - worth)):
        shown = {"first": first, "second": second, "verdict": said} if model == first else {}
        builder.add(
            case,
            model,
            said if value is None else value,
            metric=METRIC,
            place=place,
            reason=why,
            extra=extra,
            judge=judge,
            **shown,
        )


def _told(records: Records) -> Records:
    """Say who won how often, and that some ties are of answers that are both bad."""
    further = records.further
    if not {"first", "second", "verdict"} <= further.keys():
        return records
    said = [Remark("verdicts", tally(further["first"], further["second"], further["verdict"]).says())]
    counts = {word: times for word, times in further["verdict"].counts().items() if read_verdict(word)[0] == "tie"}
    bad = sum(times for word, times in counts.items() if "bad" in word.casefold())
    if bad:
        said.append(
            Remark("ties", f"{bad} of {sum(counts.values())} ties say that both answers are bad: ties as the others.")
        )
    return dataclasses.replace(records, remarks=(*said, *records.remarks))
