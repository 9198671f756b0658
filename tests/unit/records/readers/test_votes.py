from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError, RequestError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, votes
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

SHARED = Path(__file__).resolve().parents[5] / "shared"
TABLE = """question_id,model_a,model_b,winner,judge,language
q1,m,n,model_a,arena_user_1,English
q2,n,m,model_a,arena_user_2,German
q3,m,n,tie,arena_user_3,English
q4,n,m,tie (bothbad),arena_user_4,English
q5,m,n,,arena_user_5,English
q6,m,n,cannot say,arena_user_6,English
"""


def read(text: str, **options: Any) -> Records:
    return votes.read(Source("votes.csv", text.encode()), ReadOptions(**options))


def values(records: Records, system: str) -> list[float]:
    found: list[float] = records.value[records.system.where(system) & records.usable()].tolist()
    return found


def test_told_from_content() -> None:
    source = Source("x", TABLE.encode())
    reader, certainty = find_reader(source)
    assert (reader.NAME, certainty) == ("votes", 0.9)
    records = reader.read(source, ReadOptions())
    assert records.systems == ("m", "n")
    assert values(records, "m") == [1, 0, 0.5, 0.5]
    assert values(records, "n") == [0, 1, 0.5, 0.5]
    assert records.unreadable()["m"] == {"missing": 1, "not a value": 1}
    assert records.further["judge"].words[:2] == ("arena_user_1", "arena_user_2")
    says = [remark.says for remark in records.remarks]
    assert says[0].startswith("Verdicts about pairs: m wins 1, loses 1, ties 2")
    assert "1 of 2 ties say that both answers are bad: ties as the others." in says
    assert records.doubled() == []


def test_each_vote_is_one_verdict() -> None:
    further = read(TABLE).further
    assert [word for word in further["verdict"].texts() if word] == [
        *("model_a", "model_a", "tie", "tie (bothbad)", "cannot say"),
    ]
    shown = zip(*(further[name].texts() for name in ("first", "second")), strict=True)
    assert [pair for pair in shown if pair[0]] == [("m", "n"), ("n", "m")] * 2 + [("m", "n")] * 2


def test_json_and_names_as_winners() -> None:
    rows = [
        {"question_id": 81, "model_a": "m", "model_b": "n", "winner": "n", "turn": 1, "conversation_a": [{"x": 1}]},
        {"question_id": 82, "model_a": "m", "model_b": "n", "winner": 3, "turn": 1},
        {"question_id": 83, "model_a": "m", "model_b": "m", "winner": "tie", "turn": 1},
        {"question_id": 84, "model_a": "m", "winner": "tie"},
    ]
    for text in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        source = Source("x", text.encode())
        assert find_reader(source)[0].NAME == "votes"
        records = votes.read(source, ReadOptions())
        assert values(records, "m") == [0]
        assert records.reason.texts() == [None, None, "missing", "missing"]
        assert [(found.reason, found.where) for found in records.aside] == [("no two models", (3, 4))]


def test_votes_without_an_id() -> None:
    records = read("left,right,winner\nm,n,left\nn,m,left\n")
    assert records.case.texts() == ["line 2", "line 2", "line 3", "line 3"]
    assert records.ids_from == "lines"


def test_columns_that_were_named() -> None:
    records = read(TABLE, case_column="judge", cluster_column="language")
    assert records.case.words[0] == "arena_user_1"
    assert records.further["cluster"].words == ("English", "German")
    with pytest.raises(RequestError, match="column for case_column"):
        read(TABLE, case_column="voter")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,model_a,winner\n1,m,tie\n", "does not name two models and a winner .* but: id, model_a, winner"),
        ("[7]", "does not name two models"),
        ("model_a,model_b,winner\n", "no vote"),
        ('[{"model_a": "m", "model_b": "n", "winner": "tie"', "does not name two models"),
    ],
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(text)


def test_two_kinds_of_tie() -> None:
    path = SHARED / "cases/votes.csv"
    if not path.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(path)
    assert records.read[0].format == "votes"
    assert len(records.case.words) == 72
    assert Counter(values(records, "alpha")) == {1: 32, 0: 20, 0.5: 20}
    assert Counter(values(records, "beta")) == {1: 20, 0: 32, 0.5: 20}
    assert records.of_metric().value[records.system.where("alpha")].mean() == pytest.approx(42 / 72)


def test_votes_of_many_workers() -> None:
    path = SHARED / "data/votes/llmfao.csv"
    if not path.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(path)
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(records) == 2 * len(rows) == 2 * 8931
    assert records.usable().all()
    name = rows[0]["left"]
    mine = [row for row in rows if name in (row["left"], row["right"])]
    expected = sum(0.5 if row["winner"] == "tie" else float(row[row["winner"]] == name) for row in mine)
    assert sum(values(records, name)) == expected
    assert len(records.doubled()) > 0
    assert len(records.further["judge"].words) == 124
