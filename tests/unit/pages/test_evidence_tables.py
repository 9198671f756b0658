"""Tables of a report."""

from simstudy.pages.evidence_tables import tables
from simstudy.pages.evidence_text import text
from simstudy.records.compared import Asked, compare_counts, compare_records
from simstudy.records.question import Question
from tests.unit.pages.test_evidence_text import records


def test_limits_that_do_not_exist_are_a_dash_and_small_p_values_are_bounded():
    values = {"a": [0.5] * 9, "b": [2.0, 3, 4, 2, 3, 4, 2, 3, 4], "c": [1.0, 2, 3, 1, 2, 3, 1, 2, 4]}
    page = text(compare_records(records(values), Asked(), Question()))
    assert "– to –" not in page
    far = text(compare_counts("10,0,60,10", Question()))
    assert "<.0001" in far


def test_what_larger_sets_find_begins_with_this_one_and_grows():
    found = tables(compare_counts("25,3,7,5", Question()))
    seen, larger = found[-2:]
    assert seen.heads == ("found by this set in", "cases for power 0.8", "median", "90% range")
    assert larger.heads == ("40 cases", "80 cases", "160 cases", "320 cases")
    for row in larger.rows:
        power = [int(cell.split()[0]) for cell in row[1:]]
        assert power == sorted(power)


def test_scores_have_no_table_of_cells():
    report = compare_records(records({"a": [0.5, 0.7, 0.2, 0.9], "b": [0.1, 0.8, 0.4, 0.2]}), Asked(), Question())
    assert [table.caption.split()[0] for table in tables(report)] == ["Difference", "What"]
