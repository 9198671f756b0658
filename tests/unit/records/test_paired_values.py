"""Pairs of two systems: who is paired with whom, and that everything else is counted under a reason."""

import numpy as np
import pytest

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records.paired_values import pair
from simstudy.records.records import RecordsBuilder


def table(rows, **settings):
    """Return records of (case, system, value, further columns)."""
    builder = RecordsBuilder("file", "test")
    for case, system, value, *further in rows:
        builder.add(case, system, value, **(further[0] if further else {}))
    return builder.records(**settings)


def test_pairs_by_case_and_counts_the_rest():
    records = table(
        [
            ("1", "a", 1),
            ("2", "a", 0),
            ("3", "a", 1),
            ("4", "a", None),
            ("5", "a", 1),
            ("5", "b", 0),
            ("3", "b", 1),
            ("2", "b", 1),
            ("4", "b", 1),
            ("6", "b", 1),
        ]
    )
    found = pair(records, "a", "b", None)
    assert dict(zip(found.cases, zip(found.a, found.b, strict=True), strict=True)) == {
        "2": (0, 1),
        "3": (1, 1),
        "5": (1, 0),
    }
    assert sorted(found.left_out) == [("1", "only in 'a'"), ("6", "only in 'b'")]
    assert found.unreadable == (("4", "a", "missing"),)
    assert (found.unreadable_a, found.unreadable_b) == (1, 0)


def test_every_row_is_used_or_counted():
    generator = np.random.default_rng(3)
    rows = [
        (str(generator.integers(0, 30)), system, generator.choice([0, 1, None]), {"run": str(run)})
        for run in range(40)
        for system in "ab"
    ]
    records = table(rows)
    found = pair(records, "a", "b", "mean")
    used = set(found.cases)
    told = {case for case, _ in found.left_out} | {case for case, _, _ in found.unreadable}
    assert used | told == set(records.case.words)
    assert not used & told


def test_runs_are_paired_by_run():
    rows = [("1", "a", 1, {"run": "1"}), ("1", "a", 0, {"run": "2"}), ("2", "a", 1, {"run": "1"})]
    rows += [("1", "b", 0, {"run": "2"}), ("1", "b", 0, {"run": "1"}), ("2", "b", 1, {"run": "3"})]
    found = pair(table(rows), "a", "b", "clustered")
    assert found.cases == ("1", "1")
    np.testing.assert_array_equal(found.b - found.a, [-1, 0])
    np.testing.assert_array_equal(found.cluster, [0, 0])
    assert found.n_cases == 1
    assert sorted(found.left_out) == [("2", "run 1 only in 'a'"), ("2", "run 3 only in 'b'")]


def test_clusters_of_a_column_and_cases_without_one():
    rows = [
        (str(n), s, 1, {"cluster": c} if c else {}) for n, c in enumerate(["x", "x", "y", None, None]) for s in "ab"
    ]
    cluster = pair(table(rows), "a", "b", None).cluster
    assert len(np.unique(cluster)) == 4
    assert cluster[0] == cluster[1]


def test_inputs_that_differ_are_left_out_and_refused_where_they_are_most():
    def rows(different):
        for number in range(10):
            yield str(number), "a", 1, {"input_text": f"q{number}"}
            yield str(number), "b", 0, {"input_text": f"{'other' if number < different else 'q'}{number}"}

    found = pair(table(rows(3)), "a", "b", None)
    assert found.n_cases == 7
    assert [reason for _, reason in found.left_out] == ["input differs"] * 3
    with pytest.raises(RecordsError, match="In 6 of the 10 cases"):
        pair(table(rows(6)), "a", "b", None)


def test_no_common_case_shows_some_of_each_and_the_remedy():
    with pytest.raises(RecordsError, match=r"no case in common .*1.*2.*--unpaired"):
        pair(table([("1", "a", 1), ("2", "b", 1)]), "a", "b", None)


def test_names_that_are_not_there():
    records = table([("1", "old", 1), ("1", "new", 1)])
    with pytest.raises(UnknownNameError, match="Did you mean old"):
        pair(records, "odl", "new", None)
    with pytest.raises(RecordsError, match="both systems"):
        pair(records, "old", "old", None)


def test_nothing_readable_is_refused():
    with pytest.raises(RecordsError, match="in none a value of both"):
        pair(table([("1", "a", 1), ("1", "b", None)]), "a", "b", None)
