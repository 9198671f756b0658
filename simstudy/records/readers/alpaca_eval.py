"""AlpacaEval: annotations.json, each model's answer against that of a baseline."""

from __future__ import annotations

import math
from typing import Any

from simstudy.records.cells import Reason, read_cell
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers._objects import case_of_text, have, name_of, objects, place_of, with_columns, words_in
from simstudy.records.records import Records, RecordsBuilder
from simstudy.records.source import Head, Source

NAME = "alpaca_eval"
SAYS = "annotations of AlpacaEval: instruction, two generators, an annotator, a preference from 1 to 2"
PLAIN_EXTRA = ("dataset", "preference_price_per_example", "preference_time_per_example")


def sniff(head: Head) -> float:
    """Tell annotations by their fields."""
    return 0.95 if have(head, "instruction", "generator_2", "preference") else 0.0


def read(source: Source, options: ReadOptions) -> Records:
    """Return how far generator_2 wins against generator_1, which is preference − 1."""
    # The order in which the annotator saw the answers is drawn at random and not kept: nothing is said of places.
    builder = RecordsBuilder(source.name, NAME, place=place_of(source), encoding=source.encoding)
    baselines: dict[str, None] = {}
    named = True
    for place, record in objects(source, builder, "instruction", "preference"):
        baseline = name_of(record.get("generator_1"), "the baseline")
        baselines[baseline] = None
        system = name_of(record.get("generator_2"), source.stem)
        named = named and "generator_2" in record
        value, reason = win_rate(record["preference"])
        instruction = record["instruction"]
        text = instruction if isinstance(instruction, str) else None
        builder.add(
            case_of_text(text),
            system,
            value,
            metric=f"win rate against {baseline}",
            place=place,
            reason=reason,
            input_text=text,
            judge=record.get("annotator"),
            extra={name: record.get(name) for name in PLAIN_EXTRA if name in record}
            | {"words_1": words_in(record.get("output_1")), "words_2": words_in(record.get("output_2"))},
        )
    for column, role in zip(
        (*PLAIN_EXTRA[1:], "words_1", "words_2"), ("cost", "latency", "count", "count"), strict=True
    ):
        builder.role(column, role)
    builder.remark(
        "value",
        f"Values are preference − 1, the win rate against {' or '.join(baselines)}; only values against the same "
        "baseline and by the same annotator can be compared.",
    )
    return with_columns(builder.records(ids_from="text", named_systems=named), options)


def win_rate(preference: Any) -> tuple[Any, str | None]:
    """Return preference − 1, or what stands there and why it is no value; 0 is a tie in old versions."""
    number = preference
    if isinstance(preference, str):
        read = read_cell(preference)
        if read.reason is not None:
            return preference, str(read.reason)
        number = read.value
    if number is None or (isinstance(number, float) and not math.isfinite(number)):
        return preference, None
    if isinstance(number, bool) or not isinstance(number, int | float):
        return preference, str(Reason.NOT_A_VALUE)
    if number == 0:
        return 0.5, None
    return (number - 1, None) if 1 <= number <= 2 else (preference, "not between 1 and 2")
