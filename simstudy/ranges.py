"""Values, lists and ranges as they are typed."""

from __future__ import annotations

import math
import re
from collections import Counter
from decimal import Decimal, InvalidOperation

import numpy as np

from simstudy.errors import ParameterError

Number = int | float
LARGEST_GRID = 200_000
LARGEST_LOG = 1e15
# 1,000 or 12,000: groups of three digits of which one could not begin a number
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})*,0\d{2}(,\d{3})*")

# 1,250 or 12,345,678: a list that may be meant, and may be one number
_PERHAPS_THOUSANDS = re.compile(r"[1-9]\d{0,2}(,\d{3})+")
# a list of sizes seldom begins with less
_FEW = 10


def parse_values(name: str, text: str, integer: bool = False, proportion: bool = False) -> Number | list[Number]:
    """Read one number, or a list ``a,b,c``, ``from:to:step`` with both ends, or ``log:from:to:count``, and mixtures."""
    # logarithmic ranges of whole numbers are rounded and made unique
    if _THOUSANDS.fullmatch(text.strip()):
        raise ParameterError(f"{name}: '{text}' is a list, for commas part values; write {text.replace(',', '')}.")
    parts = [part.strip() for part in text.split(",")]
    values = [value for part in parts for value in _expand(name, part, integer, proportion)]
    if len(parts) == 1 and ":" not in text:
        return values[0]
    repeated = [value for value, times in Counter(values).items() if times > 1]
    if repeated:
        raise ParameterError(f"{name} has the value {min(repeated):g} more than once in '{text}'.")
    return values


def perhaps_thousands(name: str, text: str) -> str:
    """Return a remark on a list that could be one number with commas, 1,250; empty for lists that look meant."""
    text = text.strip()
    if not _PERHAPS_THOUSANDS.fullmatch(text):
        return ""
    first, *others = (int(part) for part in text.split(","))
    # 36,100,400 is a list: sizes that people choose are round; 12,345,678 has too odd ones
    if first >= _FEW and not all(other % 10 for other in others):
        return ""
    listed = ", ".join(text.split(","))
    return f"{name} is {listed}: a comma parts values; {text.replace(',', '')} is written without it."


def _expand(name: str, part: str, integer: bool, proportion: bool) -> list[Number]:
    fields = part.split(":")
    if fields[0] == "log" and len(fields) == 4:
        low, high, count = (_number(name, f, proportion) for f in fields[1:])
        if not (0 < low < high < LARGEST_LOG and 2 <= count <= LARGEST_GRID and count == int(count)):
            raise ParameterError(
                f"{name}: '{part}' must be log:from:to:count with 0 < from < to < {LARGEST_LOG:g} and 2 to "
                f"{LARGEST_GRID} values."
            )
        spaced = np.geomspace(low, high, int(count))
        return [int(v) for v in np.unique(np.rint(spaced))] if integer else [float(v) for v in spaced]
    if fields[0] == "log":
        raise ParameterError(f"{name}: '{part}' must be log:from:to:count, four fields.")
    if len(fields) == 3:
        return _range(name, part, *(_number(name, f, proportion) for f in fields))
    if len(fields) != 1:
        raise ParameterError(
            f"{name}: '{part}' is no value; give a number, a list a,b,c, a range from:to:step or log:from:to:count."
        )
    return [_number(name, part, proportion)]


def _range(name: str, part: str, low: Number, high: Number, step: Number) -> list[Number]:
    steps = (high - low) / step if step else math.nan
    count = round(steps) if math.isfinite(steps) else 0
    if step == 0 or steps < 0:
        problem = "has step 0" if step == 0 else "runs the wrong way: its step has the wrong sign"
        raise ParameterError(f"{name}: the range '{part}' {problem}; write from:to:step with both ends included.")
    if not math.isfinite(steps) or steps <= 0 or abs(steps - count) > 1e-9 * max(1.0, steps):
        raise ParameterError(f"{name}: the range '{part}' does not reach its end; from:to:step includes both ends.")
    if count > LARGEST_GRID:
        raise ParameterError(f"{name}: the range '{part}' has {count + 1} values, above {LARGEST_GRID}.")
    # rounding to the digits of the range turns 0.15000000000000002 into the 0.15 that was meant
    return [_tidy(low + i * (high - low) / count, step) for i in range(count + 1)]


def _tidy(value: float, step: float) -> Number:
    # a range through zero holds zero itself: -0.05 + 1·0.15/3 is 7e-18
    short = float(f"{value:.12g}") if abs(value) > 1e-9 * abs(step) else 0.0
    return int(short) if short == int(short) else short


def _number(name: str, text: str, proportion: bool) -> Number:
    if text.endswith("%"):
        return percentage(name, text, proportion)
    try:
        value = float(text)
    except ValueError:
        raise ParameterError(
            f"{name}: '{text}' is no number; give a number, a list a,b,c, a range from:to:step or log:from:to:count."
        ) from None
    return int(value) if math.isfinite(value) and value == int(value) and "." not in text else value


def percentage(name: str, text: str, proportion: bool) -> float:
    """Read a percentage, to the last bit what its proportion would be; refuse it where no proportion belongs."""
    if not proportion:
        raise ParameterError(f"{name} is '{text}'; it is no proportion: write it without %.")
    try:
        # through decimals, so that 12.3% is 0.123 and not a neighbour of it
        return float(Decimal(text.strip().removesuffix("%").strip()) / 100)
    except InvalidOperation:
        raise ParameterError(f"{name}: '{text}' is no percentage; write it as 80% or 0.8.") from None


def as_proportion(value: float, low: float, high: float) -> str:
    """Return what was meant where a percentage was given as a number, as a hint; empty where none fits."""
    fits = abs(value) > 1 and 100 * low <= value <= 100 * high
    return f" Did you mean {value / 100:.10g}, or {value:.10g}%?" if fits else ""
