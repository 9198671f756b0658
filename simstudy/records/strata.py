"""Strata: the weighted mean of what is found in each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import ParameterError
from simstudy.records.mean_error import Mean, mean_of, scale_of
from simstudy.records.natural_order import listed
from simstudy.records.paired_values import PairedValues

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Strata:
    """Weights of strata, and which stratum each case belongs to; equal weights where none are given."""

    of_case: dict[str, str]
    weights: dict[str, float] | None = None

    def mean(
        self, pairs: PairedValues, d: FloatArray
    ) -> tuple[Mean, tuple[tuple[str, float, int, float, float, float], ...]]:
        """Return the weighted mean of the differences of the strata, degrees of freedom by Satterthwaite (1946)."""
        if pairs.cluster is not None:
            raise ParameterError("Strata and clusters cannot be asked for together: leave one of them out.")
        names = [self.of_case.get(case, "") for case in pairs.cases]
        found = sorted(set(names))
        weights = dict.fromkeys(found, 1.0) if self.weights is None else self.weights
        if set(weights) != set(found):
            odd = listed(sorted(set(weights) ^ set(found)))
            raise ParameterError(f"Every stratum of the file needs a weight, and no other; not so: {odd}.")
        total = sum(weights.values())
        parts, value, variance, parts_of_df = [], 0.0, 0.0, 0.0
        for name in found:
            mine = np.array([stratum == name for stratum in names])
            own, weight = mean_of(d[mine], scale_of(pairs)), weights[name] / total
            value += weight * own.value
            share = (weight * own.error) ** 2
            variance += share
            parts_of_df += share**2 / own.df if own.df > 0 else math.nan
            rates = float(pairs.a[mine].mean()), float(pairs.b[mine].mean())
            parts.append((name, weight, int(mine.sum()), *rates, own.value))
        df = variance**2 / parts_of_df if parts_of_df > 0 else math.nan
        return Mean(value, math.sqrt(variance), len(d), df, df), tuple(parts)
