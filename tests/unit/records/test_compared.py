"""What is asked of records, and which comparison answers."""

import numpy as np
import pytest

from simstudy.errors import ParameterError, RecordsError, UnknownNameError
from simstudy.records.compared import Asked, compare_counts, compare_records
from simstudy.records.question import Question
from simstudy.records.records import RecordsBuilder


def wide(values, metric="score"):
    """Return records of {system: values by case}."""
    builder = RecordsBuilder("file.csv", "test")
    for system, row in values.items():
        for case, value in enumerate(row):
            builder.add(str(case), system, value, metric=metric)
    return builder.records()


TWO = {"old": [1, 0, 1, 0, 1, 0, 0, 0], "new": [1, 1, 1, 0, 1, 1, 0, 1]}


def test_a_named_system_alone_is_described():
    (record,) = compare_records(wide(TWO), Asked(system_a="new"), Question()).records()
    assert record["system_b"] is None
    assert record["mean_a"] == 0.75


def test_naming_b_of_two_takes_the_other_as_a():
    (record,) = compare_records(wide(TWO), Asked(system_b="old"), Question()).records()
    assert (record["system_a"], record["system_b"]) == ("new", "old")


def test_three_systems_give_three_records():
    records = compare_records(wide({**TWO, "third": [1] * 8}), Asked(), Question()).records()
    assert len(records) == 3
    assert all(record["p_holm"] is not None for record in records)


def test_rows_without_a_value_are_counted_of_unpaired_sets_too():
    values = {"old": [1, 0, "N/A", 1], "new": ["error", "error", 0, 1]}
    (record,) = compare_records(wide(values), Asked(unpaired=True), Question()).records()
    assert (record["n_cases"], record["unreadable_a"], record["unreadable_b"]) == (5, 1, 2)


def test_what_was_read_as_no_value_and_where_rows_were_left_aside_is_said():
    builder = RecordsBuilder("file.csv", "test", place="line")
    for case in range(4):
        builder.add(str(case), "old", case % 2, metric="m")
        builder.add(str(case), "new", "#ERR" if case == 3 else 1, metric="m")
    builder.aside("the header again", 8)
    said = compare_records(builder.records(), Asked(), Question()).remarks
    assert said[-2:] == ("Left aside: line 8 of file.csv (the header again).", "In place of values stood '#ERR'.")


def test_a_threshold_that_turns_the_sign_is_warned_of():
    scores = {"old": [1.0] * 6 + [0.0] * 4, "new": [0.5] * 8 + [1.0, 0.0]}
    plain = compare_records(wide(scores), Asked(), Question())
    assert plain.flips is None
    cut = compare_records(wide(scores), Asked(threshold=0.5), Question())
    assert cut.records()[0]["mean_b"] == 0.9
    assert "depends on the threshold" in cut.flips
    assert "depends on the threshold" in str(cut)
    with pytest.raises(ParameterError, match="threshold is nan"):
        compare_records(wide(scores), Asked(threshold=np.nan), Question())


def test_lower_is_better_is_asked_or_known_by_the_metric():
    values = {"old": [0.1, 0.2, 0.3, 0.1, 0.2], "new": [0.4, 0.5, 0.4, 0.5, 0.6]}
    known = compare_records(wide(values, "hallucination"), Asked(), Question())
    asked = compare_records(wide(values), Asked(lower_is_better=True), Question())
    for report in (known, asked):
        assert "new is worse than old (lower is better)" in report.to_dict()["answer"][0]
    plain = compare_records(wide(values), Asked(), Question())
    assert "new is better than old" in plain.to_dict()["answer"][0]


def test_unpaired_sets_are_two_rates():
    (record,) = compare_records(wide(TWO), Asked(unpaired=True), Question()).records()
    assert record["test"] == "z_pooled"
    with pytest.raises(ParameterError, match="rates of 0 and 1"):
        compare_records(wide({"a": [2, 3], "b": [4, 1]}), Asked(unpaired=True), Question())


def test_names_that_are_not_there_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean old"):
        compare_records(wide(TWO), Asked(system_a="odl"), Question())
    with pytest.raises(UnknownNameError, match=r"strata 'task'\. There is none at all"):
        compare_records(wide(TWO), Asked(stratum="task"), Question())
    with pytest.raises(ParameterError, match="one system"):
        compare_records(wide(TWO), Asked(against=0.5), Question())


def test_counts_are_compared_and_what_does_not_fit_them_is_refused():
    assert compare_counts((29, 7, 4, 20), Question()).records()[0]["n_cases"] == 60
    assert compare_counts("78/100,82/100", Question()).records()[0]["test"] == "z_pooled"
    for counts in ("29,7,4,20", "78/100,82/100"):
        with pytest.raises(ParameterError, match="one rate"):
            compare_counts(counts, Question(), 0.5)


def test_those_not_told_from_the_best_stand_in_the_plain_report():
    several = {"best": [1] * 38 + [0] * 2, "next": [1] * 37 + [0] * 3, "worst": [0] * 30 + [1] * 10}
    assert compare_records(wide(several), Asked(), Question()).to_dict()["not_told_from_best"] == ["next"]
    assert "not_told_from_best" not in compare_records(wide(TWO), Asked(), Question()).to_dict()


def test_a_difference_of_rates_is_a_proportion():
    with pytest.raises(ParameterError, match=r"below 1, such as 0\.05"):
        compare_records(wide(TWO), Asked(), Question(differences=(5.0,)))


@pytest.mark.parametrize(
    ("given", "question", "words"),
    [
        ({"stratum": "task", "system_a": "old"}, {}, "stratum cannot be used with one system"),
        ({"stratum": "task", "unpaired": True}, {}, "stratum cannot be used with unpaired"),
        ({"stratum": "task", "cluster": "source"}, {}, "stratum cannot be used with --cluster"),
        ({"stratum_weights": {"a": 1.0}}, {}, "stratum_weights cannot be used without"),
        ({"cluster": "source", "unpaired": True}, {}, "cluster cannot be used with unpaired"),
        ({"against": 0.5, "unpaired": True}, {}, "against cannot be used with 2 systems"),
        ({"system_a": "old"}, {"margin": 0.1}, "margin cannot be used with one system"),
        ({"system_a": "old"}, {"differences": (0.1,)}, "difference cannot be used with one system"),
    ],
)
def test_what_would_be_passed_over_is_refused(given, question, words):
    with pytest.raises(ParameterError, match=words):
        compare_records(wide(TWO), Asked(**given), Question(**question))


def test_kept_runs_are_no_independent_cases_of_unpaired_sets():
    builder = RecordsBuilder("file.csv", "test")
    for case in range(6):
        for run in ("1", "2"):
            for system in ("old", "new"):
                builder.add(str(case), system, case % 2, run=run)
    with pytest.raises(ParameterError, match="--runs first"):
        compare_records(builder.records(), Asked(unpaired=True, runs="clustered"), Question())


@pytest.mark.parametrize(("asked", "words"), [({"margin": 0.1}, "margin"), ({"differences": (0.1,)}, "--against")])
def test_one_rate_alone_has_neither_margin_nor_difference(asked, words):
    with pytest.raises(ParameterError, match=words):
        compare_counts("5/9", Question(**asked))


def test_a_value_whose_square_is_no_number_is_refused():
    with pytest.raises(RecordsError, match="Case '1' has the value 1e\\+80"):
        compare_records(wide({"old": [1.0, 1e80], "new": [2.0, 3.0]}), Asked(), Question())
