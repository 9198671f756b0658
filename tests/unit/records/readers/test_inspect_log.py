from __future__ import annotations

import io
import json
import math
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.read_options import ReadOptions
from simstudy.records.readers import find_reader, inspect_log
from simstudy.records.reading import read_records
from simstudy.records.records import Records
from simstudy.records.source import Source

SHARED = Path(__file__).resolve().parents[5] / "shared"
CASES = Path(__file__).parents[3] / "cases"
ABSENT = pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not here")
FILES = SHARED / "data/files/inspect/evaleval+every_eval_ever"


def sample(name: str | int, value: Any = "C", epoch: int = 1, **more: Any) -> dict[str, Any]:
    """Return a sample as the page on log files describes it."""
    scores = {"match": {"value": value, "answer": "x", "explanation": "..."}}
    whole: dict[str, Any] = {
        "id": name,
        "epoch": epoch,
        "input": f"Question {name}?",
        "target": "x",
        "messages": [],
        "scores": scores,
    }
    return {**whole, "metadata": {"topic": f"t{name}"}, **more}


def log(*samples: Any, **more: Any) -> dict[str, Any]:
    about = {"task": "capitals", "model": "org/m-1", "dataset": {"name": "c"}, "config": {"epochs": 1}}
    results = {"total_samples": len(samples), "completed_samples": len(samples), "scores": []}
    return {"version": 2, "status": "success", "eval": about, "plan": {}, "results": results, "samples": samples} | more


def archive(whole: dict[str, Any], header: str = "header.json", repeat: bool = False) -> bytes:
    """Return the log as a zip archive: a header, and a member for each sample."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("_journal/start.json", json.dumps({"version": 2, "eval": whole["eval"], "plan": {}}))
        for one in whole["samples"]:
            packed.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        if repeat:
            with pytest.warns(UserWarning, match="Duplicate name"):
                packed.writestr("samples/a_epoch_1.json", json.dumps(sample("a", "I")))
        packed.writestr("summaries.json", "[]")
        if header == "header.json":
            packed.writestr(header, json.dumps({k: v for k, v in whole.items() if k != "samples"}))
    return out.getvalue()


def read(whole: Any, **options: Any) -> Records:
    raw = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
    return inspect_log.read(Source("mine.log", raw), ReadOptions(**options))


def hashes(records: Records) -> set[int]:
    assert records.input_hash is not None
    return set(records.input_hash.tolist())


def said(records: Records) -> str:
    return " ".join(remark.says for remark in records.remarks)


def test_told_from_content() -> None:
    whole = log(sample("a"))
    for raw in (json.dumps(whole).encode(), json.dumps(whole, indent=2).encode(), archive(whole)):
        reader, certainty = find_reader(Source("x.txt", raw))
        assert (reader.NAME, certainty > 0.9) == ("inspect", True)
    long = log(*(sample(n, metadata={"text": "y" * 2000}) for n in range(400)))
    assert find_reader(Source("x", json.dumps(long).encode()))[0].NAME == "inspect"  # longer than what is looked at
    assert find_reader(Source("x", b'{"eval": {"t/1": [{"base_status": "pass"}]}}'))[0].NAME != "inspect"


def test_letters_numbers_and_what_is_no_value() -> None:
    values = ["C", "I", "P", "N", 0.25, True, math.nan, [1, 0]]
    records = read(log(*(sample(n, value) for n, value in enumerate(values))))
    assert records.systems == ("org/m-1",)
    assert records.named_systems
    np.testing.assert_equal(records.value[:6], [1, 0, 0.5, 0, 0.25, 1])
    assert records.reason.texts() == [None] * 6 + ["missing", "not a value"]
    assert records.extra["topic"].texts() == [f"t{n}" for n in range(8)]
    assert "run" not in records.further
    assert "C, P, I and N" in said(records)


def test_a_partial_answer_is_half_right_whatever_else_stands_in_the_file() -> None:
    assert read(log(sample("a", "P"))).value.tolist() == [0.5]


def test_json_and_archive_hold_the_same() -> None:
    whole = log(sample("a"), sample("b", "I"), sample("a", "I", 2))
    texts, packed = read(whole), read(archive(whole))
    for one in (texts, packed):
        assert one.case.texts() == ["a", "b", "a"]
        assert one.value.tolist() == [1, 0, 0]
        assert one.further["run"].texts() == ["1", "1", "2"]
    assert hashes(texts) == hashes(packed)
    assert len(hashes(texts)) == 2


def test_an_archive_that_broke_off() -> None:
    records = read(archive(log(sample("a")), header="none"))
    assert records.value.tolist() == [1]
    assert "broke off" in said(records)


def test_a_sample_that_stands_twice_in_an_archive() -> None:
    records = read(archive(log(sample("a"), sample("b")), repeat=True))
    assert records.value.tolist() == [0, 1]
    assert "1 samples stand twice" in said(records)


def test_a_member_that_is_no_json_is_counted() -> None:
    out = io.BytesIO(archive(log(sample("a"))))
    with zipfile.ZipFile(out, "a") as packed:
        packed.writestr("samples/b_epoch_1.json", '{"id": "b", ')
        packed.writestr("samples/c_epoch_1.json", "[]")
    records = read(out.getvalue())
    assert records.case.words == ("a",)
    assert {(aside.reason, len(aside.where)) for aside in records.aside} == {
        ("a sample that cannot be read", 1),
        ("no sample", 1),
    }


def test_errors_have_no_value_and_limits_do() -> None:
    records = read(
        log(
            sample("a"),
            sample("b", scores={}, error={"message": "ReadTimeout: timed out", "traceback": "..."}),
            sample("c", scores=None, error={"message": "None"}),
            sample("d", "C", error={"message": "RuntimeError('x')"}),
            sample("e", "I", limit={"type": "token", "limit": 100}),
            sample("f", scores={}, limit={"type": "time", "limit": 60}),
            sample("g", scores={}),
            sample("h", invalidation={"author": "me"}),
        )
    )
    reasons = [None, "timeout", "error", "error", None, "stopped by a limit (time)", "missing", "invalidated"]
    assert records.reason.texts() == reasons
    np.testing.assert_equal(records.value[[0, 4]], [1, 0])
    assert records.extra["limit"].texts()[4:6] == ["token", "time"]
    assert "1 samples were stopped by a limit (token)" in said(records)
    assert "1 samples ended in an error and bear a score" in said(records)


def test_several_scorers_and_a_score_of_several_parts() -> None:
    parts = {"exact": {"value": "C"}, "rubric": {"value": {"tone": 3, "facts": 5}}}
    records = read(log(sample("a", scores=parts), sample("b", scores={"exact": {"value": "I"}})))
    assert list(records.metrics) == ["exact", "rubric.tone", "rubric.facts"]
    assert records.of_metric("rubric.facts").reason.texts() == [None, "missing"]
    old = {"id": 1, "epoch": 1, "input": "?", "target": "x", "score": {"value": "I"}}
    assert read(log(old)).value.tolist() == [0]


def test_a_log_of_errors_alone_takes_its_metrics_from_the_header() -> None:
    results = {"total_samples": 80, "scores": [{"name": "check", "scorer": "check"}]}
    records = read(log(sample("a", scores={}, error={"message": "x"}), results=results))
    assert list(records.metrics) == ["check"]
    assert "there were 80 samples; 1 stand" in said(records)


def test_the_same_question_has_the_same_hash_whatever_ids_its_messages_have() -> None:
    def asked(name: str, content: Any, **more: Any) -> dict[str, Any]:
        return sample(1, input=[{"id": name, "role": "user", "content": content}], **more)

    parts = [{"type": "text", "text": "Which sea?"}]
    attached = {"attachments": {"0f": "Which sea?"}}
    given = [asked("x", "Which sea?"), asked("y", parts), asked("z", "attachment://0f", **attached)]
    assert len({one for sample_ in given for one in hashes(read(log(sample_)))}) == 1
    assert hashes(read(log(given[0]))) != hashes(read(log(asked("x", "Which river?"))))


def test_clusters_from_metadata() -> None:
    assert read(log(sample("a")), cluster_column="topic").further["cluster"].words == ("ta",)
    with pytest.raises(UnknownNameError, match="topic"):
        read(log(sample("a")), cluster_column="topics")


def test_a_log_without_a_model_or_a_version() -> None:
    records = read(log(sample("a"), eval={"task": "t", "model": None}, version=1, status="cancelled"))
    assert records.systems == ("mine.log",)
    assert not records.named_systems
    assert "version 1" in said(records)
    assert "'cancelled'" in said(records)


@pytest.mark.parametrize(
    ("whole", "words"),
    [
        (log(), "header of a log without samples; a log with its samples"),
        (log(samples=None, results={"total_samples": 9}), "it says there were 9"),
        (log(sample("a", scores={})), "1 samples and no score.*inspect score"),
        ([1], "no log of Inspect"),
        (b'{"version": 2, "eval": {"task": "t"}, "samples": [{"id": 1', "is not JSON.*cut off"),
        (archive(log(sample("a")))[:200], "damaged or cut off"),
    ],
)
def test_refusals(whole: Any, words: str) -> None:
    with pytest.raises(RecordsError, match=words):
        read(whole)


def test_an_archive_of_something_else_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("header.json", "[]")
    with pytest.raises(RecordsError, match=r"lacks header\.json"):
        read(out.getvalue())


def means(records: Records) -> dict[str, tuple[int, float]]:
    """Return how many values each system has, and their mean."""
    found = {name: records.value[records.system.where(name)] for name in records.systems}
    return {name: (int((~np.isnan(v)).sum()), float(np.nanmean(v))) for name, v in found.items()}


def test_two_logs_of_which_one_has_errors() -> None:
    records = read_records([CASES / "log_old.json", CASES / "log_new.json"])
    assert means(records) == {"mock/old": (12, 8 / 12), "mock/new": (10, 0.8)}
    assert records.unreadable()["mock/new"] == {"error": 2}
    lost = set(records.case.take(records.reason.present()).words)
    kept = ~np.isin(records.case.codes, [records.case.words.index(name) for name in lost])
    assert records.value[kept & records.system.where("mock/old")].mean() == pytest.approx(0.7)


def test_members_packed_by_zstandard(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zstandard")
    records = read_records([CASES / "old_zstd.eval", CASES / "new_zstd.eval"])
    assert means(records) == {"mock/old": (16, 0.59375), "mock/new": (16, 0.8125)}
    if sys.version_info < (3, 14):
        monkeypatch.setitem(sys.modules, "zstandard", None)
        with pytest.raises(RecordsError, match=r"install simstudy\[files\]"):
            read_records(CASES / "old_zstd.eval")


def test_epochs_are_runs() -> None:
    records = read_records(CASES / "epochs.json")
    assert len(records.case.words) == 4
    assert records.further["run"].counts() == {"1": 4, "2": 4, "3": 4, "4": 4}
    assert records.value.mean() == 0.5625
    assert records.doubled() == []


@ABSENT
@pytest.mark.parametrize(
    ("name", "cases", "values", "words"),
    [
        ("data_arc_qwen.json", 3, [1, 0, 0], "3 of the 2376 samples"),
        ("data_cvebench_empty_choices.json", 1, [math.nan], "80 samples; 1 stand"),
        ("data_cyse2_vuln_exploit_challenges.json", 1, [0.65], "2340 samples; 1 stand"),
        ("data_intercode_ctf_local_path.json", 1, [0], "stopped by a limit (message)"),
        ("data_pubmedqa_gpt4o_mini.json", 2, [1, 1], "2 of the 500"),
        ("../../../inspect_logs/2025-05-12T20-28-13-04-00_popularity.json", 3, [1, 1, 0], "'cancelled'"),
        ("../../../inspect_logs/log_formats.json", 1, [0], "1 of the 100"),
        ("../../../inspect_logs/log_formats.eval", 1, [0], "1 of the 100"),
        ("../../../inspect_logs/mmlu-summary-choices.eval", 1, [0], "1 of the 14042"),
    ],
)
def test_real_logs(name: str, cases: int, values: list[float], words: str) -> None:
    records = read_records(FILES / name)
    assert len(records.case.words) == cases
    np.testing.assert_equal(records.value, values)
    assert words in said(records)


@ABSENT
def test_a_real_header_without_samples() -> None:
    with pytest.raises(RecordsError, match="there were 1000"):
        read_records(FILES / "data_with_llm_scoring.json")
