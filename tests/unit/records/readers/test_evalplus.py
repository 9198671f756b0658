from __future__ import annotations

import json
from typing import Any

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import evalplus, find_reader
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source


def sample(task: str, base: Any, plus: Any) -> dict[str, Any]:
    return {
        "task_id": task,
        "solution": "def f(): ...",
        "base_status": base,
        "plus_status": plus,
        "base_fail_tests": [],
        "plus_fail_tests": [],
    }


def source(tasks: Any) -> Source:
    whole = {"date": "2025-01-01 10:00", "hash": "fe585eb4df8c88d844eeb463ea4d0302", "eval": tasks}
    return Source("model_eval_results.json", json.dumps(whole).encode())


def read(tasks: Any) -> Records:
    return evalplus.read(source(tasks), ReadOptions())


def by_task(records: Records, metric: str) -> dict[str | None, float]:
    mine = records.of_metric(metric)
    return dict(zip(mine.case.texts(), mine.value.tolist(), strict=True))


def test_told_from_content() -> None:
    tasks = {
        "HumanEval/7": [sample("HumanEval/7", "pass", "fail")],
        "HumanEval/0": [sample("HumanEval/0", "pass", "pass")],
        "HumanEval/1": [sample("HumanEval/1", "fail", "pass")],
        "HumanEval/2": [sample("HumanEval/2", "timeout", "fail")],
    }
    reader, certainty = find_reader(source(tasks))
    assert (reader.NAME, certainty) == ("evalplus", 0.95)
    records = reader.read(source(tasks), ReadOptions())
    assert list(records.metrics) == ["plus", "base"]
    assert by_task(records, "base") == {"HumanEval/7": 1, "HumanEval/0": 1, "HumanEval/1": 0, "HumanEval/2": 0}
    # plus asks for the base tests, too
    assert by_task(records, "plus") == {"HumanEval/7": 0, "HumanEval/0": 1, "HumanEval/1": 0, "HumanEval/2": 0}
    assert "run" not in records.further
    assert any("1 samples ran out of time" in remark.says for remark in records.remarks)


def test_samples_are_runs() -> None:
    records = read({"M/2": [sample("M/2", "pass", "pass"), sample("M/2", "fail", "fail")], "M/3": []})
    assert records.of_metric().further["run"].texts() == ["0", "1"]
    assert records.of_metric().value.tolist() == [1, 0]
    assert [(found.reason, found.example) for found in records.aside] == [("a task without a sample", "M/3")]


def test_the_older_layout() -> None:
    tasks = {
        "HumanEval/0": {
            "nfiles": 2,
            "base": [["success", [True]], ["failed", [False]]],
            "plus": [["success", [True]], ["timed out", []]],
        }
    }
    assert find_reader(source(tasks))[0].NAME == "evalplus"
    records = read(tasks)
    assert records.of_metric("base").value.tolist() == [1, 0]
    assert records.of_metric("plus").value.tolist() == [1, 0]


def test_base_alone() -> None:
    older = {"HumanEval/0": {"nfiles": 1, "base": [["success", []]], "plus": []}}
    newer = {"HumanEval/0": [sample("HumanEval/0", "pass", None)]}
    assert list(read(older).metrics) == list(read(newer).metrics) == ["base"]


def test_states_that_are_none() -> None:
    records = read({"a": [sample("a", None, "pass")], "b": [sample("b", "pass", 3)], "c": [7], "d": "x"})
    assert records.of_metric("base").reason.texts() == ["missing", None, "not a value"]
    assert records.of_metric("plus").reason.texts() == ["missing", "not a value", "not a value"]
    assert [found.reason for found in records.aside] == ["a task without a sample"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"evals": {}}', "no field 'eval'"),
        ("[1]", "no field 'eval'"),
        ('{"eval": {}}', "no sample of a task"),
        ('{"eval": {"a": [', "is not JSON"),
    ],
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        evalplus.read(Source("x", text.encode()), ReadOptions())


def test_two_files_are_paired_by_task(tmp_path: Any) -> None:
    for name, order in (("old", "ab"), ("new", "ba")):
        tasks = {task: [sample(task, "pass", "pass" if task == "a" else "fail")] for task in order}
        (tmp_path / f"{name}.json").write_text(json.dumps({"eval": tasks}), encoding="utf-8")
    records = read_records([tmp_path / "old.json", tmp_path / "new.json"]).of_metric()
    assert records.systems == ("old", "new")
    assert [(c, v) for c, v in zip(records.case.texts(), records.value.tolist(), strict=True)] == [
        ("a", 1),
        ("b", 0),
        ("b", 0),
        ("a", 1),
    ]
