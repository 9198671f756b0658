"""Whatever is swept, a table can be read and a plot is drawn or refused with words."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simstudy.errors import RefusedError
from simstudy.pages.chart import Chart, chart_of
from simstudy.pages.flat import flat_records, to_json
from simstudy.pages.page import to_markdown, to_table
from simstudy.pages.text_tables import WIDTH
from tests.unit.pages import factory

VALUES = {
    "difficulty_sd": st.lists(st.floats(0, 5).map(lambda value: round(value, 2)), min_size=1, max_size=4, unique=True),
    "n_cases": st.lists(st.integers(1, 5000), min_size=1, max_size=5, unique=True),
    "difference": st.lists(
        st.floats(-0.5, 0.5).map(lambda value: round(value, 3)), min_size=1, max_size=8, unique=True
    ),
    "protocol": st.lists(st.sampled_from(["one_order", "consistent", "averaged"]), min_size=1, unique=True),
}
METHODS = st.lists(st.sampled_from(["a", "mcnemar_exact", "bootstrap_percentile", "z", "t"]), min_size=1, unique=True)


@st.composite
def studies(draw: st.DrawFn):
    names = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, unique=True))
    methods = draw(METHODS)
    grid = {name: sorted(draw(VALUES[name])) for name in names}
    text = {name: grid.pop(name) for name in ("protocol",) if name in grid}
    dataset = factory.power(
        grid or {"n_cases": (36,)}, methods, draw(st.lists(st.sampled_from(methods))), 1000, {"alpha": 0.05}
    )
    return dataset.expand_dims(text) if text else dataset


@settings(max_examples=15, deadline=None)
@given(studies())
def test_any_grid_can_be_read(dataset) -> None:
    lines = to_table(dataset).splitlines()
    assert lines[0] == dataset.attrs["question"]
    assert max(map(len, lines)) <= WIDTH
    assert to_markdown(dataset).count("\n") >= len(dataset["method"])
    records = flat_records(dataset)
    assert len(records) == dataset["power"].size
    assert json.loads(to_json(dataset)) == records
    if len(dataset["method"]) > 1:
        assert all(sum(f" {method}" in f" {line}" for line in lines) for method in dataset["method"].values)


def drawable(dataset) -> Chart | None:
    """Give what is drawn, or None where the plot is refused."""
    try:
        return chart_of(dataset)
    except RefusedError:
        return None


@settings(max_examples=15, deadline=None)
@given(studies())
def test_any_grid_is_drawn_in_full_or_refused(dataset) -> None:
    chart = drawable(dataset)
    if chart is None:
        return
    drawn = np.concatenate([line.y for panel in chart.panels for line in panel.lines])
    assert sorted(drawn) == pytest.approx(sorted(dataset["power"].values.ravel()))
