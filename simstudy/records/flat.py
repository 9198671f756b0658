"""The pilot report as plain values: nested for JSON, flat rows for CSV."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from simstudy.records.comparison import Comparison, Estimate
from simstudy.records.posterior import Needed

Row = dict[str, Any]


def flat_row(
    quantity: str, of: str, value: float, low: float = math.nan, high: float = math.nan, status: str = ""
) -> Row:
    """Return one figure as a flat row, with None for NaN and inf; `of` is the method, system or difference."""
    numbers = {"value": value, "low": low, "high": high}
    return {"quantity": quantity, "of": of, **plain_values(numbers), "status": status}


def comparison_rows(c: Comparison, system_a: str, system_b: str) -> list[Row]:
    """Return the comparison of two systems as flat rows."""
    rows = [flat_row("accuracy", system_a, *c.accuracy_a), flat_row("accuracy", system_b, *c.accuracy_b)]
    rows += [flat_row("difference", name, *estimate) for name, estimate in c.intervals.items()]
    rows += [flat_row("p_value", name, p) for name, p in c.p_values.items()]
    rows += [flat_row(name, "", getattr(c, name)) for name in ("standard_error", "discordance", "difficulty_sd")]
    k = c.clustered
    if k is not None:
        names = ("clusters", "standard_error", "design_effect", "n_effective")
        rows += [flat_row(name, "clusters", getattr(k, name)) for name in names]
        rows.append(flat_row("difference", "cluster t", *k.interval))
        rows.append(flat_row("p_value", "cluster t", k.p_t))
        rows.append(flat_row("p_value", "cluster sign flips", k.p_sign_flip))
    return rows


def which(needed: Needed) -> str:
    """Name a difference, marked where it is the observed one."""
    return f"observed {needed.difference:g}" if needed.observed else f"{needed.difference:g}"


def needed_rows(needed: Needed, sizes: Sequence[int]) -> list[Row]:
    """Return the cases needed for one difference as flat rows; the limits of the median are the 90% range of n."""
    low, median, high = needed.quantiles
    rows = [
        flat_row("n_needed", which(needed), needed.n, status=needed.status),
        flat_row("n_needed_median", which(needed), median, low, high),
    ]
    for n, power, mcse in zip(sizes, needed.assurance, needed.assurance_mcse, strict=True):
        interval = (power - 1.96 * mcse, power + 1.96 * mcse)
        rows.append(flat_row(f"assurance at n {n}", which(needed), power, *interval))
    return rows


def plain_values(value: Any) -> Any:
    """Turn nested dataclasses, tuples and numbers into what JSON can hold: None for NaN and for inf."""
    if isinstance(value, Estimate):
        return plain_values(value._asdict())
    if dataclasses.is_dataclass(value):
        return {f.name: plain_values(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: plain_values(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain_values(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
