"""How large a figure is: nothing overlaps, whatever the text."""

from __future__ import annotations

import dataclasses

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from simstudy.pages.chart import Axis, chart_of
from simstudy.pages.drawing import draw
from simstudy.pages.figure_size import sheet_of
from simstudy.pages.plotting import figure_of
from tests.unit.pages import factory


@pytest.mark.parametrize("make", [factory.power, factory.coverage, factory.mde, factory.size])
def test_every_kind_of_result_is_drawn_with_nothing_outside_the_page(make) -> None:
    figure = figure_of(make())
    figure.canvas.draw()
    page = figure.bbox
    for text in (*figure.texts, *figure.legends):
        box = text.get_window_extent()
        assert page.x0 <= box.x0 <= box.x1 <= page.x1
        assert page.y0 <= box.y0 <= box.y1 <= page.y1


def test_long_words_are_folded_into_the_page() -> None:
    dataset = factory.coverage({"n_cases": (10, 100), "accuracy": (0.7,)})
    words = {"title": "A long question that goes on " * 12, "subtitle": "n_cases 36; " * 20}
    long = Axis("share of intervals that hold the true value " * 3, (), False)
    figure = draw(dataclasses.replace(chart_of(dataset), y=long, **words))
    FigureCanvasAgg(figure).draw()
    for text in figure.texts:
        assert figure.bbox.x0 <= text.get_window_extent().x0
        assert text.get_window_extent().x1 <= figure.bbox.x1
        assert text.get_window_extent().y1 <= figure.bbox.y1


def test_panels_stand_beside_each_other_within_the_sheet() -> None:
    chart = chart_of(factory.power())
    sheet = sheet_of(chart)
    boxes = [sheet.box(panel.row, panel.column, chart.rows) for panel in chart.panels]
    assert len(set(boxes)) == 12
    for left, bottom, width, height in boxes:
        assert 0 < left < left + width < 1
        assert 0 < bottom < bottom + height < 1
    left, bottom, right, top = sheet.span(chart.rows, chart.columns)
    assert left == min(box[0] for box in boxes)
    assert top == max(box[1] + box[3] for box in boxes)
    assert (bottom, right) == (min(box[1] for box in boxes), max(box[0] + box[2] for box in boxes))
