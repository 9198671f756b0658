"""What of a Dataset lies on its design points."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr

METHOD = "method"
_MAIN = ("answer", "power", "coverage", "engine")


def on_design(dataset: xr.Dataset) -> xr.Dataset:
    """Keep the variables that have at most one value per design point and method.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy.

    Returns
    -------
    xarray.Dataset
        Without variables of further dimensions, such as the curve around a sample size.
    """
    main = next((name for name in _MAIN if name in dataset.data_vars), None)
    if main is None:
        return dataset
    dims = set(dataset[main].dims)
    return dataset[[name for name, variable in dataset.data_vars.items() if set(variable.dims) <= dims]]


def swept(held: xr.DataArray | xr.Dataset) -> list[str]:
    """List the parameters that take more than one value.

    Parameters
    ----------
    held : xarray.DataArray or xarray.Dataset
        Something on a grid.

    Returns
    -------
    list of str
        Dimensions longer than one, without the methods.
    """
    return [str(name) for name in held.dims if name != METHOD and held.sizes[name] > 1]


def applicable(variable: xr.DataArray) -> list[str]:
    """List the methods that a variable applies to.

    Parameters
    ----------
    variable : xarray.DataArray
        A variable with methods.

    Returns
    -------
    list of str
        The methods that its attribute ``applies_to`` names, as a list or parted by commas; all without it.
    """
    named = variable.attrs.get("applies_to")
    if named is None:
        return [str(name) for name in variable[METHOD].values]
    names = named.split(",") if isinstance(named, str) else named
    return [str(name).strip() for name in names]
