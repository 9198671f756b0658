"""The report as people read it: the answer first, nothing hidden, nothing that a terminal would obey."""

import numpy as np

from simstudy.pages.evidence_text import answer, html, listing, markdown, text
from simstudy.records.compared import Asked, compare_records
from simstudy.records.question import Question
from simstudy.records.records import RecordsBuilder


def records(values):
    builder = RecordsBuilder("file.csv", "test")
    for system, row in values.items():
        for case, value in enumerate(row):
            builder.add(f"c{case}", system, value)
    return builder.records()


def test_the_answer_stands_above_the_tables_and_the_reading_below():
    page = text(compare_records(records({"a": [1, 0, 1, None], "b": [1, 1, 0, 1]}), Asked(), Question()))
    assert page.index("No difference was found") < page.index("test, interval") < page.index("How it was read")
    assert "Unreadable in 'a', not scored as wrong: 1 (1 missing)." in page


def test_one_system_speaks_of_runs():
    builder = RecordsBuilder("file", "test")
    for case, right in enumerate((4, 2, 0, 3)):
        for run in range(4):
            builder.add(str(case), "s", int(run < right), run=str(run))
    report = compare_records(builder.records(), Asked(), Question())
    assert answer(report)[0].startswith("s: 56.2% on 4 cases, 4 runs each, 95% interval")
    assert "Two runs of this very system" in answer(report)[1]
    assert "pass^k" in text(report)


def test_runs_that_not_every_case_has_are_up_to_so_many():
    builder = RecordsBuilder("file", "test")
    for case, runs in (("a", 4), ("b", 4), ("c", 1)):
        for run in range(runs):
            builder.add(case, "s", run % 2, run=str(run))
    assert "3 cases, up to 4 runs each," in answer(compare_records(builder.records(), Asked(), Question()))[0]


def test_values_that_one_system_or_many_lack_are_listed():
    values = {"a": [1, 0, 1, None], "b": [1, "timeout", 0, 1], "c": [1, 1, 0, 1]}
    one = compare_records(records(values), Asked(system_a="a"), Question())
    assert listing(one, "unreadable") == ["c3: a, missing"]
    many = compare_records(records(values), Asked(), Question())
    assert listing(many, "unreadable") == ["c3: a, missing", "c1: b, timeout"]
    assert "Regressed\n  none" in text(many, ["regressed"])
    assert "**Regressed**\n\n- none" in markdown(many, ["regressed"])


def test_lists_name_cases_and_reasons():
    report = compare_records(records({"a": [1, 0, 1, None], "b": [1, 1, 0, 1]}), Asked(), Question())
    assert listing(report, "improved") == ["c1"]
    assert listing(report, "regressed") == ["c2"]
    assert listing(report, "unreadable") == ["c3: a, missing"]
    assert "  c2" in text(report, ["regressed"])
    assert "- c2" in markdown(report, ["regressed"])


def test_markdown_has_real_tables_and_html_is_escaped():
    report = compare_records(records({"<b>a": [1, 0, 1, 1], "b": [1, 1, 0, 0]}), Asked(), Question())
    assert "| --- |" in markdown(report) or "|---" in markdown(report)
    assert "<b>a" not in html(report)
    assert "&lt;b&gt;a" in html(report)


def test_control_characters_are_shown_and_not_sent():
    report = compare_records(records({"a\x1b[31m": [1, 0, 1, 1], "b": [1, 1, 0, 0]}), Asked(), Question())
    assert "\x1b" not in text(report) + markdown(report) + html(report)


def test_long_tables_are_cut_on_a_terminal_and_whole_in_markdown():
    generator = np.random.default_rng(2)
    values = {f"s{number:02}": generator.integers(0, 2, 12).tolist() for number in range(13)}
    report = compare_records(records(values), Asked(), Question())
    assert "… and 18 rows more: --format csv or markdown shows all." in text(report)
    assert markdown(report).count(" − s") == 78
