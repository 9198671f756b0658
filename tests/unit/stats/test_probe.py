"""A bias probe: three answers, and the smallest bias that it would have seen."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from simstudy.errors import ParameterError
from simstudy.stats import bias_probe, mcnemar_exact, mcnemar_midp

# bisection to 1e-10 in the log-odds; power changes by less than one per logit times √total
SOLVED = 1e-7


def rejection_rate(total, share, test, alpha):
    """By enumeration with SciPy's binomial."""
    p_value = {"exact": mcnemar_exact, "midp": mcnemar_midp}[test]
    law = scipy_stats.binom(total, share)
    return sum(law.pmf(k) for k in range(total + 1) if p_value(total - k, k) <= alpha)


def test_ten_pairs_without_enough_contradictions_see_nothing():
    """The published kind of probe that says "ok" although it is blind."""
    probe = bias_probe(against=1, toward=3)
    assert probe.answer == "could not be seen"
    assert probe.smallest == math.inf
    # two-sided mid-p of six on one side is 2/64 − 1/64; of five 2/32 − 1/32 < .05 too
    assert probe.needed == 5
    assert bias_probe(against=0, toward=3, test="exact").needed == 6


def test_what_is_seen_and_what_would_have_been():
    assert bias_probe(against=2, toward=12).answer == "seen"
    unseen = bias_probe(against=6, toward=8)
    assert unseen.answer == "not seen"
    share = 1 / (1 + math.exp(-unseen.smallest))
    assert rejection_rate(14, share, "midp", 0.05) == pytest.approx(0.8, abs=SOLVED)


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from(["midp", "exact"]), st.sampled_from([0.01, 0.05, 0.2]))
def test_answer_interval_and_test_agree(against, toward, test, alpha):
    probe = bias_probe(against=against, toward=toward, test=test, alpha=alpha)
    mirrored = bias_probe(against=toward, toward=against, test=test, alpha=alpha)
    assert probe.answer == mirrored.answer
    if against + toward == 0:
        assert math.isnan(probe.log_odds)
        assert math.isnan(probe.low)
        return
    assert probe.log_odds == pytest.approx(-mirrored.log_odds, abs=1e-12)
    assert probe.low <= probe.log_odds <= probe.high
    # limits and test of one kind: the interval leaves out 0 where the test rejects (rounding apart)
    if abs(probe.p_value - alpha) > 1e-9:
        assert (probe.answer == "seen") == (probe.low > 0 or probe.high < 0)
    assert (probe.answer == "could not be seen") == (against + toward < probe.needed)
    if math.isfinite(probe.smallest):
        share = 1 / (1 + math.exp(-probe.smallest))
        assert rejection_rate(against + toward, share, test, alpha) == pytest.approx(0.8, abs=SOLVED)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"test": "z"}, "midp or exact"),
        ({"power": 1.0}, r"in \(alpha, 1\)"),
        ({"power": 0.05}, r"in \(alpha, 1\)"),
        ({"alpha": 0.0}, "level"),
        ({"against": -1}, "against"),
        ({"toward": 2.5}, "toward"),
    ],
)
def test_what_cannot_be_is_refused(change, words):
    with pytest.raises(ParameterError, match=words):
        bias_probe(**{"against": 2, "toward": 3, **change})


def test_a_p_value_equal_to_alpha_is_seen():
    """Five of five: 2/32 by the exact test, 1/32 by mid-p."""
    assert bias_probe(against=0, toward=5, test="exact", alpha=0.0625).answer == "seen"
    assert bias_probe(against=0, toward=5, test="exact", alpha=0.0624).answer == "could not be seen"
    assert bias_probe(against=0, toward=5, test="midp", alpha=0.03125).answer == "seen"
    assert bias_probe(against=0, toward=5, test="exact", alpha=0.0625).needed == 5


@pytest.mark.parametrize("change", [{"alpha": "x"}, {"alpha": [0.05]}, {"power": None}, {"test": ["midp"]}])
def test_settings_of_a_wrong_type_are_refused(change):
    with pytest.raises(ParameterError):
        bias_probe(**{"against": 2, "toward": 3, **change})
