"""Figures as text: as many decimals as they deserve, each simulated one with its error."""

from __future__ import annotations

import math
from collections.abc import Sequence

Z = 1.959963984540054
"""The .975 quantile of the normal distribution, for Wilson limits."""

UNDEFINED = "–"
ROUNDING = 1e-12
"""What exact laws leave in doubt below a probability of 1."""

_EXACT_DECIMALS = 4
_SIMULATED_DECIMALS = (3, 4)


def plain(value: float, decimals: int, rate: bool) -> str:
    """Write a number with so many decimals: ``.3105``, ``1.1158``, ``<.0001``; NaN as a dash, rates without their 0."""
    if math.isnan(value):
        return UNDEFINED
    text = f"{value:.{decimals}f}"
    if rate and 0 < value < 1:
        smallest = 10.0**-decimals
        if float(text) == 0:
            text = f"<{smallest:.{decimals}f}"
        elif float(text) == 1 and value < 1 - ROUNDING:
            text = f">{1 - smallest:.{decimals}f}"
    if text.strip("-0.") == "":
        text = text.lstrip("-")
    return text.replace("0.", ".", 1) if text.lstrip("-<>").startswith("0.") else text


def exact(value: float, rate: bool, whole: bool = False) -> str:
    """Write an exact figure with four decimals, or none where it is a count."""
    return plain(value, 0 if whole else _EXACT_DECIMALS, rate)


def simulated(value: float, mcse: float, rate: bool, trials: float) -> str:
    """Write a simulated figure with its Monte Carlo error: ``.312 ±.005``; ``~.312`` where that is not known."""
    if math.isnan(value):
        return UNDEFINED
    # a rate of 0 or 1, whose naive error of 0 would look perfect, carries its Wilson limit instead
    if rate and value in (0.0, 1.0) and trials > 0:
        end = Z**2 / (trials + Z**2)
        decimals = _decimals(end)
        limit = f"≥{plain(1 - end, decimals, True)}" if value else f"≤{plain(end, decimals, True)}"
        return f"{plain(value, decimals, True)} {limit}"
    if math.isnan(mcse):
        return f"~{plain(value, _SIMULATED_DECIMALS[0], rate)}"
    decimals = _decimals(mcse)
    return f"{plain(value, decimals, rate)} ±{plain(mcse, decimals, True)}"


def _decimals(error: float) -> int:
    """Show an error with a digit that is not zero, within the decimals of a table."""
    low, high = _SIMULATED_DECIMALS
    return next((count for count in range(low, high) if error >= 10.0**-count), high)


def parameter(value: object) -> str:
    """Write the value of a parameter as a user would type it: nobody asks for the end of 0.15000000000000002."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def parameters(values: Sequence[object]) -> list[str]:
    """Write the values of one parameter with the same decimals, so that they line up: ``0.05``, ``0.10``."""
    texts = [parameter(value) for value in values]
    if not all(isinstance(value, float) for value in values) or any("e" in text for text in texts):
        return texts
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    return [f"{float(text):.{decimals}f}" for text in texts]


def pair(name: str, value: object) -> str:
    """Write a parameter with its value: ``difficulty_sd = 1.5``."""
    return f"{name} = {parameter(value)}"
