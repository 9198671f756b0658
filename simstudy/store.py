"""Datasets to and from files."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simstudy.errors import RequestError
from simstudy.files import check_destination, check_source, path_of, replacing

if TYPE_CHECKING:
    import xarray as xr

ENDINGS = (".nc",)
FORMAT = 1
_MARK = "simstudy_format"
_DTYPES = "simstudy_dtypes"
_AS_JSON = "simstudy_as_json"
COUNTS = ("replications", "judge_calls", "labels")
LENGTHS = ("type_m", "empirical_se", "interval_width")
LARGEST_ERROR = 0.5  # of a proportion: that of a coin that was tossed once
ROUNDING = 1e-9
_NATIVE_INT = range(-(2**63), 2**63)
# What h5py, h5netcdf, xarray and json raise on bytes that are not what they expect.
_DAMAGE = (OSError, ValueError, LookupError, RuntimeError, ArithmeticError, TypeError, AttributeError)


def save(dataset: xr.Dataset, path: str | os.PathLike[str]) -> Path:
    """Write a Dataset to a netCDF file.

    Parameters
    ----------
    dataset : xarray.Dataset
        A result of simstudy. Attributes may be text, numbers, bools, None, and lists or dicts of these.
    path : str or path-like
        A name that ends in ``.nc``, in a folder that exists.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    RequestError
        For a destination that `check_destination` refuses, or an attribute that no file can hold.
    ComputationError
        Where the system refuses to write.

    Notes
    -----
    The file is netCDF 4 and opens in other programs. What netCDF lacks (bools, lists of one, None) is stored
    as JSON text; a ``simstudy_as_json`` attribute names the attributes concerned.
    """
    import xarray as xr

    destination = check_destination(path, ENDINGS)
    if not isinstance(dataset, xr.Dataset):
        raise RequestError(f"{type(dataset).__name__} is no Dataset; save takes a result of simstudy.")
    packed = _packed(dataset)
    # In memory first: on a full disk the HDF5 library itself would end the process while it closes the file.
    # Copied at once: what xarray returns is a view into a buffer that must not be freed before the view.
    content = bytes(packed.to_netcdf(None, engine="h5netcdf"))
    with replacing(destination) as temporary:
        temporary.write_bytes(content)
    return destination


def load(path: str | os.PathLike[str]) -> xr.Dataset:
    """Read a Dataset that `save` wrote.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    xarray.Dataset
        Identical to what was saved, in memory: values, dtypes, attributes and their types (tuples become
        lists).

    Raises
    ------
    RequestError
        Where the file is missing, is no netCDF file or a damaged one, was not written by simstudy or by a later
        version of it.
    """
    source = path_of(path)
    check_source(source)
    try:
        dataset = _read(source)
    except _DAMAGE as error:
        raise RequestError(f"Cannot read {source}: it is not a complete netCDF file.") from error
    _check_origin(dataset, source)
    try:
        unpacked = _unpacked(dataset)
        wrong = next(_impossible(unpacked), None)
    except _DAMAGE as error:
        raise RequestError(f"{source} is damaged: its variables or attributes were changed since.") from error
    if wrong is not None:
        raise RequestError(f"{source} is damaged: {wrong}.")
    return unpacked


def _read(source: Path) -> xr.Dataset:
    import h5py  # type: ignore[import-untyped]
    import xarray as xr

    # h5netcdf reads this attribute first; where it fails there, it complains a second time, to standard error.
    with h5py.File(source, "r") as file:
        file.attrs.get("_nc3_strict")
    # Times stay numbers: a variable in seconds would come back as a duration. HDF5 files of other programs may
    # lack dimensions; they get stand-ins, without a warning, and are refused for their origin.
    return xr.load_dataset(source, engine="h5netcdf", decode_times=False, decode_timedelta=False, phony_dims="access")


def _check_origin(dataset: xr.Dataset, source: Path) -> None:
    mark = dataset.attrs.get(_MARK)
    if mark is None:
        raise RequestError(f"{source} is a netCDF file, but not one that simstudy wrote.")
    if not isinstance(_python(mark), int) or isinstance(mark, bool):
        raise RequestError(f"{source} is damaged: its file format is no number.")
    if mark > FORMAT:
        raise RequestError(
            f"{source} has file format {mark}; this version reads up to {FORMAT}. Install a newer simstudy."
        )


def _packed(dataset: xr.Dataset) -> xr.Dataset:
    packed = dataset.drop_encoding()
    dtypes = {str(name): variable.dtype.str for name, variable in packed.variables.items()}
    packed.attrs = _packed_attributes(dataset.attrs, "the dataset") | {
        _MARK: FORMAT,
        _DTYPES: json.dumps(dtypes),
    }
    for name, variable in packed.variables.items():
        variable.attrs = _packed_attributes(variable.attrs, str(name))
        if variable.dtype.kind == "f":
            variable.encoding["_FillValue"] = None  # NaN is a value here, not a gap in the data
    return packed


def _packed_attributes(attributes: Mapping[Any, Any], owner: str) -> dict[str, Any]:
    for name, value in attributes.items():
        _check_keys({name: value}, owner)
    packed = {name: _python(value) for name, value in attributes.items()}
    as_json = [name for name, value in packed.items() if not _is_native(value)]
    for name in as_json:
        try:
            packed[name] = json.dumps(packed[name])
        except (TypeError, ValueError) as error:
            raise RequestError(
                f"The attribute '{name}' of {owner} is of type {type(packed[name]).__name__}, "
                "which no file can hold. Allowed: text, numbers, bools, None, and lists or dicts of these."
            ) from error
    return packed | ({_AS_JSON: json.dumps(as_json)} if as_json else {})


def _check_keys(value: object, owner: str) -> None:
    """Refuse keys that would come back as text: JSON and netCDF know no others."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise RequestError(
                    f"An attribute of {owner} has the key {key!r}, which no file can hold: keys are text."
                )
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            _check_keys(part, owner)


def _is_native(value: object) -> bool:
    """Whether netCDF gives back a value as it was (it knows no bools, and cuts text at a zero byte)."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, float):
        return True
    return type(value) is int and value in _NATIVE_INT


def _unpacked(dataset: xr.Dataset) -> xr.Dataset:
    """Build the Dataset anew, because its variables, and with them its dimensions, have an order."""
    import xarray as xr

    dtypes: dict[str, str] = json.loads(dataset.attrs[_DTYPES])
    unpacked = xr.Dataset(attrs=_unpacked_attributes(dataset.attrs))
    # Another program may have put variables in.
    for name in [*dtypes, *(name for name in dataset.variables if name not in dtypes)]:
        variable = dataset.variables[name].copy()
        variable.attrs = _unpacked_attributes(variable.attrs)
        variable.encoding = {}
        if variable.dtype.str != dtypes.get(str(name), variable.dtype.str):
            variable = variable.astype(dtypes[str(name)])
        if name in dataset.coords:
            unpacked.coords[name] = variable
        else:
            unpacked[name] = variable
    return unpacked


def _unpacked_attributes(attributes: Mapping[Any, Any]) -> dict[str, Any]:
    as_json = set(json.loads(attributes.get(_AS_JSON, "[]")))
    kept = {name: value for name, value in attributes.items() if name not in (_MARK, _DTYPES, _AS_JSON)}
    return {name: json.loads(value) if name in as_json else _python(value) for name, value in kept.items()}


def _python(value: Any) -> Any:
    """Turn a NumPy scalar, as netCDF gives it back, into the Python number it was."""
    return value.item() if hasattr(value, "item") and getattr(value, "size", 1) == 1 else value


def _impossible(dataset: xr.Dataset) -> Iterator[str]:
    """Yield what no study can have left in a Dataset; other changes of numbers cannot be seen."""
    if any(str(name).startswith("phony_dim") for name in dataset.dims):
        yield "its dimensions have lost their names"
    asked = json.loads(dataset.attrs.get("study", "{}"))
    yield from _impossible_numbers(dataset, asked)
    yield from _impossible_limits(dataset)
    yield from _other_engines(dataset, asked.get("options", {}))
    yield from _other_values(dataset, asked)
    yield from _outside_ranges(dataset, asked)


def _impossible_numbers(dataset: xr.Dataset, asked: Mapping[str, Any]) -> Iterator[str]:
    from simstudy.scenarios.measure import MEASURES

    sizes = ("answer", "answer_low", "answer_high") if asked.get("question") == "size" else ()
    measures = {measure.name for measure in MEASURES}
    rates = {f"{m.name}{end}" for m in MEASURES if m.error == "rate" for end in ("", "_low", "_high")}
    for name in map(str, dataset.data_vars):
        values = dataset[name].values
        if values.dtype.kind not in "fiu":
            continue
        low, high = (float(end(values.ravel(), initial=0)) for end in (np.fmin.reduce, np.fmax.reduce))
        of, mcse = name.removesuffix("_mcse"), name.endswith("_mcse")
        rate = of in rates
        if rate and not mcse and not (low >= -ROUNDING and high <= 1 + ROUNDING):
            yield f"{name} is {low if low < 0 else high:g} somewhere, and is a proportion"
        if rate and mcse and high > LARGEST_ERROR:
            yield f"{name} is {high:g} somewhere, and the error of a proportion is at most {LARGEST_ERROR}"
        if low < 0 and (mcse or name in (*COUNTS, *LENGTHS, *sizes)):
            yield f"{name} is {low:g} somewhere, and cannot be negative"
        if of in measures and not (math.isfinite(low) and math.isfinite(high)):
            yield f"{name} is infinite somewhere"


def _impossible_limits(dataset: xr.Dataset) -> Iterator[str]:
    """Yield measures that lie outside their own limits; one that is undefined has none."""
    for name in map(str, dataset.data_vars):
        if not (f"{name}_low" in dataset and f"{name}_high" in dataset):
            continue
        value, low, high = (dataset[f"{name}{end}"].values for end in ("", "_low", "_high"))
        if value.dtype.kind != "f" or not value.shape == low.shape == high.shape:
            continue
        outside = (value < low - ROUNDING) | (value > high + ROUNDING)
        if outside.any():
            yield f"{name} is {value[outside][0]:g} somewhere, outside its limits"


def _other_engines(dataset: xr.Dataset, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield engines that do not exist, and numbers of replications that were not asked for."""
    from simstudy.options import POWER, the_option

    if "engine" in dataset.data_vars:
        engines = the_option("engine", POWER).choices
        other = [engine for engine in np.ravel(dataset["engine"].values).tolist() if engine not in ("", *engines)]
        if other:
            yield f"engine is {other[0]}; there are {', '.join(engines[1:])}"
    if "replications" in dataset.data_vars and options.get("mcse") is None and "replications" in options:
        made = np.ravel(dataset["replications"].values).tolist()
        other = [number for number in made if number not in (0, options["replications"])]
        if other:
            yield f"replications is {other[0]}, which its study did not ask for"


def _other_values(dataset: xr.Dataset, asked: Mapping[str, Any]) -> Iterator[str]:
    said = {
        **asked.get("parameters", {}),
        "alpha": asked.get("options", {}).get("alpha"),
        "method": asked.get("method"),
    }
    for name, of_study in said.items():
        if of_study is not None and name in dataset.coords:
            asked_for = of_study if isinstance(of_study, list) else [of_study]
            other = [value for value in np.ravel(dataset[name].values).tolist() if value not in asked_for]
            if other:
                yield f"{name} is {other[0]}, which its study did not ask for"


def _outside_ranges(dataset: xr.Dataset, asked: Mapping[str, Any]) -> Iterator[str]:
    """Yield parameters, asked for or computed, that their scenario does not allow; open ends may have been reached."""
    from simstudy.scenarios import get_scenario, scenario_names

    if asked.get("scenario") not in scenario_names():
        return
    for parameter in get_scenario(asked["scenario"]).parameters:
        name = parameter.name
        held = [asked.get("parameters", {}).get(name)] if parameter.kind != "profile" else []
        held += [dataset[name].values] if name in dataset.variables else []
        for values in map(np.ravel, (values for values in held if values is not None)):
            if values.dtype.kind in "fiu":
                outside = values[(values < parameter.low - ROUNDING) | (values > parameter.high + ROUNDING)]
                if outside.size:
                    yield f"{name} is {outside[0]:g}; it must be {parameter.interval}"
