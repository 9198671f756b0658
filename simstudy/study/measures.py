"""Performance measures and their Monte Carlo errors (Morris, White & Crowther 2019, table 6).

What each is called, its words and units stand in `simstudy.scenarios.measure`; here is how it follows from
sums over rows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RefusedError
from simstudy.scenarios.decisions import AT_NULL, DOWN, UP
from simstudy.scenarios.declaration import DesignPoint, Scenario
from simstudy.scenarios.measure import BY_NAME, Measure
from simstudy.scenarios.method import Method
from simstudy.scenarios.rules import Rule
from simstudy.study.methods_on_rows import FEATURES, Evaluated, measures_of

Floats = NDArray[np.float64]
Measures = dict[str, float]
# a limit that equals the true value but for rounding covers it
SLACK = 1e-12
# rounding of shares that a scenario declares
SLACK_OF_RATES = 1e-9
# a matrix product of this size is computed by a single thread: threads would cost more than they save, and the order of
# a sum, so its last bit, would depend on their number
ROWS_AT_ONCE, FEATURES_AT_ONCE = 2048, 4


@dataclass
class Cell:
    """What was found for a method at a design point."""

    engine: str
    replications: int  # 0 for exact
    by_level: list[Measures]  # at each level


@dataclass
class Sums:
    """Weighted sums over rows from which every measure follows."""

    # of `FEATURES`
    features: Floats = field(default_factory=lambda: np.zeros(len(FEATURES)))
    # weight of intervals wholly below or above the true value, and of those that hold the mean of the estimator
    below: float = 0.0
    above: float = 0.0
    own: float = 0.0
    # total: 1 for an exact law, the number of replications for a tally
    weight: float = 0.0
    # code of an outcome beyond `UP` and `DOWN` → its weight
    further: dict[int, float] = field(default_factory=dict)
    # measure → weight of the rows that have a part in it, and the sums of its values and of their squares
    measured: dict[str, Floats] = field(default_factory=dict)
    # which of "decision", "estimate", "interval", "own" the method yields
    has: set[str] = field(default_factory=set)
    # of a method that draws random numbers itself: variances of the sums over its draws, by name
    drawn: dict[str, float] = field(default_factory=dict)

    def add(
        self, verdicts: Evaluated, weights: Floats, truth: float, exact: bool, own_target: float | None = None
    ) -> None:
        """Add rows with their probabilities or counts; ``own_target`` is the mean of an estimator, if not the truth."""
        # probabilities by a matrix product; counts by exactly rounded sums, which have the same bits on every machine
        if exact:
            self.features += _products(verdicts.features, weights)
            self.weight += float(weights.sum())
        else:
            self.features += [math.fsum((row * weights).tolist()) for row in verdicts.features]
            self.weight += math.fsum(weights.tolist())
        if verdicts.code is not None:
            self.has.add("decision")
            for code in range(DOWN + 1, int(verdicts.code.max(initial=0)) + 1):
                weight = math.fsum(weights[verdicts.code == code].tolist())
                self.further[code] = self.further.get(code, 0.0) + weight
        if verdicts.again is not None:
            # rows that occur several times have their draws in common; other rows are counted as replications
            shared = weights**2 if exact else weights * (weights - 1.0)
            for name, variances in _over_draws(verdicts, verdicts.again, truth, own_target).items():
                self.drawn[name] = self.drawn.get(name, 0.0) + float(variances @ shared)
        for name, values in verdicts.measured.items():
            known = ~np.isnan(values)
            kept, w = values[known], weights[known]
            sums = [math.fsum(part.tolist()) for part in (w, w * kept, w * kept**2)]
            self.measured[name] = self.measured.get(name, np.zeros(3)) + sums
        if verdicts.estimate is not None:
            self.has.add("estimate")
        if places := _places(verdicts, truth, own_target):
            self.has.add("interval")
            self.below += float(weights.compress(places["below"]).sum())
            self.above += float(weights.compress(places["above"]).sum())
            if "own" in places:
                self.has.add("own")
                self.own += float(weights.compress(places["own"]).sum())

    def without(self, part: Sums) -> Sums:
        """Return the sums over the rows that are not those of a part."""
        left = Sums(
            self.features - part.features,
            self.below - part.below,
            self.above - part.above,
            self.own - part.own,
            self.weight - part.weight,
            has=self.has,
        )
        left.further = {code: weight - part.further.get(code, 0.0) for code, weight in self.further.items()}
        left.measured = {name: sums - part.measured[name] for name, sums in self.measured.items()}
        return left

    def of(self, name: str) -> float:
        """Return the weighted sum of one of `FEATURES`."""
        return float(self.features[FEATURES.index(name)])

    def share(self, code: int) -> float:
        """Return the probability of an outcome."""
        if code in (UP, DOWN):
            return self.of("up" if code == UP else "down") / self.weight
        return self.further.get(code, 0.0) / self.weight


def _over_draws(one: Evaluated, other: Evaluated, truth: float, own_target: float | None) -> dict[str, Floats]:
    """Return the variance over sets of draws of what is summed, for each row, from two of them."""
    found: dict[str, Floats] = dict(zip(FEATURES, 0.5 * (one.features - other.features) ** 2, strict=True))
    if one.estimate is not None and one.decided is not None:
        # rows are decided for one side or for none
        found["distance"] = np.abs(np.nan_to_num(one.estimate - one.null)) * (found["up"] + found["down"])
    for name, holds in _places(one, truth, own_target).items():
        found[name] = 0.5 * (holds != _places(other, truth, own_target)[name])
    return found


def _places(verdicts: Evaluated, truth: float, own_target: float | None) -> dict[str, NDArray[np.bool_]]:
    """Return where intervals lie wholly below or above the true value, and where they hold the estimator's mean."""
    if verdicts.low is None or verdicts.high is None:
        return {}
    found = {"below": verdicts.high < truth - SLACK, "above": verdicts.low > truth + SLACK}
    if own_target is not None:
        found["own"] = (verdicts.low <= own_target + SLACK) & (verdicts.high >= own_target - SLACK)
    return found


def _add_draws(found: dict[str, float], sums: Sums, point: DesignPoint, method: Method) -> None:
    """Let errors hold the error of a method's own draws, and the limits of rates with them."""
    whole = {name: variance / sums.weight**2 for name, variance in sums.drawn.items()}
    by_code = {UP: whole["up"], DOWN: whole["down"]}
    below, above = whole.get("below", 0.0), whole.get("above", 0.0)
    added = {
        "coverage": below + above,
        "miss_below": below,
        "miss_above": above,
        "coverage_own": whole.get("own", 0.0),
    }
    bounded = (sums.of("intervals") - sums.of("unbounded")) / sums.weight
    added["interval_width"] = whole["width"] / bounded**2 if bounded > 0 else 0.0
    power = found.get("power", 0.0)
    if power > 0:
        decision = method.decision
        truth = decision.truth(point, method) or ((), ())
        added["power"] = sum(by_code.get(code, 0.0) for code in decision.decisive)
        added["power_right"], added["power_wrong"] = (sum(by_code.get(c, 0.0) for c in codes) for codes in truth)
        wrong = sum(by_code.get(code, 0.0) for code in truth[1] if code in decision.decisive)
        share = found["type_s"]
        added["type_s"] = (wrong * (1 - 2 * share) + share**2 * added["power"]) / power**2
        null = decision.null_at(point)
        if not math.isnan(found.get("type_m", math.nan)) and null is not None:
            true_size = abs(point.target(method) - null)
            mean = found["type_m"] * true_size
            variance = whole["size_decided"] - 2 * mean * whole["distance"] + mean**2 * added["power"]
            added["type_m"] = max(0.0, variance) / (power * true_size) ** 2
    for name, variance in added.items():
        if f"{name}_mcse" in found:
            error = found[f"{name}_mcse"] = math.sqrt(found[f"{name}_mcse"] ** 2 + variance)
            rate = found[name]
            if f"{name}_low" in found and error > 0 and 0 < rate < 1:
                found[f"{name}_low"], found[f"{name}_high"] = wilson(rate, max(1, round(rate * (1 - rate) / error**2)))


def _products(features: Floats, weights: Floats) -> Floats:
    """Return ``features @ weights``, the same for any number of processors."""
    sums = np.zeros(len(features))
    # the columns that fill no vector unit come last, as in a product that is not divided
    whole = len(weights) - len(weights) % 4 if len(weights) > ROWS_AT_ONCE else len(weights)
    ends = [*range(0, whole, ROWS_AT_ONCE), whole, len(weights)]
    for start, stop in itertools.pairwise(ends):
        for first in range(0, len(features), FEATURES_AT_ONCE):
            part = slice(first, first + FEATURES_AT_ONCE)
            sums[part] += features[part, start:stop] @ weights[start:stop]
    return sums


def own_target(point: DesignPoint, method: Method) -> float | None:
    """Return the mean that a method's estimator has, where that is not what it aims at."""
    return point.truth[method.own_target] if method.own_target else None


def measures(sums: Sums, point: DesignPoint, method: Method, replications: int) -> dict[str, float]:
    """Return every measure of a method, by variable; 0 replications: exact, without Monte Carlo error."""
    found: dict[str, float] = _with_error({}, "undefined", sums.of("undefined") / sums.weight, replications)
    if "decision" in sums.has:
        _decisions(found, sums, point, method, replications)
    if "estimate" in sums.has:
        _estimates(found, sums, point.target(method), replications)
    if "interval" in sums.has:
        _intervals(found, sums, point, method, replications)
    if sums.drawn:
        _add_draws(found, sums, point, method)
    for measure in measures_of(point.scenario, method):
        _mean(found, measure, sums, replications, f"Scenario {point.scenario.name}")
    return found


def variables_of(scenario: Scenario, method: Method) -> set[str]:
    """Return the names of what `measures` can find for a method of a scenario."""
    decision = method.decision
    has_null = scenario.decides or decision.null is not None or decision.about_margin
    decides = has_null or method.p_value is not None or isinstance(decision, Rule)
    names = {"undefined"}
    if decides:
        names |= {"power", "power_right", "power_wrong", "type_s"}
    if method.estimate:
        names |= {"estimate_mean", "bias", "empirical_se"}
        names |= {"type_m"} if has_null and decision.measures_size else set()
    if method.interval:
        names |= {"coverage", "miss_below", "miss_above", "unbounded", "interval_width"}
        names |= {"coverage_own"} if method.own_target else set()
    every = (*(BY_NAME[name] for name in names), *measures_of(scenario, method))
    return {variable for measure in every for variable in measure.variables}


def _mean(found: dict[str, float], measure: Measure, sums: Sums, replications: int, point_name: str) -> None:
    """Add a measure that is the mean of something over the rows that have a part in it."""
    weight, total, squares = sums.measured.get(measure.name, np.zeros(3)).tolist()
    mean = total / weight if weight > 0 else math.nan
    behind = replications and weight
    if measure.error == "rate":
        if not -SLACK_OF_RATES <= (0.0 if math.isnan(mean) else mean) <= 1.0 + SLACK_OF_RATES:
            raise RefusedError(
                f"{point_name}, measure '{measure.name}': its mean is {mean:g}, which is no share of replications: say "
                "error='mean'."
            )
        _with_error(found, measure.name, mean, behind)
    else:
        found[measure.name] = mean
        if measure.error == "mean":
            found[f"{measure.name}_mcse"] = _mean_error(squares, mean, weight) if replications else 0.0
    if measure.limits:
        found[f"{measure.name}_low"], found[f"{measure.name}_high"] = wilson(found[measure.name], behind)


def _with_error(found: dict[str, float], name: str, rate: float, replications: float) -> dict[str, float]:
    """Add a rate and its Monte Carlo error; rounding beyond [0, 1] is cut."""
    rate = rate if math.isnan(rate) else min(1.0, max(0.0, rate))
    found[name] = rate
    known = replications if not math.isnan(rate) else math.nan
    found[f"{name}_mcse"] = math.sqrt(rate * (1 - rate) / known) if known else 0.0
    return found


def wilson(rate: float, replications: float) -> tuple[float, float]:
    """Return the Wilson 95% interval of a simulated rate, or the rate itself where it is exact (0 replications)."""
    if not replications:
        return rate, rate
    from simstudy.stats.monte_carlo import wilson_rate  # late: scipy.special

    low, high = wilson_rate(rate, replications)
    return float(low), float(high)


def _decisions(found: dict[str, float], sums: Sums, point: DesignPoint, method: Method, replications: int) -> None:
    decision = method.decision
    power = sum(sums.share(code) for code in decision.decisive)
    _with_error(found, "power", power, replications)
    found["power_low"], found["power_high"] = wilson(found["power"], replications)
    truth = decision.truth(point, method)
    right, wrong = (math.nan, math.nan) if truth is None else (sum(map(sums.share, codes), 0.0) for codes in truth)
    _with_error(found, "power_right", right, replications)
    _with_error(found, "power_wrong", wrong, replications)
    found["power_wrong_low"], found["power_wrong_high"] = wilson(found["power_wrong"], replications)
    among = wrong if truth is None else sum((sums.share(code) for code in truth[1] if code in decision.decisive), 0.0)
    _with_error(found, "type_s", among / power if power > 0 else math.nan, replications * power)
    found["type_s_low"], found["type_s_high"] = wilson(found["type_s"], replications * power)
    null = decision.null_at(point)
    if decision.measures_size and "estimate" in sums.has and null is not None:
        distance = abs(point.target(method) - null)
        found["type_m"], found["type_m_mcse"] = _exaggeration(sums, power, distance, replications)


def _exaggeration(sums: Sums, power: float, true_size: float, replications: int) -> tuple[float, float]:
    """Return type M and its error: a mean over the rejections."""
    if power <= 0 or true_size <= AT_NULL:
        return math.nan, math.nan
    share = power * sums.weight
    mean = sums.of("size_decided") / share
    if not replications:
        return mean / true_size, 0.0
    return mean / true_size, _mean_error(sums.of("square_decided"), mean, share) / true_size


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


def _intervals(found: dict[str, float], sums: Sums, point: DesignPoint, method: Method, replications: int) -> None:
    defined = sums.of("intervals")
    # nothing covers a true value that is undefined, and nothing misses it
    below, above = (math.nan if math.isnan(point.target(method)) else w / sums.weight for w in (sums.below, sums.above))
    _with_error(found, "coverage", defined / sums.weight - below - above, replications)
    found["coverage_low"], found["coverage_high"] = wilson(found["coverage"], replications)
    _with_error(found, "miss_below", below, replications)
    _with_error(found, "miss_above", above, replications)
    if "own" in sums.has:
        mean = own_target(point, method)
        covered = math.nan if mean is not None and math.isnan(mean) else sums.own / sums.weight
        _with_error(found, "coverage_own", covered, replications)
    unbounded = sums.of("unbounded")
    _with_error(found, "unbounded", unbounded / sums.weight, replications)
    bounded = defined - unbounded
    width = sums.of("width") / bounded if bounded > 0 else math.nan
    found["interval_width"], found["interval_width_mcse"] = width, 0.0
    if replications:
        found["interval_width_mcse"] = _mean_error(sums.of("width_squared"), width, bounded)


def precise_enough(found: Sequence[dict[str, float]], mcse: float) -> bool:
    """Return whether half the Wilson 95% interval of every power (coverage without one), over 1.96, is at most mcse."""
    # the naive error would stop at 0 of 1000
    widths = []
    for values in found:
        name = "power" if "power" in values else "coverage"
        widths.append((values[f"{name}_high"] - values[f"{name}_low"]) / 2 / 1.959963984540054)
    return max(widths) <= mcse


def elsewhere(point: DesignPoint) -> Iterator[tuple[DesignPoint, list[str]]]:
    """Yield the points at which some measures of the scenario's own are taken, and the variables from there."""
    grouped: dict[tuple[tuple[str, Any], ...], list[str]] = {}
    for measure in point.scenario.measures:
        if measure.at:
            grouped.setdefault(tuple(measure.at.items()), []).extend(measure.variables)
    for changes, names in grouped.items():
        yield point.scenario.point({**point.values, **dict(changes)}), names


def take_over(cells: dict[str, Cell], others: dict[str, Cell], names: Sequence[str]) -> None:
    """Replace some variables by those of another point."""
    for name, cell in cells.items():
        for values, there in zip(cell.by_level, others[name].by_level, strict=True):
            values.update({key: there[key] for key in names if key in there})
