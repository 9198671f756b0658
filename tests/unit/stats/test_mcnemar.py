"""McNemar's tests against their twins, by hand, and where others overflow."""

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import stats_paired as slow

ALTERNATIVES = ("two-sided", "greater", "less")

# Incomplete beta, error function and t tails agree with their twins to a few units of rounding.
ROUNDING = 1e-13


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", ["mcnemar_exact", "mcnemar_midp", "mcnemar_chi2", "mcnemar_cc"])
def test_mcnemar_agrees_with_its_twin(name, alternative):
    n10, n01 = np.indices((14, 14))
    twin = [[getattr(slow, name)(a, b, alternative) for b in range(14)] for a in range(14)]
    np.testing.assert_allclose(getattr(stats, name)(n10, n01, alternative), twin, rtol=ROUNDING, atol=0)


def test_mcnemar_by_hand():
    # m = 5, one against four: P(X ≤ 1) = 6/32; the point P(X = 1) = 5/32.
    assert stats.mcnemar_exact(1, 4) == 12 / 32
    assert stats.mcnemar_midp(1, 4) == pytest.approx(7 / 32, abs=1e-15)
    assert stats.mcnemar_exact(1, 4, "greater") == 6 / 32
    assert stats.mcnemar_exact(1, 4, "less") == 31 / 32
    assert stats.mcnemar_midp(1, 4, "greater") == pytest.approx(3.5 / 32, abs=1e-15)


def test_four_of_four_one_way_is_no_proof():
    """Trap 2: four discordant cases of 30, all one way."""
    assert stats.mcnemar_exact(0, 4) == 0.125
    assert stats.mcnemar_midp(0, 4) == 0.0625


def test_no_result_of_five_cases_at_usual_discordance_is_significant():
    """Trap 5: with five cases even five of five discordant one way reach only .0625."""
    assert stats.mcnemar_exact(0, 5) == 0.0625


def test_twenty_thousand_pairs_do_not_overflow():
    """Trap 6: 2.0**m overflows from 1024 discordant cases on."""
    for test in (stats.mcnemar_exact, stats.mcnemar_midp):
        p = test([10_000, 10_300, 12_000, 0], [10_000, 9_700, 8_000, 20_000])
        assert p[0] == 1.0
        # The normal approximation with a correction is within a per cent of the tail at z = 4.2.
        assert p[1] == pytest.approx(stats.mcnemar_cc(10_300, 9_700), rel=0.05)
        assert 0 < p[2] < 1e-150
        assert p[3] == 0.0


def test_mcnemar_tail_at_twenty_thousand_pairs_is_exact():
    k, m = 9_700, 20_000
    # Python's integers carry the whole tail: no logarithm, no approximation.
    total, term = 0, 1
    for j in range(k + 1):
        total += term
        term = term * (m - j) // (j + 1)
    assert stats.mcnemar_exact(k, m - k) == pytest.approx(2 * total / 2**m, rel=1e-12)
