"""The sign-flip test against every flip written out."""

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import stats_paired as slow

ALTERNATIVES = ("two-sided", "greater", "less")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_agrees_with_every_flip_written_out(alternative):
    differences = np.random.default_rng(3).integers(-4, 5, size=(60, 9))
    expected = [slow.sign_flip(row.tolist(), alternative) for row in differences]
    # 2⁻⁹ steps: both are exact but for the rounding of a few sums.
    np.testing.assert_allclose(stats.sign_flip_exact(differences, alternative), expected, rtol=1e-13)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_counts_give_the_same_as_the_differences(alternative):
    tally = np.random.default_rng(4).integers(0, 6, size=(50, 5))
    values = [-2, -1, 0, 1, 2]
    expected = [stats.sign_flip_exact(np.repeat(values, row), alternative) for row in tally]
    np.testing.assert_allclose(stats.sign_flip_counts(tally, values, alternative), expected, rtol=1e-13)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_is_exact_mcnemar_on_zeros_and_ones(alternative):
    n10, n01 = (grid.ravel() for grid in np.indices((12, 12)))
    tally = np.stack([n10, n01], axis=1)
    p = stats.sign_flip_counts(tally, [-1, 1], alternative)
    np.testing.assert_allclose(p, stats.mcnemar_exact(n10, n01, alternative), rtol=1e-13)


def test_nothing_but_zeros_is_one():
    assert stats.sign_flip_exact([0, 0, 0]) == 1.0
    assert stats.sign_flip_exact([]) == 1.0
    assert stats.sign_flip_counts([5], [0]) == 1.0
    np.testing.assert_array_equal(stats.sign_flip_exact([[0, 0], [1, 1]]), [1.0, 0.5])


def test_the_order_of_units_changes_nothing():
    differences = np.random.default_rng(5).integers(-3, 4, size=30)
    shuffled = np.random.default_rng(6).permutation(differences)
    assert stats.sign_flip_exact(differences) == stats.sign_flip_exact(shuffled)


def test_twenty_thousand_differences():
    """Trap 6 again: 2^20000 flips."""
    p = stats.sign_flip_counts([[10_300, 9_700]], [-1, 1])
    np.testing.assert_allclose(p, stats.mcnemar_exact(10_300, 9_700), rtol=1e-10)


def test_flips_are_centred_at_the_null():
    """Trap 16: the share of *uncentred* bootstrap differences at or below minus the observed one is no p-value.

    Six against four of ten discordant cases is no evidence (p = .75), whatever the bootstrap around the observed
    difference puts below −d.
    """
    differences = np.repeat([1, -1, 0], [6, 4, 26])
    p = stats.sign_flip_exact(differences)
    rng = np.random.default_rng(16)
    resampled = rng.choice(differences, size=(4000, differences.size)).sum(axis=1)
    uncentred = np.mean(resampled <= -differences.sum())
    assert p == pytest.approx(slow.mcnemar_exact(4, 6), rel=1e-13)
    assert uncentred < p / 4


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="one column per value"):
        stats.sign_flip_counts([[1, 2, 3]], [-1, 1])
    with pytest.raises(ValueError, match="axis of units"):
        stats.sign_flip_exact(3)
    with pytest.raises(ValueError, match=r"whole numbers; it holds 0\.5"):
        stats.sign_flip_exact([0.5, 1])


@pytest.mark.parametrize(
    "call",
    [
        lambda: stats.sign_flip_exact([10**15, -(10**15)]),
        lambda: stats.sign_flip_exact([10**6 * k + 1 for k in range(30)]),
        lambda: stats.sign_flip_counts([10**9, 0, 3], [-1, 0, 1]),
        # fits the memory, and takes 10**13 products
        lambda: stats.sign_flip_counts([10**7, 0, 10**6], [-1, 0, 2]),
    ],
)
def test_laws_that_fill_the_memory_are_refused(call):
    with pytest.raises(ParameterError, match="divide the differences by a common factor"):
        call()
