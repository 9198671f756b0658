"""The public strategies and checks, and that the checks fail on wrong statistics."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings

from simstudy import stats, testing
from simstudy.errors import ParameterError


@given(testing.paired_counts(max_cases=40, min_cases=3, min_discordant=2))
@settings(max_examples=100)
def test_paired_counts_keep_their_bounds(table):
    n10, n01, n11, n00 = table
    assert min(table) >= 0
    assert 3 <= n10 + n01 + n11 + n00 <= 40
    assert n10 + n01 >= 2


def test_paired_counts_reach_the_corners():
    seen = set()

    @given(testing.paired_counts(max_cases=2))
    @settings(max_examples=300, database=None, derandomize=True)
    def collect(table):
        seen.add(table)

    collect()
    assert {(0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (2, 0, 0, 0), (0, 2, 0, 0)} <= seen


@given(testing.paired_outcomes(max_cases=12, min_cases=2))
@settings(max_examples=50)
def test_paired_outcomes_are_zeros_and_ones(outcomes):
    a, b = outcomes
    assert a.shape == b.shape
    assert 2 <= len(a) <= 12
    assert set(a) | set(b) <= {0, 1}


@given(testing.cluster_sums(max_clusters=8, max_size=5))
@settings(max_examples=50)
def test_cluster_sums_fit_their_clusters(drawn):
    sums, sizes = drawn
    assert 2 <= len(sums) == len(sizes) <= 8
    assert (np.abs(sums) <= sizes).all()
    assert sizes.min() >= 1
    assert sizes.max() <= 5


@given(testing.proportion_counts(), testing.accuracies(), testing.levels())
@settings(max_examples=50)
def test_counts_accuracies_and_levels(counts, accuracy, level):
    x, n = counts
    assert 0 <= x <= n <= 500
    assert 0.01 <= accuracy <= 0.99
    assert 0.5 <= level <= 0.999


@given(testing.cells(smallest=0.05))
@settings(max_examples=50)
def test_cells_are_probabilities(cells):
    assert min(cells) >= 0.05 - 1e-15
    assert math.isclose(sum(cells), 1, abs_tol=1e-12)


@pytest.mark.parametrize("bad", [{"max_cases": 3, "min_discordant": 4}, {"min_cases": -1}])
def test_impossible_tables_are_refused(bad):
    with pytest.raises(ParameterError, match="max_cases must be at least"):
        testing.paired_counts(**bad)


def test_cells_that_cannot_be_so_large_are_refused():
    with pytest.raises(ParameterError, match=r"0\.25"):
        testing.cells(smallest=0.3)


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


def test_without_hypothesis_the_message_says_how_to_install_it():
    code = (
        "import sys; sys.modules['hypothesis'] = None; sys.modules['hypothesis.strategies'] = None\n"
        "from simstudy.errors import RequestError\n"
        "try:\n    import simstudy.testing\n"
        "except RequestError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'simstudy[test]'" in done.stdout
