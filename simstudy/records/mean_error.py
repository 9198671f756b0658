"""Means of units, of clusters, and their standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simstudy.records.paired_values import PairedValues

FloatArray = NDArray[np.float64]
ROUNDING = 1e-9
"""More than sums of scores are rounded by, and far less than a step of any scale."""


@dataclass(frozen=True)
class Mean:
    """A mean difference with the error of the units that count."""

    value: float
    error: float  # 0 where all units are alike
    units: int
    df: float
    spread_df: float  # degrees of freedom of χ² that the spread of these units scatters like; df where they are normal

    def limits(self, level: float) -> tuple[float, float]:
        """Return the t interval; NaN where there is no spread."""
        from scipy import special

        if not self.error > 0:
            return math.nan, math.nan
        reach = self.error * float(special.stdtrit(self.df, 0.5 + level / 2))
        return self.value - reach, self.value + reach

    def p(self, null: float = 0.0, *, upward: bool | None = None) -> float:
        """Return the p-value of a mean of `null`, two-sided or of one direction."""
        from scipy import special

        if not self.error > 0:
            return math.nan
        t = (self.value - null) / self.error
        if upward is None:
            return float(2 * special.stdtr(self.df, -abs(t)))
        return float(special.stdtr(self.df, -t if upward else t))


def mean_of(values: FloatArray, scale: float | None = None) -> Mean:
    """Return the mean of independent units; rounding goes by `scale`, the size of what they came from (their own)."""
    n = len(values)
    error = spread_of(values, scale) / math.sqrt(n) if n > 1 else math.nan
    return Mean(float(values.mean()), error, n, n - 1.0, df_of_spread(values))


def spread_of(values: FloatArray, scale: float | None = None) -> float:
    """Return the standard deviation, 0 where values differ by rounding alone."""
    if np.ptp(values) <= ROUNDING * (float(np.abs(values).max()) if scale is None else scale):
        return 0.0
    return float(values.std(ddof=1))


def df_of_spread(values: FloatArray) -> float:
    """Return the degrees of freedom of χ² that scatters as the sample variance of such values does."""
    # The variance of s² is σ⁴(γ/n + 2/(n − 1)) with the excess kurtosis γ (Kenney & Keeping 1951): heavy tails make the
    # spread less sure than χ² with n − 1 says. Light ones would make it surer, which a few units cannot tell.
    n = len(values)
    apart = values - values.mean()
    second = float(np.mean(apart**2))
    if n < 4 or not second > 0:
        return n - 1.0
    plain = float(np.mean(apart**4)) / second**2 - 3
    excess = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * plain + 6)
    return max(2 / (max(excess, 0.0) / n + 2 / (n - 1)), 1.0)


def mean_of_clusters(values: FloatArray, cluster: NDArray[np.int64], scale: float | None = None) -> Mean:
    """Return the mean per row with clusters as units: V = C/(C − 1)·Σ(S_c − n_c·d)²/N²."""
    sums, sizes = np.bincount(cluster, weights=values), np.bincount(cluster)
    clusters, n, mean = len(sizes), len(values), float(values.mean())
    apart = sums - sizes * mean
    if clusters < 2:
        return Mean(mean, math.nan, clusters, 0.0, 0.0)
    alike = float(np.abs(apart).max()) <= ROUNDING * (float(np.abs(values).max()) if scale is None else scale)
    error = 0.0 if alike else math.sqrt(clusters / (clusters - 1) * float(np.sum(apart**2))) / n
    return Mean(mean, error, clusters, clusters - 1.0, df_of_spread(apart))


def scale_of(pairs: PairedValues) -> float:
    """Return the largest value of either system, which says how far rounding may part their differences."""
    return float(max(np.abs(pairs.a).max(), np.abs(pairs.b).max()))


def clustering(pairs: PairedValues, main: Mean) -> float:
    """Return the rows that are worth an independent one: the design effect, at least 1; where undefined, a cluster."""
    rows = mean_of(pairs.b - pairs.a, scale_of(pairs)).error
    return max(1.0, (main.error / rows) ** 2) if rows > 0 and main.error > 0 else len(pairs.a) / main.units
