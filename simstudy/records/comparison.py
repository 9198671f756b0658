"""Two paired systems compared: accuracies, tests and intervals, and the same with clusters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simstudy.records.pairing import PairedOutcomes


class Estimate(NamedTuple):
    """A figure with its confidence limits; NaN where undefined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ClusterAnalysis:
    """The comparison with clusters as the independent units.

    Parameters
    ----------
    clusters : int
        Clusters C.
    mean_size : float
        Pairs per cluster, on average.
    standard_error : float
        Cluster-robust standard error of the difference; NaN with a single cluster.
    design_effect : float
        Its square over the square of the standard error of independent rows; NaN where that is 0.
    factor : float
        What sample sizes are multiplied by: the design effect, but at least 1, and the mean
        cluster size where the design effect is undefined.
    n_effective : float
        Independent cases that are worth as much: pairs / factor.
    degrees_of_freedom : int
        C - 1.
    p_t, p_sign_flip : float
        p-values of the t test on clusters, and of all sign flips of the cluster sums.
    interval : Estimate
        The difference with its t interval.
    """

    clusters: int
    mean_size: float
    standard_error: float
    design_effect: float
    factor: float
    n_effective: float
    degrees_of_freedom: int
    p_t: float
    p_sign_flip: float
    interval: Estimate


@dataclass(frozen=True)
class Comparison:
    """Everything that the pairs themselves say about the difference, B minus A.

    Parameters
    ----------
    accuracy_a, accuracy_b : Estimate
        Accuracies with Wilson limits.
    difference : float
        (n01 - n10)/n.
    discordance : float
        (n10 + n01)/n.
    difficulty_sd : float
        Shared difficulty, in logits, that would give this discordance; NaN where none does.
    standard_error : float
        Of the difference, rows taken as independent; NaN with a single row.
    p_values : mapping of str to float
        ``mcnemar_exact``, ``mcnemar_midp``, ``paired_z``.
    intervals : mapping of str to Estimate
        ``tango``, ``newcombe``, ``bootstrap_percentile``, ``paired_z``.
    clustered : ClusterAnalysis or None
        The same with clusters, where pairs share one.
    """

    accuracy_a: Estimate
    accuracy_b: Estimate
    difference: float
    discordance: float
    difficulty_sd: float
    standard_error: float
    p_values: Mapping[str, float]
    intervals: Mapping[str, Estimate]
    clustered: ClusterAnalysis | None


def compare(outcomes: PairedOutcomes, level: float = 0.95) -> Comparison:
    """Compare two paired systems by all tests and intervals: nothing here chooses a test by its result."""
    # where pairs share a cluster, `p_values` and `intervals` still take rows as independent and are too optimistic
    from simstudy.stats.paired_intervals import paired_standard_error

    n10, n01, n11, n = outcomes.n10, outcomes.n01, outcomes.n11, outcomes.n
    difference, standard_error = (float(x) for x in paired_standard_error(n10, n01, n))
    accuracy_a, accuracy_b = (n10 + n11) / n, (n01 + n11) / n
    return Comparison(
        accuracy_a=_wilson(n10 + n11, n, level),
        accuracy_b=_wilson(n01 + n11, n, level),
        difference=difference,
        discordance=(n10 + n01) / n,
        difficulty_sd=implied_difficulty(accuracy_a, accuracy_b, (n10 + n01) / n),
        standard_error=standard_error,
        p_values=_p_values(n10, n01, n),
        intervals=_intervals((n10, n01, n11, n), difference, level),
        clustered=analyse_clusters(outcomes, standard_error, level) if outcomes.clustered else None,
    )


def _wilson(right: int, n: int, level: float) -> Estimate:
    from simstudy.stats.proportions import wilson

    return _estimate(right / n, wilson(right, n, level))


def _estimate(value: float, limits: tuple[Any, Any]) -> Estimate:
    return Estimate(value, float(limits[0]), float(limits[1]))


def _p_values(n10: int, n01: int, n: int) -> dict[str, float]:
    from simstudy.stats import paired

    return {
        "mcnemar_exact": float(paired.mcnemar_exact(n10, n01)),
        "mcnemar_midp": float(paired.mcnemar_midp(n10, n01)),
        "paired_z": float(paired.paired_z(n10, n01, n)),
    }


def _intervals(counts: tuple[int, int, int, int], difference: float, level: float) -> dict[str, Estimate]:
    from simstudy.stats.bootstrap import bootstrap_percentile
    from simstudy.stats.paired_intervals import newcombe, paired_wald, tango

    n10, n01, n11, n = counts
    limits = {
        "tango": tango(n10, n01, n, level),
        "newcombe": newcombe(n10, n01, n11, n, level),
        "bootstrap_percentile": bootstrap_percentile(n10, n01, n, level),
        "paired_z": paired_wald(n10, n01, n, level),
    }
    return {name: _estimate(difference, pair) for name, pair in limits.items()}


def implied_difficulty(accuracy_a: float, accuracy_b: float, discordance: float) -> float:
    """Return the shared difficulty, in logits, of a discordance; NaN where none gives it, or an accuracy is 0 or 1."""
    from simstudy.scenarios.random_effects import difficulty_from_discordance

    inside = 0 < accuracy_a < 1 and 0 < accuracy_b < 1
    return difficulty_from_discordance(accuracy_a, accuracy_b, discordance) if inside else math.nan


def analyse_clusters(outcomes: PairedOutcomes, naive: float, level: float) -> ClusterAnalysis:
    """Analyse the difference with clusters as units; `naive` is its standard error with rows as independent."""
    # V = C/(C - 1) sum (S_c - n_c d)^2 / N^2: Miller 2024, arXiv:2411.00640, with the usual correction for few clusters
    # (Cameron & Miller 2015, doi:10.3368/jhr.50.2.317)
    from scipy import special

    from simstudy.stats.clusters import cluster_interval, cluster_standard_error
    from simstudy.stats.sign_flip import sign_flip_exact

    sums, sizes = outcomes.cluster_sums()
    clusters, n = len(sums), outcomes.n
    difference = float(np.sum(sums)) / n
    standard_error = float(cluster_standard_error(sums, sizes))
    effect = (standard_error / naive) ** 2 if naive > 0 else math.nan
    factor = max(1.0, effect) if math.isfinite(effect) and effect > 0 else n / clusters
    p_t = math.nan
    if standard_error > 0:
        p_t = 2 * float(special.stdtr(clusters - 1, -abs(difference) / standard_error))
    return ClusterAnalysis(
        clusters=clusters,
        mean_size=n / clusters,
        standard_error=standard_error,
        design_effect=effect,
        factor=factor,
        n_effective=n / factor,
        degrees_of_freedom=clusters - 1,
        p_t=p_t,
        p_sign_flip=float(sign_flip_exact(sums)),
        interval=_estimate(difference, cluster_interval(sums, sizes, level, kind="t")),
    )
