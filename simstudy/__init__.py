"""Monte Carlo studies of LLM evaluations: power, minimum detectable effects and sample sizes.

The public names are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simstudy.errors import RequestError, SimstudyError
    from simstudy.records.evidence import Evidence
    from simstudy.records.from_python import compare, pilot
    from simstudy.scenarios import register, scenario_names
    from simstudy.scenarios.declaration import (
        Block,
        Blocked,
        Call,
        Decision,
        Difference,
        Equivalence,
        Exceeds,
        Group,
        Kernel,
        Measure,
        Method,
        NonInferiority,
        Outcome,
        Parameter,
        Part,
        Rule,
        Said,
        Sample,
        Scenario,
    )
    from simstudy.solve.from_grid import mde_from
    from simstudy.solve.questions import mde, size
    from simstudy.store import load, save
    from simstudy.study.power_curve import power_curve
    from simstudy.study.replaying import replay

_HOME = {
    "power_curve": "simstudy.study.power_curve",
    "replay": "simstudy.study.replaying",
    "mde": "simstudy.solve.questions",
    "mde_from": "simstudy.solve.from_grid",
    "size": "simstudy.solve.questions",
    "compare": "simstudy.records.from_python",
    "Evidence": "simstudy.records.evidence",
    "pilot": "simstudy.records.from_python",
    "load": "simstudy.store",
    "save": "simstudy.store",
    "register": "simstudy.scenarios",
    "scenario_names": "simstudy.scenarios",
    "Block": "simstudy.scenarios.declaration",
    "Blocked": "simstudy.scenarios.declaration",
    "Call": "simstudy.scenarios.declaration",
    "Decision": "simstudy.scenarios.declaration",
    "Difference": "simstudy.scenarios.declaration",
    "Equivalence": "simstudy.scenarios.declaration",
    "Exceeds": "simstudy.scenarios.declaration",
    "Group": "simstudy.scenarios.declaration",
    "Kernel": "simstudy.scenarios.declaration",
    "Measure": "simstudy.scenarios.declaration",
    "Method": "simstudy.scenarios.declaration",
    "NonInferiority": "simstudy.scenarios.declaration",
    "Outcome": "simstudy.scenarios.declaration",
    "Parameter": "simstudy.scenarios.declaration",
    "Part": "simstudy.scenarios.declaration",
    "Rule": "simstudy.scenarios.declaration",
    "Said": "simstudy.scenarios.declaration",
    "Sample": "simstudy.scenarios.declaration",
    "Scenario": "simstudy.scenarios.declaration",
    "RequestError": "simstudy.errors",
    "SimstudyError": "simstudy.errors",
}

__all__ = [
    "Block",
    "Blocked",
    "Call",
    "Decision",
    "Difference",
    "Equivalence",
    "Evidence",
    "Exceeds",
    "Group",
    "Kernel",
    "Measure",
    "Method",
    "NonInferiority",
    "Outcome",
    "Parameter",
    "Part",
    "RequestError",
    "Rule",
    "Said",
    "Sample",
    "Scenario",
    "SimstudyError",
    "compare",
    "load",
    "mde",
    "mde_from",
    "pilot",
    "power_curve",
    "register",
    "replay",
    "save",
    "scenario_names",
    "size",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'simstudy' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
