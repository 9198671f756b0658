"""What k runs of a case give, against draws of runs written out; error of cases and of runs, against planted ones."""

import itertools

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError


@pytest.mark.parametrize(("right", "runs", "k"), [(3, 5, 2), (0, 4, 1), (4, 4, 4), (1, 6, 3), (5, 6, 2)])
def test_passes_are_shares_of_all_draws(right, runs, k):
    drawn = list(itertools.combinations([1] * right + [0] * (runs - right), k))
    assert stats.pass_all(right, runs, k) == pytest.approx(np.mean([all(d) for d in drawn]), rel=1e-14)
    assert stats.pass_any(right, runs, k) == pytest.approx(np.mean([any(d) for d in drawn]), rel=1e-14)


def test_more_passes_than_runs_are_undefined():
    np.testing.assert_array_equal(np.isnan(stats.pass_all([1, 2], [1, 3], 2)), [True, False])
    np.testing.assert_array_equal(np.isnan(stats.pass_any([1, 2], [1, 3], 2)), [True, False])


def test_many_runs_do_not_overflow():
    assert stats.pass_all(999, 1000, 500) == pytest.approx(0.5)


def test_spread_of_a_table_by_hand():
    found = stats.rerun_spread([4, 2, 0, 3], [4, 4, 4, 4])
    within = (0 + 2 * 2 / 12 + 0 + 3 * 1 / 12) / 4
    variance = np.var([1, 0.5, 0, 0.75], ddof=1)
    assert found.accuracy == 0.5625
    assert found.rerun_sd == pytest.approx(np.sqrt(within / 4))
    assert found.se_total == pytest.approx(np.sqrt(variance / 4))
    assert found.between_sd == pytest.approx(np.sqrt((variance - within / 4) / 4))
    assert found.icc == pytest.approx((variance - within / 4) / (variance - within / 4 + within))
    assert found.rerun_band == pytest.approx(1.959963984540054 * np.sqrt(2) * found.rerun_sd)


def test_spread_is_what_was_planted():
    # 20,000 cases with q uniform: icc = (1/12)/(1/4) = 1/3; the standard error of the estimate is about .005
    q = np.random.default_rng(3).random(20_000)
    found = stats.rerun_spread(np.random.default_rng(4).binomial(5, q), np.full(q.size, 5))
    assert found.icc == pytest.approx(1 / 3, abs=0.025)
    assert found.rerun_sd * np.sqrt(q.size) == pytest.approx(np.sqrt(1 / 6), abs=0.01)


def test_what_one_run_or_one_case_does_not_tell():
    single = stats.rerun_spread([1, 0, 1], [1, 1, 1])
    assert np.isnan([single.rerun_sd, single.between_sd, single.icc, single.rerun_band]).all()
    assert single.se_total == pytest.approx(np.sqrt(1 / 3 / 3))
    alone = stats.rerun_spread([1], [3])
    assert np.isnan([alone.between_sd, alone.se_total, alone.icc]).all()
    assert alone.rerun_sd == pytest.approx(np.sqrt(1 * 2 / 6))
    with pytest.raises(ParameterError, match="at least one run"):
        stats.rerun_spread([1, 0], [1, 0])
