"""The lists of CONTRIBUTING.md are true of what is there: files, tests, and what each step asks for."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from simstudy import stats
from simstudy.commands.run import COMMANDS
from simstudy.records.readers import readers
from simstudy.scenarios import built_in, get_scenario
from simstudy.scenarios.measure import MEASURES
from tests.unit.scenarios.test_built_in import NEEDED

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
STEPS = {
    heading: re.findall(r"^\d+\. .*(?:\n +.*)*", text, flags=re.M)
    for heading, text in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", PAGE, flags=re.M | re.S)
}
NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
PATTERN = re.compile(r"`([\w/.*]*NAME[\w/.*]*)`")
# what there is of each kind that a list tells how to add, where its files bear its name
EXISTING = {
    "A scenario": built_in(),
    "A statistic": sorted({getattr(stats, name).__module__.split(".")[-1].strip("_") for name in stats.__all__}),
    "A reader": sorted(p.stem for p in (ROOT / "simstudy/records/readers").glob("[!_]*.py")),
    "A command": sorted({module for module, _ in COMMANDS.values()}),
}
ASKED = [
    (step, name) for kind, names in EXISTING.items() for step in STEPS[kind] if PATTERN.search(step) for name in names
]
LOOKED_AT = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "tests").rglob("*.py") if p != Path(__file__))
WORDS = set(re.findall(r"\w+", LOOKED_AT))


def test_every_kind_has_its_list() -> None:
    assert list(STEPS) == ["A scenario", "A method", "A statistic", "A measure", "A reader", "A command"]
    assert all(3 <= len(steps) <= 10 for steps in STEPS.values())


def test_every_step_names_a_test_that_exists() -> None:
    for step in (step for steps in STEPS.values() for step in steps):
        named = NAMED_TEST.findall(step)
        assert named, step
        for file, test in named:
            path = ROOT / file
            assert path.exists(), file
            assert f"\ndef {test}(" in path.read_text(encoding="utf-8"), f"{file} has no {test}"


def files(pattern: str, name: str) -> list[Path]:
    """Return the files of a pattern; a module may stand behind an underscore."""
    place = pattern.replace("NAME", name)
    return [*ROOT.glob(place), *ROOT.glob(place.replace(f"/{name}.py", f"/_{name}.py"))]


def test_what_is_there_has_what_a_new_one_needs() -> None:
    for step, name in ASKED:
        found = {pattern: bool(files(pattern, name)) for pattern in PATTERN.findall(step)}
        if not step.partition(". ")[2].startswith("Where ") or any(found.values()):
            assert all(found.values()), f"{name} lacks {[pattern for pattern, there in found.items() if not there]}"


def test_the_list_for_a_scenario_asks_for_all_that_its_test_demands() -> None:
    asked = {pattern for step in STEPS["A scenario"] for pattern in PATTERN.findall(step)}
    assert {pattern.format(name="NAME") for pattern in NEEDED.values()} <= asked


def test_paths_without_a_name_exist() -> None:
    paths = re.findall(r"(?:`|\]\()((?:simstudy|tests|docs|experiments)/[\w/.]*)(?:`|\))", PAGE)
    assert len(paths) > 5
    assert [path for path in paths if "NAME" not in path and not (ROOT / path).exists()] == []


def test_the_commands_for_the_set_up_are_those_of_the_readme() -> None:
    (line,) = [line for line in PAGE.splitlines() if line.startswith("python3 -m venv")]
    assert f"\n{line}\n" in README


@pytest.mark.parametrize("name", [*built_in(), *COMMANDS])
def test_the_changelog_names_what_users_ask_for(name: str) -> None:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"`(simstudy )?{name}`", log)


@pytest.mark.parametrize("scenario", built_in())
def test_every_method_is_asked_for_in_a_test(scenario: str) -> None:
    assert [method.name for method in get_scenario(scenario).methods if method.name not in WORDS] == []


def test_every_measure_is_looked_at_in_a_test() -> None:
    own = [measure for name in built_in() for measure in get_scenario(name).measures]
    assert [measure.name for measure in (*MEASURES, *own) if measure.name not in WORDS] == []


def test_every_statistic_says_what_it_takes_and_gives() -> None:
    functions = [name for name in stats.__all__ if inspect.isfunction(getattr(stats, name))]
    assert len(functions) > 100
    for name in functions:
        said = inspect.getdoc(getattr(stats, name)) or ""
        assert [section for section in ("Parameters", "Returns") if f"\n{section}\n---" not in said] == [], name


def test_every_reader_is_told() -> None:
    page = (ROOT / "docs/readers.md").read_text(encoding="utf-8")
    assert [name for name in readers() if f"\n| `{name}` |" not in page] == []
