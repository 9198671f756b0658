"""Curves by hand: what a search asks of one, answered by a function of the size or the effect."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from simstudy.scenarios import get_scenario
from simstudy.solve.curve import Curve
from simstudy.study.target import Target, parse_target


def target(text: str) -> Target:
    return parse_target(text, get_scenario("paired"))


@dataclass
class ByHand:
    """A curve that is a function; it keeps what was looked at."""

    measure: Callable[[float], float]
    target: Target
    # seconds that one value costs, and the units that the method reads at most
    cost: float = 1e-6
    most_read: float = math.inf
    looked: list[float] = field(default_factory=list)

    def exact(self, xs):
        self.looked += [float(x) for x in xs]
        return np.array([self.measure(float(x)) for x in xs], float)

    reached = Curve.reached

    def seconds(self, x):
        return self.cost

    def units_read(self, x):
        return min(x, self.most_read)
