"""Kappa and its intervals against fractions, by hand, and in their corners."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from simstudy.kernels import streams
from simstudy.stats import agreement
from tests.oracle import agreement_slow as slow

# both routes carry some 1e-15; the standard error is a square root of a sum of a few such terms
ROUNDING = 1e-12

EXAMPLE = (60, 5, 15, 20)

SMALL = np.array([t for t, _ in slow.multinomial(5, [0.25] * 4)] + [t for t, _ in slow.multinomial(1, [0.25] * 4)])

TABLES = np.vstack([SMALL, [EXAMPLE, (0, 7, 7, 0), (0, 7, 6, 0), (30, 0, 0, 6), (900, 3, 2, 95), (1, 99, 1, 899)]])


def test_the_example_by_hand():
    """60 both right, 20 both wrong, 15 and 5 in disagreement: p_o 4/5, p_e 23/40, kappa 9/17."""
    assert stats.kappa(*EXAMPLE) == pytest.approx(float(Fraction(9, 17)), abs=1e-15)
    found = stats.judge_agreement(*EXAMPLE)
    assert found.accuracy == 0.8
    assert found.pabak == pytest.approx(0.6, abs=1e-15)
    chance = found.prevalence * found.said_correct + (1 - found.prevalence) * (1 - found.said_correct)
    assert chance == pytest.approx(23 / 40, abs=1e-15)
    # the other way round labels and verdicts change places, and kappa stays
    assert stats.kappa(60, 15, 5, 20) == stats.kappa(*EXAMPLE)


def test_kappa_and_standard_error_are_those_of_the_twin():
    expected = []
    for tp, fn, fp, tn in TABLES.tolist():
        shares = slow.shares_of([[tp, fn], [fp, tn]])
        centre = slow.kappa(shares)
        expected.append((math.nan if centre is None else float(centre), slow.standard_error([[tp, fn], [fp, tn]])))
    found = np.array([stats.kappa(*TABLES.T), stats.kappa_standard_error(*TABLES.T)]).T
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING)
    # where the twin's standard error is 0, so is this one, to the last bit
    assert ((found[:, 1] == 0) == (np.array(expected)[:, 1] == 0)).all()


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("name", ["kappa_wald", "kappa_adjusted"])
def test_intervals_are_those_of_the_twin(name, level):
    expected = [getattr(slow, name)(*table, level) for table in TABLES.tolist()]
    found = np.array(getattr(stats, name)(*TABLES.T, level)).T
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING)


def test_what_is_undefined():
    nothing, one_kind, agreed, lazy, opposed = (0, 0, 0, 0), (9, 0, 0, 0), (30, 0, 0, 6), (25, 0, 11, 0), (0, 5, 5, 0)
    columns = np.array([nothing, one_kind, agreed, lazy, opposed]).T
    np.testing.assert_array_equal(stats.kappa(*columns), [np.nan, np.nan, 1, 0, -1])
    np.testing.assert_array_equal(stats.kappa_standard_error(*columns), [np.nan, np.nan, 0, 0, 0])
    assert np.isnan(stats.kappa_wald(*columns)).all()
    assert np.isnan(stats.kappa_bootstrap(*columns, 1, 200)).all()
    low, high = stats.kappa_adjusted(*columns)
    np.testing.assert_array_equal(np.isnan(low), [True, True, False, False, False])
    np.testing.assert_array_equal(np.isnan(high), np.isnan(low))
    assert low[2] < 1


def test_a_judge_that_always_says_correct_agrees_by_chance_alone():
    found = stats.judge_agreement(70, 0, 30, 0)
    assert found.accuracy == 0.7
    assert found.kappa == 0
    assert found.said_correct == 1
    assert found.sensitivity == 1
    assert found.specificity == 0


def test_large_counts_keep_their_digits():
    million = np.array(EXAMPLE) * 10**9
    assert stats.kappa(*million) == pytest.approx(9 / 17, rel=1e-15)
    scaled = stats.kappa_standard_error(*million) * math.sqrt(1e9)
    assert scaled == pytest.approx(stats.kappa_standard_error(*EXAMPLE), rel=1e-12)
    # a single disagreement in a billion has a standard error that is small and not zero
    assert 0 < stats.kappa_standard_error(700_000_000, 1, 0, 299_999_999) < 1e-8


def resampled_law(table):
    """The exact law of kappa of a resampled table; None where it is undefined."""
    n = sum(table)
    law = Counter()
    for (tp, fn, fp, tn), probability in slow.multinomial(n, [cell / n for cell in table]):
        centre = slow.kappa(slow.shares_of([[tp, fn], [fp, tn]]))
        law[centre] += probability
    return law


@pytest.mark.parametrize("table", [(5, 1, 1, 3), (7, 0, 1, 2), (3, 2, 4, 1)])
def test_bootstrap_limits_are_quantiles_of_the_law_of_resamples(table):
    """At 20,000 resamples a share of .1 has standard error .0021: six of them, a false alarm in 1e9."""
    law, slack = resampled_law(table), 6 * math.sqrt(0.1 * 0.9 / 20_000)
    low, high = stats.kappa_bootstrap(*table, seed=3, resamples=20_000, level=0.8)
    lost = law.pop(None, 0.0)
    below = sum(p for k, p in law.items() if float(k) < low - ROUNDING) + lost
    up_to = below + sum(p for k, p in law.items() if abs(float(k) - low) <= ROUNDING)
    assert below < 0.1 + slack
    assert up_to > 0.1 - slack
    above = sum(p for k, p in law.items() if float(k) > high + ROUNDING) + lost
    down_to = above + sum(p for k, p in law.items() if abs(float(k) - high) <= ROUNDING)
    assert above < 0.1 + slack
    assert down_to > 0.1 - slack


def test_a_table_has_the_same_bootstrap_limits_in_any_company():
    alone = stats.kappa_bootstrap(*EXAMPLE, seed=8, resamples=500)
    tables = np.array([(3, 1, 1, 5), EXAMPLE, (40, 4, 3, 9), EXAMPLE]).T
    low, high = stats.kappa_bootstrap(*tables, seed=8, resamples=500)
    assert (low[1], high[1]) == (low[3], high[3]) == alone
    assert stats.kappa_bootstrap(*EXAMPLE, seed=9, resamples=500) != alone
    other = stats.kappa_bootstrap(60, 5, 20, 15, seed=8, resamples=500)
    assert other != alone


def test_bootstrap_limits_are_order_statistics():
    """.95 of 1000 resamples: the 25th and the 975th, although 1 − .95 is a little more than .05."""
    low, high = stats.kappa_bootstrap(*EXAMPLE, seed=1, resamples=1000)
    key = np.array([1, (3 << 48) + 20], np.uint64)
    generator = np.random.Generator(np.random.Philox(key=key, counter=np.array([0, 60, 5, 15], np.uint64)))
    drawn = np.sort(stats.kappa(*generator.multinomial(100, np.array(EXAMPLE) / 100, size=1000).T))
    assert (low, high) == (drawn[24], drawn[974])


def test_a_resample_without_a_kappa_never_narrows_the_interval():
    """Of (3, 1, 0, 1) resamples .6^5 = .078 and 2·.2^5 hold one cell alone: more than the tail of .05."""
    low, high = stats.kappa_bootstrap(3, 1, 0, 1, seed=1, resamples=4000, level=0.9)
    assert low == -1
    assert high == 1


def test_resampling_is_the_registered_stream():
    """The bootstrap draws from the stream of resampling, whose number `stats` cannot import."""
    assert agreement.RESAMPLING == streams.RESAMPLING


def test_tables_too_large_for_their_address_are_refused():
    with pytest.raises(ParameterError, match=r"counts below 2\*\*48"):
        stats.kappa_bootstrap(2**48, 1, 1, 5, seed=1, resamples=10)
    with pytest.raises(ParameterError, match="resamples is 1000000000000; it must be a whole number from 1 to"):
        stats.kappa_bootstrap(*EXAMPLE, seed=1, resamples=10**12)
    with pytest.raises(ParameterError, match="seed is -1"):
        stats.kappa_bootstrap(*EXAMPLE, seed=-1, resamples=10)
