"""Tests of a mean difference against the expanded list."""

import numpy as np
import pytest

from simstudy import stats
from tests.oracle import stats_paired as slow

ALTERNATIVES = ("two-sided", "greater", "less")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_mean_tests_agree_with_the_expanded_list(alternative):
    differences = np.random.default_rng(7).integers(-3, 5, size=(40, 11))
    total, squares = differences.sum(axis=1), (differences**2).sum(axis=1)
    for function, twin in ((stats.mean_z, slow.mean_z), (stats.mean_t, slow.mean_t)):
        expected = [twin(row.tolist(), alternative) for row in differences]
        np.testing.assert_allclose(function(total, squares, 11, alternative), expected, rtol=1e-12)
