"""What was asked is handed along as a Study; attributes of a Dataset are written for files, and read in one place."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import simstudy

PACKAGE = Path(simstudy.__file__).parent
MAY_READ = {
    "study/asked.py": "makes the Study of a file again",
    "store.py": "packs attributes for NetCDF and unpacks them, whatever they say",
}
MAY_WRITE = {"study/results.py": "writes what a result says about itself", **MAY_READ}


def readings(source: str) -> list[int]:
    """The lines where attributes are read: every use of ``.attrs`` but as what is assigned to."""
    return sorted(node.lineno for node in _uses(source) if not isinstance(node.ctx, ast.Store))


def writings(source: str) -> list[int]:
    """The lines where attributes are assigned."""
    return sorted(node.lineno for node in _uses(source) if isinstance(node.ctx, ast.Store))


def _uses(source: str) -> list[ast.Attribute]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute) and node.attr == "attrs"]


def modules() -> list[str]:
    return sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py"))


def test_attributes_are_read_in_one_place() -> None:
    found = {name: readings((PACKAGE / name).read_text(encoding="utf-8")) for name in modules()}
    assert {name for name, lines in found.items() if lines} == set(MAY_READ), found


def test_attributes_are_written_where_results_are_made() -> None:
    found = {name: writings((PACKAGE / name).read_text(encoding="utf-8")) for name in modules()}
    assert {name for name, lines in found.items() if lines} <= set(MAY_WRITE), found


@pytest.mark.parametrize(
    "source",
    [
        'dataset.attrs["question"]',
        'dataset["power"].attrs.get("units", "")',
        "told = dataset.attrs",
        "{**dataset.attrs}",
        'dataset.attrs["command"] = "typed"',
        'dataset.attrs.update(command="typed")',
        "for name in dataset.attrs:\n    pass",
        'getattr(dataset.power, "x").attrs.items()',
        'del dataset.attrs["created"]',
    ],
)
def test_every_way_of_reading_is_seen(source: str) -> None:
    assert readings(source) == [1]


def test_what_is_assigned_is_not_read() -> None:
    source = 'dataset.attrs = {"a": 1}\ndataset.assign_attrs(a=1)\ndataset.drop_attrs()'
    assert (readings(source), writings(source)) == ([], [1])
