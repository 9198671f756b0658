"""Datasets to and from files."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simstudy.errors import ComputationError, RequestError, nearest

if TYPE_CHECKING:
    import xarray as xr

ENDINGS = (".nc",)
FORMAT = 1
_MARK = "simstudy_format"
_DTYPES = "simstudy_dtypes"
_AS_JSON = "simstudy_as_json"
_NATIVE_INT = range(-(2**63), 2**63)
# What h5py, h5netcdf, xarray and json raise on bytes that are not what they expect.
_DAMAGE = (OSError, ValueError, LookupError, RuntimeError, ArithmeticError, TypeError, AttributeError)


def check_destination(path: str | os.PathLike[str], endings: Sequence[str] = ENDINGS) -> Path:
    """Refuse a file name that could not be written, before the work is done; endings with their dot, in lower case."""
    if not os.fspath(path):
        raise RequestError(f"The name of the file to write is empty; endings allowed: {', '.join(endings)}.")
    destination = Path(path)
    _check_ending(destination, endings)
    _check_name(destination)
    folder = destination.parent
    if not folder.is_dir():
        raise RequestError(f"Cannot write {destination}: there is no folder {folder}. Make it first.")
    if not os.access(folder, os.W_OK):
        raise RequestError(f"Cannot write {destination}: the folder {folder} may not be written to.")
    if destination.is_dir():
        raise RequestError(f"Cannot write {destination}: it is a folder. Name a file in it.")
    return destination


def _check_name(destination: Path) -> None:
    """Refuse what the system takes for no name at all: one too long, or with a zero byte."""
    try:
        destination.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RequestError(f"Cannot write {destination}: {reason}. Choose another name.") from error


def _check_ending(path: Path, endings: Sequence[str]) -> None:
    if path.name in ("", ".."):
        raise RequestError(f"Cannot write {path}: it is a folder. Name a file in it.")
    ending = path.suffix.lower()
    if ending in endings:
        return
    given = f"the ending {path.suffix}" if ending else "no ending"
    close = _with_ending(path, endings)
    hint = f" Did you mean {close}?" if close else ""
    raise RequestError(f"Cannot write {path}: it has {given}; allowed: {', '.join(endings)}.{hint}")


def _with_ending(path: Path, endings: Sequence[str]) -> str | None:
    """Propose a name: without a second ending (``x.nc.gz``), or with the nearest one that is allowed."""
    if path.with_suffix("").suffix.lower() in endings:
        return path.with_suffix("").name
    close = nearest(path.suffix.lower(), endings) or (endings[0] if len(endings) == 1 else None)
    stem = path.stem.strip(".")
    return f"{stem}{close}" if close and stem and f".{stem}" not in endings else None


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary name in the folder of a file, and rename it to the file once it is complete.

    However the block is left, no half-written file stays behind; an older file keeps its content until the new one is
    complete.
    """
    # A plain name instead of tempfile's, whose files nobody but the owner could read after the rename; and a
    # short one, because the name of the file may be as long as the system allows.
    temporary = path.with_name(f".simstudy-{os.getpid()}-{os.urandom(4).hex()}{path.suffix}")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise ComputationError(f"Could not write {path}: {error.strerror or error}.") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


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
    destination = check_destination(path)
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
    source = Path(path)
    if not os.path.isfile(source):  # unlike Path.is_file, False for a name that is too long
        what = f"{source} is a folder, not a file." if os.path.isdir(source) else f"There is no file {source}."
        raise RequestError(f"{what}{'' if os.path.isdir(source) else _neighbour(source)}")
    try:
        dataset = _read(source)
    except _DAMAGE as error:
        raise RequestError(f"Cannot read {source}: it is not a complete netCDF file.") from error
    _check_origin(dataset, source)
    try:
        return _unpacked(dataset)
    except _DAMAGE as error:
        raise RequestError(f"{source} is damaged: its variables or attributes were changed since.") from error


def _read(source: Path) -> xr.Dataset:
    import h5py  # type: ignore[import-untyped]
    import xarray as xr

    # h5netcdf reads this attribute first; where it fails there, it complains a second time, to standard error.
    with h5py.File(source, "r") as file:
        file.attrs.get("_nc3_strict")
    # Times stay numbers: a variable in seconds would come back as a duration. HDF5 files of other programs may
    # lack dimensions; they get stand-ins, without a warning, and are refused for their origin.
    return xr.load_dataset(source, engine="h5netcdf", decode_times=False, decode_timedelta=False, phony_dims="access")


def _neighbour(source: Path) -> str:
    if not os.path.isdir(source.parent):
        return f" The folder {source.parent} does not exist either."
    close = nearest(source.name, (entry.name for entry in source.parent.glob("*.nc")))
    return f" Did you mean {source.with_name(close)}?" if close else ""


def _check_origin(dataset: xr.Dataset, source: Path) -> None:
    mark = dataset.attrs.get(_MARK)
    if mark is None:
        raise RequestError(f"{source} is a netCDF file, but not one that simstudy wrote.")
    if not isinstance(_python(mark), int):
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
    packed = {str(name): _python(value) for name, value in attributes.items()}
    as_json = [name for name, value in packed.items() if not _is_native(value)]
    for name in as_json:
        try:
            packed[name] = json.dumps(packed[name])
        except (TypeError, ValueError) as error:
            raise RequestError(
                f"The attribute '{name}' of {owner} is a {type(packed[name]).__name__}, "
                "which no file can hold. Allowed: text, numbers, bools, None, and lists or dicts of these."
            ) from error
    return packed | ({_AS_JSON: json.dumps(as_json)} if as_json else {})


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
    return value.item() if hasattr(value, "item") else value
