"""The tutorial tells the truth: in its order, its Python runs and its commands print what stands there."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Run

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, flags=re.M | re.S)
LEFT_OUT = "…\n"


def pieces(output: str) -> list[str]:
    """Return what stands between the marks of lines left out."""
    return [piece for piece in output.split(LEFT_OUT) if piece.strip()]


def holds(shown: str, printed: str) -> bool:
    """Whether whole lines of an output are shown, in their order, with a mark wherever some are left out."""
    whole = not shown.startswith(LEFT_OUT), not shown.endswith(LEFT_OUT)
    place, rest = 0, f"\n{printed.strip()}\n"
    for piece in pieces(shown):
        found = rest.find(f"\n{piece}", place)
        if found < 0:
            return False
        place = found + len(piece)
    first, last = pieces(shown)[0], pieces(shown)[-1]
    return (not whole[0] or rest.startswith(f"\n{first}")) and (not whole[1] or rest.endswith(f"\n{last.rstrip()}\n"))


def told(kind: str, block: str, run: Run) -> str:
    """Do what a block says; return what is wrong with it."""
    if kind == "python":
        exec(compile(block, "tutorial.md", "exec"), {})
    elif kind == "toml":
        Path("next.toml").write_text(block, encoding="utf-8")
    elif kind == "pycon":
        example = doctest.DocTestParser().get_doctest(block, {}, "tutorial.md", None, 0)
        report: list[str] = []
        doctest.DocTestRunner(verbose=False).run(example, out=report.append)
        return "".join(report)
    else:
        for command in block.split("$ simstudy ")[1:]:
            line, _, shown = command.partition("\n")
            printed = run(*shlex.split(line))
            if not holds(shown, printed.out):
                return f"{line}\n{printed.out}{printed.err}"
    return ""


def test_the_page_does_and_prints_what_it_shows(run: Run) -> None:
    kinds = [kind for kind, _ in BLOCKS]
    assert kinds.count("") >= 6
    assert all(block.startswith("$ simstudy ") for kind, block in BLOCKS if not kind)
    assert {"python", "toml", "pycon"} <= set(kinds)
    for kind, block in BLOCKS:
        wrong = told(kind, block, run)
        assert not wrong, wrong


@pytest.mark.parametrize(
    ("shown", "right"),
    [
        ("a\nb\nc\n", True),
        ("a\n…\nc\n", True),
        ("…\nb\n…\n", True),
        ("b\nc\n", False),
        ("a\n…\n", True),
        ("a\nb\n", False),
        ("…\nc\nb\n…\n", False),
        ("…\nc\n…\na\n…\n", False),
    ],
)
def test_lines_may_be_left_out_where_that_is_marked(shown: str, right: bool) -> None:
    assert holds(shown, "a\nb\nc\n") == right
