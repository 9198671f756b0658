"""Percentiles and resampled sets."""

from __future__ import annotations

import numpy as np
import pytest

from simstudy.kernels import case_bootstrap
from tests.oracle import verbosity_slow as slow


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("size", [1, 2, 19, 40, 1000])
def test_percentiles(size: int, alpha: float) -> None:
    means = np.round(np.random.default_rng(size).normal(0.3, 1, size), 1)
    low, high, below, above = case_bootstrap.percentiles(means.copy(), alpha)
    assert (low, high) == (slow.quantile(means, alpha / 2), slow.quantile(means, 1 - alpha / 2))
    assert (below, above) == ((means <= 0).sum(), (means >= 0).sum())


@pytest.mark.parametrize("n", [63, 64, 65, 130])
def test_sets_of_more_cases_than_a_word_has_bits(n: int) -> None:
    values = np.arange(n) / 64.0
    means, set_means = np.empty(5), np.empty(5)
    case_bootstrap.resample(np.uint64(9), 4, values, means, set_means, True)
    expected = slow.resampled(9, 4, values.tolist(), 5)
    np.testing.assert_allclose([means, set_means], expected, rtol=1e-14)
