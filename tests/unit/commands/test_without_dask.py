"""Commands do not import dask, which xarray would where it is installed."""

import os
import subprocess
import sys

import pytest

from simstudy.commands.without_dask import hidden_dask

ASKED = ["--n-cases", "20", "--accuracy-a", "0.7", "--difference", "0.1"]


@pytest.fixture
def with_dask(tmp_path):
    """An environment with a package of that name, which says when it is imported."""
    (tmp_path / "dask").mkdir()
    (tmp_path / "dask" / "__init__.py").write_text("print('dask was imported')\nraise ImportError\n")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}


def run(environment, *arguments):
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.slow
def test_a_command_does_not_import_it(with_dask, tmp_path):
    printed = run(with_dask, "-m", "simstudy", "power", "paired", *ASKED, "--out", str(tmp_path / "found.nc"))
    assert "tango" in printed
    assert "dask was imported" not in printed
    assert "dask was imported" in run(with_dask, "-c", "import xarray; xarray.Dataset({'a': 1})")


def test_ones_own_scenario_may(with_dask, tmp_path):
    own = tmp_path / "mine.py"
    own.write_text(
        "try:\n    import dask\nexcept ImportError:\n    pass\n"
        "from simstudy.scenarios.proportion import Proportion\n"
        "class Mine(Proportion):\n    name = 'mine'\n"
    )
    printed = run(with_dask, "-m", "simstudy", "list", str(own))
    assert "dask was imported" in printed


def test_what_others_imported_is_left_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", "theirs")
    with hidden_dask():
        assert sys.modules["dask"] == "theirs"
    assert sys.modules["dask"] == "theirs"
    monkeypatch.delitem(sys.modules, "dask")
    monkeypatch.delitem(sys.modules, "xarray", raising=False)
    with hidden_dask():
        assert sys.modules["dask"] is None
    assert "dask" not in sys.modules
