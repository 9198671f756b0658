"""The report as people read it: the answer first, nothing hidden, nothing that a terminal would obey."""

import numpy as np
import pytest

from simstudy.pages.evidence_text import answer, html, listing, markdown, p_words, text
from simstudy.records.evidence import Asked, compare_counts, compare_records
from simstudy.records.records import RecordsBuilder
from simstudy.records.two_compared import Question


def records(values):
    builder = RecordsBuilder("file.csv", "test")
    for system, row in values.items():
        for case, value in enumerate(row):
            builder.add(f"c{case}", system, value)
    return builder.records()


def test_a_difference_that_is_found_is_the_first_sentence():
    report = compare_counts("62,8,16,14", Question())
    (r,) = report.records()
    assert answer(report)[0] == (
        "No difference was found between A and B: 78% against 70% on the same 100 cases, difference +8 points, "
        f"95% interval −{-100 * r['low']:.1f} to +{100 * r['high']:.1f}, {p_words(r['p_value'])}; "
        "this set finds 10 points in only 53 of 100 such evaluations."
    )
    found = compare_counts("62,3,25,10", Question())
    assert answer(found)[0].startswith(
        "B is better than A: 87% against 65% on the same 100 cases, difference +22 points"
    )


def test_the_answer_stands_above_the_tables_and_the_reading_below():
    page = text(compare_records(records({"a": [1, 0, 1, None], "b": [1, 1, 0, 1]}), Asked(), Question()))
    assert page.index("No difference was found") < page.index("test, interval") < page.index("How it was read")
    assert "Unreadable in 'a', not scored as wrong: 1 (1 missing)." in page


def test_many_systems_name_those_not_told_from_the_best():
    generator = np.random.default_rng(1)
    values = {
        name: (generator.random(80) < rate).astype(int).tolist() for name, rate in (("x", 0.9), ("y", 0.88), ("z", 0.3))
    }
    said = answer(compare_records(records(values), Asked(), Question()))
    assert "has the best mean" in said[0]
    assert "z" not in said[0].split("not told from it")[-1]


def test_one_system_speaks_of_runs():
    builder = RecordsBuilder("file", "test")
    for case, right in enumerate((4, 2, 0, 3)):
        for run in range(4):
            builder.add(str(case), "s", int(run < right), run=str(run))
    report = compare_records(builder.records(), Asked(), Question())
    assert answer(report)[0].startswith("s: 56.2% on 4 cases, 4 runs each, 95% interval")
    assert "Two runs of this very system" in answer(report)[1]
    assert "pass^k" in text(report)


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


@pytest.mark.parametrize(
    ("p", "words"),
    [(0.034, "p = .034"), (0.2549, "p = .25"), (0.0004, "p = .0004"), (1e-9, "p < .0001"), (1.0, "p = 1.00")],
)
def test_p_values_in_words(p, words):
    assert p_words(p) == words


def test_a_small_difference_is_not_shown_as_none():
    report = compare_counts("52,6,15,27", Question())
    assert "95% interval +0.02 to +18.4" in answer(report)[0]


def test_long_tables_are_cut_on_a_terminal_and_whole_in_markdown():
    generator = np.random.default_rng(2)
    values = {f"s{number:02}": generator.integers(0, 2, 12).tolist() for number in range(13)}
    report = compare_records(records(values), Asked(), Question())
    assert "… and 18 rows more: --format csv or markdown shows all." in text(report)
    assert markdown(report).count(" − s") == 78


def test_limits_that_do_not_exist_are_a_dash_and_small_p_values_are_bounded():
    values = {"a": [0.5] * 9, "b": [2.0, 3, 4, 2, 3, 4, 2, 3, 4], "c": [1.0, 2, 3, 1, 2, 3, 1, 2, 4]}
    page = text(compare_records(records(values), Asked(), Question()))
    assert "– to –" not in page
    far = text(compare_counts("10,0,60,10", Question()))
    assert "<.0001" in far
