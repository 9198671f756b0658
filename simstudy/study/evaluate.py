"""Methods applied to distinct rows: decisions, estimates and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.laws import Law
from simstudy.errors import RefusedError
from simstudy.options import ROUNDING, Options
from simstudy.scenarios.declaration import FIXED, UNDEFINED, Call, DesignPoint, Method, Scenario

# about 0.5 MB each
REMEMBERED = 64

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Evaluated:
    """What a method says of each distinct row at one level.

    Attributes
    ----------
    up, down : array of bool, shape (n_rows,), optional
        Rejections in the positive direction (B better, or the claim affirmed) and in the negative one. None where
        the method decides nothing.
    undefined : array of bool, shape (n_rows,)
    estimate : array of float64, shape (n_rows,), optional
    low, high : array of float64, shape (n_rows,), optional
        Limits of the two-sided interval.
    """

    up: Bools | None
    down: Bools | None
    undefined: Bools
    estimate: Floats | None
    low: Floats | None
    high: Floats | None

    @cached_property
    def features(self) -> Floats:
        """Rows of `FEATURES` whose weighted sums give every measure that does not need the true value."""
        n = len(self.undefined)
        table = np.zeros((len(FEATURES), n))
        table[0] = self.undefined
        if self.up is not None and self.down is not None:
            table[1], table[2] = self.up, self.down
        if self.estimate is not None:
            known = np.isfinite(self.estimate)
            estimate = np.where(known, self.estimate, 0.0)
            table[3], table[4], table[5] = known, estimate, estimate**2
            if self.up is not None and self.down is not None:
                table[6] = np.abs(estimate) * (self.up | self.down)
                table[7] = estimate**2 * (self.up | self.down)
        if self.low is not None and self.high is not None:
            width = self.high - self.low
            table[8], table[11] = ~np.isnan(width), np.isinf(width)
            width = np.where(np.isfinite(width), width, 0.0)
            table[9], table[10] = width, width**2
        return table


FEATURES = (
    "undefined",
    "up",
    "down",
    "estimates",
    "estimate",
    "estimate_squared",
    "size_rejected",
    "square_rejected",
    "intervals",
    "width",
    "width_squared",
    "unbounded",
)


def reading(scenario: Scenario, method: Method) -> tuple[str, ...]:
    """Return the projections that a method reads.

    Parameters
    ----------
    scenario : Scenario
    method : Method

    Returns
    -------
    tuple of str
        In the order of first use.
    """
    known = {*scenario.columns, *scenario.projections}
    names = [name for call in method.calls for name in call.arguments if name in known]
    return tuple(dict.fromkeys(names))


class Evaluator:
    """Applies methods to rows, and remembers what it did for rows that many points share.

    Parameters
    ----------
    options : Options
    """

    # verdicts on whole small laws, which depend on the size but on no probability; shared by all studies
    _memory: ClassVar[dict[tuple[object, ...], list[Evaluated]]] = {}

    def __init__(self, options: Options) -> None:
        self.options = options

    def on_law(self, point: DesignPoint, method: Method, names: Sequence[str], law: Law) -> list[Evaluated]:
        """Return a method's verdicts on the rows of an exact law, one entry per level.

        Parameters
        ----------
        point : DesignPoint
        method : Method
        names : sequence of str
            Projections that the columns of ``rows`` hold.
        law : Law

        Returns
        -------
        list of Evaluated
        """
        if law.key is None:
            return self.on_rows(point, method, names, law.rows)
        given = tuple(self._context(point).get(n) for call in method.calls for n in call.arguments)
        key = (method, given, point.null, tuple(names), law.key, self.options.levels, self.options.alternative)
        found = self._memory.get(key)
        if found is None:
            found = self.on_rows(point, method, names, law.rows)
            if len(self._memory) >= REMEMBERED:
                self._memory.clear()
            self._memory[key] = found
        return found

    def on_rows(
        self, point: DesignPoint, method: Method, names: Sequence[str], rows: NDArray[np.int64]
    ) -> list[Evaluated]:
        """Return a method's verdicts on rows, one entry per level.

        Parameters
        ----------
        point : DesignPoint
        method : Method
        names : sequence of str
            Projections that the columns of ``rows`` hold.
        rows : array of int64, shape (n_rows, n_projections)

        Returns
        -------
        list of Evaluated
        """
        columns = {name: _real(point.scenario, name, rows[:, i]) for i, name in enumerate(names)}
        context: dict[str, Any] = {**self._context(point), **columns}
        estimate = _call(method.estimate, context) if method.estimate else None
        decided = self._by_total(method, columns) if method.discordant else None
        if decided is not None:
            return [
                self._beside(method, context, estimate, *pair)
                for pair in zip(self.options.levels, decided, strict=True)
            ]
        p = None
        if method.p_value is not None:
            sided = {"alternative": self.options.alternative} if method.p_value.sided else {}
            p = np.broadcast_to(_call(method.p_value, context, **sided), len(rows))
        return [self._at_level(method, context, level, p, estimate, point.null) for level in self.options.levels]

    def _context(self, point: DesignPoint) -> dict[str, Any]:
        """Return what methods may be given beside the projections."""
        return {**point.derived, **point.values, "alphas": self.options.ladder, "seed": self.options.seed}

    def _by_total(self, method: Method, columns: Mapping[str, NDArray[np.int64]]) -> list[tuple[Bools, Bools]] | None:
        """Decide by critical values of n01 where rows are many more than discordant totals: far fewer p-values."""
        from simstudy.engines.conditional import critical_values

        against, toward = method.discordant
        assert method.p_value is not None
        n01 = columns[toward]
        total = columns[against] + n01
        start, stop = int(total.min()), int(total.max()) + 1
        if len(total) < 4 * (stop - start):
            return None
        found = [critical_values(method.p_value, a, self.options.alternative, start, stop) for a in self.options.levels]
        return [(n01 >= c.upper[total - start], n01 <= c.lower[total - start]) for c in found]

    def _beside(
        self,
        method: Method,
        context: Mapping[str, Any],
        estimate: Floats | None,
        level: float,
        decided: tuple[Bools, Bools],
    ) -> Evaluated:
        limits = _call(method.interval, context, level=1.0 - level) if method.interval else None
        low, high = limits if limits is not None else (None, None)
        return Evaluated(*decided, np.zeros(len(decided[0]), np.bool_), estimate, low, high)

    def _at_level(
        self,
        method: Method,
        context: Mapping[str, Any],
        level: float,
        p: Floats | None,
        estimate: Floats | None,
        null: float | None,
    ) -> Evaluated:
        limits = _call(method.interval, context, level=1.0 - level) if method.interval else None
        low, high = limits if limits is not None else (None, None)
        up = down = None
        if p is not None:
            undefined = np.isnan(p)
            up, down = self._by_p_value(method, p <= level * (1.0 + ROUNDING), estimate, null)
        elif limits is not None:
            undefined = np.isnan(limits[0]) | np.isnan(limits[1])
            if null is not None:
                up, down = self._by_interval(method, context, level, limits, null)
        else:
            raise RefusedError(f"{method.name} declares neither a p-value nor an interval.")
        return Evaluated(up, down, undefined, estimate, low, high)

    def _by_p_value(
        self, method: Method, reject: Bools, estimate: Floats | None, null: float | None
    ) -> tuple[Bools, Bools]:
        nothing = np.zeros_like(reject)
        if method.claim != "difference" or self.options.alternative == "greater":
            return reject, nothing
        if self.options.alternative == "less":
            return nothing, reject
        if estimate is None or null is None:
            raise RefusedError(f"{method.name} needs an estimate, which gives its two-sided rejections a direction.")
        return reject & (estimate > null), reject & (estimate <= null)

    def _by_interval(
        self, method: Method, context: Mapping[str, Any], level: float, limits: tuple[Floats, Floats], null: float
    ) -> tuple[Bools, Bools]:
        low, high = limits
        if self.options.alternative == "two-sided":
            return low > null, (high < null) & (method.claim == "difference")
        if level >= 0.5:
            raise RefusedError(f"{method.name} decides by an interval: a one-sided alpha must be below 0.5.")
        low, high = _call(method.interval, context, level=1.0 - 2.0 * level)
        nothing = np.zeros_like(low, dtype=np.bool_)
        return (low > null, nothing) if self.options.alternative == "greater" else (nothing, high < null)


def _real(scenario: Scenario, name: str, column: NDArray[np.int64]) -> NDArray[Any]:
    """Return a column as methods take it: fixed point as numbers, with NaN where undefined."""
    if scenario.kernel is None or name not in scenario.kernel.real:
        return column
    return np.where(column == UNDEFINED, np.nan, column / FIXED)


def _call(call: Call | None, context: Mapping[str, Any], **extra: Any) -> Any:
    assert call is not None
    return call.resolve()(*(context[name] for name in call.arguments), **extra)
