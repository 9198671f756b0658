"""What a page takes from a Dataset: the variables on its design points, and each value as text with its error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from simstudy.errors import RequestError
from simstudy.pages import numbers
from simstudy.scenarios.measure import MEASURES, Measure
from simstudy.solve import from_grid, questions
from simstudy.study.asked import is_stand_in
from simstudy.study.measures import variables_of
from simstudy.study.results import described, own_measures

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.plan import Study

METHOD = "method"
EXACT = "exact"
_MAIN = ("answer", "power", "coverage", "engine")
_RATE_UNITS = ("probability", "proportion", "share", "rate")


def on_design(dataset: xr.Dataset, study: Study) -> xr.Dataset:
    """Keep the variables with at most one value per design point and method; a single method is a dimension again."""
    if METHOD in dataset.coords and METHOD not in dataset.dims:
        of_methods = [name for name in dataset.data_vars if name not in study.scenario.units]
        dataset = dataset.assign({name: dataset[name].expand_dims(METHOD, -1) for name in of_methods})
    main = next((name for name in _MAIN if name in dataset.data_vars), None)
    if main is None:
        return dataset
    dims = set(dataset[main].dims)
    return dataset[[name for name, variable in dataset.data_vars.items() if set(variable.dims) <= dims]]


def swept(held: xr.DataArray | xr.Dataset) -> list[str]:
    """List the dimensions longer than one, without the methods."""
    return [str(name) for name in held.dims if name != METHOD and held.sizes[name] > 1]


def applicable(variable: xr.DataArray, study: Study) -> list[str]:
    """List the methods that have a variable; what is neither a measure nor a cost, such as the engine, all have."""
    name, methods = str(variable.name), [str(method) for method in variable[METHOD].values]
    if is_stand_in(study.scenario):
        told = study.scenario.applies_to.get(name, methods)
        return [method for method in methods if method in told]
    if name == "left_out":  # of exact figures
        return [method for method in methods if bool(variable.sel({METHOD: method}).notnull().any())]
    having = {m.name for m in study.methods if name in variables_of(study.scenario, m) or name in m.costs}
    measured = any(name in measure.variables for measure in known_measures(study).values())
    return [method for method in methods if method in having] if measured or having else methods


def labels_of(dataset: xr.Dataset, study: Study) -> dict[str, tuple[str, str]]:
    """Return what every variable and parameter of a result is, in words, and its unit."""
    if study.solved is None:
        return described(study)
    is_read_off = "searched_from" not in dataset
    own = from_grid.described(study.solved.unit) if is_read_off else questions.described(study.solved)
    return {**described(study), **own}


def known_measures(study: Study) -> dict[str, Measure]:
    """Return every measure that a result of the study can have, in the order of its description."""
    return {measure.name: measure for measure in (*MEASURES, *own_measures(study))}


def cells_of(dataset: xr.Dataset, name: str, study: Study) -> xr.DataArray:
    """Write every value of a variable as text: simulated ones with their error, "" where it does not apply."""
    variable = dataset[name]
    if variable.dtype.kind not in "fiu":
        return variable.astype(str)
    measure = known_measures(study).get(name)
    rate = is_rate(labels_of(dataset, study).get(name, ("", ""))[1], measure)
    whole = not rate and bool((variable.fillna(0) % 1 == 0).all())
    beside = (exactness(dataset, variable, study), _errors(dataset, name, measure), _trials(dataset, name, measure))
    flat = (array.broadcast_like(variable).transpose(*variable.dims).values.ravel().tolist() for array in beside)
    rows = zip(variable.values.ravel().tolist(), *flat, strict=True)
    cells = [
        numbers.exact(value, rate, whole) if known else numbers.simulated(value, error, rate, count)
        for value, known, error, count in rows
    ]
    written = variable.copy(data=np.array(cells, dtype=object).reshape(variable.shape))
    if METHOD not in written.dims:
        return written
    return written.where(written[METHOD].isin(applicable(written, study)), "")


def exactness(dataset: xr.Dataset, variable: xr.DataArray, study: Study) -> xr.DataArray:
    """Say which values are exact: by the engine; truths, costs and closed forms without engines are throughout."""
    cost = any(variable.name in method.costs for method in study.methods)
    if "engine" not in dataset or METHOD not in variable.dims or cost:
        return variable.notnull() | True
    known = dataset["engine"] == EXACT
    if f"{variable.name}_mcse" in dataset:
        # a method that draws random numbers itself has an error all the same
        known = known & ~(dataset[f"{variable.name}_mcse"] > 0)
    return known.broadcast_like(variable)


def any_exact(dataset: xr.Dataset) -> bool:
    """Say whether any figure of a result is exact; closed forms, without engines, are."""
    return "engine" not in dataset or bool((dataset["engine"] == EXACT).any())


def is_rate(unit: str, measure: Measure | None) -> bool:
    """Say whether a variable is a proportion, which is written without its leading zero."""
    return (measure is not None and measure.error == "rate") or any(word in unit.casefold() for word in _RATE_UNITS)


def _errors(dataset: xr.Dataset, name: str, measure: Measure | None) -> xr.DataArray:
    """Return the stored Monte Carlo error, or that of a rate of replications where none is stored."""
    variable = dataset[name]
    if f"{name}_mcse" in dataset:
        stored = dataset[f"{name}_mcse"]
        # an error of 0 of a simulated rate says nothing where the number of trials is not known
        return stored.where(stored > 0) if measure is not None and measure.given is not None else stored
    if measure is None or measure.error != "rate" or "replications" not in dataset:
        return variable * math.nan
    spread = (variable * (1 - variable)).clip(0)
    trials = _trials(dataset, name, measure)
    return (spread / trials.where(trials > 0)) ** 0.5


def _trials(dataset: xr.Dataset, name: str, measure: Measure | None) -> xr.DataArray:
    """Return the number of trials behind a rate, 0 where it is not known."""
    known = measure is not None and measure.error == "rate" and measure.given is None
    if measure is None or not known or "replications" not in dataset:
        return dataset[name] * 0.0
    if not measure.among:
        return dataset["replications"] * 1.0
    if measure.among not in dataset:
        raise RequestError(f"The result is damaged: it has {name} but no {measure.among}.")
    return dataset["replications"] * dataset[measure.among]
