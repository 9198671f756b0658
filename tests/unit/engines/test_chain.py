"""Chains of binomials and their windows."""

import math

import numpy as np
import pytest
from scipy import stats

from simstudy.engines import chain, laws
from simstudy.scenarios import get_scenario


def paired_point(n, p10, p01, p11):
    paired = get_scenario("paired")
    return paired.point({"n_cases": n, "accuracy_a": p10 + p11, "difference": p01 - p10, "discordance": p10 + p01})


def law_of(point, reading):
    pieces = list(laws.exact_laws(point, reading))
    return np.concatenate([piece.rows for piece in pieces]), np.concatenate([piece.probability for piece in pieces])


def test_what_a_window_leaves_out_is_below_the_promise():
    """All outcomes with a probability above the stated one are there, at a size where windows matter."""
    n, cells = 10_000, (0.002, 0.004, 0.7)
    rows, _ = law_of(paired_point(n, *cells), ("n10", "n01"))
    spread = [stats.binom(n, p) for p in cells[:2]]
    for axis, law in enumerate(spread):
        assert law.cdf(rows[:, axis].min() - 1) < 1e-15
        assert law.sf(rows[:, axis].max()) < 1e-15


@pytest.mark.parametrize("p", [0.0, 1e-6, 0.3, 0.5, 1 - 1e-6, 1.0])
@pytest.mark.parametrize("whole", [False, True])
def test_binomial_tables(p, whole):
    sizes = np.array([0, 1, 5, 60])
    start, table = chain.binomial_table(sizes, p, whole)
    for n, first, row in zip(sizes, start, table, strict=True):
        outcomes = first + np.arange(len(row))
        # SciPy's own binomial law is good to some 1e-13
        assert row == pytest.approx(stats.binom.pmf(outcomes, n, p), rel=1e-11, abs=1e-30)
        if whole:
            assert first <= 0
            assert outcomes[-1] >= n


@pytest.mark.parametrize("variance", [1e-9, 1e-3, 0.25])
def test_reach_bounds_binomial_tails(variance):
    p = 0.5 - math.sqrt(0.25 - variance)
    for n in (10, 1000, 100_000):
        t = chain.reach(n, variance)
        assert stats.binom.sf(math.ceil(n * p + t) - 1, n, p) <= chain.TAIL
        assert stats.binom.cdf(math.floor(n * p - t), n, p) <= chain.TAIL


def test_rounding_gives_impossible_classes_no_share():
    """1 − .7 − .2 is a little more than .1: the third class takes all that is left, and the fourth nothing."""
    assert chain.conditional_shares([0.7, 0.2, 0.1, 0.0])[2] == 1.0
    state = chain.whole_chain(6, chain.conditional_shares([0.7, 0.2, 0.1, 0.0]))
    assert state.probability[state.left > 0].sum() == 0
