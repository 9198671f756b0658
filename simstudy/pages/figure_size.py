"""The measures of a figure: how large it is, and where its parts go."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Sequence

from simstudy.pages.chart import Chart

_PANEL_WIDTHS = {1: 4.8, 2: 3.3, 3: 2.6, 4: 2.15, 5: 1.85, 6: 1.7}
_PANEL_HEIGHTS = {1: 2.9, 2: 2.2, 3: 1.8, 4: 1.6, 5: 1.45, 6: 1.35}
EDGE = 0.12
_LEFT, _AXIS_LINE, _SUBTITLE_LINE = 0.72, 0.15, 0.17
_RIGHT, _RIGHT_BARE, _GAP_X, _GAP_Y = 0.78, 0.25, 0.24, 0.24
_ROW_STRIP, _X_LABELS, _TITLE_LINE, _LEGEND_LINE, _NOTE_LINE = 0.3, 0.52, 0.2, 0.2, 0.155
_LETTERS_PER_INCH = {"title": 11.5, "subtitle": 15.0, "note": 16.5, "axis": 14.0, "legend": 13.0}
_INDENTS = {"title": "", "subtitle": "", "note": "    "}
_LEGEND_HANDLE = 0.75


@dataclasses.dataclass(frozen=True)
class Sheet:
    """The measures of a figure in inches, with its text folded to the width: nothing overlaps, whatever the text."""

    width: float
    height: float
    bottom: float
    left: float
    panel: tuple[float, float]
    gap_y: float
    title: tuple[str, ...]
    subtitle: tuple[str, ...]
    y_label: tuple[str, ...]
    legend_columns: int
    notes: tuple[str, ...]

    @property
    def subtitle_top(self) -> float:
        """Where the title ends and the subtitle begins, in inches from below."""
        return self.height - EDGE - len(self.title) * _TITLE_LINE

    @property
    def note_top(self) -> float:
        """Where the notes end and the legend begins, in inches from below."""
        return EDGE + len(self.notes) * _NOTE_LINE

    def span(self, rows: int, columns: int) -> tuple[float, float, float, float]:
        """Return the place of all panels together: left, bottom, right and top as shares of the figure."""
        left, bottom, *_ = self.box(rows - 1, 0, rows)
        right, top, width, height = self.box(0, columns - 1, rows)
        return left, bottom, right + width, top + height

    def box(self, row: int, column: int, rows: int) -> tuple[float, float, float, float]:
        """Return the place of a panel: left, bottom, width and height as shares of the figure."""
        width, height = self.panel
        left = self.left + column * (width + _GAP_X)
        bottom = self.bottom + (rows - 1 - row) * (height + self.gap_y)
        return left / self.width, bottom / self.height, width / self.width, height / self.height


def right_margin(chart: Chart) -> float:
    """Return the room right of the panels, without names of rows: names of horizontal lines stand there."""
    return _RIGHT if chart.references else _RIGHT_BARE


def sheet_of(chart: Chart) -> Sheet:
    """Measure what a chart needs."""
    panel = (_PANEL_WIDTHS[chart.columns], _PANEL_HEIGHTS[chart.rows])
    strip = _ROW_STRIP * any(panel.row_name for panel in chart.panels)
    y_label = tuple(textwrap.wrap(chart.y.label, int(chart.rows * panel[1] * _LETTERS_PER_INCH["axis"])))
    left = _LEFT + _AXIS_LINE * (len(y_label) - 1)
    right = right_margin(chart) + strip
    width = left + chart.columns * panel[0] + (chart.columns - 1) * _GAP_X + right
    title = _folded([chart.title], width, "title")
    subtitle = _folded([chart.subtitle], width, "subtitle")
    notes = _folded(chart.notes, width, "note")
    legend_rows, legend_columns = _legend_shape(chart, width)
    bottom = EDGE + len(notes) * _NOTE_LINE + legend_rows * _LEGEND_LINE + 0.16 + _X_LABELS
    # Where every row has titles of its own, they need room.
    gap_y = _GAP_Y if strip else _GAP_Y + 0.1
    above = len(title) * _TITLE_LINE + len(subtitle) * _SUBTITLE_LINE + 0.12
    above += _GAP_Y * bool(chart.panels[0].column_name)
    height = bottom + chart.rows * panel[1] + (chart.rows - 1) * gap_y + above + EDGE
    return Sheet(width, height, bottom, left, panel, gap_y, title, subtitle, y_label, legend_columns, notes)


def _folded(texts: Sequence[str], width: float, kind: str) -> tuple[str, ...]:
    letters = int((width - 2 * EDGE) * _LETTERS_PER_INCH[kind])
    return tuple(
        line
        for text in texts
        for line in textwrap.wrap(text, letters, subsequent_indent=_INDENTS[kind], break_on_hyphens=False)
    )


def _legend_shape(chart: Chart, width: float) -> tuple[int, int]:
    methods = [line.method for line in chart.panels[0].lines if line.method]
    if not methods:
        return 0, 1
    needed = max(map(len, methods)) / _LETTERS_PER_INCH["legend"] + _LEGEND_HANDLE
    columns = min(len(methods), max(1, int((width - 2 * EDGE) / needed)))
    return math.ceil(len(methods) / columns), columns
