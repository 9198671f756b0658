"""What a command would compute, and roughly what that costs."""

from __future__ import annotations

import math
from collections import Counter

from simstudy.engines.simulate import analysis_seconds, choose_engine, exact_seconds
from simstudy.options import FIRST_ROUND, Options
from simstudy.scenarios.declaration import DesignPoint
from simstudy.study.plan import Study
from simstudy.study.target import Target
from simstudy.study.words import asked, listing

# what one replication costs, in nanoseconds: of a unit in engine full, of a class in engine counts
UNIT = 15.0
CLASS = 100.0
# of a larger grid only some points are looked at, so that a plan never takes longer than a study
MOST_POINTS = 2000


def plan_lines(study: Study) -> list[str]:
    """Return the plan of a study, without computing anything."""
    work = _engines(study) if study.solved is None or study.target is None else _solving(study, study.target)
    return [asked(study).sentence, "", *_grid(study), *work, "Nothing was computed."]


def _grid(study: Study) -> list[str]:
    sizes = study.grid.shape
    points = math.prod(sizes)
    product = f"{' × '.join(map(str, sizes))} = " if len(sizes) > 1 else ""
    lines = [f"Grid: {product}{points} design point{'s' * (points != 1)}, {len(study.methods)} method(s)"]
    return lines + [f"  {name}: {listing(values)}" for name, values in study.grid.swept.items()]


def _engines(study: Study) -> list[str]:
    every = max(1, len(study.points) // MOST_POINTS)
    points = study.points[::every]
    rows = [[choose_engine(point, method, study.options) for method in study.methods] for point in points]
    lines, total = ["Engines:"], 0.0
    for column, method in enumerate(study.methods):
        counts = Counter(row[column] for row in rows)
        lines.append(f"  {method.name}: {_engines_at(counts, len(study.points), len(points))}")
    for point, engines in zip(points, rows, strict=True):
        total += sum(exact_seconds(point, m) for m, e in zip(study.methods, engines, strict=True) if e == "exact")
        total += sum(simulated_seconds(point, engine, study.options) for engine in set(engines) - {"exact"})
        total += sum(
            analysis_seconds(point, m, _replications(study.options))
            for m, e in zip(study.methods, engines, strict=True)
            if e != "exact"
        )
    used = {engine for row in rows for engine in row}
    lines.append(f"Roughly {time_words(total * len(study.points) / len(points))}{_simulation(study, used)}.")
    return lines


def _engines_at(counts: Counter[str], points: int, looked_at: int) -> str:
    if looked_at == points:
        return ", ".join(f"{engine} at {count} point(s)" for engine, count in counts.items())
    shares = ", ".join(f"{engine} at {count}" for engine, count in counts.items())
    return f"{shares} of {looked_at} evenly spaced points that were looked at"


def _simulation(study: Study, used: set[str]) -> str:
    if used == {"exact"}:
        return ""
    if study.options.mcse is not None:
        return f" for the first {FIRST_ROUND} replications of each simulated point; they double until mcse is reached"
    first = ", and on the first use some seconds to compile" if "full" in used else ""
    return f" at {study.options.replications} replications, {study.options.threads} thread(s){first}"


def simulated_seconds(point: DesignPoint, engine: str, options: Options) -> float:
    """Return roughly what simulating a point costs, in seconds; all methods share its replications."""
    replications = _replications(options)
    if engine == "counts":
        return replications * CLASS * len(point.columns) * 1e-9
    units = max(1.0, point.scenario.work(point.values))
    return replications * units * UNIT * 1e-9 / options.threads


def _replications(options: Options) -> int:
    return options.replications if options.mcse is None else FIRST_ROUND


def time_words(seconds: float) -> str:
    """Return a time as it is said, from tenths of a second to hours."""
    if seconds < 0.1:
        return "less than 0.1 s"
    if seconds < 120:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.2g} h"


def _solving(study: Study, target: Target) -> list[str]:
    answers = math.prod(study.grid.shape) * len(study.options.levels) * len(study.methods)
    return [
        f"To solve for {target.words}: {answers} answer(s), each by a search of some ten to some hundred evaluations.",
        "The engine is chosen as the search goes: exact as long as an evaluation costs about a second or less."
        if study.options.engine == "auto"
        else f"Engine: {study.options.engine}.",
    ]
