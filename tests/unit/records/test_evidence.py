"""A report as flat records and as a table."""

import json

from simstudy.records.compared import Asked, compare_records
from simstudy.records.evidence import PAIR
from simstudy.records.question import Question
from simstudy.records.records import RecordsBuilder


def wide(values, metric="score"):
    """Return records of {system: values by case}."""
    builder = RecordsBuilder("file.csv", "test")
    for system, row in values.items():
        for case, value in enumerate(row):
            builder.add(str(case), system, value, metric=metric)
    return builder.records()


TWO = {"old": [1, 0, 1, 0, 1, 0, 0, 0], "new": [1, 1, 1, 0, 1, 1, 0, 1]}


def test_two_systems_are_compared_in_their_order():
    (record,) = compare_records(wide(TWO), Asked(), Question()).records()
    assert (record["system_a"], record["system_b"], record["difference"]) == ("old", "new", 0.375)
    assert set(PAIR) <= set(record)
    json.dumps(record, allow_nan=False)


def test_scores_have_no_cells():
    (record,) = compare_records(wide({"a": [1, 2, 5, 4], "b": [2, 2, 4, 5]}), Asked(), Question()).records()
    assert record["both_right"] is None
    assert record["test"] == "paired_t"


def test_a_report_becomes_a_table():
    table = compare_records(wide(TWO), Asked(), Question()).to_dataframe()
    assert table.loc[0, "difference"] == 0.375
