from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from simstudy.errors import RecordsError, UnknownNameError
from simstudy.records import readers as room
from simstudy.records.readers import find_reader, readers
from simstudy.records.source import Source

FOLDER = Path(room.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("[!_]*.py"))
TESTS = Path(__file__).parent


@pytest.mark.parametrize("module", MODULES)
def test_every_reader_is_whole(module: str) -> None:
    """Each module has what discovery asks for, and a test of what it makes of a file that is not its own."""
    (reader,) = [r for r in readers().values() if r.__name__.endswith(f".{module}")]  # type: ignore[attr-defined]
    assert reader.NAME
    assert reader.SAYS
    assert list(inspect.signature(reader.sniff).parameters) == ["head"]
    assert list(inspect.signature(reader.read).parameters) == ["source", "options"]
    for raw in (b"x", b"hello, world", b"[]", b"{}", b"[1, 2]", b'"text"', b"\x89PNG\r\n\0", b"[[[["):
        assert 0 <= reader.sniff(Source("x", raw).head) <= 1


@pytest.mark.parametrize("module", MODULES)
def test_every_reader_is_told_from_content(module: str) -> None:
    text = (TESTS / f"test_{module}.py").read_text(encoding="utf-8")
    assert re.search(r"^def test_told_from_content", text, flags=re.M), f"test_{module}.py lacks test_told_from_content"
    assert re.search(r"^def test_refus", text, flags=re.M), f"test_{module}.py lacks test_refusals"


def test_names_differ() -> None:
    assert len(readers()) == len(MODULES)


def test_a_format_may_be_named() -> None:
    reader, certainty = find_reader(Source("x", b"id,old\na,1\n"), "table")
    assert (reader.NAME, certainty) == ("table", 1.0)
    with pytest.raises(UnknownNameError, match="Allowed: "):
        find_reader(Source("x", b"a"), "tables")


def test_a_format_that_is_unknown_says_what_was_looked_for() -> None:
    with pytest.raises(RecordsError, match=r"looked for: .*table.*begins with '<html>'"):
        find_reader(Source("x", b"<html>"))
