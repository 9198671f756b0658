"""JudgeBench: a judge's decisions about pairs in both orders, beside the label."""

from __future__ import annotations

from typing import Any

from simstudy.records.cells import Reason
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import OTHER_WAY, have, objects, place_of, verdict_of, with_columns, words_in
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "judgebench"
SAYS = "judgments of JudgeBench: pair_id, a label A>B or B>A, the decisions of one or two judgments"


def sniff(head: Head) -> float:
    """Tell judged pairs by their fields."""
    return 0.95 if have(head, "pair_id", "label", "judgments") else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record for each order, with the verdict and the label as the pair was shown in it."""
    # The second judgment saw B first, and its decision is not swapped back: there the label is turned instead.
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    for place, record in objects(source, builder, "pair_id", "judgments"):
        judgments = record["judgments"]
        if not isinstance(judgments, list) or not judgments:
            builder.aside("no judgment", place)
            continue
        for number, judgment in enumerate(judgments):
            _add(builder, place, record, number % 2 == 1, judgment)
    builder.remark(
        "orders", "Verdicts and labels are given as the pair was shown; in the swapped order the label is turned."
    )
    return with_columns(builder.records(), options)


def _add(builder: RecordsBuilder, place: int, record: dict[str, Any], swapped: bool, judgment: Any) -> None:
    decision = judgment.get("decision") if isinstance(judgment, dict) else None
    label, verdict = verdict_of(record.get("label")), verdict_of(decision)
    unread = Reason.ERROR if judgment is None else Reason.MISSING if decision is None else Reason.NOT_A_VALUE
    answers = ("response_B", "response_A") if swapped else ("response_A", "response_B")
    words = [words_in(record.get(answer)) for answer in answers]
    builder.add(
        record["pair_id"],
        None,
        decision,
        metric=None,
        place=place,
        reason=None if verdict else str(unread),
        judge=record.get("judge_name"),
        first="B" if swapped else "A",
        second="A" if swapped else "B",
        verdict=verdict,
        label=OTHER_WAY[label] if label and swapped else label,
        extra={
            "order": "swapped" if swapped else "given",
            "source": record.get("source"),
            "words_first": words[0],
            "words_second": words[1],
        },
    )
