"""The public checks pass sound statistics and fail wrong ones."""

import math

import pytest

from simstudy import stats, testing


@pytest.mark.parametrize("name", ["mcnemar_exact", "mcnemar_midp", "mcnemar_chi2", "mcnemar_cc"])
def test_sound_tests_pass(name):
    testing.check_paired_test(lambda n10, n01, n11, n00: getattr(stats, name)(n10, n01), max_examples=60)


def test_a_test_that_is_undefined_on_some_tables_passes():
    def p_value(n10, n01, n11, n00):
        return stats.paired_z(n10, n01, n10 + n01 + n11 + n00)

    testing.check_paired_test(p_value, max_examples=60)


WRONG_TESTS = {
    "one-sided": (lambda n10, n01, n11, n00: stats.mcnemar_exact(n10, n01, "greater"), "swapped"),
    "doubled without a cap": (lambda n10, n01, n11, n00: 2 * stats.mcnemar_exact(n10, n01), "outside"),
    "zero where nothing differs": (lambda n10, n01, n11, n00: 0.0 if n10 == n01 else 1.0, "no discordant"),
}


@pytest.mark.parametrize("name", WRONG_TESTS)
def test_wrong_tests_fail(name):
    wrong, words = WRONG_TESTS[name]
    with pytest.raises(AssertionError, match=words):
        testing.check_paired_test(wrong)


SOUND_INTERVALS = {
    "tango": lambda n10, n01, n11, n00, level: stats.tango(n10, n01, n10 + n01 + n11 + n00, level),
    "newcombe": lambda n10, n01, n11, n00, level: stats.newcombe(n10, n01, n11, n10 + n01 + n11 + n00, level),
    "bonett_price": lambda n10, n01, n11, n00, level: stats.bonett_price(n10, n01, n10 + n01 + n11 + n00, level),
    "undefined": lambda n10, n01, n11, n00, level: (math.nan, math.nan),
}


@pytest.mark.parametrize("name", SOUND_INTERVALS)
def test_sound_intervals_pass(name):
    testing.check_paired_interval(SOUND_INTERVALS[name], max_examples=60)


def _shifted(n10, n01, n11, n00, level):
    low, high = stats.tango(n10, n01, n10 + n01 + n11 + n00, level)
    return low + 0.01, high + 0.01


def _narrowing(n10, n01, n11, n00, level):
    return stats.tango(n10, n01, n10 + n01 + n11 + n00, 1.49 - level)


def _around_zero(n10, n01, n11, n00, level):
    return -0.01, 0.01


def _too_far(n10, n01, n11, n00, level):
    return -1.5, 1.5


def _upside_down(n10, n01, n11, n00, level):
    return 0.2, -0.2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (_shifted, "swapped|limits"),
        (_narrowing, "higher level"),
        (_around_zero, "estimate"),
        (_too_far, "limits"),
        (_upside_down, "limits"),
    ],
)
def test_wrong_intervals_fail(wrong, words):
    with pytest.raises(AssertionError, match=words):
        testing.check_paired_interval(wrong)


@pytest.mark.parametrize("name", ["wald", "wilson", "clopper_pearson", "agresti_coull", "jeffreys"])
def test_sound_intervals_of_a_proportion_pass(name):
    testing.check_proportion_interval(getattr(stats, name), max_examples=60)


def test_wrong_intervals_of_a_proportion_fail():
    with pytest.raises(AssertionError, match="become"):
        testing.check_proportion_interval(lambda x, n, level: (0.0, stats.wilson(x, n, level)[1]))
    with pytest.raises(AssertionError, match="limits"):
        testing.check_proportion_interval(lambda x, n, level: (-0.1, 1.1))
