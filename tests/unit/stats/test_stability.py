"""What repeated verdicts show, by hand and against binomial sums."""

import itertools

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import stability_slow as slow

ROUNDING = 1e-13
TABLE = np.array([[1, 1, 1, 1], [1, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0]])


def test_by_hand():
    assert stats.unstable_share(TABLE) == 0.5
    # minority verdicts 0, 1, 2, 0 of 16
    assert stats.minority_share(TABLE) == 3 / 16
    # pairs that disagree: 0, 3, 4, 0 of 6 each
    assert stats.pair_disagreement(TABLE) == pytest.approx(7 / 24, abs=1e-15)
    assert stats.majority_verdict(TABLE).tolist() == [1, 1, 0.5, 0]


def test_several_tables_at_once():
    both = np.stack([TABLE, 1 - TABLE])
    for statistic in (stats.unstable_share, stats.minority_share, stats.pair_disagreement):
        assert statistic(both).tolist() == [statistic(TABLE)] * 2
    np.testing.assert_array_equal(stats.majority_verdict(both), [[1, 1, 0.5, 0], [0, 0, 0.5, 1]])


@pytest.mark.parametrize("q", [0.0, 0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("k", [2, 3, 5, 6])
def test_estimators_have_the_means_they_should_have(k, q):
    """Expectation over all 2^k outcomes of one prompt."""
    outcomes = np.array(list(itertools.product([0, 1], repeat=k)))[:, None, :]
    probability = np.prod(np.where(outcomes[:, 0] == 1, q, 1 - q), axis=1)
    assert probability @ stats.unstable_share(outcomes) == pytest.approx(slow.unstable(k, q), abs=ROUNDING)
    assert probability @ stats.minority_share(outcomes) == pytest.approx(slow.minority_share(k, q), abs=ROUNDING)
    # without bias, whatever the number of repetitions
    assert probability @ stats.pair_disagreement(outcomes) == pytest.approx(2 * q * (1 - q), abs=ROUNDING)
    right = np.abs(stats.majority_verdict(outcomes)[:, 0] - (q > 0.5))
    expected = slow.majority_error(k, q)
    assert probability @ right == pytest.approx(expected if q != 0.5 else 0.5, abs=ROUNDING)
    assert stats.majority_error(k, q) == pytest.approx(expected, abs=ROUNDING)


@pytest.mark.parametrize("k", [1, 2, 5, 8])
def test_the_law_of_minority_verdicts(k):
    q, weights = [0.1, 0.5, 1.0], [0.5, 0.3, 0.2]
    law = stats.minority_law(k, q, weights)
    expected = np.zeros(k // 2 + 1)
    for share, chance in zip(weights, q, strict=True):
        for x in range(k + 1):
            expected[min(x, k - x)] += share * slow.binomial(k, x, chance)
    np.testing.assert_allclose(law, expected, rtol=0, atol=ROUNDING)
    assert law.sum() == pytest.approx(1, abs=ROUNDING)
    assert law[0] == pytest.approx(1 - sum(w * slow.unstable(k, c) for w, c in zip(weights, q, strict=True)))
    np.testing.assert_allclose(stats.minority_law(k, [0.3, 0.3]), stats.minority_law(k, 0.3), rtol=1e-14)


def test_a_second_repetition_after_an_odd_number_cures_nothing():
    k, q = np.arange(1, 40, 2), np.linspace(0, 1, 11)[:, None]
    np.testing.assert_array_equal(stats.majority_error(k, q), stats.majority_error(k + 1, q))
    error = stats.majority_error(k, q)
    assert (np.diff(error, axis=1) <= ROUNDING).all()
    np.testing.assert_allclose(error[5], 0.5, rtol=0, atol=ROUNDING)


def test_wrong_tables_are_refused():
    for wrong in ([1, 0, 1], [[1], [0]], np.empty((0, 3))):
        with pytest.raises(ParameterError, match="prompts by repetitions"):
            stats.unstable_share(wrong)
    for wrong in ([[1, 2]], [[1, np.nan]]):
        with pytest.raises(ParameterError, match="0 and 1 alone"):
            stats.pair_disagreement(wrong)
    with pytest.raises(ParameterError, match="weights must be one share for each q"):
        stats.minority_law(3, [0.1, 0.2], [0.5, 0.6])
    with pytest.raises(ParameterError, match="repetitions is 0"):
        stats.minority_law(0, [0.1])
    with pytest.raises(ParameterError, match="q must lie between 0 and 1"):
        stats.minority_law(3, [1.1])
    with pytest.raises(ParameterError, match=r"whole numbers from 1; it holds 0\.5"):
        stats.majority_error([3, 0.5], 0.2)
