from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, swe_bench
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

CASES = Path(__file__).parents[3] / "cases"


def report(**more: Any) -> dict[str, Any]:
    """Return a report as the harness writes it at the end of a run."""
    counts = {"total_instances": 9, "submitted_instances": 6, "completed_instances": 4, "resolved_instances": 2}
    lists = {
        "completed_ids": ["a-1", "a-2", "a-3", "a-4"],
        "incomplete_ids": ["b-1", "b-2", "b-3"],
        "empty_patch_ids": ["a-5"],
        "submitted_ids": [f"a-{n}" for n in range(1, 7)],
        "resolved_ids": ["a-1", "a-3"],
        "unresolved_ids": ["a-2", "a-4"],
        "error_ids": ["a-6"],
    }
    return counts | lists | {"schema_version": 2} | more


def read(whole: Any, **options: Any) -> Records:
    return swe_bench.read(Source("m.run_1.json", json.dumps(whole).encode()), ReadOptions(**options))


def said(records: Records) -> str:
    return " ".join(remark.says for remark in records.remarks)


def test_told_from_content() -> None:
    for whole in (report(), {"resolved_ids": [], "unresolved_ids": ["a"]}, {"resolved": ["a"], "no_generation": []}):
        reader, certainty = find_reader(Source("x.txt", json.dumps(whole, indent=4).encode()))
        assert (reader.NAME, certainty > 0.85) == ("swe-bench", True)
    assert swe_bench.sniff(Source("x", b'{"resolved": true}').head) == 0


def test_outcomes_of_what_was_submitted() -> None:
    records = read(report())
    assert records.case.words == tuple(f"a-{n}" for n in range(1, 7))
    np.testing.assert_equal(records.value, [1, 0, 1, 0, 0, np.nan])
    assert records.reason.texts() == [None] * 5 + ["error of the harness"]
    assert records.extra["outcome"].texts()[4:] == ["empty_patch", "error"]
    assert records.systems == ("m.run_1",)
    assert not records.named_systems
    assert "3 of 9 instances were never submitted" in said(records)
    assert "1 empty patches count as 0" in said(records)


def test_what_lists_and_counts_contradict() -> None:
    records = read(report(resolved_ids=["a-1", "a-2", "a-1", 7], submitted_ids=["a-1", "a-2", "a-7"]))
    reasons = dict(zip(records.case.texts(), records.reason.texts(), strict=True))
    assert reasons["a-2"] == "stands under several outcomes"
    assert reasons["a-7"] == "no outcome in the report"
    assert "1 instances stand under several outcomes: a-2" in said(records)
    assert "counts 2 resolved" not in said(records)
    assert [(aside.reason, aside.where) for aside in records.aside] == [("no id, in resolved_ids", (4,))]
    assert "counts 5 submitted instances and lists 6" in said(read(report(submitted_instances=5)))
    assert "counts 3 resolved instances and lists 2" in said(read(report(resolved_instances=3)))


def test_a_report_that_names_its_model() -> None:
    assert read(report(model_name_or_path="org/m")).systems == ("org/m",)


@pytest.mark.parametrize(
    ("whole", "words"),
    [
        ({"resolved": ["a"], "no_generation": []}, "does not list resolved_ids and unresolved_ids"),
        (report(unresolved_ids=None), "does not list unresolved_ids: what was submitted"),
        ({"resolved_ids": [], "unresolved_ids": []}, "no instance that was submitted"),
        ([], "does not list"),
    ],
)
def test_refusals(whole: Any, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(whole)


def test_two_reports() -> None:
    records = read_records([CASES / "report_a.json", CASES / "report_b.json"])
    assert records.systems == ("report_a", "report_b")
    assert len(records.case.words) == 30
    assert records.unreadable() == {
        "report_a": {"error of the harness": 3},
        "report_b": {"error of the harness": 4},
    }
    by_case = {name: records.value[records.case.where(name)] for name in records.case.words}
    both = np.array([found for found in by_case.values() if not np.isnan(found).any()])
    assert (len(both), both.sum(axis=0).tolist()) == (26, [14, 17])
