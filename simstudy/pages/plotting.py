"""Results as pictures, in PNG, SVG or PDF."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simstudy.errors import RequestError
from simstudy.files import check_destination, replacing
from simstudy.pages.chart import chart_of
from simstudy.pages.shown import EVERYTHING, Shown

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from simstudy.study.plan import Study

ENDINGS = (".png", ".svg", ".pdf")
_DPI = 200
# What would differ from one writing to the next, or tell who wrote.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def check_plot(path: str | os.PathLike[str]) -> Path:
    """Refuse a plot that could not be written, before the work is done; return its path."""
    destination = check_destination(path, ENDINGS)
    _require_matplotlib()
    return destination


def plot(
    dataset: xr.Dataset,
    path: str | os.PathLike[str],
    variables: Sequence[str] = (),
    study: Study | None = None,
    shown: Shown = EVERYTHING,
) -> Path:
    """Draw a result, or some variables of it, and write it to a file: the same bytes with the same matplotlib."""
    destination = check_plot(path)
    ending = destination.suffix.lower()
    with _own_settings(), replacing(destination) as temporary:
        figure = figure_of(dataset, variables, study, shown)
        figure.savefig(temporary, format=ending[1:], dpi=_DPI, metadata=_METADATA[ending])
    return destination


def figure_of(
    dataset: xr.Dataset, variables: Sequence[str] = (), study: Study | None = None, shown: Shown = EVERYTHING
) -> Figure:
    """Draw a result as `plot` does, for a notebook or for changes by hand."""
    _require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from simstudy.pages.drawing import draw

    with _own_settings():
        figure = draw(chart_of(dataset, variables, study, shown))
        FigureCanvasAgg(figure)
    return figure


def _require_matplotlib() -> None:
    if importlib.util.find_spec("matplotlib") is None:
        raise RequestError("Plots need matplotlib, which is not installed: pip install 'simstudy[plot]'.")


@contextlib.contextmanager
def _own_settings() -> Iterator[None]:
    """Draw with settings of our own, and leave those of others as they were."""
    import matplotlib as mpl

    from simstudy.pages.drawing import STYLE

    settings: dict[Any, Any] = {k: v for k, v in mpl.rcParamsDefault.items() if not k.startswith("backend")}
    with mpl.rc_context(settings | STYLE):
        yield
