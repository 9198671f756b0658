"""Plots as files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pytest

from simstudy.errors import RequestError
from simstudy.pages import plotting
from simstudy.pages.plotting import check_plot, plot
from tests.unit.pages import factory

MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("ending", [".svg", pytest.param(".png", marks=pytest.mark.slow), ".pdf"])
def test_the_same_result_gives_the_same_bytes(tmp_path: Path, ending: str) -> None:
    dataset = factory.power({"n_cases": (36, 100), "difference": (0.0, 0.1)})
    first, second = (plot(dataset, tmp_path / f"{name}{ending}").read_bytes() for name in "ab")
    assert first == second
    assert first.startswith(MAGIC[ending])
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"a{ending}", f"b{ending}"]


def test_global_settings_are_neither_used_nor_changed(tmp_path: Path) -> None:
    dataset = factory.power({"difference": (0.0, 0.1)})
    plain = plot(dataset, tmp_path / "plain.png").read_bytes()
    with mpl.rc_context({"axes.facecolor": "red", "font.size": 30}):
        assert plot(dataset, tmp_path / "styled.png").read_bytes() == plain
        assert (mpl.rcParams["axes.facecolor"], mpl.rcParams["font.size"]) == ("red", 30)


@pytest.mark.slow
def test_no_window_system_is_touched() -> None:
    code = (
        "import sys; from tests.unit.pages import factory; from simstudy.pages.plotting import figure_of;"
        "figure_of(factory.coverage()); sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])


def test_no_module_speaks_of_pyplot_which_would_open_one() -> None:
    folder = Path(plotting.__file__).parents[1]
    assert [path.name for path in folder.rglob("*.py") if "pyplot" in path.read_text(encoding="utf-8")] == []


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
