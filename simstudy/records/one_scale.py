"""Files whose values are not on one scale: right and wrong in one, scores in another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from simstudy.errors import RecordsError
from simstudy.records.records import Records, Remark

PLAIN = frozenset({"table", "json", "home-made json", "parquet"})
"""Formats in which a metric of one name may mean something else in each file."""


def scale_remarks(records: Records, systems: Sequence[str]) -> list[Remark]:
    """Refuse a system of 0 and 1 beside one of scores from another file, or remark it where both may be scores."""
    remarks = []
    for pair in combinations(systems, 2):
        rows = [records.system.where(system) & records.usable() for system in pair]
        if set(records.file[rows[0]].tolist()) & set(records.file[rows[1]].tolist()):
            continue
        values = [records.value[mine] for mine in rows]
        # whoever got nothing or everything right may have scores all the same
        binary = [set(np.unique(value).tolist()) == {0.0, 1.0} for value in values]
        if any(binary) == all(binary) or not all(len(value) for value in values):
            continue
        right, scored = (0, 1) if binary[0] else (1, 0)
        low, high = float(values[scored].min()), float(values[scored].max())
        if set(np.unique(values[scored]).tolist()) <= {0.0, 1.0}:
            continue
        says = (
            f"'{pair[right]}' holds 0 and 1 alone, and '{pair[scored]}', of another file, scores from {low:g} to "
            f"{high:g}"
        )
        if low < 0 or high > 1 or _plain(records, rows):
            raise RecordsError(
                f"{says}: if the first are scores that were cut, cut both with the same --threshold; if all are scores "
                "of one scale, put them in one file."
            )
        remarks.append(Remark("metric", f"{says}: both were taken for scores of one scale.", False))
    return remarks


def _plain(records: Records, rows: Sequence[NDArray[np.bool_]]) -> bool:
    files = {int(file) for mine in rows for file in np.unique(records.file[mine])}
    return any(records.read[file].format in PLAIN for file in files)
