from __future__ import annotations

import csv
from pathlib import Path

import pytest

from simstudy.errors import RecordsError
from simstudy.records.read_options import ReadOptions
from simstudy.records.reading import read_records, read_source
from simstudy.records.source import Source

SHARED = Path(__file__).resolve().parents[4] / "shared/cases"


def test_files_and_how_they_were_read(tmp_path: Path) -> None:
    for name, rows in (("old", "a,1\nb,0\n"), ("new", "b,1\na,1\n")):
        (tmp_path / f"{name}.csv").write_text(f"id,correct\n{rows}", encoding="utf-8")
    records = read_records([tmp_path / "old.csv", tmp_path / "new.csv"])
    assert records.system.texts() == ["old", "old", "new", "new"]
    assert [(file.format, file.encoding) for file in records.read] == [("table", "UTF-8")] * 2
    assert "was read as table" in records.remarks[0].says
    assert read_records(tmp_path / "old.csv").systems == ("old",)


def test_an_encoding_is_said() -> None:
    records = read_source(Source("x.csv", "id,correct\né,1\n".encode("cp1252")), ReadOptions())
    assert records.read[0].encoding == "cp1252"
    assert "cp1252" in records.remarks[1].says


def test_words_that_the_user_counts_as_failed() -> None:
    raw = b"id,old,new\na,pass,error\nb,pass,Timeout\nc,fail,skipped\nd,pass,pass\n"
    records = read_source(Source("x.csv", raw), ReadOptions(failed=frozenset({"timeout", "error"})))
    assert records.value[4:6].tolist() == [0, 0]
    assert records.unreadable() == {"old": {}, "new": {"skipped": 1}}
    assert "2 records without a value (error, timeout) count as failed" in records.remarks[-1].says


def plain(name: str) -> list[list[str]]:
    """Return the cells of a file of the shared folder, as the csv module reads them."""
    with (SHARED / name).open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.reader(stream))


@pytest.mark.parametrize(
    ("name", "cases", "means", "unreadable"),
    [
        ("error_rows.csv", 40, {"old": 28 / 40, "new": 24 / 32}, 8),
        ("minus_one.csv", 20, {"new": 7.3}, 10),
        ("odd_ids.csv", 24, {"old": 0.625, "new": 19 / 24}, 0),
        ("threshold_flips.csv", 50, {"old": 0.6, "new": 0.56}, 0),
        ("one_to_five.csv", 40, {"old": 3.0, "new": 3.0}, 0),
        ("doubled_ids.csv", 12, {}, 0),
        ("runs_in_ids.csv", 8, {"old": 0.75, "new": 2 / 3}, 0),
        ("results.txt", 30, {"old": 17 / 30, "new": 0.7}, 0),
        ("decimal_comma.csv", 8, {"old": 0.5625, "new": 0.6875}, 0),
        ("utf16.csv", 12, {"old": 5 / 12, "new": 0.75}, 0),
        ("mean_row.csv", 12, {"old": 5 / 12, "new": 0.75}, 0),
        ("pasted.csv", 12, {"old": 5 / 12, "new": 0.75}, 0),
        ("clusters.csv", 96, {"old": 49 / 96, "new": 61 / 96}, 0),
        ("status.csv", 12, {"new": 5 / 9}, 3),
        ("pass_k.csv", 11, {}, 0),
        ("metrics.csv", 30, {"metrics": 19 / 30}, 0),
        ("default_score.csv", 50, {}, 10),
        ("votes.csv", 72, {}, 0),
    ],
)
def test_small_files_with_one_trap_each(name: str, cases: int, means: dict[str, float], unreadable: int) -> None:
    if not SHARED.exists():
        pytest.skip("the shared folder is not here")
    records = read_records(SHARED / name)
    assert len(records.case.words) == cases
    assert sum(sum(found.values()) for found in records.unreadable().values()) == unreadable
    for system, mean in means.items():
        of_first = records.of_metric()
        mine = of_first.system.where(system) & of_first.usable()
        assert of_first.value[mine].mean() == pytest.approx(mean, abs=1e-12)


def test_ids_of_two_files_that_look_alike_are_alike() -> None:
    if not SHARED.exists():
        pytest.skip("the shared folder is not here")
    records = read_records([SHARED / "ids_a.csv", SHARED / "ids_b.csv"])
    assert len(records.case.words) == len(plain("ids_a.csv")) - 1 == 14


@pytest.mark.parametrize(("name", "words"), [("header_only.csv", "no case"), ("leaderboard.csv", "one row per system")])
def test_files_without_cases_are_refused(name: str, words: str) -> None:
    if not SHARED.exists():
        pytest.skip("the shared folder is not here")
    with pytest.raises(RecordsError, match=words):
        read_records(SHARED / name)


@pytest.mark.parametrize(
    ("name", "cases", "systems", "runs", "empty"),
    [
        ("alpaca_eval/preference_matrix.csv.gz", 805, 58, 0, 10),
        ("paired/matharena_aime_II.csv", 15, 19, 4, 0),
        ("paired/langchain_tool_use.csv", 20, 9, 0, 0),
        ("scores/hibayes_q4.csv", 4, 2, 0, 0),
    ],
)
def test_real_tables(shared: Path, name: str, cases: int, systems: int, runs: int, empty: int) -> None:
    """Every model of a large table is there, also those whose names hold words such as "human" or "text"."""
    records = read_records(shared / "data" / name)
    assert (len(records.case.words), len(records.systems)) == (cases, systems)
    assert len(records.further["run"].words if "run" in records.further else ()) == runs
    assert int((~records.usable()).sum()) == empty  # cells between two commas


def test_real_codes_for_no_score(shared: Path) -> None:
    """120 of 160 judgments of this file are -1, which are no scores (data/files/README.md)."""
    records = read_records(shared / "data/files/mt_bench/instructlab+eval/model_judgment__gpt-4_single.jsonl")
    scores = records.of_metric("score")
    assert (len(scores), int(scores.usable().sum())) == (160, 40)
    assert scores.value[scores.usable()].min() >= 0


def test_a_file_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("case,A,B\n1,1,0\n2,0,1\n", encoding="utf-8")
    with pytest.raises(RecordsError, match=r"a\.csv is given more than once"):
        read_records([path, str(path)])


def test_a_filter_where_no_file_has_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("case,A,B\n1,1,0\n2,0,1\n", encoding="utf-8")
    with pytest.raises(RecordsError, match="filter is 'strict'"):
        read_records(path, ReadOptions(filter="strict"))
