"""Simulations in plain NumPy: one replication at a time, each with generators of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.addresses import full_key
from simstudy.errors import ComputationError
from simstudy.options import Options
from simstudy.scenarios.declaration import DesignPoint
from simstudy.scenarios.parts import FIXED, UNDEFINED

# streams of a replication: its units, and what the analysis draws
UNITS, ANALYSIS = 0, 1
# largest real number that fixed point holds
LARGEST = 2.0**22
# and the largest whole one, whose neighbours a float still tells apart
LARGEST_WHOLE = 2.0**53


def _generator(point: DesignPoint, options: Options, replication: int, stream: int) -> np.random.Generator:
    """Return the generator of a replication: 2^128 draws lie between two addresses."""
    key = np.array([full_key(point, options), 0], np.uint64)
    counter = np.array([0, 0, replication, stream], np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


def sampled_units(point: DesignPoint, options: Options, replication: int) -> NDArray[np.float64]:
    """Return the units of one replication, shape (units, case_columns)."""
    (draw, _), sample = point.scenario.kernel_functions(), point.scenario.kernel
    assert sample is not None
    generator = _generator(point, options, replication, UNITS)
    units = np.asarray(draw(generator, {**point.derived, **point.values}), np.float64)
    if units.ndim != 2 or units.shape[1] != len(sample.case_columns):
        raise ComputationError(
            f"Scenario {point.scenario.name}, draw(): it returns shape {units.shape}; it must be (units, "
            f"{len(sample.case_columns)}), a column for each of {', '.join(sample.case_columns)}."
        )
    return units


def sampled_rows(point: DesignPoint, options: Options, first: int, size: int) -> NDArray[np.int64]:
    """Return the rows of some replications, shape (size, columns); real columns in fixed point."""
    (_, analyse), sample = point.scenario.kernel_functions(), point.scenario.kernel
    assert sample is not None
    values: dict[str, Any] = {**point.derived, **point.values}
    found = np.empty((size, len(sample.columns)))
    for row in range(size):
        units = sampled_units(point, options, first + row)
        told = np.asarray(
            analyse(units, _generator(point, options, first + row, ANALYSIS), values, options.ladder), np.float64
        )
        if told.shape != (len(sample.columns),):
            raise ComputationError(
                f"Scenario {point.scenario.name}, analyse(): it returns shape {told.shape}; it must be one number for "
                f"each of {', '.join(sample.columns)}."
            )
        found[row] = told
    real = np.isin(sample.columns, sample.real)
    where = f"Scenario {point.scenario.name}, analyse()"
    if not np.isfinite(found[:, ~real]).all() or (found[:, ~real] % 1 != 0).any():
        whole = ", ".join(name for name in sample.columns if name not in sample.real)
        raise ComputationError(f"{where}: {whole} must be whole numbers, or named in real.")
    if (np.abs(found[:, ~real]) >= LARGEST_WHOLE).any():
        raise ComputationError(f"{where}: whole numbers must lie within ±{LARGEST_WHOLE:.0f}.")
    if (np.abs(np.nan_to_num(found[:, real], nan=0.0)) >= LARGEST).any():
        raise ComputationError(f"{where}: real numbers must lie within ±{LARGEST:.0f}.")
    known = np.isfinite(found)
    rows: NDArray[np.int64] = np.rint(np.where(known, found, 0.0) * np.where(real, FIXED, 1.0)).astype(np.int64)
    rows[~known] = UNDEFINED
    return rows
