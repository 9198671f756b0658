"""From measures at design points to an xarray Dataset."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from simstudy.scenarios import built_in
from simstudy.scenarios.declaration import Exceeds, Method, Scenario
from simstudy.scenarios.measure import MEASURES, Measure
from simstudy.study.measures import Cell
from simstudy.study.methods_on_rows import measures_of
from simstudy.study.plan import Study
from simstudy.study.words import IN_WORDS, INTRODUCTION, Beside, asked

COSTS = ("judge_calls", "labels")
# measures in the unit of the estimate
ESTIMATED = tuple(measure.name for measure in MEASURES if measure.of_estimate)
# whether a design point was computed
COMPUTED, IMPOSSIBLE = "computed", "impossible"
LIBRARIES = ("numpy", "numba", "scipy", "xarray")
ABOUT = {
    **{name: about for measure in MEASURES for name, about in measure.variables.items()},
    "left_out": ("probability outside the window of the exact law", "proportion"),
    "replications": ("replications; 0 where exact", "replications"),
    "engine": ("how it was computed", "name"),
    "status": ("computed, or impossible: a design point that cannot exist", "name"),
    "n_usable": ("units that can be used", "units"),
}


@cache
def version(package: str = "simstudy") -> str:
    """Return the version of an installed package."""
    return importlib.metadata.version(package)


def dimensions(study: Study, with_alpha: bool = True) -> dict[str, list[Any]]:
    """Return the dimensions of a result with their labels, in order and without ``method``; a list of levels is one."""
    named: dict[str, list[Any]] = {name: list(values) for name, values in study.grid.swept.items()}
    if with_alpha and study.options.alpha_swept:
        named["alpha"] = list(study.options.alpha)
    return named


Variable = tuple[tuple[str, ...], NDArray[Any], dict[str, str]]


def described(study: Study) -> dict[str, tuple[str, str]]:
    """Return what every variable and coordinate of a result is, in words, and its unit."""
    scenario = study.scenario
    found = {p.name: (p.help, p.unit) for p in scenario.parameters}
    found |= {
        "alpha": ("level of the tests; intervals have level 1 − alpha", "proportion"),
        "method": ("statistical method", "name"),
    }
    said = {*study.grid.swept, *study.grid.written}
    found |= {name: words for name, words in scenario.units.items() if name not in said} | ABOUT
    found |= {key: words for measure in own_measures(study) for key, words in measure.variables.items()}
    unit = estimate_unit(scenario, study.methods)
    return {key: (words, unit if key.removesuffix("_mcse") in ESTIMATED else of) for key, (words, of) in found.items()}


def coordinates(study: Study) -> dict[str, Any]:
    """Return the coordinates of a result as xarray takes them: dimensions, and fixed parameters as scalars."""
    about = {name: {"long_name": words, "units": unit} for name, (words, unit) in described(study).items()}
    made: dict[str, Any] = {name: (name, labels, about[name]) for name, labels in dimensions(study).items()}
    names = [method.name for method in study.methods]
    made["method"] = ("method", names, about["method"])
    unread = {p.name for p in study.scenario.parameters if not p.read_by(study.methods)}
    made.update({name: ((), value, about[name]) for name, value in study.grid.written.items() if name not in unread})
    if not study.options.alpha_swept:
        made["alpha"] = ((), study.options.alpha[0], about["alpha"])
    return made


def attributes(study: Study) -> dict[str, Any]:
    """Return what a result says about itself."""
    scenario, words = study.scenario, asked(study)
    own_nulls = ", ".join(m.name for m in study.methods if m.decision.null is not None)
    return {
        "scenario": scenario.name,
        "question": words.sentence,
        "seed": str(study.options.seed),
        "study": json.dumps(study.describe()),
        "effect": scenario.effect.name if scenario.effect else "",
        "null": scenario.effect.null if scenario.effect and scenario.effect.null is not None else "",
        "size": scenario.size.name if scenario.size else "",
        "target_variable": scenario.target_variable,
        "shows": ", ".join(scenario.shows),
        "reports": ", ".join(scenario.reports),
        "aims": study.aims or scenario.aims,
        "data_generating_mechanism": scenario.mechanism,
        "estimands": scenario.estimand_words,
        "methods": "; ".join(f"{m.name}: {m.label} ({m.source})" for m in study.methods),
        "performance_measures": "",
        "margin_methods": ", ".join(m.name for m in study.methods if m.decision.about_margin),
        "exceeding_methods": ", ".join(m.name for m in study.methods if isinstance(m.decision, Exceeds)),
        "resampling_methods": ", ".join(m.name for m in study.methods if m.resamples),
        "rules_without_a_level": ", ".join(
            m.name for m in study.methods if m.decision.level_of(m, 0.05, study.options.alternative) is None
        ),
        "misused_methods": ", ".join(m.name for m in study.methods if m.misuse),
        **({"methods_with_own_nulls": own_nulls} if own_nulls else {}),
        **_where_it_may_be_unknown(study, words.details),
        "simstudy_version": version(),
        "library_versions": json.dumps({name: version(name) for name in LIBRARIES}),
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "command": "",
    }


def _where_it_may_be_unknown(study: Study, details: str) -> dict[str, Any]:
    """Return what whoever shows a result of somebody's own scenario cannot take from its declaration."""
    if study.scenario.name in built_in():
        return {}
    costs = ", ".join(costs_of(study))
    return {"title": study.scenario.title, "details": details, **({"costs_by_method": costs} if costs else {})}


def variable(name: str, dims: Sequence[str], values: NDArray[Any], about: Mapping[str, tuple[str, str]]) -> Variable:
    """Return a variable as xarray takes it; ``about`` holds its words and unit."""
    words, unit = about[name]
    return tuple(dims), values, {"long_name": words, "units": unit}


def to_dataset(study: Study, cells: list[dict[str, Cell]]) -> xr.Dataset:
    """Return the result of a power question."""
    names = [method.name for method in study.methods]
    found = {key for cell in cells for name in names for values in cell[name].by_level for key in values}
    own, about = own_measures(study), described(study)
    known = (*ABOUT, *(key for measure in own for key in measure.variables))
    variables = {key: _measure(study, cells, key, about) for key in known if key in found}
    if "unbounded" in variables and not np.nan_to_num(variables["unbounded"][1]).any():
        del variables["unbounded"], variables["unbounded_mcse"]
    plain = (*study.grid.swept, "method")
    for key, blank in (("replications", 0), ("engine", "")):
        values = np.array([[getattr(cell[name], key) for name in names] for cell in cells])
        variables[key] = variable(key, plain, _on_grid(study, values, blank), ABOUT)
    if not all(study.grid.possible):
        status = np.where(study.grid.possible, COMPUTED, IMPOSSIBLE).reshape(study.grid.shape)
        variables["status"] = variable("status", tuple(study.grid.swept), status, ABOUT)
    variables.update(_truth(study))
    made = attributes(study)
    reported = (key for measure in (*MEASURES, *own) for key in measure.variables)
    made["performance_measures"] = ", ".join(k for k in reported if k in found and not k.endswith("_mcse"))
    return xr.Dataset(variables, coordinates(study), made)


def recorded(dataset: xr.Dataset, command: str, beside: Beside) -> xr.Dataset:
    """Note in a result what was typed and what stands beside it, for the file."""
    words = {INTRODUCTION: beside.introduction} if beside.introduction else {}
    return dataset.assign_attrs(command=command, **words, **{IN_WORDS: list(beside.closing)})


def own_measures(study: Study) -> list[Measure]:
    """Return the measures that the scenario declares, and those of the parts of rules, each once."""
    found = [measure for method in study.methods for measure in measures_of(study.scenario, method)]
    return list({measure.name: measure for measure in found}.values())


def _measure(study: Study, cells: list[dict[str, Cell]], key: str, about: Mapping[str, tuple[str, str]]) -> Variable:
    """Return one measure of all methods at all points; NaN where it is undefined or does not apply."""
    names = [method.name for method in study.methods]
    values = np.array(
        [[[level.get(key, math.nan) for level in cell[name].by_level] for name in names] for cell in cells]
    )
    shaped = _on_grid(study, np.moveaxis(values, 2, 1))
    if not study.options.alpha_swept:
        shaped = shaped[..., 0, :]
    made = variable(key, (*dimensions(study), "method"), shaped, about)
    applies = [name for name in names if any(key in level for cell in cells for level in cell[name].by_level)]
    if len(applies) < len(names):
        made[2]["applies_to"] = ", ".join(applies)
    return made


def _on_grid(study: Study, values: NDArray[Any], blank: Any = math.nan) -> NDArray[Any]:
    """Return values of the design points that can exist in the shape of the grid; the others are left blank."""
    shape = (*study.grid.shape, *values.shape[1:])
    possible = np.array(study.grid.possible)
    if possible.all():
        return values.reshape(shape)
    whole = np.full((len(possible), *values.shape[1:]), blank, np.result_type(values, type(blank)))
    whole[possible] = values
    return whole.reshape(shape)


def estimate_unit(scenario: Scenario, methods: Sequence[Method]) -> str:
    """Return the unit of estimates, of each method where they differ: ``proportion (gap_z), logits (judge_z)``."""
    units = {method.name: method.unit or scenario.estimate_unit for method in methods if method.estimate}
    by_unit = {unit: [name for name in units if units[name] == unit] for unit in dict.fromkeys(units.values())}
    if len(by_unit) <= 1:
        return next(iter(by_unit), scenario.estimate_unit)
    return ", ".join(f"{unit} ({', '.join(names)})" for unit, names in by_unit.items())


def _truth(study: Study) -> dict[str, Variable]:
    """Return everything that follows from the parameters, without ``method``."""
    dims = tuple(study.grid.swept)
    truths = [point.truth for point in study.points]
    if study.options.unusable:
        # what is lost has been graded and labelled all the same
        costs = [{key: point.truth[key] for key in COSTS if key in point.truth} for point in study.grid.points()]
        truths = [{**truth, **cost} for truth, cost in zip(truths, costs, strict=True)]
    said = {*study.grid.swept, *study.grid.fixed}
    made = {
        key: variable(key, dims, _on_grid(study, np.array([truth[key] for truth in truths])), study.scenario.units)
        for key in truths[0]
        if key not in said
    }
    made.update(_costs(study))
    size = study.scenario.size
    if study.options.unusable and size is not None:
        usable = _on_grid(study, np.array([point.values[size.name] for point in study.points]))
        made["n_usable"] = variable("n_usable", dims, usable, ABOUT)
    return made


def costs_of(study: Study) -> list[str]:
    """Return the names of what costs methods differently."""
    return list(dict.fromkeys(name for method in study.methods for name in method.costs))


def _costs(study: Study) -> dict[str, Variable]:
    """Return what each method costs, where methods differ in it; what is lost has been graded all the same."""
    names = costs_of(study)
    points = study.grid.points() if names else []
    made = {}
    for name in names:
        costs = [
            [m.costs[name](point.values) if name in m.costs else math.nan for m in study.methods] for point in points
        ]
        on_grid = _on_grid(study, np.array(costs))
        made[name] = variable(name, (*study.grid.swept, "method"), on_grid, study.scenario.units)
    return made
