"""Sign flips of gaps: all of them counted, convolved, and by hand."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simstudy import stats
from tests.oracle import self_preference_slow as slow

# one rounding or a few, whatever the route
ROUNDING = 1e-13


def test_sign_flips_are_all_counted():
    sizes = [(h, w) for h, w in itertools.product(range(6), range(5))]
    rows = [(t, h, w) for h, w in sizes for t in range(-h - 2 * w, h + 2 * w + 1, 2) if h or t % 4 == 2 * w % 4]
    expected = [slow.flip_p_value(*row) for row in rows]
    np.testing.assert_allclose(stats.gap_sign_flip(*np.array(rows).T), expected, rtol=ROUNDING)
    doubled = [[2] * 2 + [1] * 3, [2, -2, 1, 1, -1], [-2, -2, -1, -1, -1]]
    for alternative in ("two-sided", "greater", "less"):
        found = stats.gap_sign_flip([7, 1, -7], 3, 2, alternative)
        np.testing.assert_allclose(found, stats.sign_flip_exact(doubled, alternative), rtol=ROUNDING)


@pytest.mark.parametrize(
    ("halves", "wholes"),
    [(380, 11), (300, 300), (5, 400), (0, 300), (1, 300), (500, 0), (2000, 50), (4000, 2000), (150, 1000), (401, 1)],
)
def test_large_tables_are_their_convolution(halves, wholes):
    """From some hundred steps on the tail is a sum over few values of the wholes; SciPy's law of both is convolved."""
    fair = [scipy_stats.binom(n, 0.5).pmf(np.arange(n + 1)) for n in (halves, wholes)]
    doubled = np.zeros(2 * wholes + 1)
    doubled[::2] = fair[1]
    law = np.convolve(fair[0], doubled)
    steps = np.arange(0, law.size, 1 if halves else 2)[:: max(1, law.size // 400)]
    expected = np.cumsum(law[::-1])[::-1][steps]
    found = stats.gap_sign_flip(2 * steps - halves - 2 * wholes, halves, wholes, "greater")
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    # small tails have digits too, to SciPy's own rounding
    seen = expected > 1e-30
    np.testing.assert_allclose(found[seen], expected[seen], rtol=1e-10)


def test_tails_of_a_row_do_not_depend_on_its_neighbours():
    rows = np.array([[10, 3], [380, 11], [70_000, 2800], [3, 0], [5000, 900]])
    total = np.array([4, -120, 700, 1, 0])
    together = stats.gap_sign_flip(total, *rows.T)
    alone = [stats.gap_sign_flip(t, *row) for t, row in zip(total, rows, strict=True)]
    np.testing.assert_allclose(together, alone, rtol=ROUNDING)


def test_huge_tables_approach_the_normal_law():
    """With 70 million halves Edgeworth's next term is of the order 1/n."""
    halves, wholes = 70_000_000, 2_800_000
    spread = math.sqrt(halves / 4 + wholes)
    total = 2 * round(2 * spread)
    expected = scipy_stats.norm.sf((total / 2 - 0.5) / spread)
    assert stats.gap_sign_flip(total, halves, wholes, "greater") == pytest.approx(expected, rel=1e-7)


def test_sign_flips_by_hand():
    assert stats.gap_sign_flip(0, 0, 0) == 1
    # four equal signs of halves: 2 of 16 flips
    assert stats.gap_sign_flip(4, 4, 0) == 0.125
    # 2 + 1 and its mirror image, of four flips
    assert stats.gap_sign_flip(3, 1, 1) == 0.5
    assert stats.gap_sign_flip(3, 1, 1, "greater") == 0.25
    assert stats.gap_sign_flip(3, 1, 1, "less") == 1


def test_sums_longer_than_a_chunk_of_few_rows():
    """Without halves a billion wholes are a fair coin each, and nearly normal."""
    wholes = 4 * 10**9
    found = stats.gap_sign_flip(np.array([2 * 10**5, 0]), 0, wholes, "greater")
    assert found[0] == pytest.approx(scipy_stats.norm.sf((10**5 - 1) / math.sqrt(wholes)), rel=1e-6)
    assert found[1] == pytest.approx(0.5, abs=1e-5)
