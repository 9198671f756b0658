"""Results as flat records, for JSON, CSV and other programs."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, TypeAlias

from simstudy.pages.solved import solved_word
from simstudy.pages.variables import METHOD, on_design
from simstudy.study.asked import study_of
from simstudy.visible import visible_json

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.plan import Study

Value: TypeAlias = str | int | float | bool | None
Record: TypeAlias = dict[str, Value]

_SOLUTION = ("answer", "low", "high", "status", "first")


def flat_records(dataset: xr.Dataset, study: Study | None = None) -> list[Record]:
    """Give one record per design point and method: parameters, method, variables; None where undefined."""
    study = study or study_of(dataset)
    dataset = on_design(dataset, study)
    columns = _columns(study, dataset)
    whole = _whole_columns(study, dataset)
    order = sorted(map(str, dataset.dims), key=METHOD.__eq__)  # the method varies fastest
    values = [_values(array, dataset, order, label in whole) for label, array in columns.items()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


def to_json(dataset: xr.Dataset, study: Study | None = None) -> str:
    """Write the flat records as a JSON array, one to a line; NaN and infinite limits, which JSON lacks, are null."""
    lines = [visible_json(_finite(record)) for record in flat_records(dataset, study)]
    return "[\n" + ",\n".join(lines) + "\n]"


def to_csv(dataset: xr.Dataset, study: Study | None = None) -> str:
    """Write the flat records as CSV, the keys of the JSON records as columns; what is null there is an empty field."""
    records = [_finite(record) for record in flat_records(dataset, study)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(records[0])
    writer.writerows([_field(value) for value in record.values()] for record in records)
    return text.getvalue().removesuffix("\n")


def _columns(study: Study, dataset: xr.Dataset) -> dict[str, xr.DataArray]:
    """Return the arrays in the order of the columns; an answer bears the name of what was solved for."""
    fixed = [name for name in dataset.coords if name not in dataset.dims]
    swept = [name for name in dataset.dims if name != METHOD]
    method = [name for name in (METHOD,) if name in dataset.dims]
    answers = [name for name in _SOLUTION if "answer" in dataset and name in dataset.data_vars]
    others = [name for name in dataset.data_vars if name not in answers]
    names = [str(name) for name in (*swept, *fixed, *method, *answers, *others)]
    return {solved_word(study) if name == "answer" else name: dataset[name] for name in names}


def _whole_columns(study: Study, dataset: xr.Dataset) -> set[str]:
    """Columns of solved sizes, which are floats in the Dataset only because NaN is one."""
    if "answer" not in dataset or study.question != "size":
        return set()
    return {study.size, "low", "high", "first", "checked_from", "checked_to"}


def _values(array: xr.DataArray, dataset: xr.Dataset, order: list[str], whole: bool) -> list[Value]:
    """Return one value per record: repeated along the dimensions that the array lacks."""
    spread = array.broadcast_like(dataset).transpose(*order)
    return [_value(value, whole) for value in spread.values.ravel().tolist()]


def _value(value: Value, whole: bool) -> Value:
    if not isinstance(value, float):
        return value
    if math.isnan(value):
        return None
    return int(value) if whole and value.is_integer() else value


def _finite(record: Record) -> Record:
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in record.items()
    }


def _field(value: Value) -> Value:
    return str(value).lower() if isinstance(value, bool) else value
