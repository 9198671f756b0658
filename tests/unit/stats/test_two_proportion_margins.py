"""Margin tests of two independent samples against their twins, and their edges."""

import itertools
import math

import numpy as np
import pytest

from simstudy import stats
from simstudy.errors import ParameterError
from tests.oracle import independent_slow as slow

TESTS = {
    "noninferiority_farrington_manning": stats.noninferiority_farrington_manning,
    "noninferiority_wald": stats.noninferiority_wald_independent,
    "equivalence_farrington_manning": stats.equivalence_farrington_manning,
    "equivalence_wald": stats.equivalence_wald_independent,
}


@pytest.mark.parametrize("name", TESTS)
def test_p_values_are_those_of_the_twin(name):
    """The twin finds the accuracies to about 1e-7, where the variance is flat to first order or nearly so."""
    for n_a, n_b, margin in ((5, 9, 0.1), (30, 12, 0.25)):
        tables = list(itertools.product(range(0, n_a + 1, 3), range(0, n_b + 1, 2)))
        x_a, x_b = np.array(tables).T
        expected = [slow.TESTS[name](i, n_a, j, n_b, margin) for i, j in tables]
        np.testing.assert_allclose(TESTS[name](x_a, n_a, x_b, n_b, margin), expected, rtol=1e-5, atol=1e-9)


def test_without_a_variance_wald_is_undefined_and_the_score_test_is_not():
    assert math.isnan(stats.noninferiority_wald_independent(20, 20, 20, 20, 0.1))
    assert math.isnan(stats.equivalence_wald_independent(0, 20, 40, 40, 0.1))
    # p_a = 1, p_b = .9: (0 + .1)/√(.9·.1/20) = 1.4907
    assert stats.noninferiority_farrington_manning(20, 20, 20, 20, 0.1) == pytest.approx(0.06802, abs=5e-6)


def test_an_empty_sample_is_undefined():
    for test in TESTS.values():
        assert math.isnan(test(0, 0, 5, 9, 0.1))
        assert math.isnan(test(5, 9, 0, 0, 0.1))


@pytest.mark.parametrize("name", TESTS)
def test_what_cannot_be_is_refused(name):
    with pytest.raises(ParameterError, match="x_a must not exceed n_a"):
        TESTS[name](6, 5, 3, 5, 0.1)
    with pytest.raises(ParameterError, match="margin must lie strictly between 0 and 1"):
        TESTS[name](3, 5, 3, 5, 0.0)
