"""The public face of the package."""

import ast
import importlib
import importlib.metadata
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import simstudy

ROOT = Path(simstudy.__file__).parent


# modules that are started, not imported
STARTED = {"simstudy.__main__", "simstudy.power"}
# functions of the package, and names kept for some that come later
FUNCTIONS = {"power", "mde", "size", "compare", "report", "plot", "table"}


def modules():
    found = {m.name for m in pkgutil.walk_packages([str(ROOT)], "simstudy.")}
    return sorted(found - STARTED)


@pytest.mark.parametrize("name", simstudy.__all__)
def test_public_names_resolve_and_are_documented(name):
    thing = getattr(simstudy, name)
    assert inspect.isclass(thing) or inspect.isfunction(thing)
    assert inspect.getdoc(thing)


def test_the_list_of_public_names_is_what_is_promised():
    assert sorted(simstudy.__all__) == simstudy.__all__ == dir(simstudy)
    assert set(simstudy._HOME) == set(simstudy.__all__)
    # what type checkers see is what is imported late
    statements = ast.walk(ast.parse((ROOT / "__init__.py").read_text()))
    imported = [node for node in statements if isinstance(node, ast.ImportFrom) and node.module.startswith("simstudy.")]
    assert {alias.name: node.module for node in imported for alias in node.names} == simstudy._HOME


@pytest.mark.slow
def test_no_module_shadows_a_public_name():
    """In a new interpreter: after every module is imported each public name is still the function or class."""
    code = (
        "import importlib, inspect, simstudy\n"
        f"for name in {modules()!r}: importlib.import_module(name)\n"
        "print([n for n in simstudy.__all__ if inspect.ismodule(getattr(simstudy, n))])"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_module_has_the_name_of_a_public_function():
    assert not {name.removeprefix("simstudy.") for name in modules()} & set(simstudy.__all__)
    names = {path: path.parent.name if path.name == "__init__.py" else path.stem for path in ROOT.rglob("*.py")}
    # power.py is there for `python -m`, and refuses to be imported
    assert [path for path, name in names.items() if name in FUNCTIONS] == [ROOT / "power.py"]


def test_the_module_that_is_started_is_not_imported():
    with pytest.raises(ImportError, match=r"call simstudy\.power_curve"):
        importlib.import_module("simstudy.power")
    assert "simstudy.power" not in sys.modules
    assert not hasattr(simstudy, "power")


def test_every_module_says_what_it_is_for():
    assert [name for name in modules() if not importlib.import_module(name).__doc__] == []


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="power_curves"):
        _ = simstudy.power_curves


def test_the_version_is_that_of_the_distribution():
    result = simstudy.power_curve("proportion", n_cases=3, accuracy=0.5)
    assert result.attrs["simstudy_version"] == importlib.metadata.version("simstudy")


def test_types_are_shipped():
    assert (ROOT / "py.typed").is_file()


def test_importing_the_package_is_cheap():
    code = "import sys, simstudy; print([m for m in ('numpy', 'numba', 'scipy', 'xarray') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_examples_of_the_public_functions_run():
    """The examples in docstrings give what they say."""
    import doctest

    for name in ("simstudy.study.power_curve", "simstudy.solve.questions", "simstudy.testing.checks"):
        result = doctest.testmod(importlib.import_module(name))
        assert result.attempted > 0
        assert result.failed == 0
