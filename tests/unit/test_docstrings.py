"""Docstrings: in full numpydoc where users call, of one line elsewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import simstudy
from simstudy import stats

PACKAGE = Path(simstudy.__file__).parent
SCENARIOS = "scenarios"
# what a scenario's author uses
OF_AUTHORS = [f"{SCENARIOS}/{name}.py" for name in ("declaration", "parts", "method", "decisions", "rules", "measure")]
# `__all__` of the package: file → names
OF_USERS: dict[str, set[str]] = {}
for name, home in simstudy._HOME.items():
    path = PACKAGE.parent / home.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    OF_USERS.setdefault(file.relative_to(PACKAGE).as_posix(), set()).add(name)

# statistics that users call by their module, and classes that statistics, `pilot` and `compare` return
COUNTS_OF_WINS = "stats/win_rate.py"
RETURNED = {
    "stats/position.py": {"PositionFit"},
    "records/many_systems.py": {"ManyCompared"},
    "records/one_system.py": {"OneSystem"},
    "records/planners.py": {"Seen"},
    "records/question.py": {"Question"},
    "records/two_compared.py": {"TwoCompared"},
    "records/planning.py": {"Plan"},
}

Node = ast.FunctionDef | ast.ClassDef
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def in_full(file: str, name: str) -> bool:
    """Whether a public name of a module is described in full."""
    if name in RETURNED.get(file, ()):
        return True
    if file.startswith("stats/"):
        return name in stats.__all__ or file == COUNTS_OF_WINS
    if file.startswith("testing/"):
        return not Path(file).name.startswith("_") or Path(file).name == "__init__.py"
    return file in OF_AUTHORS or name in OF_USERS.get(file, set())


def walk(body: list[ast.stmt], full: bool, above: tuple[str, ...] = ()) -> Iterator[tuple[Node, tuple[str, ...], bool]]:
    """Yield functions and classes with the names that hold them, and whether they are described in full."""
    for node in body:
        if isinstance(node, Node):
            here = full and not node.name.startswith("_")
            yield node, above, here
            yield from walk(node.body, here and isinstance(node, ast.ClassDef), (*above, node.name))
        else:
            for inner in ("body", "orelse", "handlers", "finalbody"):
                yield from walk(getattr(node, inner, []), full, above)


def is_property(node: Node) -> bool:
    return bool({ast.unparse(decorator) for decorator in node.decorator_list} & {"property", "cached_property"})


def asked_for(node: Node, overridden: bool) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the parameters that a docstring has to name, and the sections that it needs, one of each tuple."""
    if isinstance(node, ast.ClassDef):
        fields = [n.target.id for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
        init = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        names = asked_for(init, False)[0] if init else fields
        return names, [("Parameters", "Attributes")] if names else []
    if overridden or is_property(node):
        return [], []
    every = [*node.args.posonlyargs, *node.args.args, node.args.vararg, *node.args.kwonlyargs, node.args.kwarg]
    names = [argument.arg for argument in every if argument and argument.arg not in ("self", "cls")]
    returned = node.returns is not None and ast.unparse(node.returns) != "None"
    return names, [*([("Parameters",)] if names else []), *([("Returns", "Yields")] if returned else [])]


def wrong(file: str) -> Iterator[str]:
    """Yield what the docstrings of a module lack, or have too much of."""
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}

    protocols = [name for name, node in classes.items() if "Protocol" in map(ast.unparse, node.bases)]

    def bases(name: str) -> list[ast.ClassDef]:
        found = [classes[base.id] for base in classes[name].bases if isinstance(base, ast.Name) and base.id in classes]
        return [*found, *(above for base in found for above in bases(base.name))] if name in classes else []

    for top in tree.body:
        full = isinstance(top, Node) and in_full(file, top.name)
        for node, above, described in walk([top], full):
            said = ast.get_docstring(node) or ""
            where = ".".join((*above, node.name))
            if not described:
                if "\n" in said:
                    yield f"{where} has more than one line"
                continue
            inherited = [n for base in bases(above[0]) for n in base.body] if above and above[0] in classes else []
            known = above and isinstance(node, ast.FunctionDef) and node.name in OF_THE_BASE.get(file, set())
            overridden = bool(known) or node.name in [n.name for n in inherited if isinstance(n, ast.FunctionDef)]
            names, sections = asked_for(node, overridden)
            missing = [name for name in names if not re.search(rf"(^|[ ,*`]){name}(,| :|$|`)", said, flags=re.M)]
            missing += ["/".join(some) for some in sections if not any(f"\n{one}\n---" in f"\n{said}" for one in some)]
            # properties of a protocol stand among its attributes
            if missing or not (said or (is_property(node) and above[-1] in protocols)):
                yield f"{where} says nothing of {', '.join(missing) or 'itself'}"


# methods that override those of a class of another module, which describes them
OF_THE_BASE = {
    f"{SCENARIOS}/rules.py": {
        node.name
        for top in ast.parse((PACKAGE / SCENARIOS / "decisions.py").read_text(encoding="utf-8")).body
        if isinstance(top, ast.ClassDef) and top.name == "Decision"
        for node in top.body
        if isinstance(node, ast.FunctionDef)
    }
}


def test_docstrings_are_full_where_users_call_and_of_one_line_elsewhere() -> None:
    assert [f"{file}: {what}" for file in FILES for what in wrong(file)] == []
