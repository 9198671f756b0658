"""What nobody would wait for is refused before it begins, with what would do instead."""

from __future__ import annotations

from simstudy.commands.dry_run import simulated_seconds, time_words
from simstudy.engines.simulate import exact_seconds
from simstudy.errors import RefusedError
from simstudy.scenarios.declaration import DesignPoint
from simstudy.study.plan import Study

# of a single design point: an exact answer is one of several ways to it, a simulation may run over night
EXACT_SECONDS, SIMULATED_SECONDS = 600.0, 12 * 3600.0
LOOKED_AT = 200  # points; more of a large grid would take longer than the look is worth


def check_affordable(study: Study) -> None:
    """Refuse a study of which a single design point would take many hours."""
    if study.solved is not None:
        return
    every = max(1, len(study.points) // LOOKED_AT)
    for point, engines in list(zip(study.points, study.engines, strict=True))[::-every]:
        _check_exact(study, point, engines)
        for engine in sorted(set(engines) - {"exact"}):
            seconds = simulated_seconds(point, engine, study.options)
            if seconds > SIMULATED_SECONDS:
                raise RefusedError(
                    f"Engine {engine} would take roughly {time_words(seconds)}{_at(study, point)}: ask for a smaller "
                    f"{study.size or 'design'}, fewer replications{_or_counts(point, engine)}."
                )


def _check_exact(study: Study, point: DesignPoint, engines: list[str]) -> None:
    for method, engine in zip(study.methods, engines, strict=True):
        seconds = exact_seconds(point, method) if engine == "exact" else 0.0
        if seconds > EXACT_SECONDS:
            raise RefusedError(
                f"Engine exact would take roughly {time_words(seconds)} for {method.name}{_at(study, point)}: ask for "
                f"engine auto or counts, or for a smaller {study.size or 'design'}."
            )


def _at(study: Study, point: DesignPoint) -> str:
    return f" at {study.size} {point.values[study.size]}" if study.size else ""


def _or_counts(point: DesignPoint, engine: str) -> str:
    return " or engine counts" if engine == "full" and "counts" in point.scenario.engines else ""
