from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simstudy.errors import RecordsError, RequestError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, ragas
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

FILES = Path(__file__).resolve().parents[5] / "shared/data/files/ragas"
HEADER = "user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy,tone\n"
ROWS = """Where is it?,"['a', 'b']",Here.,"In ""Rome"", Italy",0.5,,1
Who?,"['c']",He.,She,1.0,,0
When?,"['d']",Now.,,,,1
"""


def read(text: str, **options: Any) -> Records:
    return ragas.read(Source("results.csv", text.encode()), ReadOptions(**options))


def test_told_from_content() -> None:
    source = Source("x", ("\ufeff" + HEADER + ROWS).encode())
    reader, certainty = find_reader(source)
    assert (reader.NAME, certainty) == ("ragas", 0.9)
    records = reader.read(source, ReadOptions())
    assert list(records.metrics) == ["faithfulness", "answer_relevancy", "tone"]
    assert records.case.words == ("Where is it?", "Who?", "When?")
    assert records.of_metric("faithfulness").value[:2].tolist() == [0.5, 1]
    assert records.of_metric("faithfulness").reason.texts() == [None, None, "missing"]
    assert records.of_metric("answer_relevancy").reason.counts() == {"missing": 3}
    assert records.ids_from == "text"
    assert not records.named_systems


def test_columns_that_are_no_metric() -> None:
    header = "Unnamed: 0,question,answer,context_recall,total_tokens,model,notes\n"
    records = read(header + "0,p,q,0.1,100,m,\n1,r,s,0.2,120,m,\n")
    assert list(records.metrics) == ["context_recall"]
    assert records.systems == ("m",)
    assert records.roles["total_tokens"] == "count"
    assert records.extra["Unnamed: 0"].texts() == ["0", "1"]


def test_columns_that_were_named() -> None:
    text = "user_input,response,score,kind,setup\np,q,1,x,m\nr,s,0,y,n\n"
    records = read(text, value_column="score", cluster_column="kind", system_column="setup")
    assert records.further["cluster"].words == ("x", "y")
    assert records.systems == ("m", "n")
    with pytest.raises(RequestError, match="column for run_column"):
        read(text, run_column="round")


def test_lines_that_break_off_are_counted() -> None:
    records = read(HEADER + ROWS + "Why?,[],So.\n")
    assert sum(len(found.where) for found in records.aside) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEADER, "no case in it"),
        ("user_input,response\np,q\n", "no column of metrics"),
        (
            "version,faithfulness,context_recall,context_precision\na,0.1,0.2,0.3\n",
            "no questions, one row per version: .*to_pandas",
        ),
        (HEADER + '"open,x\n', "cannot be read"),
    ],
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(text)


def test_a_summary_is_told_unless_a_column_names_the_cases() -> None:
    text = "nr,faithfulness,context_recall,context_precision\na,0.1,0.2,0.3\nb,0.2,0.2,0.3\n"
    assert find_reader(Source("x", text.encode()))[0].NAME == "ragas"
    assert read(text, case_column="nr").case.words == ("a", "b")


def test_files_of_others() -> None:
    if not FILES.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(FILES / "Diaure+PulsEvent-LLM-RAG/ragas_results.csv")
    assert records.read[0].format == "ragas"
    counts = {name: int(records.of_metric(name).usable().sum()) for name in records.metrics}
    assert counts == {"faithfulness": 0, "answer_relevancy": 0, "context_precision": 4, "context_recall": 3}
    assert len(records.case.words) == 6
    with pytest.raises(RecordsError, match="no questions"):
        read_records(FILES / "HyeonBin0118+shopping-faq-rag/ragas_results.csv")
