from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, lm_eval
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

CASES = Path(__file__).parents[3] / "cases"
FILES = Path(__file__).resolve().parents[5] / "shared/data/files/lm_eval/DanielKluev+pyFade"
ABSENT = pytest.mark.skipif(not FILES.exists(), reason="the shared folder is not here")


def row(doc_id: Any, value: Any = 1.0, filter: str | None = "none", metric: str = "acc", **more: Any) -> dict[str, Any]:
    """Return a sample as the harness writes it with --log_samples."""
    doc = {"question": f"What is {doc_id}?", "subject": f"s{doc_id}"}
    named = {} if filter is None else {"filter": filter}
    texts = {"doc": doc, "target": "x", "arguments": [["...", {}]], "resps": [["x"]], "filtered_resps": ["x"]}
    hashes = {"doc_hash": f"d{doc_id}", "prompt_hash": "p", "target_hash": "t"}
    return {"doc_id": doc_id, **texts, **named, **hashes, metric: value, **more}


def lines(*rows: Any) -> bytes:
    return "\n".join(one if isinstance(one, str) else json.dumps(one) for one in rows).encode()


def read(*rows: Any, name: str = "samples_task_2025.jsonl", **options: Any) -> Records:
    return lm_eval.read(Source(name, lines(*rows)), ReadOptions(**options))


def said(records: Records) -> str:
    return " ".join(remark.says for remark in records.remarks)


def test_told_from_content() -> None:
    for raw in (lines(row(0), row(1)), lines(row(0)), json.dumps([row(0), row(1)], indent=1).encode()):
        reader, certainty = find_reader(Source("x.txt", raw))
        assert (reader.NAME, certainty > 0.9) == ("lm-eval", True)
    assert find_reader(Source("x", b'{"results": {"t": {"acc,none": 0.5, "acc_stderr,none": 0.1}}}'))[0] is lm_eval
    assert lm_eval.sniff(Source("x", b'{"doc_id": 1, "score": 1}\n{"doc_id": 2, "score": 0}').head) == 0


def test_metrics_one_key_each() -> None:
    records = read(row(0, acc_norm=0.0), row(1, 0.0, acc_norm=1.0))
    assert list(records.metrics) == ["acc", "acc_norm"]
    assert records.of_metric("acc").value.tolist() == [1, 0]
    assert records.of_metric("acc_norm").value.tolist() == [0, 1]
    assert records.extra["subject"].words == ("s0", "s1")
    assert records.input_hash is not None
    assert not records.named_systems


def test_metrics_that_are_listed() -> None:
    records = read(row(0, metrics=["acc"], note=3), row(1, metrics=["acc"], note=4))
    assert list(records.metrics) == ["acc"]


def test_a_metric_computed_over_all_has_no_value_per_document() -> None:
    records = read(row(0, f1=[1, 0], perplexity=-2.5), row(1, math.nan, f1=[0, 0]))
    assert list(records.metrics) == ["acc", "perplexity"]
    assert records.metrics["perplexity"].lower_is_better
    assert "'f1' holds no number per document" in said(records)
    assert records.reason.texts() == [None, None, "missing", "missing"]


def test_filters_make_metrics_of_their_own() -> None:
    rows = [row(n, float(n == 0 or name == "loose"), name, "em") for n in range(2) for name in ("strict", "loose")]
    records = read(*rows)
    assert {m: records.of_metric(m).value.tolist() for m in records.metrics} == {
        "em,strict": [1, 0],
        "em,loose": [1, 1],
    }
    assert "--filter NAME" in said(records)
    one = read(*rows, filter="strict")
    assert (list(one.metrics), one.value.tolist()) == (["em"], [1, 0])
    assert [(aside.reason, aside.where) for aside in one.aside] == [("another filter than 'strict'", (2, 4))]
    with pytest.raises(UnknownNameError, match=r"no filter 'strikt'.*strict"):
        read(*rows, filter="strikt")
    with pytest.raises(RecordsError, match="names no filter"):
        read(row(0, filter=None), filter="strict")


def test_rows_that_nothing_tells_apart() -> None:
    records = read(row(0, filter=None), row(0, 0.0, filter=None), row(1, filter=None))
    assert records.doubled() == ["0"]
    assert "perhaps two filters" in said(records)


def test_broken_lines_are_counted() -> None:
    records = read(row(0), "[]", '{"doc": 1}', '{"doc_id": 3, "resps"')
    assert records.value.tolist() == [1]
    assert {aside.reason for aside in records.aside} == {"no JSON object", "no field 'doc_id'", "cut off"}


def test_the_folder_names_the_model() -> None:
    records = read(row(0), name="out/org__m-1/samples_task_2025.jsonl")
    assert records.systems == ("org/m-1",)
    assert records.named_systems
    assert "named after the folder" in said(records)
    assert read(row(0), name="my__folder/mine.jsonl").systems == ("mine",)


def totals(**found: Any) -> dict[str, Any]:
    return {"results": {"t": {"alias": " - t", **found}}, "n-samples": {"t": {"original": 300, "effective": 50}}}


@pytest.mark.parametrize(
    ("whole", "words"),
    [
        (totals(**{"acc,none": 0.5, "acc_stderr,none": 0.1}), r"totals of 1 tasks.*samples_\*\.jsonl is needed.*\)\.$"),
        (
            totals(**{"acc,none": 0.5, "acc_stderr,none": 0}),
            r"a standard error of 0 at 0\.5 of 50 \('t'\) is impossible",
        ),
        (totals(**{"acc,none": 1.0, "acc_stderr,none": 0.0}), r"log_samples\)\.$"),
        (totals(**{"acc,none": 0.5, "acc_stderr,none": "N/A"}), r"log_samples\)\.$"),
        (totals(acc=0.5, acc_stderr=0.0), "is impossible"),
        ({"doc_id": 0, "resps": [], "filtered_resps": []}, "without a metric"),
        ({"resps": []}, "no record that can be read"),
    ],
)
def test_refusals(whole: Any, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(whole)


def test_two_filters_of_one_model() -> None:
    records = read_records(CASES / "two_filters.jsonl")
    means = {name: records.of_metric(name).value.mean() for name in records.metrics}
    assert means == pytest.approx({"exact_match,strict-match": 0.15, "exact_match,flexible-extract": 0.5})
    taken = read_records(CASES / "two_filters.jsonl", ReadOptions(filter="flexible-extract"))
    assert (len(taken), len(taken.case.words), taken.value.mean()) == (20, 20, 0.5)


def test_two_filters_that_are_not_named() -> None:
    records = read_records(CASES / "two_filters_unnamed.jsonl")
    assert len(records.doubled()) == len(records.case.words) == 20
    first = np.array([records.value[records.case.where(name)][0] for name in records.case.words])
    second = np.array([records.value[records.case.where(name)][1] for name in records.case.words])
    assert {round(first.mean(), 3), round(second.mean(), 3)} == {0.35, 0.7}


def test_totals_alone() -> None:
    with pytest.raises(RecordsError, match=r"0 at 0\.05 of 300 \('alg'\) is impossible"):
        read_records(CASES / "results_only.json")


@ABSENT
def test_real_samples_of_two_models() -> None:
    found = sorted(FILES.glob("samples_*.jsonl"))
    records = read_records(found)
    assert records.case.words == ("16", "17", "18")
    assert list(records.metrics) == ["exact_match,strict-match"]  # the other filter was not kept
    by_system = [records.value[records.system.where(name)].tolist() for name in records.systems]
    assert by_system == [[1, 0, 0], [1, 0, 1]]
    assert records.input_hash is not None
    assert len(set(records.input_hash.tolist())) == 3


@ABSENT
@pytest.mark.parametrize(("name", "tasks"), [("2025-09-09T13-31-53.431753", 1), ("2025-10-14T14-44-39.372006", 15)])
def test_real_totals(name: str, tasks: int) -> None:
    with pytest.raises(RecordsError, match=f"totals of {tasks} tasks"):
        read_records(FILES / f"results_{name}.json")


def test_totals_beside_their_samples_are_said_and_their_disagreement_too(tmp_path: Path) -> None:
    sample = {"doc_id": 0, "doc": {}, "target": "7", "resps": [["7"]], "filtered_resps": ["7"], "acc": 1.0}
    (tmp_path / "samples_x.jsonl").write_text(json.dumps(sample) + "\n", encoding="utf-8")
    figures = {"acc,none": 0.75, "acc_stderr,none": 0.04, "alias": "x"}
    whole = {"results": {"x": figures}, "n-samples": {"x": {"original": 200, "effective": 100}}}
    (tmp_path / "results_x.json").write_text(json.dumps(whole), encoding="utf-8")
    files = [str(tmp_path / "samples_x.jsonl"), str(tmp_path / "results_x.json")]
    (said,) = [remark.says for remark in read_records(files).remarks if remark.about == "totals"]
    assert said.endswith("acc,none 0.75 of 'x', over 100 cases; the files given here hold 1.")
    with pytest.raises(RecordsError, match="totals of 1 tasks"):
        read_records(files[1])
