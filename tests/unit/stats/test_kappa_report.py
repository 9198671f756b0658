"""What is reported of a judge: groups, unreadable verdicts, shapes and records that do not fit."""

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError

EXAMPLE = (60, 5, 15, 20)


def test_a_fault_of_one_system_shows_in_its_group_alone():
    """The judge calls half the right answers of system b wrong: accuracy .9 over all, sensitivity .5 on b."""
    system = np.repeat(["a", "b"], [80, 20])
    label = np.ones(100)
    label[:40] = 0
    verdict = label.copy()
    verdict[90:] = 0
    overall = stats.judge_agreement_by_group(label, verdict, np.zeros(100))[0]
    by_system = stats.judge_agreement_by_group(label, verdict, system)
    assert overall.accuracy == 0.9
    assert list(by_system) == ["a", "b"]
    assert by_system["a"].sensitivity == by_system["a"].specificity == 1
    assert by_system["b"].sensitivity == 0.5
    assert by_system["b"].sensitivity_interval == stats.wilson(10, 20)
    assert np.isnan(by_system["b"].specificity)
    assert by_system["b"].n == 20


def test_unreadable_verdicts_are_a_third_verdict():
    label, verdict = [1, 1, 1, 0, 0, 0], [1, np.nan, 0, 0, np.nan, 1]
    found = stats.judge_agreement_by_group(label, verdict, ["x"] * 6)["x"]
    assert found == stats.judge_agreement(1, 1, 1, 1, 1, 1)
    assert found.unreadable == pytest.approx(1 / 3)
    assert found.n == 4
    # the same table with unreadable as a category of its own
    three = [[1, 1, 1], [1, 1, 1], [0, 0, 0]]
    assert found.kappa_unreadable == pytest.approx(stats.cohen_kappa(three), abs=1e-15)
    assert stats.judge_agreement(*EXAMPLE).kappa_unreadable == pytest.approx(9 / 17, abs=1e-15)


def test_reports_of_arrays_keep_their_shape():
    found = stats.judge_agreement([60, 0], [5, 0], [15, 0], [20, 0], 0, [0, 3], level=0.9)
    np.testing.assert_array_equal(found.n, [100, 0])
    np.testing.assert_array_equal(found.unreadable, [0, 1])
    assert found.kappa_interval[0].shape == (2,)
    assert np.isnan([found.kappa[1], found.accuracy[1], found.kappa_interval[1][1]]).all()


def test_records_that_do_not_fit_are_refused():
    with pytest.raises(ParameterError, match=r"shapes \(2,\), \(1,\) and \(2,\)"):
        stats.judge_agreement_by_group([1, 0], [1], ["x", "x"])
    with pytest.raises(ParameterError, match="label must hold 1"):
        stats.judge_agreement_by_group([np.nan], [1], ["x"])
    with pytest.raises(ParameterError, match="verdict must hold 1"):
        stats.judge_agreement_by_group([1], [2], ["x"])


def test_distinct_answers():
    assert stats.distinct_answers([1, 1, 2, 2], ["yes", "yes", "yes", "no"]) == 3
    assert stats.distinct_answers([], []) == 0
    with pytest.raises(ParameterError, match="There are 2 cases and 1 answers"):
        stats.distinct_answers([1, 2], ["a"])


def test_every_share_is_of_its_own_cell():
    """Six different counts: right 1, 2, wrong 3, 5, unreadable 7 and 11, of 11 readable verdicts."""
    found = stats.judge_agreement(1, 2, 3, 5, 7, 11)
    assert found.n == 11
    assert found.unreadable == 18 / 29
    assert found.prevalence == 3 / 11
    assert found.said_correct == 4 / 11
    assert found.accuracy == 6 / 11
    assert found.false_negatives == 2 / 11
    assert found.false_positives == 3 / 11
    assert found.sensitivity == 1 / 3
    assert found.specificity == 5 / 8
    assert found.sensitivity_interval == stats.wilson(1, 3)
    assert found.specificity_interval == stats.wilson(5, 8)
    assert found.kappa_interval == stats.kappa_few(1, 2, 3, 5)
    label = np.repeat([1, 1, 0, 0, 1, 0], [1, 2, 3, 5, 7, 11])
    verdict = np.repeat([1, 0, 1, 0, np.nan, np.nan], [1, 2, 3, 5, 7, 11])
    assert stats.judge_agreement_by_group(label, verdict, np.zeros(29)) == {0: found}


def test_names_that_cannot_be_sorted_are_refused():
    with pytest.raises(ParameterError, match="group must be a list of words or of numbers"):
        stats.judge_agreement_by_group([1, 0], [1, 0], [None, "x"])
    with pytest.raises(ParameterError, match="answer must be a list of words"):
        stats.distinct_answers([1, 2], [[1], [2, 3]])
