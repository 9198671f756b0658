"""From measures at design points to an xarray Dataset."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from simstudy.study.measures import MEASURES
from simstudy.study.plan import Study
from simstudy.study.run import Cell
from simstudy.study.words import question

LIBRARIES = ("numpy", "numba", "scipy", "xarray")
ABOUT = {
    **MEASURES,
    "left_out": ("probability outside the window of the exact law", "proportion"),
    "replications": ("replications; 0 where exact", "replications"),
    "engine": ("how it was computed", "name"),
    "n_usable": ("units that can be used", "units"),
}


def version() -> str:
    """Return the version of simstudy.

    Returns
    -------
    str
    """
    return importlib.metadata.version("simstudy")


def dimensions(study: Study, with_alpha: bool = True) -> dict[str, list[Any]]:
    """Return the dimensions of a result and their labels, without ``method``.

    Parameters
    ----------
    study : Study
    with_alpha : bool
        Whether a list of levels is a dimension of this variable.

    Returns
    -------
    dict
        Name → labels, in order.
    """
    named: dict[str, list[Any]] = {name: list(values) for name, values in study.grid.swept.items()}
    if with_alpha and study.options.alpha_swept:
        named["alpha"] = list(study.options.alpha)
    return named


def base_dataset(study: Study, asked: str) -> xr.Dataset:
    """Return a Dataset with the coordinates and attributes of a study and no result yet.

    Parameters
    ----------
    study : Study
    asked : str
        What is asked, in words.

    Returns
    -------
    xarray.Dataset
    """
    coordinates: dict[str, Any] = {name: (name, labels) for name, labels in dimensions(study).items()}
    coordinates.update(study.grid.fixed)
    if not study.options.alpha_swept:
        coordinates["alpha"] = study.options.alpha[0]
    coordinates["method"] = ("method", [m.name for m in study.methods])
    dataset = xr.Dataset(coords=coordinates, attrs=_attributes(study, asked))
    for parameter in study.scenario.parameters:
        if parameter.name in dataset.coords:
            dataset[parameter.name].attrs = {"long_name": parameter.help, "units": parameter.unit}
    dataset["alpha"].attrs = {"long_name": "level of the tests; intervals have level 1 − alpha", "units": "proportion"}
    dataset["method"].attrs = {"long_name": "statistical method", "units": "name"}
    return dataset


def _attributes(study: Study, asked: str) -> dict[str, Any]:
    scenario = study.scenario
    resolved = {
        "scenario": scenario.name,
        "question": study.question,
        "parameters": {**{k: list(v) for k, v in study.grid.swept.items()}, **study.grid.fixed},
        "defaults": list(study.grid.defaults),
        "method": [method.name for method in study.methods],
        "options": study.options.describe(),
    }
    return {
        "scenario": scenario.name,
        "question": question(study, asked),
        "seed": str(study.options.seed),
        "study": json.dumps(resolved),
        "effect": scenario.effect.name if scenario.effect else "",
        "size": scenario.size.name if scenario.size else "",
        "target_variable": scenario.target_variable,
        "aims": scenario.aims,
        "data_generating_mechanism": scenario.mechanism,
        "estimands": scenario.estimand_words,
        "methods": "; ".join(f"{m.name}: {m.label} ({m.source})" for m in study.methods),
        "performance_measures": "",
        "misused_methods": ", ".join(m.name for m in study.methods if m.misuse),
        "simstudy_version": version(),
        "library_versions": json.dumps({name: importlib.metadata.version(name) for name in LIBRARIES}),
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "command": "",
    }


def describe(variable: xr.DataArray, name: str, about: Mapping[str, tuple[str, str]]) -> None:
    """Set long_name and units of a variable.

    Parameters
    ----------
    variable : xarray.DataArray
    name : str
    about : mapping
        Name → (words, unit).
    """
    words, unit = about[name]
    variable.attrs.update(long_name=words, units=unit)


def to_dataset(study: Study, cells: list[dict[str, Cell]], asked: str = "Power") -> xr.Dataset:
    """Return the result of a power question.

    Parameters
    ----------
    study : Study
    cells : list of dict
        What `simstudy.study.run.run` returned.
    asked : str
        What is asked, in words.

    Returns
    -------
    xarray.Dataset
        Dimensions: swept parameters, alpha if it is a list, method.
    """
    dataset = base_dataset(study, asked)
    names = [method.name for method in study.methods]
    found = {key for cell in cells for name in names for values in cell[name].by_level for key in values}
    shape = study.grid.shape
    levels = [slice(None)] if study.options.alpha_swept else [0]
    dims = (*dimensions(study), "method")
    for key in [k for k in ABOUT if k in found]:
        values = np.full((len(cells), len(study.options.levels), len(names)), math.nan)
        for p, cell in enumerate(cells):
            for m, name in enumerate(names):
                values[p, :, m] = [by_level.get(key, math.nan) for by_level in cell[name].by_level]
        shaped = values.reshape(*shape, *values.shape[1:])
        dataset[key] = (dims, shaped[(..., *levels, slice(None))])
        describe(dataset[key], key, ABOUT)
        applies = [name for name in names if any(key in values for cell in cells for values in cell[name].by_level)]
        if len(applies) < len(names):
            dataset[key].attrs["applies_to"] = ", ".join(applies)
    plain = (*study.grid.swept, "method")
    engines = np.array([[cell[name].engine for name in names] for cell in cells]).reshape(*shape, len(names))
    counts = np.array([[cell[name].replications for name in names] for cell in cells]).reshape(*shape, len(names))
    dataset["replications"], dataset["engine"] = (plain, counts), (plain, engines)
    describe(dataset["replications"], "replications", ABOUT)
    describe(dataset["engine"], "engine", ABOUT)
    dataset.attrs["performance_measures"] = ", ".join(k for k in MEASURES if k in found and not k.endswith("_mcse"))
    add_truth(dataset, study)
    return dataset


def add_truth(dataset: xr.Dataset, study: Study) -> None:
    """Add everything that follows from the parameters, without ``method``.

    Parameters
    ----------
    dataset : xarray.Dataset
        Changed in place.
    study : Study
    """
    truths = [point.truth for point in study.points]
    for key in truths[0]:
        if key in dataset.coords:
            continue
        values = np.array([truth[key] for truth in truths]).reshape(study.grid.shape)
        dataset[key] = (tuple(study.grid.swept), values)
        describe(dataset[key], key, study.scenario.units)
    size = study.scenario.size
    if study.options.unusable and size is not None:
        usable = np.array([point.values[size.name] for point in study.points]).reshape(study.grid.shape)
        dataset["n_usable"] = (tuple(study.grid.swept), usable)
        describe(dataset["n_usable"], "n_usable", ABOUT)
