"""tests/unit has the tree of the package: every test file names a module, every module with code has its test file."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import simstudy

PACKAGE = Path(simstudy.__file__).parent
TESTS = Path(__file__).parent
# test files of no single module, each with its reason
OTHERS = {
    "test_mirror.py": "looks at this tree",
    "test_contributing.py": "what CONTRIBUTING.md promises",
    "test_attributes.py": "who reads and writes attributes, in all of the package",
    "test_arguments.py": "what the functions that users call refuse",
    "test_docstrings.py": "docstrings of all of the package",
    "test_traps.py": "mistakes of other programs, whatever module would make them",
    "stats/test_arguments.py": "what all public statistics do with their arguments",
    "scenarios/test_built_in.py": "what every built-in scenario brings",
    "scenarios/test_kernels.py": "what all kernels have in common",
    "experiments/test_real_judges.py": "of experiments/, which is no part of the package",
    "experiments/test_real_lesson.py": "of experiments/, which is no part of the package",
}
# modules without a test file of their own, each with its reason
TESTED_ELSEWHERE = {
    "__main__.py": "a process: tests/end_to_end",
    "power.py": "starts the command line: test_package.py",
}


def file_of(module: Path) -> str:
    """Return the test file of a module: test_X.py for X.py and _X.py, test_X.py within X for X/__init__.py."""
    if module.name != "__init__.py":
        return (module.parent / f"test_{module.stem.strip('_')}.py").as_posix()
    return (module.parent / f"test_{module.parent.name or 'package'}.py").as_posix()


def defines(path: Path) -> bool:
    """Whether a module holds functions or classes, not constants and imports alone."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return any(isinstance(node, kinds) for node in ast.parse(path.read_text(encoding="utf-8")).body)


MODULES = [path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py"))]
WITH_CODE = [m for m in MODULES if defines(PACKAGE / m) and m.as_posix() not in TESTED_ELSEWHERE]
FILES = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py"))


def test_every_test_file_names_a_module() -> None:
    assert set(FILES) - {file_of(module) for module in MODULES} - set(OTHERS) == set()


def test_every_module_has_its_test_file() -> None:
    assert [f"{m}: {file_of(m)}" for m in WITH_CODE if not (TESTS / file_of(m)).exists()] == []


def test_a_name_stands_for_one_module() -> None:
    """Within a scenario's folder the folder says whose kernel or law a module is."""
    own = [m for m in MODULES if m.name != "__init__.py" and not (m.parts[0] == "scenarios" and len(m.parts) > 2)]
    names = Counter(module.stem.strip("_") for module in own)
    assert [module.as_posix() for module in own if names[module.stem.strip("_")] > 1] == []


def test_reasons_are_given_for_files_that_exist() -> None:
    assert set(OTHERS) <= set(FILES)
    assert all((PACKAGE / module).exists() for module in TESTED_ELSEWHERE)
