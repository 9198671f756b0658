"""What a sample size or an MDE has to achieve: one condition on a measure, or two."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.options import PROPORTION
from simstudy.ranges import as_proportion, percentage
from simstudy.scenarios.declaration import Scenario
from simstudy.scenarios.measure import MEASURES, Measure
from simstudy.scenarios.method import Method
from simstudy.scenarios.rules import Rule
from simstudy.study.methods_on_rows import measures_of

# share of unbounded intervals above which the mean width of the others says nothing
RARELY = 0.01
# measures that follow from the decisions alone, without an interval
DECIDED = ("power", "power_right", "power_wrong")
# probabilities this near to 0 and 1 are not told from them
NEAREST = 1e-12


@dataclass(frozen=True)
class Condition:
    """A measure and the value it has to reach."""

    # as a target: "half_width" asks for half of interval_width
    name: str
    measure: Measure
    # what the measure is multiplied with
    factor: float
    value: float

    @property
    def at_least(self) -> bool:
        """Whether the measure has to be at least the value, rather than at most."""
        return self.measure.better == "more"

    @property
    def is_rate(self) -> bool:
        """Whether it is a share of replications."""
        return self.measure.error == "rate"

    @property
    def words(self) -> str:
        """The condition as it is written: ``power=0.8``."""
        return f"{self.name}={self.value:g}"

    def of(self, found: Mapping[str, float]) -> float:
        """Return the value; a width is infinite where more than `RARELY` of the intervals have an end at infinity."""
        if self.measure.name == "interval_width" and found.get("unbounded", 0.0) > RARELY:
            return math.inf
        return self.factor * found[self.measure.name]

    def error_of(self, found: Mapping[str, float]) -> float:
        """Return the Monte Carlo standard error of the value."""
        return self.factor * found.get(f"{self.measure.name}_mcse", 0.0)

    def distance(self, found: Mapping[str, float]) -> tuple[float, float]:
        """Return how far inside the condition the value lies, on a straight scale, and the error of that."""
        from scipy.special import ndtri  # late: start-up

        value, error, sign = self.of(found), self.error_of(found), 1.0 if self.at_least else -1.0
        if math.isnan(value):
            return -math.inf, math.nan
        if not self.is_rate:
            scale = abs(self.value) or 1.0
            return sign * (value - self.value) / scale, error / scale
        straight = float(ndtri(min(max(value, NEAREST), 1.0 - NEAREST)))
        density = math.exp(-0.5 * straight * straight) / math.sqrt(2.0 * math.pi)
        return sign * (straight - float(ndtri(self.value))), error / density


@dataclass(frozen=True)
class Target:
    """One condition or several, all of which have to hold."""

    # several conditions, and one that asks for at most a share, count as one measure that has to be at least ½: Φ of
    # the distance by which the condition that is farthest from holding holds
    conditions: tuple[Condition, ...]

    @property
    def plain(self) -> bool:
        """Whether the measure itself is followed."""
        first = self.conditions[0]
        return len(self.conditions) == 1 and (first.at_least or not first.is_rate)

    @property
    def name(self) -> str:
        """The names of the measures as targets."""
        return ",".join(condition.name for condition in self.conditions)

    @property
    def value(self) -> float:
        """What has to be reached."""
        return self.conditions[0].value if self.plain else 0.5

    @property
    def at_least(self) -> bool:
        """Whether what is followed has to be at least the value, rather than at most."""
        return self.conditions[0].at_least if self.plain else True

    @property
    def is_rate(self) -> bool:
        """Whether what is followed is a share, or counts as one."""
        return not self.plain or self.conditions[0].is_rate

    @property
    def decided(self) -> bool:
        """Whether decisions alone are read: no intervals."""
        return all(condition.measure.name in DECIDED for condition in self.conditions)

    @property
    def is_power(self) -> bool:
        """Whether it is power, or power in the right direction, alone."""
        return self.plain and self.conditions[0].measure.name in ("power", "power_right")

    @property
    def of_interval(self) -> bool:
        """Whether coverage, or a width, is asked for."""
        return any(condition.measure.name in ("coverage", "interval_width") for condition in self.conditions)

    @property
    def words(self) -> str:
        """The target as it is written: ``power=0.8``, ``pass_same=0.8,pass_worse=0.05``."""
        return ",".join(condition.words for condition in self.conditions)

    def of(self, found: Mapping[str, float]) -> float:
        """Return the value of what is followed, from the measures of a method."""
        if self.plain:
            return self.conditions[0].of(found)
        return 0.5 * math.erfc(-self._least(found)[0] / math.sqrt(2.0))

    def error_of(self, found: Mapping[str, float]) -> float:
        """Return the Monte Carlo standard error of what is followed."""
        if self.plain:
            return self.conditions[0].error_of(found)
        distance, error = self._least(found)
        return error * math.exp(-0.5 * distance * distance) / math.sqrt(2.0 * math.pi)

    def _least(self, found: Mapping[str, float]) -> tuple[float, float]:
        return min(condition.distance(found) for condition in self.conditions)

    def check_of_effect(self, who: str) -> None:
        """Refuse what no effect is searched for: a mean alone, and what intervals do."""
        if self.of_interval or not self.is_rate:
            raise RefusedError(
                f"{who} follows how often something is decided over the effects; target {self.name} is a question "
                "about size."
            )

    def check(self, method: Method, scenario: Scenario) -> None:
        """Refuse a target that a method does not have."""
        for condition in self.conditions:
            name = condition.measure.name
            if name in DECIDED and not decides(method, scenario):
                raise RefusedError(
                    f"{method.name} decides nothing, so it has no power: use --target half_width=0.05 or coverage=0.95."
                )
            if name in ("coverage", "interval_width") and method.interval is None:
                raise RefusedError(
                    f"{method.name} has no interval, so it has no {condition.name}: use --target power=0.8."
                )
            if name in scenario.measure and condition.measure not in measures_of(scenario, method):
                raise RefusedError(f"{method.name} has no {name}: ask for other methods, or for another target.")


def decides(method: Method, scenario: Scenario) -> bool:
    """Return whether a method decides anything, so that it has power."""
    rule = isinstance(method.decision, Rule)
    return method.p_value is not None or rule or (method.interval is not None and scenario.decides)


def targets_of(scenario: Scenario) -> dict[str, tuple[Measure, float]]:
    """Return everything that can be a target: name → (measure, factor)."""
    return {
        name: (measure, factor)
        for measure in (*MEASURES, *scenario.measures)
        for name, factor in measure.targets.items()
    }


def parse_target(target: float | str | None, scenario: Scenario) -> Target:
    """Read a target: a number (then of power), ``half_width=0.05``, conditions with commas; None for power 0.8."""
    measure, _ = targets_of(scenario)[scenario.target_variable]
    usual = scenario.target_variable if scenario.target_variable != "coverage" and measure.better == "more" else ""
    if target is None:
        if not usual or measure.error != "rate":
            example = f"{scenario.target_variable}=0.95" if measure.error == "rate" else f"{measure.name}=1"
            raise ParameterError(f"{scenario.name} needs a target: --target half_width=0.05 or --target {example}.")
        target = 0.8
    if isinstance(target, bool) or not isinstance(target, str | Real):
        raise ParameterError(
            f"target is {target!r}; it must be a number, or a text such as 'power=0.8', or "
            "'power=0.8,power_wrong=0.01' where all has to hold."
        )
    parts = str(target).split(",")
    if len(parts) > 1 and not all(part.strip() for part in parts):
        raise ParameterError(f"target is '{target}'; a condition is missing beside a comma.")
    conditions = tuple(_condition(part, usual, scenario) for part in parts)
    names = [condition.name for condition in conditions]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ParameterError(
            f"target is '{target}'; it names {twice} more than once, and all its conditions have to hold together: ask "
            "for one after the other."
        )
    if len(conditions) > 1 and not all(condition.is_rate or condition.factor == 1.0 for condition in conditions):
        raise ParameterError(f"target is '{target}'; of several conditions none can be a half-width: ask for width.")
    return Target(conditions)


def _condition(text: str, usual: str, scenario: Scenario) -> Condition:
    allowed = targets_of(scenario)
    name, equals, number = text.rpartition("=")
    if equals and not name.strip():
        raise ParameterError(f"target is '{text}'; it must be a number, or MEASURE=NUMBER as in power=0.8.")
    name = name.strip() or usual
    if not name:
        raise ParameterError(
            f"target is '{text}'; {scenario.name} needs the measure's name too, as in half_width=0.05."
        )
    if name not in allowed:
        raise UnknownNameError("target", name or text, allowed)
    measure, factor = allowed[name]
    proportion = measure.error == "rate" or PROPORTION in (measure.unit, scenario.estimate_unit)
    try:
        value = percentage("target", number, proportion) if number.endswith("%") else float(number)
    except ValueError as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"target is '{text}'; it must be a number, or MEASURE=NUMBER as in power=0.8.") from None
    if measure.error == "rate":
        if not 0.0 < value < 1.0:
            hint = as_proportion(value, 0.0, 1.0)
            raise ParameterError(f"target {name} is {value:g}; it must be a number in (0, 1).{hint}")
    elif not 0.0 < value < math.inf:
        raise ParameterError(f"target {name} is {value:g}; it must be a positive number.")
    return Condition(name, measure, factor, value)
