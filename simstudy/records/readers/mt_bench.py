"""MT-bench, single answers: a judge's score of each turn from 1 to 10."""

from __future__ import annotations

import dataclasses
from typing import Any

from simstudy.records.cells import Reason
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import have, name_of, objects, place_of, with_columns
from simstudy.records.records import Records, RecordsBuilder, Remark
from simstudy.records.source import Head, Source

NAME = "mt-bench"
SAYS = "judgments of MT-bench: question_id, model, judge, turn, a score of -1 where the judge said none"
NO_RATING = "no rating in the judgment"


def sniff(head: Head) -> float:
    """Tell judgments of single answers by their fields."""
    return 0.9 if have(head, "question_id", "model", "score", "turn") else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record for each turn; the question is the cluster of its turns."""
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    for place, record in objects(source, builder, "question_id", "score"):
        judge, prompt = judge_of(record.get("judge"))
        builder.add(
            case_of(record),
            name_of(record.get("model"), source.stem),
            record["score"],
            place=place,
            reason=_failed(record),
            cluster=record["question_id"],
            judge=judge,
            extra={"turn": record.get("turn"), "prompt": prompt},
        )
    return with_columns(with_turns(builder.records()), options)


def case_of(record: dict[str, Any]) -> Any:
    """Return the question with its turn."""
    turn, question = record.get("turn"), record.get("question_id")
    plain = isinstance(question, str | int) and isinstance(turn, str | int)
    return f"{question}, turn {turn}" if plain else question


def with_turns(records: Records) -> Records:
    """Say what the turns are; where questions have one turn each there is no cluster."""
    cluster = records.further.get("cluster")
    if cluster is None or len(cluster.words) == len(records.case.words):
        return dataclasses.replace(records, further={n: c for n, c in records.further.items() if n != "cluster"})
    said = Remark("ids", "A case is a question and a turn; the turns of a question are a cluster.")
    return dataclasses.replace(records, remarks=(*records.remarks, said))


def judge_of(judge: Any) -> tuple[Any, Any]:
    """Return the judge and the name of its prompt, which stand in a list."""
    if isinstance(judge, list) and judge:
        return judge[0], judge[1] if len(judge) > 1 else None
    return judge, None


def _failed(record: dict[str, Any]) -> str | None:
    if record["score"] != -1:
        return None
    said = record.get("judgment")
    return str(Reason.ERROR) if isinstance(said, str) and said.strip() == "$ERROR$" else NO_RATING
