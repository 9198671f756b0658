"""Limits and ticks, the same in all panels of a plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from simstudy.pages import numbers
from simstudy.pages.chart import Axis, Chart, Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import Locator

_MOST_TICKS = 6
_FEWEST_TICKS = 3


def share_scales(all_axes: Sequence[Axes], chart: Chart) -> None:
    """Give all panels the same scales, limits and ticks.

    Parameters
    ----------
    all_axes : sequence of Axes
        The panels.
    chart : Chart
        What they show.

    Notes
    -----
    Where answers do not exist, the panels reach beyond the end of the vertical scale: signs stand there.
    """
    x_limits = _padded(chart.x.values, chart.x.log)
    y_limits = (-0.02, 1.03) if chart.y_is_rate else _padded(_heights(chart), chart.y.log)
    missing = any(len(line.unreachable) + len(line.outside) for line in _lines(chart))
    top = _beyond(y_limits, chart.y.log) if missing else y_limits[1]
    for axes in all_axes:
        axes.set_xscale("log" if chart.x.log else "linear")
        axes.set_yscale("log" if chart.y.log else "linear")
        axes.set_xlim(*x_limits)
        axes.set_ylim(y_limits[0], top)
        axes.spines["left"].set_bounds(*y_limits)
        _set_x_ticks(axes, chart.x)
        _set_y_ticks(axes, chart, y_limits)


def _lines(chart: Chart) -> Iterator[Line]:
    return (line for panel in chart.panels for line in panel.lines)


def _heights(chart: Chart) -> tuple[float, ...]:
    parts = [part for line in _lines(chart) for part in (line.y, line.low, line.high)]
    values = np.concatenate([*parts, [value for value, _ in chart.references]])
    return tuple(values[np.isfinite(values)].tolist()) or (0.1, 1.0)


def _padded(values: Sequence[float], log: bool) -> tuple[float, float]:
    low, high = min(values), max(values)
    if log:
        pad = (high / low) ** 0.06 if high > low else 1.5
        return low / pad, high * pad
    pad = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - pad, high + pad


def _beyond(limits: tuple[float, float], log: bool) -> float:
    low, high = limits
    return high * (high / low) ** 0.12 if log else high + 0.12 * (high - low)


def _set_x_ticks(axes: Axes, axis: Axis) -> None:
    from matplotlib.ticker import MaxNLocator, NullFormatter

    shown = _shown_ticks(axis)
    if not shown:
        shown = _within(MaxNLocator(_MOST_TICKS, steps=[1, 2, 5, 10]), axes.get_xlim())
    axes.set_xticks(shown, numbers.parameters(_as_counts(shown)))
    # Of many sizes only some fit as text; the others keep their tick.
    axes.set_xticks(axis.values if axis.log else [], minor=True)
    axes.xaxis.set_minor_formatter(NullFormatter())


def _set_y_ticks(axes: Axes, chart: Chart, limits: tuple[float, float]) -> None:
    """Keep ticks within the scale: what stands above it has no value."""
    from matplotlib.ticker import LogLocator, MaxNLocator

    even = MaxNLocator(_MOST_TICKS, steps=[1, 2, 5, 10])
    shown = _within(LogLocator(10, subs=(1, 2, 5)), limits) if chart.y.log else []
    if len(shown) >= _FEWEST_TICKS:
        axes.set_yticks(shown, [numbers.parameter(tick) for tick in shown])
    else:
        shown = _within(even, limits)
        axes.set_yticks(shown, numbers.parameters(shown))
    axes.set_yticks([], minor=True)


def _within(locator: Locator, limits: tuple[float, float]) -> list[float]:
    low, high = limits
    ticks = np.asarray(locator.tick_values(low, high), dtype=np.float64)
    return [round(tick, 10) for tick in ticks.tolist() if low <= tick <= high]


def _as_counts(values: Sequence[float]) -> list[float]:
    return [int(value) for value in values] if all(value.is_integer() for value in values) else list(values)


def _shown_ticks(axis: Axis) -> list[float]:
    """Choose the values asked for, or on a logarithmic axis as many of them as do not crowd."""
    if len(axis.values) <= _MOST_TICKS:
        return list(axis.values)
    if not axis.log:
        return []
    apart = (max(axis.values) / min(axis.values)) ** (1 / (_MOST_TICKS + 1))
    first, *between, last = sorted(axis.values)
    shown = [first]
    for value in between:
        if value / shown[-1] >= apart and last / value >= apart:
            shown.append(value)
    return [*shown, last]
