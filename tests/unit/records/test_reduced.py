"""Repeated runs of one system reduced by each rule, on tables that can be checked by eye."""

import numpy as np
import pytest

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.records import RecordsBuilder
from simstudy.records.reduced import reduced, rule_for


def table(*rows, runs=True):
    """Return records of (case, run, value) of system s."""
    builder = RecordsBuilder("file", "test")
    for case, run, value in rows:
        builder.add(case, "s", value, **({"run": run} if runs else {}))
    return builder.records()


RUNS = table(("x", "2", 0), ("y", "1", 1), ("x", "1", 1), ("x", "10", 0), ("y", "2", None), ("z", "1", "error"))


def values(found, records):
    return dict(zip((records.case.words[code] for code in found.case), found.value, strict=True))


@pytest.mark.parametrize(
    ("rule", "x", "y"),
    [("first", 1.0, 1.0), ("mean", 1 / 3, 1.0), ("majority", 0.0, 1.0)],
)
def test_each_rule(rule, x, y):
    found = values(reduced(RUNS, "s", rule), RUNS)
    assert found["x"] == pytest.approx(x)
    assert found["y"] == y
    assert np.isnan(found["z"])


def test_runs_are_kept_with_their_names():
    found = reduced(RUNS, "s", "clustered")
    kept = [(RUNS.case.words[c], run) for c, run in zip(found.case, found.run, strict=True)]
    assert kept == [("x", "1"), ("x", "2"), ("x", "10"), ("y", "1"), ("y", "2"), ("z", "1")]
    np.testing.assert_array_equal(found.value[:4], [1, 0, 0, 1])
    assert np.isnan(found.value[4:]).all()


def test_runs_that_are_evenly_split_have_no_majority():
    records = table(("x", "1", 1), ("x", "2", 0), ("y", "1", 1))
    found = reduced(records, "s", "majority")
    assert np.isnan(values(found, records)["x"])
    assert [records.case.words[code] for code in found.ties] == ["x"]


def test_the_order_of_lines_changes_nothing_where_runs_have_numbers():
    rows = [("x", "2", 0), ("y", "1", 1), ("x", "1", 1), ("x", "10", 0), ("y", "2", 1)]
    for rule in ("first", "mean", "majority", "clustered"):
        found = []
        for order in (rows, rows[::-1]):
            records = table(*order)
            one = reduced(records, "s", rule)
            runs = one.run or [""] * len(one.case)
            found.append(sorted(zip((records.case.words[c] for c in one.case), runs, one.value, strict=True)))
        assert found[0] == found[1]


def test_doubled_ids_are_refused_with_a_remedy_that_works():
    doubled = table(("x", "", 1), ("x", "", 0), ("y", "", 1), runs=False)
    with pytest.raises(RecordsError, match=r"1 case has more than one record.*--runs mean, first or majority"):
        rule_for(doubled, None)
    for rule in ("mean", "first", "majority", "clustered"):
        assert rule_for(doubled, rule)[0] == rule
        assert reduced(doubled, "s", rule).case.size in (2, 3)


def test_runs_with_a_column_are_averaged_and_that_is_said():
    rule, said = rule_for(RUNS, None)
    assert rule == "mean"
    assert "mean over the runs" in said


def test_single_values_need_no_rule():
    single = table(("x", "1", 1), ("y", "1", 0))
    assert rule_for(single, None) == (None, "")
    rule, said = rule_for(single, "first")
    assert rule is None
    assert "nothing to reduce" in said
    with pytest.raises(UnknownNameError, match="majority"):
        rule_for(single, "majorty")


def test_scores_have_no_majority():
    scores = table(("x", "1", 3), ("x", "2", 4))
    with pytest.raises(RecordsError, match="--runs mean"):
        reduced(scores, "s", "majority")
