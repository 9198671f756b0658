"""Lines of code and docstring, and lengths of functions, per package: ``python -m benchmarks.size_of_code [FOLDER]``.

A line of code is one that holds a token which is neither a comment nor part of a docstring.
"""

from __future__ import annotations

import ast
import io
import statistics
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parents[1] / "simstudy"
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Size:
    """What was counted in some files."""

    files: int = 0
    code: int = 0
    docstring: int = 0
    functions: list[int] = field(default_factory=list)

    def add(self, other: Size) -> None:
        """Count the files of another one too."""
        self.files += other.files
        self.code += other.code
        self.docstring += other.docstring
        self.functions += other.functions

    def row(self, name: str) -> str:
        """Return one line of the table."""
        ratio = self.docstring / self.code if self.code else 0.0
        lengths = sorted(self.functions)
        middle = statistics.median(lengths) if lengths else 0
        ninth = lengths[(9 * len(lengths)) // 10] if lengths else 0
        return (
            f"{name:<28}{self.files:>6}{self.code:>8}{self.docstring:>11}{ratio:>7.2f}"
            f"{len(lengths):>11}{middle:>8g}{ninth:>6}"
        )


def docstrings(tree: ast.AST) -> Iterator[range]:
    """Yield the lines of each docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and ast.get_docstring(node, clean=False) is not None:
            text = node.body[0]
            yield range(text.lineno, (text.end_lineno or text.lineno) + 1)


def size_of(source: str) -> Size:
    """Count one file; the length of a function is its lines of code, the line of its name and decorators included."""
    tree = ast.parse(source)
    described = {line for lines in docstrings(tree) for line in lines}
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    code -= described
    spans = [
        range(min([node.lineno, *(d.lineno for d in node.decorator_list)]), (node.end_lineno or node.lineno) + 1)
        for node in ast.walk(tree)
        if isinstance(node, Function)
    ]
    return Size(1, len(code), len(described), [len(code.intersection(span)) for span in spans])


def packages(folder: Path) -> dict[str, Size]:
    """Count each package of a folder; a file directly in it counts for the folder itself."""
    sizes: dict[str, Size] = defaultdict(Size)
    for file in sorted(folder.rglob("*.py")):
        sizes[str(file.parent.relative_to(folder.parent))].add(size_of(file.read_text()))
    return dict(sorted(sizes.items()))


def table(folder: Path) -> str:
    """Return a line per package, one for all scenarios, and one for all."""
    sizes, everything, scenarios = packages(folder), Size(), Size()
    lines = [
        f"{'package':<28}{'files':>6}{'code':>8}{'docstring':>11}{'ratio':>7}{'functions':>11}{'median':>8}{'90%':>6}"
    ]
    for name, size in sizes.items():
        lines.append(size.row(name))
        everything.add(size)
        if "/scenarios/" in name:
            scenarios.add(size)
    return "\n".join([*lines, scenarios.row("built-in scenarios"), everything.row("all")])


if __name__ == "__main__":
    print(table(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else HERE))
