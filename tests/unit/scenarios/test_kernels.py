"""What all kernels have in common: rows are addressed by their replication, whoever asks for how many of them."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from simstudy.scenarios import built_in, get_scenario

# kernels follow 256 replications at once: sizes below, at and above a bunch of them
SIZE = 20 if numba.config.DISABLE_JIT else 520
CUTS = [1, 16] if numba.config.DISABLE_JIT else [1, 16, 255, 256, 257]


def rows(name: str, first: int, size: int, spread: bool) -> NDArray[np.int64]:
    """Simulate the example of a scenario, with or without what its units have of their own."""
    scenario = get_scenario(name)
    kernel = scenario.kernel
    values: dict[str, Any] = {
        key: 0.0 if key.endswith("_sd") and not spread else value for key, value in scenario.example.items()
    }
    point = scenario.point(values)
    columns = kernel.columns or point.columns
    out = np.full((size, len(columns)), -1, np.int64)
    wanted = (np.ones(len(columns), np.bool_),) if kernel.selective else ()
    arguments = scenario.kernel_arguments(point.values, (0.05,), "two-sided")
    kernel.functions()[0](np.uint64(3), first, out, *wanted, *arguments)
    return out


@pytest.mark.parametrize("spread", [True, False])
@pytest.mark.parametrize("name", built_in())
def test_blocks_of_any_size_give_the_same_rows(name: str, spread: bool) -> None:
    whole = rows(name, 0, SIZE, spread)
    assert len(np.unique(whole, axis=0)) > 1
    for cut in CUTS:
        parts = [rows(name, 0, cut, spread), rows(name, cut, SIZE - cut, spread)]
        np.testing.assert_array_equal(whole, np.concatenate(parts))


@pytest.mark.parametrize("name", built_in())
def test_only_the_low_32_bits_of_a_replication_count(name: str) -> None:
    np.testing.assert_array_equal(rows(name, 2**32 - 2, 4, True)[2:], rows(name, 0, 2, True))
