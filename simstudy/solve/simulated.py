"""Solving on simulated curves: bracketing with the same draws, then a fitted curve around the target."""
# Near the target the transformed measure is nearly straight: probit(power) in the effect, or in the square root of a
# size; log(width) in the logarithm of a size. The answer is where the fitted line meets the target. Its interval comes
# from the jackknife over groups of replications, which is right whether evaluations share their draws (engine full) or
# not (engine counts): the line is fitted again with each group left out at all points at once.

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from simstudy.errors import RequestError
from simstudy.solve.curve import Curve
from simstudy.solve.search import MISSED, NOT_REACHED, NULL_REACHES, UNTOLD, Answer, Trust, bracket, no_size, nothing

POINTS = 7
BISECTIONS = 4
# effects that are looked at first, as shares of the range: power can fall again towards its end
OUTWARDS = (1 / 64, 1 / 32, *(k / 16 for k in range(1, 17)))
# reach of the fit in standard normal units of the measure: power .80 → about .66 to .90
SPREAD = 0.45
# errors by which a value lies surely on one side of the target
FAR = 3.0
# half the length of a shorter line, in errors of where it meets the target
NARROWER = 4.0
# the error of where such a line meets the target, in halves of its length: what is larger says nothing
LONG_ENOUGH = 0.5
TINY = 1e-12
GROUPS = 20
# the .975 quantile of Student's t with 19 degrees of freedom: a jackknife over 20 groups
T95 = 2.093024054408263
# units that one evaluation of the full engine may simulate: some ten seconds; counts cost the same at any size
MOST_UNITS = 500_000_000
LARGEST_COUNTED = 10**12
# of coverage: standard errors beyond which a size surely reaches the target, and sizes that are looked at
SURE = 3.0
MOST_SIZES = 1500
# how often a simulated target may be lost again before it is taken as lost for good: beyond that its values lie within
# their Monte Carlo error of the target
RELAPSES = 20


@dataclasses.dataclass
class _Line:
    """Points of a straightened curve, and where a line through them meets the target."""

    target: float
    xs: list[float] = dataclasses.field(default_factory=list)
    us: list[float] = dataclasses.field(default_factory=list)
    ys: list[float] = dataclasses.field(default_factory=list)
    errors: list[float] = dataclasses.field(default_factory=list)

    def add(self, x: float, u: float, y: float, error: float) -> None:
        for column, value in ((self.xs, x), (self.us, u), (self.ys, y), (self.errors, error)):
            column.append(value)

    def fit(self, heights: Sequence[float]) -> tuple[float, float]:
        slope, height = np.polyfit(self.us, heights, 1, w=1.0 / np.maximum(self.errors, TINY))
        return float(slope), float(height)

    def meets(self, heights: Sequence[float]) -> float:
        slope, height = self.fit(heights)
        return (self.target - height) / slope

    @property
    def error(self) -> float:
        """Roughly the error of where it meets the target, from that of a single point."""
        return float(np.median(self.errors)) / abs(self.fit(self.ys)[0])


class _Fit:
    """A simulated curve in coordinates in which it is nearly straight."""

    def __init__(self, curve: Curve, engine: str, size: bool) -> None:
        self.curve, self.engine, self.size = curve, engine, size
        self.rate = curve.target.is_rate
        self.seen: dict[float, tuple[float, float]] = {}

    def value(self, x: float) -> tuple[float, float]:
        if x not in self.seen:
            self.seen[x] = self.curve.simulated(x, self.engine)
        return self.seen[x]

    def reached(self, x: float) -> bool:
        return bool(self.curve.reached(np.array([self.value(x)[0]]))[0])

    def ahead(self, x: float) -> float:
        if not self.size:
            return x
        return math.sqrt(x) if self.rate else math.log(x)

    def back(self, u: float) -> float:
        if not self.size:
            return u
        return u * u if self.rate else math.exp(u)

    def straight(self, value: float, error: float) -> tuple[float, float]:
        """Return the transformed value and its error."""
        from scipy.special import ndtri  # late: start-up

        if not self.rate:
            return math.log(max(value, 1e-300)), error / max(value, 1e-300)
        # a rate of 0 or 1 is moved half a replication inward; its error likewise
        half = 0.5 / self.curve.options.replications
        value = min(max(value, half), 1.0 - half)
        y = float(ndtri(value))
        density = math.exp(-0.5 * y * y) / math.sqrt(2 * math.pi)
        return y, max(error, half) / density

    def solve(self, lost: float, reached: float) -> tuple[float, float]:
        """Return the answer and its standard error, in the straight coordinate."""
        a, b = self.ahead(lost), self.ahead(reached)
        between = sorted(self._surely_apart(lost, reached))
        known = _Line(0.0)
        for x, (value, error) in self.seen.items():
            if between[0] <= x <= between[1] and math.isfinite(value):
                known.add(x, self.ahead(x), *self.straight(value, error))
        reach = abs(b - a)
        if len(known.us) > 1:
            longest = max(known.us) - min(known.us)
            reach = max(reach / 2, min(SPREAD / max(abs(known.fit(known.ys)[0]), TINY), longest))
        line = self._line(0.5 * (a + b), reach)
        if len(line.xs) < 2:
            return b, abs(b - a)
        # where the error is small beside the reach of the line, the bend of the curve would show: a shorter line; where
        # the curve hardly rises, one that is long enough to say where it meets the target
        half = max(NARROWER * line.error, 2.0 * self._step(line.meets(line.ys)))
        centre = line.meets(line.ys)
        while half < reach / 2:
            shorter = self._line(centre, half)
            if len(shorter.xs) > 2 and shorter.error <= LONG_ENOUGH * half:
                line = shorter
                break
            centre, half = 0.5 * (a + b), 2.0 * half
        without = np.array([self.curve.jackknifed(x, self.engine, GROUPS) for x in line.xs])
        moved = np.array([line.meets([self.straight(value, 0.0)[0] for value in group]) for group in without.T])
        spread = (GROUPS - 1) / GROUPS * float(((moved - moved.mean()) ** 2).sum())
        return line.meets(line.ys), math.sqrt(spread)

    def _surely_apart(self, lost: float, reached: float) -> tuple[float, float]:
        """Return values seen before on either side of the target, beyond their error of it where there are any."""
        # where there are none on a side, the one there that is the most errors away: two neighbours within their errors
        # of each other would say nothing about the slope
        target, _ = self.straight(self.curve.target.value, 0.0)
        a, b = self.ahead(lost), self.ahead(reached)

        def errors(x: float) -> float:
            y, error = self.straight(*self.value(x))
            return abs(y - target) / max(error, TINY)

        finite = [x for x in self.seen if math.isfinite(self.value(x)[0])]
        before = [x for x in finite if not self.reached(x) and (self.ahead(x) - a) * (b - a) <= 0]
        beyond = [x for x in finite if self.reached(x) and (self.ahead(x) - b) * (b - a) >= 0]

        def nearest(found: list[float], end: float) -> float:
            far = [x for x in found if errors(x) >= FAR]
            if far:
                return min(far, key=lambda x: abs(self.ahead(x) - self.ahead(end)))
            return max(found, key=errors, default=end)

        return nearest(before, lost), nearest(beyond, reached)

    def _step(self, u: float) -> float:
        """Return how far neighbouring sizes lie apart in the straight coordinate; 0 for effects."""
        return self.ahead(self.back(u) + 1.0) - u if self.size else 0.0

    def _line(self, centre: float, reach: float) -> _Line:
        """Return the points of a line through the curve around a place."""
        target, _ = self.straight(self.curve.target.value, 0.0)
        line = _Line(target)
        for u in np.linspace(centre - reach, centre + reach, POINTS):
            x = self.back(max(float(u), 0.0)) if self.size else float(u)
            x = max(float(round(x)), 1.0) if self.size else x
            # undefined and infinite values have no place on a line: intervals that do not exist, say
            if x not in line.xs and self.allowed(x) and math.isfinite(self.value(x)[0]):
                y, error = self.straight(*self.value(x))
                line.add(x, self.ahead(x), y, error)
        return line

    def allowed(self, x: float) -> bool:
        try:
            self.curve.point(x)
        except RequestError:
            return False
        return True


def simulated_effect(curve: Curve, engine: str, null: float, end: float) -> Answer:
    """Return the smallest effect on one side that reaches the target, with a Monte Carlo interval."""
    fit = _Fit(curve, engine, False)
    replications = curve.options.replications
    lost, last = null, end - 1e-6 * (end - null)
    # at the null itself no direction is right, so power_right is looked at beside it
    if fit.reached(null + 1e-9 * (end - null)):
        return nothing(NULL_REACHES, engine, replications)
    for share in OUTWARDS:
        reached = null + share * (last - null)
        if fit.reached(reached):
            break
        lost = reached
    else:
        return nothing(NOT_REACHED, engine, replications)
    for _ in range(BISECTIONS):
        middle = 0.5 * (lost + reached)
        lost, reached = (lost, middle) if fit.reached(middle) else (middle, reached)
    u, error = fit.solve(lost, reached)
    # no effect lies beyond the null, or beyond those that can exist
    first, final = sorted((null, end))
    low, high = (min(max(x, first), final) for x in (u - T95 * error, u + T95 * error))
    return Answer(u, low, high, "found", engine, replications, lost_again=not fit.reached(last))


def coverage_size(curve: Curve, engine: str, low: int, high: int) -> Answer:
    """Return the size from which coverage, which is no smooth curve, keeps its target, as far as simulation tells."""
    # every size is looked at, as far as twice the last one that does not surely reach the target, and beyond it sizes
    # on a grid; the interval goes from the last size that surely misses the target to the last that does not surely
    # reach it
    fit, replications = _Fit(curve, engine, True), curve.options.replications
    high = max(low, min(high, _affordable(curve, engine, low)))
    trust = Trust.in_target(curve.target)
    n = low
    # the last sizes that miss the target, do so surely, may miss it, and may reach it
    missed = below = unsure = hopeful = low - 1
    while True:
        value, error = fit.value(n)
        distance, sure = value - curve.target.value, SURE * error
        missed = missed if fit.reached(n) else n
        unsure = unsure if distance >= sure else n
        below = below if distance >= -sure else n
        hopeful = n if distance >= -sure else hopeful
        confirmed = n >= trust.reach * max(unsure, trust.least)
        if n == high or confirmed or len(fit.seen) >= MOST_SIZES:
            break
        near = max(2 * hopeful, trust.least) if below == n else 2 * unsure + trust.least
        n = min(high, n + 1 if n < near else max(n + 1, int(n * (trust.growth if below == n else trust.step))))
    if not confirmed and unsure > n // 2:
        found = nothing(MISSED if below == n else UNTOLD, engine, replications)
        return dataclasses.replace(found, searched_from=float(low), searched_to=float(n))
    return Answer(missed + 1.0, below + 1.0, unsure + 1.0, "found", engine, replications)


def simulated_size(curve: Curve, engine: str, low: int, high: int) -> Answer:
    """Return the size that reaches the target, with a Monte Carlo interval; single sizes are not told apart."""
    if curve.target.of_interval and curve.target.is_rate:
        return coverage_size(curve, engine, low, high)
    fit = _Fit(curve, engine, True)
    replications = curve.options.replications
    high = max(low, min(high, _affordable(curve, engine, low)))

    def costly(n: int) -> bool:
        return 8 * n > high and engine == "full"

    found = bracket(fit.reached, low, high, Trust.in_target(curve.target), costly, RELAPSES)
    if found is None:
        seen = {int(n): fit.reached(n) for n in fit.seen}
        answer = nothing(no_size(curve, seen, lambda n: fit.value(n)[0]), engine, replications)
        return dataclasses.replace(answer, searched_from=float(low), searched_to=float(max(seen)))
    lost, reached = found.lost, found.reached
    while reached - lost > max(1, reached // 16):
        middle = (lost + reached) // 2
        lost, reached = (lost, middle) if fit.reached(middle) else (middle, reached)
    if lost < low:
        return Answer(float(reached), float(reached), float(reached), "found", engine, replications)
    u, error = fit.solve(lost, reached)
    ends = sorted((fit.back(max(0.0, u - T95 * error)), fit.back(u + T95 * error)))
    size, floor, top = (float(math.ceil(x - 1e-9)) for x in (fit.back(u), *ends))
    return Answer(max(size, low), max(floor, low), top, "found", engine, replications)


def _affordable(curve: Curve, engine: str, low: int) -> int:
    """Return the largest size that one evaluation may simulate unit by unit."""
    if engine != "full":
        return LARGEST_COUNTED
    work = max(1.0, curve.scenario.work(curve.point(low).values))
    return int(low * MOST_UNITS / (work * curve.options.replications))
