from __future__ import annotations

from math import isnan

import pytest

from simstudy.errors import RecordsError, RequestError
from simstudy.records.from_sheet import may_matter, records_of_sheet
from simstudy.records.read_options import ReadOptions
from simstudy.records.records import ReadFile, Records
from simstudy.records.sheet import SheetBuilder


def read(text: str, **options: object) -> Records:
    """Read a table written with blanks between cells and | between lines; . is an empty cell."""
    header, *rows = [
        [cell.replace("~", " ") if cell != "." else "" for cell in line.split()] for line in text.split("|")
    ]
    said = ReadOptions(**options)  # type: ignore[arg-type]
    builder = SheetBuilder("x.csv", may_matter(said))
    if rows:
        builder.add_columns(header, list(zip(*rows, strict=True)), range(2, len(rows) + 2))
    return records_of_sheet(builder.sheet(), ReadFile("x.csv", "table", 1.0), "x", said)


def rows(records: Records) -> list[tuple[object, ...]]:
    """Return case, system, metric and value of every row."""
    texts = (records.case.texts(), records.system.texts(), records.metric.texts())
    return list(zip(*texts, [None if isnan(v) else v for v in records.value.tolist()], strict=True))


def test_a_wide_table_has_a_system_per_column() -> None:
    records = read("id old new|a 1 0|b 0 1")
    assert rows(records) == [
        ("a", "old", "value", 1),
        ("b", "old", "value", 0),
        ("a", "new", "value", 0),
        ("b", "new", "value", 1),
    ]
    assert records.place.tolist() == [2, 3, 2, 3]


def test_a_long_table_has_a_row_per_case_and_system() -> None:
    records = read("case model score|a m 1|a n .|b m 0")
    assert rows(records) == [("a", "m", "score", 1), ("a", "n", "score", None), ("b", "m", "score", 0)]
    assert records.unreadable() == {"m": {}, "n": {"missing": 1}}


def test_metrics_are_no_systems() -> None:
    records = read("id correct cites latency_s cost_usd|a 1 0 2.5 .1|b 0 1 2.25 .2")
    assert records.systems == ("x",)
    assert list(records.metrics) == ["correct", "cites"]
    assert records.roles["latency_s"] == "latency"
    assert list(records.extra) == ["latency_s", "cost_usd"]
    assert not records.named_systems


@pytest.mark.parametrize("metric", ["latency_s", "cites"])
def test_a_metric_that_is_asked_for_comes_first(metric: str) -> None:
    assert next(iter(read("id correct cites latency_s|a 1 0 2.5|b 0 1 2.25", metric=metric).metrics)) == metric


def test_columns_that_are_named_as_systems_are_systems() -> None:
    records = read("id judge label|a 1 0|b 0 0", systems=("judge", "label"))
    assert records.systems == ("judge", "label")
    assert list(records.metrics) == ["value"]


def test_a_system_among_many_may_be_called_by_any_words() -> None:
    records = read("id m1 m2 m3 m4 m5 gold-7b text-match latency_s|a 1 0 1 1 0 1 0 9|b 0 1 1 0 0 1 1 8")
    assert records.systems == ("m1", "m2", "m3", "m4", "m5", "gold-7b", "text-match")
    assert any("'gold-7b', 'text-match'" in remark.says for remark in records.remarks)
    assert read("id m1 m2 gold-7b|a 1 0 1|b 0 1 1").systems == ("m1", "m2")


def test_a_rate_of_errors_costs_no_value() -> None:
    assert read("case system score api_error_margin|a m 1 0.25|b m 0 0.5").unreadable() == {"m": {}}


def test_a_judge_and_a_label_are_no_systems() -> None:
    records = read("id judge label|a 1 0|b 0 0")
    assert records.metrics == {}
    assert records.further["verdict"].texts() == ["1", "0"]
    assert records.further["label"].texts() == ["0", "0"]


def test_pairs_of_answers() -> None:
    records = read("vote model_a model_b winner|1 m n model_a|2 n m tie")
    assert records.metrics == {}
    assert records.further["first"].texts() == ["m", "n"]
    assert records.further["verdict"].texts() == ["model_a", "tie"]


def test_judges_with_names() -> None:
    records = read("pair first second judge verdict|1 m n gpt A|1 n m gpt B")
    assert records.further["judge"].texts() == ["gpt", "gpt"]


def test_errors_cost_the_value() -> None:
    records = read("case system score error|a m 0 429|b m 0 .|c m 1 timeout~after~60~s")
    assert rows(records) == [("a", "m", "score", None), ("b", "m", "score", 0), ("c", "m", "score", None)]
    assert records.unreadable() == {"m": {"error": 1, "timeout": 1}}


def test_states_cost_the_value_only_where_they_say_so() -> None:
    records = read("case system score status|a m 0 failed|b m 0 timeout|c m 1 success")
    assert records.unreadable() == {"m": {"timeout": 1}}


def test_a_total_at_the_end_is_left_out_and_counted() -> None:
    records = read("id old new|a 1 1|b 0 1|c 0 0|Average 0.33 0.67")
    assert records.case.words == ("a", "b", "c")
    assert [(a.reason, a.where, a.example) for a in records.aside] == [("a total of the rows above", (5,), "Average")]


@pytest.mark.parametrize("text", ["id old new|a 1 1|b 0 1|sum 1 0", "id old new|a 1 1|mean 0.5 1|b 0 1"])
def test_a_case_that_is_called_like_a_total_is_a_case(text: str) -> None:
    assert len(read(text).case.words) == 3


def test_a_header_in_the_middle_is_left_out_and_counted() -> None:
    records = read("id old new|a 1 1|id old new|b 0 1")
    assert records.case.words == ("a", "b")
    assert [(a.reason, a.where) for a in records.aside] == [("the header again", (3,))]


def test_runs_in_ids() -> None:
    records = read("id old|1 1|1.1 0|2 1")
    assert records.case.texts() == ["1", "1", "2"]
    assert records.further["run"].texts() == ["0", "1", "0"]
    assert read("id old|1 1|1.1 0|2 1", split_ids=False).case.texts() == ["1", "1.1", "2"]


def test_a_column_of_runs() -> None:
    records = read("task trial reward|a 1 0|a 2 1")
    assert records.further["run"].texts() == ["1", "2"]
    assert records.doubled() == []


def test_decimal_commas_are_said() -> None:
    records = read("id old new|a 0,5 0,25|b 1,0 0,75")
    assert records.value.tolist() == [0.5, 1, 0.25, 0.75]
    assert "decimal" in [remark.about for remark in records.remarks]


def test_the_input_is_hashed_or_is_the_case() -> None:
    records = read("id prompt score|a What? 1|b Why? 0")
    assert records.input_hash is not None
    assert len(set(records.input_hash.tolist())) == 2
    assert read("prompt passed|what~is~it true|who~is~it false").ids_from == "text"


def test_cases_without_a_name_are_lines() -> None:
    records = read("old new|1 0|0 0|1 1")
    assert records.ids_from == "lines"
    assert records.case.words[:2] == ("line 2", "line 3")


def test_a_task_that_all_cases_share_is_no_id_and_an_id_that_they_share_is_one() -> None:
    assert read("task old|gsm 1|gsm 0").ids_from == "lines"
    assert read("id old|gsm 1|gsm 0").case.words == ("gsm",)


def test_a_record_without_an_id_is_counted() -> None:
    records = read("id old|a 1|. 0|c 0")
    assert records.unreadable() == {"old": {"no id of the case": 1}}


def test_a_column_with_a_few_words_that_mean_nothing_is_one_of_values() -> None:
    records = read("id old new|a 1 1|b 0 perhaps|c 0 0|d 1 1")
    assert records.unreadable() == {"old": {}, "new": {"not a value": 1}}
    assert records.further["raw"].texts()[5] == "perhaps"


def test_rows_with_a_standard_error_are_cases_if_that_is_said() -> None:
    for table in ("a1 score stderr|s 0.5 0.1|l 0.7 0.2", "case score stderr|s 0.5 0.1|l 0.7 0.2"):
        records = read(table, case_column=table.split()[0] if table.startswith("a1") else None)
        assert (records.case.words, records.value.tolist()) == (("s", "l"), [0.5, 0.7])


@pytest.mark.parametrize(
    ("table", "doubted"),
    [
        ("id i delta|a 1 300|b 2 -41", True),
        ("id i delta|a 1 30|b 2 -40", False),
        ("id old new|a 0 1|b 0 1", False),
        ("id old new|a 3 -999|b 4 5", False),
    ],
)
def test_systems_whose_values_differ_in_size_are_doubted(table: str, doubted: bool) -> None:
    said = [remark.says for remark in read(table).remarks if "very different size" in remark.says]
    assert len(said) == doubted
    assert read(table).systems == tuple(table.split("|", maxsplit=1)[0].split()[1:])


def test_clusters_are_said_or_only_proposed() -> None:
    records = read("case source old|a s 1|b s 0", cluster_column="source")
    assert records.further["cluster"].texts() == ["s", "s"]
    assert "cluster" in [remark.about for remark in read("case source old|a s 1|b s 0").remarks]


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("id old", {}, "no case in it"),
        ("both_right only_old only_new neither|52 6 15 27", {}, "--counts 52,6,15,27"),
        ("model n accuracy stderr|s 200 .7 .03|l 200 .8 .03", {}, "one row per system"),
        ("a1 win_rate standard_error|s 70.5 1.2|l 75.1 1.3", {}, "total over cases"),
        ("id comment|a hello|b world", {}, "no column of values"),
        ("id old|a 1", {"case_column": "nope"}, "no column for case_column 'nope'"),
        ("id old|a 1", {"layout": "sideways"}, "no layout 'sideways'"),
        ("id old|a 1", {"case_column": "id", "run_column": "id"}, "two parts"),
        ("id old|a 1", {"layout": "wide", "value_column": "old"}, "belong to a long file"),
        ("id old new|a 1 1|b 1 1", {"layout": "long"}, "name it as system_column"),
        ("model score|m 1|m 0|n 1", {}, "no column that names the case"),
    ],
)
def test_refusals(text: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(RequestError, match=words) as refused:
        read(text, **options)
    assert isinstance(refused.value, RecordsError | RequestError)


def test_rows_without_a_system_are_left_aside_and_said() -> None:
    records = read("case system score|1 . 1|1 B 0|2 . 0|2 B 1")
    assert len(records) == 2
    assert [aside.reason for aside in records.aside] == ["no system is named"]


def test_columns_without_a_value_are_named() -> None:
    records = read("case A B|1 . 1|2 . 0")
    assert any(remark.says == "Not taken for systems, because they hold no value: 'A'." for remark in records.remarks)
