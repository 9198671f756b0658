"""Closed-form sample sizes against counting upward, and their edges."""

import itertools

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import stats_proportions as slow


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize(("p_a", "p_b"), [(0.7, 0.8), (0.7, 0.9), (0.5, 0.62), (0.9, 0.8), (0.05, 0.3), (0.0, 1.0)])
def test_two_proportions_is_the_first_size_that_reaches_the_power(p_a, p_b, corrected):
    for alpha, power in itertools.product((0.05, 0.01), (0.8, 0.95)):
        if p_a == 0.0:
            continue
        expected = slow.n_two_proportions(p_a, p_b, alpha, power, corrected)
        assert stats.n_two_proportions(p_a, p_b, alpha, power, corrected) == expected


def test_one_sided_needs_what_twice_the_level_needs_two_sided():
    greater = stats.n_two_proportions(0.7, 0.8, alpha=0.025, alternative="greater")
    assert greater == stats.n_two_proportions(0.7, 0.8, alpha=0.05)
    assert stats.n_two_proportions(0.8, 0.7, alpha=0.025, alternative="less") == greater


def test_no_size_is_enough():
    assert stats.n_two_proportions(0.7, 0.7) == np.inf
    assert stats.n_two_proportions(0.7, 0.6, alternative="greater") == np.inf
    assert stats.n_two_proportions(0.7, 0.7, corrected=True) == np.inf
    assert stats.n_paired_mean(0.1, 0, 0, 1, 0.0) == np.inf


def test_one_proportion_rounds_up_but_not_past_a_whole_number():
    assert stats.n_one_proportion(3 / 4, 1 / 20, z=2) == 300
    assert stats.n_one_proportion(3 / 4, 1 / 20) == 289  # 3.8415·.1875/.0025 = 288.1
    assert stats.n_one_proportion([0.0, 1.0], 0.1).tolist() == [0, 0]


def test_paired_mean_by_hand():
    # (1.959964 + .841621)² = 7.848880; · (1/9 + 1/6·2/4)/.05² = 610.47.
    assert stats.n_paired_mean(1 / 9, 1 / 6, 1 / 6, 4, 0.05) == 611
    assert stats.n_paired_mean(1 / 9, 1 / 6, 1 / 6, 4, -0.05) == 611


def test_more_runs_need_fewer_cases():
    sizes = stats.n_paired_mean(1 / 9, 1 / 6, 1 / 6, [1, 2, 4, np.inf], 0.03)
    assert (np.diff(sizes) < 0).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.n_two_proportions(1.2, 0.5), r"p_a must lie between 0 and 1; it holds 1\.2"),
        (lambda: stats.n_two_proportions(0.7, 0.8, alpha=0), "alpha must lie strictly between 0 and 1"),
        (lambda: stats.n_one_proportion(0.7, 0), "half_width must lie strictly between 0 and 1"),
        (lambda: stats.n_paired_mean(-1, 0, 0, 1, 0.1), "omega2 must lie between 0 and inf"),
        (lambda: stats.n_paired_mean(1, 0, 0, 0, 0.1), "runs must lie between 1 and inf"),
        (lambda: stats.n_two_proportions(0.7, 0.8, alternative="great"), "Did you mean greater"),
    ],
)
def test_wrong_requests(call, message):
    with pytest.raises(ValueError, match=message):
        call()
