"""Performance measures and their Monte Carlo errors (Morris, White & Crowther 2019, table 6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from simstudy.scenarios.declaration import DesignPoint, Method
from simstudy.study.evaluate import FEATURES, Evaluated

Floats = NDArray[np.float64]
# a limit that equals the true value but for rounding covers it
SLACK = 1e-12
# measures in the unit of the estimate
ESTIMATED = ("estimate_mean", "bias", "empirical_se", "interval_width")
# name → (words, unit)
MEASURES: dict[str, tuple[str, str]] = {
    "power": ("probability of rejecting; at the null effect, the type I error rate", "proportion"),
    "power_mcse": ("Monte Carlo standard error of power", "proportion"),
    "power_low": ("lower Wilson 95% limit of power", "proportion"),
    "power_high": ("upper Wilson 95% limit of power", "proportion"),
    "power_right": ("probability of rejecting in the right direction", "proportion"),
    "power_right_mcse": ("Monte Carlo standard error of power_right", "proportion"),
    "power_wrong": ("probability of rejecting in the wrong direction", "proportion"),
    "power_wrong_mcse": ("Monte Carlo standard error of power_wrong", "proportion"),
    "power_wrong_low": ("lower Wilson 95% limit of power_wrong", "proportion"),
    "power_wrong_high": ("upper Wilson 95% limit of power_wrong", "proportion"),
    "type_s": ("share of rejections in the wrong direction", "proportion"),
    "type_s_mcse": ("Monte Carlo standard error of type_s", "proportion"),
    "type_s_low": ("lower Wilson 95% limit of type_s", "proportion"),
    "type_s_high": ("upper Wilson 95% limit of type_s", "proportion"),
    "type_m": ("mean absolute estimate among rejections over the true absolute difference", "ratio"),
    "type_m_mcse": ("Monte Carlo standard error of type_m", "ratio"),
    "undefined": ("probability that the method is undefined; counted as not rejecting", "proportion"),
    "undefined_mcse": ("Monte Carlo standard error of undefined", "proportion"),
    "estimate_mean": ("mean estimate, where defined", "proportion"),
    "estimate_mean_mcse": ("Monte Carlo standard error of estimate_mean", "proportion"),
    "bias": ("mean estimate minus true value, where defined", "proportion"),
    "bias_mcse": ("Monte Carlo standard error of bias", "proportion"),
    "empirical_se": ("standard deviation of the estimate over replications, where defined", "proportion"),
    "empirical_se_mcse": ("Monte Carlo standard error of empirical_se", "proportion"),
    "coverage": ("probability that the interval holds the true value; undefined intervals do not", "proportion"),
    "coverage_mcse": ("Monte Carlo standard error of coverage", "proportion"),
    "coverage_low": ("lower Wilson 95% limit of coverage", "proportion"),
    "coverage_high": ("upper Wilson 95% limit of coverage", "proportion"),
    "miss_below": ("probability that the interval lies below the true value", "proportion"),
    "miss_below_mcse": ("Monte Carlo standard error of miss_below", "proportion"),
    "miss_above": ("probability that the interval lies above the true value", "proportion"),
    "miss_above_mcse": ("Monte Carlo standard error of miss_above", "proportion"),
    "coverage_own": (
        "probability that the interval holds the mean that the estimator itself has; undefined ones do not",
        "proportion",
    ),
    "coverage_own_mcse": ("Monte Carlo standard error of coverage_own", "proportion"),
    "interval_width": ("mean width of the interval, where defined and bounded", "proportion"),
    "interval_width_mcse": ("Monte Carlo standard error of interval_width", "proportion"),
    "unbounded": ("probability that the interval is defined and has an end at infinity", "proportion"),
    "unbounded_mcse": ("Monte Carlo standard error of unbounded", "proportion"),
}


@dataclass
class Sums:
    """Weighted sums over rows from which every measure follows.

    Attributes
    ----------
    features : array of float64, shape (n_features,)
        Sums of `FEATURES`.
    below, above : float
        Weight of intervals wholly below or above the true value.
    own : float
        Weight of intervals that hold the mean of the estimator.
    weight : float
        Total weight: 1 for an exact law, the number of replications for a tally.
    has : set of str
        Which of "decision", "estimate", "interval", "own" the method yields.
    """

    features: Floats = field(default_factory=lambda: np.zeros(len(FEATURES)))
    below: float = 0.0
    above: float = 0.0
    own: float = 0.0
    weight: float = 0.0
    has: set[str] = field(default_factory=set)

    def add(
        self, verdicts: Evaluated, weights: Floats, truth: float, exact: bool, own_target: float | None = None
    ) -> None:
        """Add rows.

        Parameters
        ----------
        verdicts : Evaluated
        weights : array of float64, shape (n_rows,)
            Probabilities, or counts.
        truth : float
            True value of the estimand.
        exact : bool
            Probabilities are summed by a matrix product; counts by exactly rounded sums, so that simulated results
            have the same bits on every machine.
        own_target : float, optional
            Mean of the estimator, where that is not the true value.
        """
        if exact:
            self.features += verdicts.features @ weights
            self.weight += float(weights.sum())
        else:
            self.features += [math.fsum((row * weights).tolist()) for row in verdicts.features]
            self.weight += math.fsum(weights.tolist())
        if verdicts.up is not None:
            self.has.add("decision")
        if verdicts.estimate is not None:
            self.has.add("estimate")
        if verdicts.low is not None and verdicts.high is not None:
            self.has.add("interval")
            self.below += float(weights[verdicts.high < truth - SLACK].sum())
            self.above += float(weights[verdicts.low > truth + SLACK].sum())
            if own_target is not None:
                self.has.add("own")
                holds = (verdicts.low <= own_target + SLACK) & (verdicts.high >= own_target - SLACK)
                self.own += float(weights[holds].sum())

    def of(self, name: str) -> float:
        """Return the weighted sum of a feature.

        Parameters
        ----------
        name : str
            One of `FEATURES`.

        Returns
        -------
        float
        """
        return float(self.features[FEATURES.index(name)])


def right_direction(point: DesignPoint, method: Method) -> int:
    """Return which rejections are right.

    Parameters
    ----------
    point : DesignPoint
    method : Method

    Returns
    -------
    int
        +1 or −1, or 0 at the null itself, where no rejection is right.
    """
    if point.null is None:
        return 0
    if method.claim == "non_inferiority":
        return int(np.sign(point.estimand + point.values["margin"]))
    if method.claim == "equivalence":
        return int(np.sign(point.values["margin"] - abs(point.estimand)))
    distance = point.estimand - point.null
    return 0 if abs(distance) <= SLACK else int(np.sign(distance))


def own_target(point: DesignPoint, method: Method) -> float | None:
    """Return the mean that a method's estimator has, where that is not what it aims at.

    Parameters
    ----------
    point : DesignPoint
    method : Method

    Returns
    -------
    float or None
    """
    return point.truth[method.own_target] if method.own_target else None


def measures(sums: Sums, point: DesignPoint, method: Method, replications: int) -> dict[str, float]:
    """Return every measure that applies to a method.

    Parameters
    ----------
    sums : Sums
    point : DesignPoint
    method : Method
    replications : int
        Number of replications; 0 for exact results, whose Monte Carlo error is 0.

    Returns
    -------
    dict
        Names of `MEASURES` → value; NaN means undefined.
    """
    found: dict[str, float] = _with_error({}, "undefined", sums.of("undefined") / sums.weight, replications)
    if "decision" in sums.has:
        _decisions(found, sums, point, method, replications)
    if "estimate" in sums.has:
        _estimates(found, sums, point.target(method), replications)
    if "interval" in sums.has:
        _intervals(found, sums, replications)
    return found


def _with_error(found: dict[str, float], name: str, rate: float, replications: float) -> dict[str, float]:
    """Add a rate and its Monte Carlo error; rounding beyond [0, 1] is cut."""
    rate = rate if math.isnan(rate) else min(1.0, max(0.0, rate))
    found[name] = rate
    known = replications if not math.isnan(rate) else math.nan
    found[f"{name}_mcse"] = math.sqrt(rate * (1 - rate) / known) if known else 0.0
    return found


def wilson(rate: float, replications: float) -> tuple[float, float]:
    """Return the Wilson 95% interval of a simulated rate, or the rate itself where it is exact.

    Parameters
    ----------
    rate : float
    replications : float
        Trials behind the rate; 0 for an exact one.

    Returns
    -------
    low, high : float
    """
    if not replications:
        return rate, rate
    from simstudy.stats.monte_carlo import wilson_rate  # late: scipy.special

    low, high = wilson_rate(rate, replications)
    return float(low), float(high)


def _decisions(found: dict[str, float], sums: Sums, point: DesignPoint, method: Method, replications: int) -> None:
    up, down = sums.of("up") / sums.weight, sums.of("down") / sums.weight
    power = up + down
    _with_error(found, "power", power, replications)
    found["power_low"], found["power_high"] = wilson(found["power"], replications)
    direction = right_direction(point, method)
    right, wrong = {1: (up, down), -1: (down, up), 0: (math.nan, math.nan)}[direction]
    _with_error(found, "power_right", right, replications)
    _with_error(found, "power_wrong", wrong, replications)
    found["power_wrong_low"], found["power_wrong_high"] = wilson(found["power_wrong"], replications)
    _with_error(found, "type_s", wrong / power if power > 0 else math.nan, replications * power)
    found["type_s_low"], found["type_s_high"] = wilson(found["type_s"], replications * power)
    if method.claim == "difference" and "estimate" in sums.has:
        found["type_m"], found["type_m_mcse"] = _exaggeration(sums, power, abs(point.target(method)), replications)


def _exaggeration(sums: Sums, power: float, true_size: float, replications: int) -> tuple[float, float]:
    """Return type M and its error: a mean over the rejections."""
    if power <= 0 or true_size <= SLACK:
        return math.nan, math.nan
    share = power * sums.weight
    mean = sums.of("size_rejected") / share
    if not replications:
        return mean / true_size, 0.0
    return mean / true_size, _mean_error(sums.of("square_rejected"), mean, share) / true_size


def _mean_error(squares: float, mean: float, count: float) -> float:
    """Return the standard error of a mean over some replications; NaN for fewer than two."""
    if count < 1.5:
        return math.nan
    variance = max(0.0, squares / count - mean * mean) * count / (count - 1)
    return math.sqrt(variance / count)


def _estimates(found: dict[str, float], sums: Sums, truth: float, replications: int) -> None:
    defined = sums.of("estimates")
    if defined <= 0:
        names = ("estimate_mean", "bias", "empirical_se")
        found.update({key: math.nan for name in names for key in (name, f"{name}_mcse")})
        return
    mean = sums.of("estimate") / defined
    variance = max(0.0, sums.of("estimate_squared") / defined - mean * mean)
    if replications:
        variance = variance * defined / (defined - 1) if defined > 1 else math.nan
    se = math.sqrt(variance)
    error = se / math.sqrt(defined) if replications else 0.0
    found.update(estimate_mean=mean, estimate_mean_mcse=error, bias=mean - truth, bias_mcse=error, empirical_se=se)
    if not replications:
        found["empirical_se_mcse"] = 0.0
    else:
        found["empirical_se_mcse"] = se / math.sqrt(2 * (defined - 1)) if defined > 1 else math.nan


def _intervals(found: dict[str, float], sums: Sums, replications: int) -> None:
    defined = sums.of("intervals")
    below, above = sums.below / sums.weight, sums.above / sums.weight
    _with_error(found, "coverage", defined / sums.weight - below - above, replications)
    found["coverage_low"], found["coverage_high"] = wilson(found["coverage"], replications)
    _with_error(found, "miss_below", below, replications)
    _with_error(found, "miss_above", above, replications)
    if "own" in sums.has:
        _with_error(found, "coverage_own", sums.own / sums.weight, replications)
    unbounded = sums.of("unbounded")
    _with_error(found, "unbounded", unbounded / sums.weight, replications)
    bounded = defined - unbounded
    width = sums.of("width") / bounded if bounded > 0 else math.nan
    found["interval_width"], found["interval_width_mcse"] = width, 0.0
    if replications:
        found["interval_width_mcse"] = _mean_error(sums.of("width_squared"), width, bounded)


def precise_enough(found: Sequence[dict[str, float]], mcse: float) -> bool:
    """Return whether the rates of all methods are known well enough.

    Parameters
    ----------
    found : sequence of dict
        Measures of each method.
    mcse : float
        Largest Monte Carlo standard error asked for.

    Returns
    -------
    bool
        Whether half the Wilson 95% interval, over 1.96, is at most ``mcse`` for power, and for coverage where
        nothing is decided. The naive error would stop at 0 of 1000.
    """
    widths = []
    for values in found:
        name = "power" if "power" in values else "coverage"
        widths.append((values[f"{name}_high"] - values[f"{name}_low"]) / 2 / 1.959963984540054)
    return max(widths) <= mcse
