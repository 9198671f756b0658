"""What an experiment on real data leaves behind, and how its files are written."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simstudy.pages import numbers
from simstudy.pages.drawing import STYLE
from simstudy.pages.text_tables import Table, markdown_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#000000", "#D55E00", "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#7F7F7F")
"""Okabe & Ito's colours (2008, "Color universal design")."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "h")


@dataclass(frozen=True)
class Page:
    """A result.

    Attributes
    ----------
    text : str
        Markdown.
    draw : callable
        Draws the picture.
    """

    text: str
    draw: Callable[[], Figure]

    def write(self, out: Path, name: str) -> None:
        """Write NAME.md and NAME.png; the same result gives the same bytes."""
        (out / f"{name}.md").write_text(self.text, encoding="utf-8")
        with _style():
            self.draw().savefig(out / f"{name}.png", dpi=200, metadata={"Software": None})


@contextlib.contextmanager
def _style() -> Iterator[None]:
    import matplotlib as mpl

    plain: dict[Any, Any] = {k: v for k, v in mpl.rcParamsDefault.items() if not k.startswith("backend")}
    with mpl.rc_context(plain | STYLE):
        yield


def sheet(width: float, height: float) -> Figure:
    """Return an empty figure that no window or notebook knows."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def rate(value: float, decimals: int = 3) -> str:
    """Write a proportion."""
    return numbers.plain(value, decimals, True)


def number(value: float, decimals: int = 2) -> str:
    """Write a number that is no proportion; NaN is an en dash."""
    return numbers.plain(float(value), decimals, False)


def between(low: float, high: float, decimals: int = 3) -> str:
    """Write an interval; an end at infinity is written ∞."""
    ends = {-math.inf: "-∞", math.inf: "∞"}
    return f"[{', '.join(ends.get(float(end)) or number(end, decimals) for end in (low, high))}]"


def p_value(value: float) -> str:
    """Write a p-value."""
    return numbers.plain(value, 4, True)


def section(title: str, intro: str, stubs: Sequence[str], heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a part of a page: title, a paragraph, a table."""
    table = Table("", tuple(stubs), "", tuple(heads), tuple(tuple(row) for row in rows))
    return "\n".join([f"## {title}", "", intro, "", *markdown_lines(table), ""])
