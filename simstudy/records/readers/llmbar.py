"""LLMBar: result.json, a judge's winner in both orders beside the label."""

from __future__ import annotations

from typing import Any

from simstudy.records.cells import Reason
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import (
    OTHER_WAY,
    case_of_text,
    have,
    objects,
    place_of,
    verdict_of,
    with_columns,
    words_in,
)
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "llmbar"
SAYS = "results of LLMBar: input, output_1, output_2, a label of 1 or 2, winners under 'swap = False' and 'swap = True'"
ORDERS = {"swap = False": False, "swap = True": True}


def sniff(head: Head) -> float:
    """Tell results by their fields."""
    return 0.95 if have(head, "input", "label", "results") and have(head, "output_1", "output_2") else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return a record for each order, with the verdict and the label as the pair was shown in it."""
    # A winner is named by the number of the output whatever the order; places are what a bias of position is about.
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    for place, record in objects(source, builder, "input", "results"):
        results = record["results"] if isinstance(record["results"], list) else []
        found = [r for r in results if isinstance(r, dict) and not ORDERS.keys().isdisjoint(r)]
        if not found:
            builder.aside("no result in either order", place)
        for number, result in enumerate(found, start=1):
            run = str(number) if len(found) > 1 else None
            for order, swapped in ORDERS.items():
                if order in result:
                    _add(builder, place, record, swapped, result[order], run)
    builder.remark(
        "orders", "Verdicts and labels are given as the pair was shown; in the swapped order both are turned."
    )
    return with_columns(builder.records(ids_from="text"), options)


def _add(
    builder: RecordsBuilder, place: int, record: dict[str, Any], swapped: bool, result: Any, run: str | None
) -> None:
    said = result.get("winner") if isinstance(result, dict) else None
    winner, label = verdict_of(said), verdict_of(record.get("label"))
    question = record["input"] if isinstance(record["input"], str) else None
    outputs = ("output_2", "output_1") if swapped else ("output_1", "output_2")
    words = [words_in(record.get(output)) for output in outputs]
    builder.add(
        case_of_text(question),
        None,
        said,
        metric=None,
        place=place,
        reason=None if winner else str(Reason.MISSING if said is None else Reason.NOT_A_VALUE),
        input_text=question,
        run=run,
        first=outputs[0],
        second=outputs[1],
        verdict=OTHER_WAY[winner] if winner and swapped else winner,
        label=OTHER_WAY[label] if label and swapped else label,
        extra={"order": "swapped" if swapped else "given", "words_first": words[0], "words_second": words[1]},
    )
