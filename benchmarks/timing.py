"""How things are timed here."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

ROUNDS = 7


@dataclass(frozen=True)
class Line:
    """One line of the report: a ratio or a time, and what was aimed at."""

    what: str
    measured: float
    unit: str
    target: float | None = None
    at_most: bool = True

    @property
    def met(self) -> bool | None:
        """Whether the target was met; None without one."""
        if self.target is None:
            return None
        return self.measured <= self.target if self.at_most else self.measured >= self.target


def best(function: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the shortest of several times, in seconds, after one call that warms up."""
    return side_by_side({"it": function}, rounds)["it"]


def side_by_side(
    functions: Mapping[str, Callable[[], object]],
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return the median time of each function; the rounds alternate, so that a slow moment hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for function in functions.values():
        function()
    for _ in range(rounds):
        for name, function in functions.items():
            start = clock()
            function()
            times[name].append(clock() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def report(lines: list[Line]) -> str:
    """Return the lines as a table."""
    rows = []
    for line in lines:
        value = f"{line.measured:.3g} {line.unit}".strip()
        aim = "" if line.target is None else f"{'at most' if line.at_most else 'at least'} {line.target:g} {line.unit}"
        verdict = {None: "", True: "met", False: "MISSED"}[line.met]
        rows.append(f"{line.what:<78} {value:>12}   {aim:<18} {verdict}".rstrip())
    return "\n".join(rows)
