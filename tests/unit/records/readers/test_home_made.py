from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, home_made
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

SHARED = Path(__file__).resolve().parents[5] / "shared/cases"


def case(name: str, right: Any, **more: Any) -> dict[str, Any]:
    return {"question": f"What is {name} ?", "passed": right, "metrics": {"e2e_ms": 900}, **more}


def read(whole: dict[str, Any]) -> Records:
    return home_made.read(Source("mine.json", json.dumps(whole).encode()), ReadOptions())


def test_told_from_content() -> None:
    whole = {
        "model": "old",
        "summary": {"passed": 1, "total": 2},
        "raw": {"s": [case("a", True)], "t": [case("b", False)]},
    }
    source = Source("x.json", json.dumps(whole).encode())
    reader, certainty = find_reader(source)
    assert reader.NAME == "home-made json"
    assert certainty < 0.5
    records = reader.read(source, ReadOptions())
    assert records.systems == ("old",)
    assert records.named_systems
    assert records.value.tolist() == [1, 0]
    assert records.ids_from == "text"
    assert records.extra["part"].texts() == ["raw.s", "raw.t"]
    assert "raw.s (1), raw.t (1)" in records.remarks[0].says
    assert records.roles["metrics.e2e_ms"] == "latency"


def test_totals_are_no_cases() -> None:
    totals = [{"name": "a", "rate": 0.5}, {"name": "b", "rate": 1.0}]
    records = read({"totals": totals, "runs": [case(str(n), n % 2 == 0) for n in range(5)]})
    assert len(records.case.words) == 5


def test_cases_by_id() -> None:
    records = read({"scores": {name: {"score": n, "note": "x"} for n, name in enumerate("abcd")}})
    assert records.case.words == ("a", "b", "c", "d")
    assert records.value.tolist() == [0, 1, 2, 3]


def test_lists_within_lists_know_their_system() -> None:
    models = [{"model": name, "cases": [{"id": n, "score": n % 2} for n in range(3)]} for name in ("m", "n")]
    records = read({"models": models})
    assert records.system.texts() == ["m"] * 3 + ["n"] * 3
    assert records.case.words == ("0", "1", "2")


def test_tables_of_standard_errors_are_totals() -> None:
    totals = {task: {"acc": 0.5, "acc_stderr": 0.1} for task in "abcd"}
    source = Source("x.json", json.dumps({"results": totals}).encode())
    assert home_made.sniff(source.head) < 0.1
    with pytest.raises(RecordsError, match="an aggregate alone"):
        home_made.read(source, ReadOptions())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"total": 3, "notes": "none"}', "holds no list of cases.*total, notes"),
        ("[1]", "is no JSON object"),
        ('{"raw": [', "is not JSON.*cut off"),
    ],
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        home_made.read(Source("x.json", text.encode()), ReadOptions())


def test_two_files_share_the_texts_of_their_questions() -> None:
    if not SHARED.exists():
        pytest.skip("the shared folder is not here")
    records = read_records([SHARED / "own_old.json", SHARED / "own_new.json"])
    assert records.systems == ("old", "new")
    assert len(records.case.words) == 22
    means = [records.value[records.system.where(name)].mean() for name in records.systems]
    assert means == pytest.approx([12 / 22, 17 / 22])
