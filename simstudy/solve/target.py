"""What a sample size or an MDE has to achieve."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simstudy.errors import ParameterError, RefusedError, UnknownNameError
from simstudy.scenarios.declaration import Method, Scenario
from simstudy.study.evaluation import Measures

# name → (measure, factor, whether more is better)
TARGETS = {
    "power": ("power", 1.0, True),
    "power_right": ("power_right", 1.0, True),
    "coverage": ("coverage", 1.0, True),
    "width": ("interval_width", 1.0, False),
    "half_width": ("interval_width", 0.5, False),
}


# share of unbounded intervals above which the mean width of the others says nothing
RARELY = 0.01


@dataclass(frozen=True)
class Target:
    """A measure and the value it has to reach.

    Attributes
    ----------
    name : str
        One of `TARGETS`.
    value : float
        In (0, 1); widths above 0.
    """

    name: str
    value: float

    @property
    def more_is_better(self) -> bool:
        """Whether the measure has to be at least the value, rather than at most."""
        return TARGETS[self.name][2]

    @property
    def words(self) -> str:
        """The target as it is written: ``power=0.8``."""
        return f"{self.name}={self.value:g}"

    def of(self, measures: Measures) -> float:
        """Return the value of the target's measure.

        Parameters
        ----------
        measures : dict
            Measures of a method.

        Returns
        -------
        float
            A width is infinite where more than `RARELY` of the intervals have an end at infinity.
        """
        measure, factor, _ = TARGETS[self.name]
        if not self.more_is_better and measures.get("unbounded", 0.0) > RARELY:
            return math.inf
        return factor * measures[measure]

    def error_of(self, measures: Measures) -> float:
        """Return the Monte Carlo standard error of the target's measure.

        Parameters
        ----------
        measures : dict
            Measures of a method.

        Returns
        -------
        float
        """
        measure, factor, _ = TARGETS[self.name]
        return factor * measures[f"{measure}_mcse"]

    def check(self, method: Method, scenario: Scenario) -> None:
        """Refuse a target that a method does not have.

        Parameters
        ----------
        method : Method
        scenario : Scenario

        Raises
        ------
        RefusedError
        """
        decides = method.p_value is not None or (method.interval is not None and scenario.decides)
        if self.name.startswith("power") and not decides:
            raise RefusedError(
                f"{method.name} decides nothing, so it has no power: use --target half_width=0.05 or coverage=0.95."
            )
        if not self.name.startswith("power") and method.interval is None:
            raise RefusedError(f"{method.name} has no interval, so it has no {self.name}: use --target power=0.8.")


def parse_target(target: float | str | None, scenario: Scenario) -> Target:
    """Read a target.

    Parameters
    ----------
    target : float or str or None
        A number (then of power), ``"power=0.8"``, ``"half_width=0.05"``, ``"coverage=0.95"``; None for power 0.8.
    scenario : Scenario

    Returns
    -------
    Target

    Raises
    ------
    UnknownNameError, ParameterError
        For an unknown measure or a value outside its range.
    """
    if target is None:
        if not scenario.target_variable.startswith("power"):
            raise ParameterError(f"{scenario.name} needs a target: --target half_width=0.05 or --target coverage=0.95.")
        return Target(scenario.target_variable, 0.8)
    name, _, text = str(target).rpartition("=")
    name = name.strip() or (scenario.target_variable if scenario.target_variable.startswith("power") else "")
    if name not in TARGETS:
        raise UnknownNameError("target", name or str(target), TARGETS)
    try:
        value = float(text)
    except ValueError:
        raise ParameterError(f"target is '{target}'; it must be a number, or MEASURE=NUMBER as in power=0.8.") from None
    if name.endswith("width"):
        if not 0.0 < value < math.inf:
            raise ParameterError(f"target {name} is {value:g}; it must be a positive number.")
    elif not 0.0 < value < 1.0:
        raise ParameterError(f"target {name} is {value:g}; it must be a number in (0, 1).")
    return Target(name, value)
