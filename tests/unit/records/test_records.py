from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.cells import Reason
from simstudy.records.coded import Coded
from simstudy.records.records import (
    Records,
    RecordsBuilder,
    finished,
    is_lower_better,
    join,
    stem_of,
    text_hash,
    with_failed,
)


def made(rows: list[tuple[object, str, object]], file: str = "x.json", **settings: object) -> Records:
    builder = RecordsBuilder(file, "test")
    for case, system, value in rows:
        builder.add(case, system, value)
    return builder.records(**settings)


def test_values_are_read_once_for_all_readers() -> None:
    values = [
        True,
        False,
        1,
        0.5,
        "correct",
        "I",
        None,
        "N/A",
        math.nan,
        math.inf,
        "error",
        "timeout",
        10**400,
        "maybe",
    ]
    records = made([(n, "a", value) for n, value in enumerate(values)])
    assert records.value[:6].tolist() == [1, 0, 1, 0.5, 1, 0]
    assert np.isnan(records.value[6:]).all()
    assert records.reason.texts()[:6] == [None] * 6
    assert records.reason.texts()[6:] == [
        *(Reason.MISSING,) * 3,
        *(Reason.NOT_FINITE, Reason.ERROR, Reason.TIMEOUT, Reason.NOT_FINITE, Reason.NOT_A_VALUE),
    ]
    assert records.further["raw"].texts()[6:] == ["null", "N/A", "nan", "inf", "error", "timeout", "inf", "maybe"]
    assert records.usable().sum() == 6
    assert records.unreadable() == {"a": {"missing": 3, "not finite": 2, "error": 1, "timeout": 1, "not a value": 1}}


def test_letters_depend_on_their_metric() -> None:
    builder = RecordsBuilder("x", "test")
    for case, (metric, letter) in enumerate([("inspect", "C"), ("inspect", "P"), ("grade", "P"), ("grade", "F")]):
        builder.add(case, "a", letter, metric=metric)
    assert builder.records().value.tolist() == [1, 0.5, 1, 0]


def test_errors_and_reasons_outweigh_a_value() -> None:
    builder = RecordsBuilder("x", "test")
    builder.add("1", "a", 0, error="rate limited")
    builder.add("2", "a", 1, error="")
    builder.add("3", "a", 1, reason="empty answer")
    builder.add(None, "a", 1)
    builder.add(" ", "a", 1)
    records = builder.records()
    assert records.reason.texts() == ["error", None, "empty answer", Reason.NO_CASE, Reason.NO_CASE]
    assert records.value[1] == 1
    assert np.isnan(np.delete(records.value, 1)).all()


def test_negative_codes_are_no_scores_of_that_metric() -> None:
    builder = RecordsBuilder("x", "test")
    for case, (metric, value) in enumerate([("a", -1), ("a", 3), ("b", -1), ("b", -0.5)]):
        builder.add(case, "s", value, metric=metric)
    records = builder.records()
    assert records.reason.texts() == [Reason.CODE, None, None, None]
    assert [r.about for r in records.remarks] == ["code"]
    assert finished(dataclasses.replace(records, remarks=())).remarks == ()


def test_further_columns_and_extra_ones() -> None:
    builder = RecordsBuilder("x", "test")
    builder.add("1", "a", 1, run=0, cluster="d", extra={"tokens": 5})
    builder.add("2", "a", 1, place=9)
    records = builder.records()
    assert records.further["run"].texts() == ["0", None]
    assert records.further["cluster"].texts() == ["d", None]
    assert records.extra["tokens"].texts() == ["5", None]
    assert records.place.tolist() == [1, 9]
    with pytest.raises(TypeError, match="no column colour"):
        builder.add("3", "a", 1, colour="red")


def test_without_a_metric_no_value_is_expected() -> None:
    builder = RecordsBuilder("x", "test")
    builder.add("1", "", None, metric=None, first="m", second="n", verdict="tie")
    records = builder.records()
    assert records.metrics == {}
    assert records.usable().all()
    assert np.isnan(records.value).all()


def test_what_is_aside_and_what_is_said() -> None:
    builder = RecordsBuilder("x.json", "test")
    builder.add("1", "a", 0.2, metric="Hallucination")
    builder.aside("cut off", 7, "{")
    builder.aside("cut off", 8)
    builder.remark("runs", "Said once.")
    builder.remark("runs", "Said once.")
    builder.metric("Hallucination", lower_is_better=True)
    builder.role("ms", "latency")
    records = builder.records(ids_from="text", named_systems=False)
    (aside,) = records.aside
    assert (aside.reason, aside.where, aside.example, aside.file) == ("cut off", (7, 8), "{", "x.json")
    assert aside.says(records.read) == "records 7, 8 of x.json (cut off)"
    assert dataclasses.replace(aside, where=(60,)).says(()) == "record 60 of x.json (cut off)"
    assert [remark.says for remark in records.remarks] == ["Said once.", "Lower is better: 'Hallucination'."]
    assert records.metrics["Hallucination"].lower_is_better
    assert (records.ids_from, records.named_systems, records.roles) == ("text", False, {"ms": "latency"})


def test_doubled_cases_are_named_unless_they_are_runs() -> None:
    rows = [("2", "a", 1), ("1", "a", 1), ("2", "a", 0), ("2", "b", 0)]
    assert made(rows).doubled() == ["2"]
    builder = RecordsBuilder("x", "test")
    for run, (case, system, value) in enumerate(rows):
        builder.add(case, system, value, run=run)
    assert builder.records().doubled() == []


def test_ids_are_compared_without_invisible_differences() -> None:
    records = made([("é ", "a", 1), ("e\u0301", "b", 1)])
    assert records.case.texts() == ["é ", "e\u0301"]  # they would become one
    assert made([("Zu\u0308rich", "a", 1)]).case.texts() == ["Zürich"]


def test_one_metric_is_taken_and_said() -> None:
    builder = RecordsBuilder("x", "test")
    for metric in ("acc", "f1"):
        builder.add("1", "a", 1, metric=metric)
    records = builder.records()
    assert records.of_metric("f1").metric.texts() == ["f1"]
    assert "'acc' was taken" in records.of_metric().remarks[-1].says
    with pytest.raises(UnknownNameError, match="acc, f1"):
        records.of_metric("f2")


def test_records_without_values_say_what_they_are() -> None:
    records = dataclasses.replace(made([("1", "a", 1)]), metrics={})
    judged = dataclasses.replace(records, further={"verdict": Coded.of(["1"]), "label": Coded.of(["0"])})
    with pytest.raises(RecordsError, match="a judge and a label"):
        judged.of_metric()


def test_files_of_one_system_each_are_joined() -> None:
    one, other = made([("1", "a", 1)], "a.json"), made([("1", "b", 0), ("2", "b", 1)], "b.json")
    records = join([one, other])
    assert records.system.texts() == ["a", "b", "b"]
    assert records.case.texts() == ["1", "1", "2"]
    assert records.file.tolist() == [0, 1, 1]
    assert [file.name for file in records.read] == ["a.json", "b.json"]
    assert join([one]) is one
    with pytest.raises(RecordsError, match="No file"):
        join([])


def test_what_several_files_have_alike_is_said_once_of_so_many() -> None:
    parts = []
    for file, ties in (("a.json", 5), ("b.json", 5), ("c.json", 6)):
        builder = RecordsBuilder(file, "test")
        builder.add("1", file, 1, metric="m")
        builder.remark("runs", f"{ties} verdicts change.")
        parts.append(builder.records())
    assert [remark.says for remark in join(parts).remarks] == ["5 verdicts change (in 2 files).", "6 verdicts change."]


def test_words_in_place_of_values_are_listed() -> None:
    builder = RecordsBuilder("x.json", "test")
    for case, (value, error) in enumerate(
        [("1", None), ("N/A", None), ("#ERR", None), ("0", "time limit"), ("N/A", None)]
    ):
        builder.add(str(case), "a", value, metric="m", error=error)
    assert builder.records().no_values() == ["N/A", "#ERR"]


def test_the_same_system_with_the_same_cases_is_two_versions() -> None:
    records = join([made([("1", "m", 1)], "runs/old.json"), made([("1", "m", 0)], "runs/new.json")])
    assert records.system.texts() == ["m (old)", "m (new)"]
    assert records.remarks[-1].about == "system"
    same_names = join([made([("1", "m", 1)], "a/x.json"), made([("1", "m", 0)], "b/x.json")])
    assert same_names.system.texts() == ["m (x) 1", "m (x) 2"]


def test_the_same_system_with_other_cases_is_one() -> None:
    records = join([made([("1", "m", 1)], "1.json"), made([("2", "m", 0)], "2.json")])
    assert records.systems == ("m",)


def test_files_with_one_metric_each_are_of_the_same() -> None:
    one, other = RecordsBuilder("a.json", "test"), RecordsBuilder("b.csv", "test")
    one.add("1", "a", 1, metric="correct")
    other.add("1", "b", 0, metric="value")
    records = join([one.records(), other.records()])
    assert records.metric.texts() == ["correct", "correct"]
    assert list(records.metrics) == ["correct"]
    assert "'correct' of a.json, 'value' of b.csv" in records.remarks[-1].says
    other.add("1", "b", 0, metric="f1")
    assert list(join([one.records(), other.records()]).metrics) == ["correct", "value", "f1"]


def test_what_counts_as_failed_has_an_id() -> None:
    builder = RecordsBuilder("x", "test")
    builder.add("1", "a", None, reason="empty patch")
    builder.add(None, "a", 1)
    builder.add("2", "a", 1, error="Rate limited")
    records = with_failed(builder.records(), {"empty patch", "rate limited", "no id of the case"})
    assert records.value[[0, 2]].tolist() == [0, 0]
    assert records.reason.texts() == [None, Reason.NO_CASE, None]


def test_hashes_and_columns_that_one_file_lacks() -> None:
    builder = RecordsBuilder("x", "test")
    builder.add("1", "a", 1, input_text="What?", run=1)
    records = join([builder.records(), made([("1", "b", 1)])])
    assert records.input_hash is not None
    assert records.input_hash.tolist() == [text_hash("What?"), 0]
    assert records.further["run"].texts() == ["1", None]


def test_taken_rows() -> None:
    records = made([("1", "a", 1), ("2", "b", 0), ("3", "b", "x")]).take(np.array([2, 1]))
    assert records.case.texts() == ["3", "2"]
    assert records.systems == ("b",)
    assert records.place.tolist() == [3, 2]


@pytest.mark.parametrize(
    ("name", "lower"),
    [("Hallucination", True), ("hallucination_score", True), ("Toxicity [GEval]", True), ("Clarity", False)],
)
def test_directions(name: str, lower: bool) -> None:
    assert is_lower_better(name) == lower


@pytest.mark.parametrize(
    ("file", "stem"),
    [("a/b/x.jsonl.gz", "x"), ("x.csv", "x"), (".csv", ".csv"), ("gpt-4.1.json", "gpt-4.1"), ("C:\\a.tsv", "a")],
)
def test_stems(file: str, stem: str) -> None:
    assert stem_of(file) == stem


def test_hashes_of_texts() -> None:
    assert text_hash(" What? ") == text_hash("What?") != text_hash("What!")
    assert text_hash("e\u0301") == text_hash("é")


def test_a_pair_in_both_orders_is_not_there_twice() -> None:
    builder = RecordsBuilder("x", "f")
    builder.add("a", "m", 1)
    for first, second in (("m", "n"), ("n", "m"), ("m", "n")):
        builder.add("a" if first == "n" else "b", None, None, metric=None, first=first, second=second, verdict="A")
    assert builder.records().doubled() == ["b"]


def test_a_metric_may_be_named_without_its_filter_where_one_fits() -> None:
    builder = RecordsBuilder("x.jsonl", "test")
    builder.add("1", "a", 1, metric="exact_match,strict-match")
    records = builder.records()
    assert list(records.of_metric("exact_match").metrics) == ["exact_match,strict-match"]
    builder.add("1", "a", 1, metric="exact_match,flexible-extract")
    with pytest.raises(UnknownNameError, match="exact_match"):
        builder.records().of_metric("exact_match")
