"""Kappa and its intervals against fractions, by hand, and in their corners."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError, UnknownNameError
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
    assert np.isnan(low[0])
    # one verdict of a kind is a table too, and no certificate
    assert np.isfinite([low[1:], high[1:]]).all()
    assert low[1] < 0
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


# ------------------------------------------------------------------------------------------------------- bootstrap


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


# ------------------------------------------------------------------------------------------- tables of more categories

ORDINAL = np.array([[20, 5, 1, 0], [3, 15, 6, 1], [0, 4, 10, 2], [1, 0, 3, 9]])
POWERS = {"none": None, "linear": 1, "quadratic": 2}


@pytest.mark.parametrize("weights", POWERS)
@pytest.mark.parametrize("table", [ORDINAL, ORDINAL[:3, :3], np.diag([3, 4, 5]), np.array([[0, 4], [4, 0]])])
def test_weighted_kappa_is_that_of_the_twin(table, weights):
    expected = float(slow.kappa(slow.shares_of(table.tolist()), POWERS[weights]))
    error = slow.standard_error(table.tolist(), POWERS[weights])
    assert stats.cohen_kappa(table, weights) == pytest.approx(expected, abs=ROUNDING)
    assert stats.cohen_kappa_standard_error(table, weights) == pytest.approx(error, abs=ROUNDING)
    limits = stats.cohen_kappa_interval(table, weights, 0.9)
    assert np.isnan(limits).all() == (error == 0)


def test_several_tables_at_once_and_two_categories():
    stack = np.array([[[60, 5], [15, 20]], [[60, 15], [5, 20]], [[0, 0], [0, 0]]])
    np.testing.assert_array_equal(stats.cohen_kappa(stack), [stats.kappa(*EXAMPLE)] * 2 + [np.nan])
    np.testing.assert_allclose(stats.cohen_kappa_interval(stack)[0][:1], stats.kappa_wald(*EXAMPLE)[0], rtol=1e-15)
    # with two categories all weights are the same
    assert stats.cohen_kappa(stack[0], "quadratic") == stats.cohen_kappa(stack[0])
    np.testing.assert_allclose(stats.pabak(stack), [0.6, 0.6, np.nan], rtol=1e-15)
    # three categories that agree by chance: p_o = 1/3 gives 0
    assert stats.pabak(np.ones((3, 3))) == pytest.approx(0, abs=1e-15)


def test_counting_pairs_of_ratings():
    table = stats.agreement_table(["good", "bad", "good"], ["good", "good", "bad"], ["bad", "fair", "good"])
    assert table.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 1]]
    assert stats.agreement_table([1, 0, 0], [1, 1, 0]).tolist() == [[1, 1], [0, 1]]
    with pytest.raises(ParameterError, match="The rating good is none of the categories bad, fair"):
        stats.agreement_table(["good"], ["bad"], ["bad", "fair"])
    with pytest.raises(ParameterError, match=r"first has the shape \(2,\) and second \(1,\)"):
        stats.agreement_table([1, 2], [1])


def test_tables_that_are_none_are_refused():
    for wrong in ([1, 2, 3], [[1, 2, 3], [4, 5, 6]], [[4]]):
        with pytest.raises(ParameterError, match="it must be square"):
            stats.cohen_kappa(wrong)
    with pytest.raises(ParameterError, match="table must not be negative; it holds -1"):
        stats.pabak([[1, -1], [0, 3]])
    with pytest.raises(UnknownNameError, match=r"no weights 'quadrat'\. Did you mean quadratic"):
        stats.cohen_kappa(ORDINAL, "quadrat")
    with pytest.raises(ParameterError, match="resamples is 0"):
        stats.kappa_bootstrap(*EXAMPLE, 1, 0)
    with pytest.raises(ParameterError, match="fn must not be negative"):
        stats.kappa(1, -1, 0, 0)


# --------------------------------------------------------------------------------------------------------- clusters


def test_clusters_of_one_unit_are_the_table_itself():
    first, second = np.repeat([0, 0, 1, 1], [60, 5, 15, 20]), np.repeat([0, 1, 0, 1], [60, 5, 15, 20])
    kappa, error = stats.cohen_kappa_clustered(first, second, np.arange(100))
    assert kappa == pytest.approx(9 / 17, abs=1e-15)
    assert error == pytest.approx(stats.kappa_standard_error(*EXAMPLE) * math.sqrt(100 / 99), rel=1e-12)


def test_verdicts_that_are_counted_twice_say_nothing_new():
    """Each unit twice, both copies in one cluster: the error of the single units, not 1/√2 of it."""
    first, second = np.repeat([0, 0, 1, 1], [9, 2, 3, 7]), np.repeat([0, 1, 0, 1], [9, 2, 3, 7])
    alone = stats.cohen_kappa_clustered(first, second, np.arange(21), weights="linear")
    twice = stats.cohen_kappa_clustered(*(np.tile(x, 2) for x in (first, second, np.arange(21))), weights="linear")
    assert twice == pytest.approx(alone, rel=1e-12)
    low, high = stats.cohen_kappa_clustered_interval(first, second, np.arange(21), level=0.9)
    # t with 20 degrees of freedom, 1.7247 in every table
    assert high - low == pytest.approx(2 * 1.7247 * alone[1], rel=1e-4)


@pytest.mark.parametrize("weights", POWERS)
def test_cluster_sums_are_those_of_the_derivatives(weights):
    rng = np.random.default_rng(2)
    first = rng.integers(0, 3, 30)
    second = np.where(rng.random(30) < 0.6, first, rng.integers(0, 3, 30))
    cluster = rng.integers(0, 7, 30)
    table = stats.agreement_table(first, second, [0, 1, 2]).tolist()
    influence = slow.influences(table, POWERS[weights])
    sums = [
        float(sum(influence[a][b] for a, b, c in zip(first, second, cluster, strict=True) if c == k)) for k in range(7)
    ]
    expected = math.sqrt(7 / 6 * sum(s * s for s in sums)) / 30
    assert stats.cohen_kappa_clustered(first, second, cluster, [0, 1, 2], weights)[1] == pytest.approx(
        expected, rel=1e-10
    )


def test_clusters_that_say_nothing():
    for first, second, cluster in (([0, 1, 1], [0, 1, 1], [1, 2, 3]), ([0, 1, 1], [0, 1, 0], [1, 1, 1])):
        assert np.isnan(stats.cohen_kappa_clustered(first, second, cluster)[1])
        assert np.isnan(stats.cohen_kappa_clustered_interval(first, second, cluster)).all()
    with pytest.raises(ParameterError, match="There are 2 ratings and 1 names of clusters"):
        stats.cohen_kappa_clustered([0, 1], [0, 1], [3])
    with pytest.raises(ParameterError, match="two or more categories"):
        stats.cohen_kappa_clustered([1, 1], [1, 1], [3, 4], weights="linear")
    assert np.isnan(stats.cohen_kappa_clustered([1, 1], [1, 1], [3, 4], [0, 1], "linear")).all()


# ------------------------------------------------------------------------------------------------------ many raters

NOBODY = None
RATINGS = [
    [1, 1, NOBODY, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, NOBODY, 3, 1],
    [NOBODY, 2, NOBODY, NOBODY],
    [4, 4, 1, 4],
]


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_is_that_of_all_pairs(metric):
    expected = slow.krippendorff(RATINGS, metric)
    assert stats.krippendorff_alpha(np.array(RATINGS, float), metric) == pytest.approx(expected, abs=ROUNDING)


def test_alpha_where_nothing_can_be_said():
    assert np.isnan(stats.krippendorff_alpha([[1, np.nan], [np.nan, 2]]))
    assert np.isnan(stats.krippendorff_alpha([[1, 1], [1, 1]]))
    assert stats.krippendorff_alpha([[1, 1], [2, 2]]) == 1
    with pytest.raises(ParameterError, match="units in rows and raters in columns"):
        stats.krippendorff_alpha([1, 2, 3])
    with pytest.raises(UnknownNameError, match="no metric 'ratio'"):
        stats.krippendorff_alpha([[1, 1]], "ratio")


# ---------------------------------------------------------------------------------------------------------- reports


def test_a_fault_of_one_system_shows_in_its_group_alone():
    """The judge calls half the right answers of system b wrong: accuracy .9 over all, sensitivity .5 on b."""
    system = np.repeat(["a", "b"], [80, 20])
    label = np.ones(100)
    label[:40] = 0
    verdict = label.copy()
    verdict[90:] = 0
    overall = stats.judge_agreement_by_group(label, verdict, np.zeros(100))[0]
    by_system = stats.judge_agreement_by_group(label, verdict, system)
    assert overall.accuracy == 0.9
    assert list(by_system) == ["a", "b"]
    assert by_system["a"].sensitivity == by_system["a"].specificity == 1
    assert by_system["b"].sensitivity == 0.5
    assert by_system["b"].sensitivity_interval == stats.wilson(10, 20)
    assert np.isnan(by_system["b"].specificity)
    assert by_system["b"].n == 20


def test_unreadable_verdicts_are_a_third_verdict():
    label, verdict = [1, 1, 1, 0, 0, 0], [1, np.nan, 0, 0, np.nan, 1]
    found = stats.judge_agreement_by_group(label, verdict, ["x"] * 6)["x"]
    assert found == stats.judge_agreement(1, 1, 1, 1, 1, 1)
    assert found.unreadable == pytest.approx(1 / 3)
    assert found.n == 4
    # the same table with unreadable as a category of its own
    three = [[1, 1, 1], [1, 1, 1], [0, 0, 0]]
    assert found.kappa_unreadable == pytest.approx(stats.cohen_kappa(three), abs=1e-15)
    assert stats.judge_agreement(*EXAMPLE).kappa_unreadable == pytest.approx(9 / 17, abs=1e-15)


def test_reports_of_arrays_keep_their_shape():
    found = stats.judge_agreement([60, 0], [5, 0], [15, 0], [20, 0], 0, [0, 3], level=0.9)
    np.testing.assert_array_equal(found.n, [100, 0])
    np.testing.assert_array_equal(found.unreadable, [0, 1])
    assert found.kappa_interval[0].shape == (2,)
    assert np.isnan([found.kappa[1], found.accuracy[1], found.kappa_interval[1][1]]).all()


def test_records_that_do_not_fit_are_refused():
    with pytest.raises(ParameterError, match=r"shapes \(2,\), \(1,\) and \(2,\)"):
        stats.judge_agreement_by_group([1, 0], [1], ["x", "x"])
    with pytest.raises(ParameterError, match="label must hold 1"):
        stats.judge_agreement_by_group([np.nan], [1], ["x"])
    with pytest.raises(ParameterError, match="verdict must hold 1"):
        stats.judge_agreement_by_group([1], [2], ["x"])


def test_distinct_answers():
    assert stats.distinct_answers([1, 1, 2, 2], ["yes", "yes", "yes", "no"]) == 3
    assert stats.distinct_answers([], []) == 0
    with pytest.raises(ParameterError, match="There are 2 cases and 1 answers"):
        stats.distinct_answers([1, 2], ["a"])
