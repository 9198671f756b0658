"""Two raters without a truth: by hand, and as the judge's table that it is."""

import dataclasses

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError


def test_the_table_by_hand():
    """40 both yes, 9 and 2 alone, 13 both no: p_o 53/64, p_e (49·42 + 15·22)/64²."""
    found = stats.rater_agreement(40, 9, 2, 13)
    assert found.n == 64
    assert found.agreement == 53 / 64
    assert found.chance_agreement == pytest.approx((49 * 42 + 15 * 22) / 64**2, abs=1e-15)
    assert found.kappa == pytest.approx((53 * 64 - 49 * 42 - 15 * 22) / (64**2 - 49 * 42 - 15 * 22), abs=1e-15)
    assert (found.yes_first, found.yes_second) == (49 / 64, 42 / 64)
    assert (found.agreement_on_yes, found.agreement_on_no) == (80 / 91, 26 / 37)
    assert found.kappa_interval == stats.kappa_few(40, 9, 2, 13)
    assert found.pabak == 2 * 53 / 64 - 1


def test_it_is_the_table_of_a_judge_without_what_needs_a_truth():
    found, judge = stats.rater_agreement(40, 9, 2, 13, 0.9), stats.judge_agreement(40, 9, 2, 13, level=0.9)
    assert found.kappa == judge.kappa
    assert found.kappa_interval == judge.kappa_interval
    assert found.agreement == judge.accuracy
    names = {field.name for field in dataclasses.fields(found)}
    assert not names & {"sensitivity", "specificity", "false_negatives", "false_positives", "prevalence"}


def test_raters_change_places():
    one, other = stats.rater_agreement(40, 9, 2, 13), stats.rater_agreement(40, 2, 9, 13)
    assert (one.yes_first, one.yes_second) == (other.yes_second, other.yes_first)
    assert one.kappa == other.kappa


def test_what_is_not_there_is_undefined():
    found = stats.rater_agreement([0, 7], 0, 0, 0)
    np.testing.assert_array_equal(found.n, [0, 7])
    np.testing.assert_array_equal(found.agreement, [np.nan, 1])
    np.testing.assert_array_equal(found.agreement_on_no, [np.nan, np.nan])
    assert np.isnan([found.kappa, *found.kappa_interval]).all()
    with pytest.raises(ParameterError, match="second must not be negative"):
        stats.rater_agreement(1, 2, -1, 4)
