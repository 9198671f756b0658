"""The variables of a Dataset as text figures, each with its Monte Carlo error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from simstudy.errors import RequestError
from simstudy.pages import numbers
from simstudy.pages.grid_of import METHOD, applicable

if TYPE_CHECKING:
    import xarray as xr

EXACT = "exact"
_RATE_UNITS = ("probability", "proportion", "share", "rate")
_OF_REPLICATIONS = (
    "power",
    "power_right",
    "power_wrong",
    "undefined",
    "unbounded",
    "miss_below",
    "miss_above",
    "coverage",
    "coverage_own",
)


def figures(dataset: xr.Dataset, name: str) -> xr.DataArray:
    """Write every value of a variable as text.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.
    name : str
        One of its variables.

    Returns
    -------
    xarray.DataArray of str
        One text per value, with the dimensions of the variable. Simulated values carry their error, values of
        methods that the variable does not apply to are empty.
    """
    variable = dataset[name]
    if variable.dtype.kind not in "fiu":
        return variable.astype(str)
    rate = is_rate(dataset, name)
    whole = not rate and bool((variable.fillna(0) % 1 == 0).all())
    is_exact = exactness(dataset, variable)
    errors = _errors(dataset, name)
    trials = _trials(dataset, name)
    cells = [
        numbers.exact(value, rate, whole) if known else numbers.simulated(value, error, rate, count)
        for value, known, error, count in zip(
            *(_flat(array, variable) for array in (variable, is_exact, errors, trials)), strict=True
        )
    ]
    return _where_applicable(variable.copy(data=np.array(cells, dtype=object).reshape(variable.shape)))


def exactness(dataset: xr.Dataset, variable: xr.DataArray) -> xr.DataArray:
    """Say which values of a variable are exact.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.
    variable : xarray.DataArray
        One of its variables.

    Returns
    -------
    xarray.DataArray of bool
        True where the engine was exact; throughout, for a variable without methods (a truth of the
        scenario, or the number of calls) and in a Dataset without engines (closed forms).
    """
    if "engine" not in dataset or METHOD not in variable.dims:
        return variable.notnull() | True
    return (dataset["engine"] == EXACT).broadcast_like(variable)


def any_exact(dataset: xr.Dataset) -> bool:
    """Say whether any figure of a result is exact.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.

    Returns
    -------
    bool
        True also without engines: closed forms are exact.
    """
    return "engine" not in dataset or bool((dataset["engine"] == EXACT).any())


def is_rate(dataset: xr.Dataset, name: str) -> bool:
    """Say whether a variable is a proportion, which is written without its leading zero.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.
    name : str
        One of its variables.

    Returns
    -------
    bool
        True for the measures that are rates, and for units that say so.
    """
    units = str(dataset[name].attrs.get("units", "")).casefold()
    return name in (*_OF_REPLICATIONS, "type_s") or any(word in units for word in _RATE_UNITS)


def engine_lines(dataset: xr.Dataset) -> list[str]:
    """Say how the figures came about: which methods are exact, which simulated, and how often.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.

    Returns
    -------
    list of str
        One sentence if one engine did all, else one line per engine; none without engines.
    """
    if "engine" not in dataset or METHOD not in dataset["engine"].dims:
        return []
    used = _engine_uses(dataset)
    drawn = [name for name in _named(dataset, "resampling_methods") if any(name in uses for uses in used.values())]
    given = [f"{', '.join(drawn)}: given the resamples of this seed; another seed moves the limits."] if drawn else []
    if set(used) == {EXACT}:
        return ["All figures are exact.", *given]
    return [f"{engine}: {', '.join(methods)}{_counts(dataset, engine)}." for engine, methods in used.items()] + given


def fixed_line(dataset: xr.Dataset) -> str:
    """Say what was held fixed, as far as the question does not.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.

    Returns
    -------
    str
        The parameters that have a single value, in one sentence; empty where there is nothing to add.
    """
    scalars = {name: dataset[name] for name in dataset.coords if not dataset[name].dims}
    single = {name: dataset[name] for name in dataset.dims if name != METHOD and dataset.sizes[name] == 1}
    said = str(dataset.attrs.get("question", "")).replace(";", " ").replace(",", " ").split()
    pairs = [numbers.pair(str(name), held.item()) for name, held in (scalars | single).items() if name not in said]
    return f"Fixed: {', '.join(pairs)}." if pairs else ""


def misuse_line(dataset: xr.Dataset) -> list[str]:
    """Warn of methods that do not fit the design and are shown because people use them.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.

    Returns
    -------
    list of str
        One sentence, or none.
    """
    named = misused(dataset)
    if not named:
        return []
    return [f"A mistake in this design, so its power is not comparable with the others: {', '.join(named)}."]


def margin_claims(dataset: xr.Dataset) -> list[str]:
    """Name the methods that claim something about a margin instead of a difference.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result.

    Returns
    -------
    list of str
        Their names, from the attribute ``margin_methods``.
    """
    return _named(dataset, "margin_methods")


def exceeding(dataset: xr.Dataset) -> list[str]:
    """Name the methods that claim that a threshold is exceeded.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result.

    Returns
    -------
    list of str
        Their names, from the attribute ``exceeding_methods``.
    """
    return _named(dataset, "exceeding_methods")


def rules(dataset: xr.Dataset) -> list[str]:
    """Name the decision rules that are no test.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result.

    Returns
    -------
    list of str
        Their names, from the attribute ``rules_without_a_level``.
    """
    return _named(dataset, "rules_without_a_level")


def misused(dataset: xr.Dataset) -> list[str]:
    """List the methods that do not fit the design.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.

    Returns
    -------
    list of str
        Their names, from the attribute ``misused_methods``.
    """
    return _named(dataset, "misused_methods")


def _named(dataset: xr.Dataset, attribute: str) -> list[str]:
    return [name.strip() for name in str(dataset.attrs.get(attribute, "")).split(",") if name.strip()]


def _engine_uses(dataset: xr.Dataset) -> dict[str, list[str]]:
    uses: dict[str, list[str]] = {}
    for method in dataset[METHOD].values:
        engines = [str(engine) for engine in np.unique(dataset["engine"].sel({METHOD: method}).values)]
        for engine in filter(None, engines):
            uses.setdefault(engine, []).append(f"{method}{' (in part)' * (len(engines) > 1)}")
    return uses


def _counts(dataset: xr.Dataset, engine: str) -> str:
    if engine == EXACT or "replications" not in dataset:
        return ""
    counts = dataset["replications"].where(dataset["engine"] == engine)
    low, high = int(counts.min()), int(counts.max())
    return f"; {low:,} replications" if low == high else f"; {low:,} to {high:,} replications"


def _errors(dataset: xr.Dataset, name: str) -> xr.DataArray:
    """Give the stored Monte Carlo error, or that of a rate of replications where none is stored."""
    variable = dataset[name]
    if f"{name}_mcse" in dataset:
        return dataset[f"{name}_mcse"]
    if name in (*_OF_REPLICATIONS, "type_s") and "replications" in dataset:
        spread = (variable * (1 - variable)).clip(0)
        trials = _trials(dataset, name)
        return (spread / trials.where(trials > 0)) ** 0.5
    return variable * math.nan


def _trials(dataset: xr.Dataset, name: str) -> xr.DataArray:
    """Give the number of trials behind a rate: wrong directions are counted among rejections."""
    if "replications" not in dataset or name not in (*_OF_REPLICATIONS, "type_s"):
        return dataset[name] * 0.0
    if name == "type_s":
        if "power" not in dataset:
            raise RequestError("The result is damaged: it has errors of direction (type_s) but no power.")
        return dataset["replications"] * dataset["power"]
    return dataset["replications"] * 1.0


def _flat(array: xr.DataArray, like: xr.DataArray) -> list[float]:
    values: list[float] = array.broadcast_like(like).transpose(*like.dims).values.ravel().tolist()
    return values


def _where_applicable(cells: xr.DataArray) -> xr.DataArray:
    if METHOD not in cells.dims:
        return cells
    return cells.where(cells[METHOD].isin(applicable(cells)), "")


def method_maxima(dataset: xr.Dataset, name: str) -> dict[str, tuple[float, str]]:
    """Find for each method where a variable is largest.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.
    name : str
        A variable with methods.

    Returns
    -------
    dict
        Method to its largest value and the design point in words; methods without a defined value are absent.
    """
    found: dict[str, tuple[float, str]] = {}
    for method in dataset[METHOD].values:
        values = dataset[name].sel({METHOD: method})
        if bool(values.notnull().any()):
            place = values.argmax(...) if values.dims else {}
            point = values.isel(place)
            words = [numbers.pair(str(dim), point[dim].item()) for dim in values.dims if values.sizes[dim] > 1]
            found[str(method)] = (float(point), ", ".join(words))
    return found
