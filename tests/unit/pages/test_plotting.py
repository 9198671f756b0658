"""Plots as files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from simstudy.errors import RequestError
from simstudy.pages.plotting import check_plot, figure_of, plot
from tests.unit.pages import factory

MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("ending", MAGIC)
def test_the_same_result_gives_the_same_bytes(tmp_path: Path, ending: str) -> None:
    dataset = factory.power({"n_cases": (36, 100), "difference": (0.0, 0.1)})
    first, second = (plot(dataset, tmp_path / f"{name}{ending}").read_bytes() for name in "ab")
    assert first == second
    assert first.startswith(MAGIC[ending])
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"a{ending}", f"b{ending}"]


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
    dataset["coverage"].attrs["long_name"] = "share of intervals that hold the true value " * 3
    dataset.attrs["question"] = "A long question that goes on " * 12
    figure = figure_of(dataset)
    figure.canvas.draw()
    for text in figure.texts:
        assert figure.bbox.x0 <= text.get_window_extent().x0
        assert text.get_window_extent().x1 <= figure.bbox.x1
        assert text.get_window_extent().y1 <= figure.bbox.y1


def test_panels_share_limits_and_label_the_values_asked_for() -> None:
    axes = figure_of(factory.mde()).axes
    assert len({(*ax.get_xlim(), *ax.get_ylim()) for ax in axes}) == 1
    assert [label.get_text() for label in axes[0].get_xticklabels()] == ["5", "36", "100", "400", "1251"]


def test_of_many_sizes_the_ends_and_some_between_are_labelled() -> None:
    sizes = (20, 36, 60, 100, 150, 200, 300, 400, 700, 1251)
    (axes,) = figure_of(factory.power({"n_cases": sizes})).axes
    shown = [int(label.get_text()) for label in axes.get_xticklabels()]
    assert shown[0] == 20
    assert shown[-1] == 1251
    assert set(shown) < set(sizes)


def test_signs_for_what_has_no_answer_stand_above_the_scale() -> None:
    axes = figure_of(factory.mde()).axes[0]
    _, end = axes.spines["left"].get_bounds()
    assert end < axes.get_ylim()[1]
    assert max(axes.get_yticks()) <= end


def test_equal_values_have_limits_of_some_width() -> None:
    dataset = factory.mde()
    for name in ("answer", "low", "high"):
        dataset[name][:] = 0.1
    low, high = figure_of(dataset).axes[0].get_ylim()
    assert low < 0.1 < high


def test_nothing_found_is_drawn_all_the_same() -> None:
    dataset = factory.mde()
    for name in ("answer", "low", "high"):
        dataset[name][:] = np.nan
    dataset["status"][:] = "unreachable"
    assert len(figure_of(dataset).axes) == 3


def test_lines_differ_in_colour_dash_and_marker() -> None:
    methods = tuple("abcdefgh")
    lines = figure_of(factory.power(methods=methods)).axes[0].get_lines()
    looks = {(line.get_color(), line.get_marker()) for line in lines if line.get_label() in methods}
    assert len({colour for colour, _ in looks}) == len({marker for _, marker in looks}) == 8


def test_global_settings_are_neither_used_nor_changed(tmp_path: Path) -> None:
    dataset = factory.power({"difference": (0.0, 0.1)})
    plain = plot(dataset, tmp_path / "plain.png").read_bytes()
    with mpl.rc_context({"axes.facecolor": "red", "font.size": 30}):
        assert plot(dataset, tmp_path / "styled.png").read_bytes() == plain
        assert (mpl.rcParams["axes.facecolor"], mpl.rcParams["font.size"]) == ("red", 30)


def test_no_window_system_is_touched() -> None:
    code = (
        "import sys; from tests.unit.pages import factory; from simstudy.pages.plotting import figure_of;"
        "figure_of(factory.coverage()); sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])


def test_an_unknown_ending_is_refused_before_work(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"allowed: \.png, \.svg, \.pdf"):
        check_plot(tmp_path / "plot.jpg")


def test_without_matplotlib_the_remedy_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(RequestError, match=r"pip install 'simstudy\[plot\]'"):
        check_plot(tmp_path / "plot.png")


def test_an_older_plot_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    path.write_text("older")
    assert plot(factory.power(), path).read_bytes().startswith(MAGIC[".svg"])
