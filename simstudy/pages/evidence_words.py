"""Figures of a report on people's own results as they are read in a sentence or a table."""

from __future__ import annotations

import math

from simstudy.pages.numbers import UNDEFINED
from simstudy.records.two_compared import TwoCompared

HALF = 0.5
MOST_IN_FULL = 1e9
"""Size up to which scores are written with all their digits."""


class Words:
    """Writes values: of rates in percent and points, of scores as they are."""

    def __init__(self, rates: bool) -> None:
        self.rates = rates

    def mean(self, value: float) -> str:
        """Write a mean: 75%, or 0.75."""
        if math.isnan(value):
            return UNDEFINED
        text = f"{_short(100 * value)}%" if self.rates else _large(value) if abs(value) >= 1000 else f"{value:.2f}"
        return text.replace("-", "−")

    def step(self, value: float, signed: bool = True) -> str:
        """Write a difference without its unit: +7.5, −.031."""
        if math.isnan(value):
            return UNDEFINED
        if math.isinf(value):
            return "−∞" if value < 0 else "∞"
        large = not self.rates and abs(value) >= 1000
        text = _short(100 * value) if self.rates else _large(value) if large else f"{value:.3f}"
        if value and not large and float(text) == 0:
            text = f"{100 * value if self.rates else value:.2g}"
        text = text.replace("-", "−")
        return text if not signed or text.startswith("−") else f"+{text}"

    def amount(self, value: float) -> str:
        """Write the size of a difference: 7.5 points."""
        size = self.step(abs(value), signed=False)
        if not self.rates:
            return size
        return f"{size} point" if size == "1" else f"{size} points"

    def between(self, low: float, high: float, *, steps: bool = False) -> str:
        """Write limits: of means, or of differences."""
        if math.isnan(low):
            return UNDEFINED
        write = self.step if steps else self.mean
        return f"{write(low)} to {write(high)}"

    def unit(self) -> str:
        """Return what stands after differences."""
        return " points" if self.rates else ""


def _large(value: float) -> str:
    return f"{value:,.1f}" if abs(value) < MOST_IN_FULL else f"{value:.3g}"


def _short(value: float) -> str:
    """Write a percentage with one decimal, and without it where it is 0."""
    text = f"{value:.1f}"
    return "0" if text in ("-0.0", "0.0") else text.removesuffix(".0")


def p_words(p: float) -> str:
    """Write a p-value: ``p = .03``, ``p = .0004``, ``p < .0001``."""
    if math.isnan(p):
        return "p undefined"
    if p < 1e-4:
        return "p < .0001"
    text = f"{p:.2f}" if p >= 0.0995 else f"{p:.3f}" if p >= 0.00095 else f"{p:.4f}"
    return f"p = {text.removeprefix('0')}"


def counted(n: int, what: str) -> str:
    """Write so many of something: 1 case, 2,000 cases."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def cases_words(n: float, mcse: float = 0.0) -> str:
    """Write a number of cases, with its Monte Carlo error where it was drawn and is half a case at least."""
    return f"{n:,.0f} ±{mcse:,.0f}" if mcse >= HALF else f"{n:,.0f}"


def in_100(power: float) -> str:
    """Write a chance as so many of 100."""
    count = round(100 * power)
    return "more than 99" if count == 100 and power < 1 else f"{count}"


def is_rate(found: TwoCompared) -> bool:
    """Whether means are of 0/1 outcomes: shares between 0 and 1 of runs that were right or wrong."""
    return found.pairs.rule in ("mean", "clustered") and bool(
        all(((side >= 0) & (side <= 1)).all() for side in (found.pairs.a, found.pairs.b))
    )


def number(value: object, digits: int = 4) -> str:
    """Write a figure of a table: .0313, −.05, an en dash where undefined."""
    if value is None:
        return UNDEFINED
    if isinstance(value, int):
        return f"{value:,}"
    number = float(str(value))
    if not math.isfinite(number):
        return UNDEFINED if math.isnan(number) else "∞" if number > 0 else "−∞"
    if 0 < abs(number) < 0.5 * 10.0**-digits:
        return f"<{10.0**-digits:.{digits}f}".replace("<0.", "<.") if number > 0 else f"{number:.1e}".replace("-", "−")
    text = f"{number:.{digits}f}".replace("-", "−")
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text
