"""Methods applied to distinct rows: decisions, estimates, limits, and what the scenario's own measures are means of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.conditional import critical_values
from simstudy.engines.laws import Law
from simstudy.errors import RefusedError
from simstudy.options import Options
from simstudy.scenarios.decisions import DOWN, UP, Bound, Codes, Decided, coded
from simstudy.scenarios.declaration import DesignPoint, Scenario
from simstudy.scenarios.measure import Blocked, Measure, Outcome, Said
from simstudy.scenarios.method import Method
from simstudy.scenarios.parts import FIXED, UNDEFINED, Call
from simstudy.scenarios.rules import HOLDS, Rule, blocked_by

# about 0.5 MB each
REMEMBERED = 64

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# how far the seed of another set of draws lies away
OTHER_SEED = 2**63
# rows whose weighted sums give every measure that does not need the true value
FEATURES = (
    "undefined",
    "up",
    "down",
    "estimates",
    "estimate",
    "estimate_squared",
    "size_decided",
    "square_decided",
    "intervals",
    "width",
    "width_squared",
    "unbounded",
)


@dataclass(frozen=True, eq=False)
class Evaluated:
    """What a method says of each distinct row at one level."""

    # one number for each row; the code is that of an outcome, None where the method decides nothing
    code: Codes | None
    undefined: Bools
    estimate: Floats | None
    # limits of the two-sided interval
    low: Floats | None
    high: Floats | None
    # what distances of the estimate are taken from
    null: float = 0.0
    # codes that count as a decision
    decisive: tuple[int, ...] = (UP, DOWN)
    # measure of the scenario's own, or of a rule's parts → what it is the mean of, NaN where a row has no part in it
    measured: dict[str, Floats] = field(default_factory=dict)
    # what another set of draws says, of a method that draws random numbers itself
    again: Evaluated | None = None

    @property
    def decided(self) -> Bools | None:
        """Where the outcome is a decisive one."""
        return None if self.code is None else np.isin(self.code, self.decisive)

    def take(self, index: NDArray[np.intp]) -> Evaluated:
        """Return what is said of some of the rows."""
        taken = self._each(lambda column: column[index])
        taken = replace(taken, again=self.again and self.again.take(index))
        if "features" in self.__dict__:
            taken.__dict__["features"] = np.take(self.features, index, axis=1)
        return taken

    def joined(self, other: Evaluated) -> Evaluated:
        """Return what is said of these rows and of others after them."""
        theirs = iter(other.arrays)
        whole = self._each(lambda column: np.concatenate([column, next(theirs)]))
        return replace(whole, again=self.again.joined(other.again) if self.again and other.again else None)

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that are there, in a fixed order."""
        own = (self.code, self.undefined, self.estimate, self.low, self.high, *self.measured.values())
        return [column for column in own if column is not None]

    def _each(self, change: Any) -> Evaluated:
        columns: dict[str, Any] = {
            name: None if getattr(self, name) is None else change(getattr(self, name))
            for name in ("code", "undefined", "estimate", "low", "high")
        }
        return replace(self, **columns, measured={name: change(column) for name, column in self.measured.items()})

    @cached_property
    def features(self) -> Floats:
        """The rows of `FEATURES`."""
        table = np.zeros((len(FEATURES), len(self.undefined)))
        table[0] = self.undefined
        decided = self.decided
        if self.code is not None:
            table[1], table[2] = self.code == UP, self.code == DOWN
        if self.estimate is not None:
            known = np.isfinite(self.estimate)
            estimate = np.where(known, self.estimate, 0.0)
            table[3], table[4], table[5] = known, estimate, estimate**2
            if decided is not None:
                distance = np.where(known, self.estimate - self.null, 0.0)
                table[6], table[7] = np.abs(distance) * decided, distance**2 * decided
        if self.low is not None and self.high is not None:
            width = self.high - self.low
            table[8], table[11] = ~np.isnan(width), np.isinf(width)
            width = np.where(np.isfinite(width), width, 0.0)
            table[9], table[10] = width, width**2
        return table


def by_reading(point: DesignPoint, methods: Sequence[Method]) -> dict[tuple[str, ...], list[Method]]:
    """Return the methods by the columns that they read."""
    grouped: dict[tuple[str, ...], list[Method]] = {}
    for method in methods:
        grouped.setdefault(point.reading(method), []).append(method)
    return grouped


@dataclass(eq=False)
class _Evidence:
    """What a method says of some rows at one level; limits as far as a decision asks for them."""

    method: Method
    context: Mapping[str, Any]
    alternative: str
    level: float
    null: float | None
    rows: int
    p: Floats | None
    estimate: Floats | None
    _limits: dict[float, tuple[Floats, Floats]] = field(default_factory=dict)

    def limits(self, level: float) -> tuple[Floats, Floats]:
        if self.method.interval is None:
            raise RefusedError(f"{self.method.name} declares neither a p-value nor an interval.")
        if level not in self._limits:
            self._limits[level] = _call(self.method.interval, self.context, level=level)
        return self._limits[level]

    def value(self, call: Call | str, **extra: Any) -> Any:
        return self.context[call] if isinstance(call, str) else _call(call, self.context, **extra)

    def bound(self, bound: Bound) -> float:
        if callable(bound):
            return float(bound(self.context))
        if isinstance(bound, str):
            return self.level if bound == "alpha" else float(self.context[bound])
        return float(bound)


class Evaluator:
    """Applies methods to rows, and remembers what it did for rows that many points share."""

    # verdicts on whole small laws, which depend on the size but on no probability; shared by all studies
    _memory: ClassVar[dict[tuple[object, ...], list[Evaluated]]] = {}

    def __init__(self, options: Options) -> None:
        self.options = options
        # whether what another set of draws says is looked at too, for the error of a method's own draws
        self.redraws = True

    def about(self, point: DesignPoint, method: Method) -> tuple[Any, ...]:
        """Return everything that verdicts depend on, beside the rows and the options."""
        context = self._context(point)
        given = tuple(context.get(name) for name in method.columns)
        # bounds of a rule and measures of the scenario's own may depend on any value
        own = isinstance(method.decision, Rule) or bool(point.scenario.measures)
        values = tuple(point.values.items()) if own else ()
        # one's own scenario may be declared again, with other measures or outcomes under the same names
        return (point.scenario, method, given, method.decision.null_at(point), values)

    def on_law(self, point: DesignPoint, method: Method, names: Sequence[str], law: Law) -> list[Evaluated]:
        """Return a method's verdicts on the rows of an exact law, one entry per level; see `on_rows`."""
        if law.key is None:
            return self.on_rows(point, method, names, law.rows)
        asked = (tuple(names), law.key, self.redraws, self.options.levels, self.options.alternative)
        about = (*self.about(point, method), *asked)
        found = self._memory.get(about)
        if found is None:
            found = self.on_rows(point, method, names, law.rows)
            if len(self._memory) >= REMEMBERED:
                self._memory.clear()
            self._memory[about] = found
        return found

    def on_rows(
        self, point: DesignPoint, method: Method, names: Sequence[str], rows: NDArray[np.int64]
    ) -> list[Evaluated]:
        """Return a method's verdicts on rows, one entry per level; ``names`` are the projections in their columns."""
        found = self._said(point, method, names, rows, self.options.seed)
        if not (method.resamples and self.redraws and len(rows)):
            return found
        others = self._said(point, method, names, rows, (self.options.seed + OTHER_SEED) % 2**64)
        return [replace(one, again=other) for one, other in zip(found, others, strict=True)]

    def _said(
        self, point: DesignPoint, method: Method, names: Sequence[str], rows: NDArray[np.int64], seed: int
    ) -> list[Evaluated]:
        columns = {name: _real(point.scenario, name, rows[:, i]) for i, name in enumerate(names)}
        # the counts of all classes of a block as one array, for blocks that have a name
        vectors = {
            name: np.stack([columns[column] for column in classes], axis=-1)
            for name, classes in point.vectors.items()
            if all(column in columns for column in classes)
        }
        context: dict[str, Any] = {**self._context(point), "seed": seed, **columns, **vectors}
        estimate = _call(method.estimate, context) if method.estimate else None
        p = None
        by_total = self._by_total(method, columns) if method.discordant else None
        if method.p_value is not None and by_total is None:
            sided = {"alternative": self.options.alternative} if method.p_value.sided else {}
            p = np.broadcast_to(_call(method.p_value, context, **sided), len(rows))
        null = method.decision.null_at(point)
        found = []
        for index, level in enumerate(self.options.levels):
            evidence = _Evidence(method, context, self.options.alternative, level, null, len(rows), p, estimate)
            decided = by_total[index] if by_total is not None else self._decided(method, evidence)
            found.append(self._evaluated(point, method, evidence, decided))
        return found

    def _decided(self, method: Method, evidence: _Evidence) -> Decided:
        if evidence.null is None and evidence.p is None and not isinstance(method.decision, Rule):
            low, high = evidence.limits(1.0 - evidence.level)
            return Decided(None, np.isnan(low) | np.isnan(high), {})
        return method.decision.decide(evidence)

    def _evaluated(self, point: DesignPoint, method: Method, evidence: _Evidence, decided: Decided) -> Evaluated:
        low, high = evidence.limits(1.0 - evidence.level) if method.interval else (None, None)
        return Evaluated(
            decided.code,
            decided.undefined,
            evidence.estimate,
            low,
            high,
            evidence.null or 0.0,
            method.decision.decisive,
            {m.name: _measured(m, point, method, evidence, decided) for m in measures_of(point.scenario, method)},
        )

    def _context(self, point: DesignPoint) -> dict[str, Any]:
        """Return what methods may be given beside the projections."""
        return {**point.derived, **point.values, "alphas": self.options.ladder, "seed": self.options.seed}

    def _by_total(self, method: Method, columns: Mapping[str, NDArray[np.int64]]) -> list[Decided] | None:
        """Decide by critical values of n01 where rows are many more than discordant totals: far fewer p-values."""
        against, toward = method.discordant
        assert method.p_value is not None
        n01 = columns[toward]
        total = columns[against] + n01
        start, stop = int(total.min()), int(total.max()) + 1
        if len(total) < 4 * (stop - start):
            return None
        found = [critical_values(method.p_value, a, self.options.alternative, start, stop) for a in self.options.levels]
        defined = np.zeros(len(total), np.bool_)
        return [
            Decided(coded(n01 >= c.upper[total - start], n01 <= c.lower[total - start]), defined, {}) for c in found
        ]


def measures_of(scenario: Scenario, method: Method) -> list[Measure]:
    """Return the measures beside those of every scenario that a method has: declared ones, and those of its rule."""
    own = [m for m in scenario.measures if _applies(m, scenario, method)]
    if not isinstance(method.decision, Rule):
        return own
    told = {m.of for m in own if isinstance(m.of, Said | Blocked)}
    for part in method.decision.parts:
        said = Measure(f"said_{part.name}", f"probability that {part.words}", of=Said(part.name))
        alone = f"probability that this part alone stands in the way: {part.words}"
        own += [m for m in (said, Measure(f"blocked_by_{part.name}", alone, of=Blocked(part.name))) if m.of not in told]
    return own


def _applies(measure: Measure, scenario: Scenario, method: Method) -> bool:
    if measure.name in method.measures:
        return True
    if isinstance(measure.of, Said | Blocked):
        decision = method.decision
        return isinstance(decision, Rule) and measure.of.part in [part.name for part in decision.parts]
    if isinstance(measure.of, Outcome):
        return measure.of.name in method.decision.names(scenario)
    return measure.of is not None


def _measured(measure: Measure, point: DesignPoint, method: Method, evidence: _Evidence, decided: Decided) -> Floats:
    """Return what a measure is the mean of, on each row."""
    of = method.measures.get(measure.name, measure.of)
    if isinstance(of, Said):
        found = decided.said[of.part] == HOLDS
    elif isinstance(of, Blocked):
        found = blocked_by(decided.said, of.part)
    elif isinstance(of, Outcome):
        assert decided.code is not None
        found = decided.code == method.decision.names(point.scenario).index(of.name)
    else:
        assert of is not None
        found = evidence.value(of)
    values = np.broadcast_to(np.asarray(found, np.float64), evidence.rows)
    if measure.given is None:
        return values
    counts = np.asarray(evidence.value(measure.given), np.float64)
    return np.where(np.nan_to_num(counts) != 0.0, values, np.nan)


def _real(scenario: Scenario, name: str, column: NDArray[np.int64]) -> NDArray[Any]:
    """Return a column as methods take it: fixed point as numbers, with NaN where undefined."""
    if scenario.kernel is None or name not in scenario.kernel.real:
        return column
    return np.where(column == UNDEFINED, np.nan, column / FIXED)


def _call(call: Call, context: Mapping[str, Any], **extra: Any) -> Any:
    return call.resolve()(*(context[name] for name in call.arguments), **extra)
