"""From a decided chart to a matplotlib figure: scales and ticks that panels share, lines, signs and words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from simstudy.pages import numbers
from simstudy.pages.chart import Axis, Chart, Line, Panel
from simstudy.pages.figure_size import EDGE, Sheet, right_margin, sheet_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator

STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.linewidth": 0.6,
    "axes.edgecolor": "#444444",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "svg.hashsalt": "simstudy",
    "svg.fonttype": "path",
}
"""Settings in force while a figure is drawn and written; the salt makes names inside an SVG reproducible."""

# Okabe & Ito's colours (2008, "Color universal design"), black first and neighbours apart in lightness.
_COLOURS = ("#000000", "#D55E00", "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#7F7F7F")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "h")
_DASHES: tuple[Any, ...] = ("-", (0, (5, 1.8)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
_QUIET = "#777777"
_MOST_MARKERS = 12
_MOST_TICKS = 6
_FEWEST_TICKS = 3


def draw(chart: Chart) -> Figure:
    """Draw a chart, as a figure that is known to no window or notebook."""
    from matplotlib.figure import Figure

    sheet = sheet_of(chart)
    figure = Figure(figsize=(sheet.width, sheet.height))
    for panel in chart.panels:
        axes = figure.add_axes(sheet.box(panel.row, panel.column, chart.rows))
        _draw_panel(axes, panel, chart)
    _share_scales(figure.axes, chart)
    for axes, panel in zip(figure.axes, chart.panels, strict=True):
        _mark_missing(axes, panel)
        _label_panel(axes, panel, chart)
    _write_around(figure, chart, sheet)
    return figure


def _share_scales(all_axes: Sequence[Axes], chart: Chart) -> None:
    """Give all panels the same scales, limits and ticks; signs for missing answers stand beyond the end."""
    x_limits = _padded(chart.x.values, chart.x.log)
    y_limits = (-0.02, 1.03) if chart.y_is_rate else _padded(_heights(chart), chart.y.log)
    missing = any(len(line.unreachable) + len(line.outside) for line in _lines(chart))
    low, top = y_limits
    if missing:
        top = top * (top / low) ** 0.12 if chart.y.log else top + 0.12 * (top - low)
    for axes in all_axes:
        axes.set_xscale("log" if chart.x.log else "linear")
        axes.set_yscale("log" if chart.y.log else "linear")
        axes.set_xlim(*x_limits)
        axes.set_ylim(low, top)
        axes.spines["left"].set_bounds(*y_limits)
        _set_x_ticks(axes, chart.x)
        _set_y_ticks(axes, chart, y_limits)


def _lines(chart: Chart) -> Iterator[Line]:
    return (line for panel in chart.panels for line in panel.lines)


def _heights(chart: Chart) -> tuple[float, ...]:
    parts = [part for line in _lines(chart) for part in (line.y, line.low, line.high)]
    values = np.concatenate([*parts, [value for value, _ in chart.references]])
    shown = np.isfinite(values) & ((values > 0) if chart.y.log else True)
    return tuple(values[shown].tolist()) or (0.1, 1.0)


def _padded(values: Sequence[float], log: bool) -> tuple[float, float]:
    low, high = min(values), max(values)
    if log:
        pad = (high / low) ** 0.06 if high > low else 1.5
        return low / pad, high * pad
    pad = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - pad, high + pad


def _set_x_ticks(axes: Axes, axis: Axis) -> None:
    from matplotlib.ticker import MaxNLocator, NullFormatter

    shown = _shown_ticks(axis)
    if not shown:
        shown = _within(MaxNLocator(_MOST_TICKS, steps=[1, 2, 5, 10]), axes.get_xlim())
    # counts are written with all their digits
    counts = [int(value) for value in shown] if all(value.is_integer() for value in shown) else shown
    axes.set_xticks(shown, numbers.parameters(counts))
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


def _draw_panel(axes: Axes, panel: Panel, chart: Chart) -> None:
    axes.set_axisbelow(True)
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.5)
    for value, _ in chart.references:
        axes.axhline(value, color=_QUIET, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    for index, line in enumerate(panel.lines):
        _draw_line(axes, line, index)


def _draw_line(axes: Axes, line: Line, index: int) -> None:
    look = _look(index)
    step = math.ceil(len(line.x) / _MOST_MARKERS)
    # Markers of dense curves are staggered, so that equal curves show both of theirs.
    shown = (index % step, step)
    axes.plot(line.x, line.y, markevery=shown, zorder=3 + index / 10, label=line.method, **look)
    wide = line.high > line.low
    if wide.any():
        axes.fill_between(
            line.x,
            line.low,
            line.high,
            where=wide.tolist(),
            color=look["color"],
            alpha=0.18,
            linewidth=0,
            zorder=2,
        )
        alone = _without_neighbours(wide)
        axes.vlines(line.x[alone], line.low[alone], line.high[alone], color=look["color"], linewidth=0.9)


def _without_neighbours(wide: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Find the points too lonely for a band: their limits are drawn as bars."""
    beside = np.zeros_like(wide)
    beside[1:] |= wide[:-1]
    beside[:-1] |= wide[1:]
    return wide & ~beside


def _look(index: int) -> dict[str, Any]:
    """Give a line its colour, dash and marker; later lines are thinner, so that equal curves show through."""
    colour = _COLOURS[index % len(_COLOURS)]
    return {
        "color": colour,
        "linestyle": _DASHES[index % len(_DASHES)],
        "linewidth": max(1.0, 1.7 - 0.2 * index),
        "marker": _MARKERS[index % len(_MARKERS)],
        "markersize": 4.6,
        "markerfacecolor": colour if index % 2 == 0 else "white",
        "markeredgecolor": colour,
        "markeredgewidth": 0.9,
    }


def _mark_missing(axes: Axes, panel: Panel) -> None:
    """Put a sign above the scale for every answer that does not exist, methods beside each other."""
    signs: dict[float, list[tuple[str, str]]] = {}
    for index, line in enumerate(panel.lines):
        colour = _COLOURS[index % len(_COLOURS)]
        for where, sign in ((line.unreachable, "x"), (line.outside, "^")):
            for x in where.tolist():
                signs.setdefault(x, []).append((sign, colour))
    for x, row in signs.items():
        for index, (sign, colour) in enumerate(row):
            _put_sign(axes, x, index - (len(row) - 1) / 2, sign, colour)


def _put_sign(axes: Axes, x: float, steps_aside: float, sign: str, colour: str) -> None:
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    aside = ScaledTranslation(steps_aside * 0.085, 0, axes.figure.dpi_scale_trans)
    axes.plot(
        [x],
        [0.95],
        linestyle="none",
        marker=sign,
        markersize=4.6,
        color=colour,
        markerfacecolor="white",
        markeredgewidth=1.1,
        transform=blended_transform_factory(axes.transData, axes.transAxes) + aside,
        clip_on=False,
        zorder=5,
    )


def _label_panel(axes: Axes, panel: Panel, chart: Chart) -> None:
    """Write names only where they are needed: values at the outer edges, columns above, rows at the right."""
    has_strips = bool(panel.row_name)
    if panel.column_name and (panel.row == 0 or not has_strips):
        axes.set_title(panel.column_name, fontsize=8.5, pad=4)
    last_row = max(other.row for other in chart.panels if other.column == panel.column)
    last_column = max(other.column for other in chart.panels if other.row == panel.row)
    axes.tick_params(labelbottom=panel.row == last_row, labelleft=panel.column == 0)
    if panel.column != last_column:
        return
    for value, name in chart.references:
        axes.annotate(
            name,
            (1, value),
            xycoords=("axes fraction", "data"),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
            color="#555555",
        )
    if has_strips:
        axes.annotate(
            panel.row_name,
            (1, 0.5),
            xycoords="axes fraction",
            xytext=(72 * (right_margin(chart) + 0.02), 0),
            textcoords="offset points",
            va="center",
            ha="center",
            rotation=270,
            fontsize=8.5,
        )


def _write_around(figure: Figure, chart: Chart, sheet: Sheet) -> None:
    """Write title, axis names, legend and notes."""
    x, y = 1 / sheet.width, 1 / sheet.height
    left, bottom, right, top = sheet.span(chart.rows, chart.columns)
    small: dict[str, Any] = {"fontsize": 7.2, "va": "top", "color": "#444444", "linespacing": 1.3}
    figure.text(EDGE * x, 1 - EDGE * y, "\n".join(sheet.title), fontsize=10.5, va="top", weight="bold")
    figure.text(
        EDGE * x,
        sheet.subtitle_top * y,
        "\n".join(sheet.subtitle),
        fontsize=8.5,
        va="top",
        color="#444444",
        linespacing=1.35,
    )
    figure.text((left + right) / 2, bottom - 0.44 * y, chart.x.label, ha="center", fontsize=9)
    figure.text(
        EDGE * x,
        (bottom + top) / 2,
        "\n".join(sheet.y_label),
        va="center",
        ha="left",
        multialignment="center",
        rotation=90,
        fontsize=9,
    )
    figure.text(EDGE * x, sheet.note_top * y, "\n".join(sheet.notes), **small)
    if any(line.method for line in chart.panels[0].lines):
        _write_legend(figure, chart, sheet)


def _write_legend(figure: Figure, chart: Chart, sheet: Sheet) -> None:
    from matplotlib.lines import Line2D

    lines = enumerate(chart.panels[0].lines)
    figure.legend(
        handles=[Line2D([], [], label=line.method, **_look(index)) for index, line in lines if line.method],
        loc="lower left",
        bbox_to_anchor=(EDGE / sheet.width, (sheet.note_top + 0.07) / sheet.height),
        ncols=sheet.legend_columns,
        frameon=False,
        fontsize=8.5,
        handlelength=3.2,
        borderpad=0,
        borderaxespad=0,
        labelspacing=0.35,
        columnspacing=1.6,
    )
