"""The command reference, help pages and lists say what there is."""

from __future__ import annotations

import importlib.util
import re
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

from simstudy.commands.parsing import parameter_options
from simstudy.commands.run import COMMANDS
from simstudy.options import OPTIONS, QUESTIONS, Option, keywords
from simstudy.scenarios import built_in, get_scenario
from tests.end_to_end.conftest import Run

DOCS = Path(__file__).resolve().parents[2] / "docs"
# help pages look different under other major versions of the parser
PARSER = "5"


def generator() -> ModuleType:
    specification = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["commands.md", "measures.md", "scenarios/README.md"])
def test_generated_pages_are_up_to_date(page: str) -> None:
    if page == "commands.md" and version("cyclopts").partition(".")[0] != PARSER:
        pytest.skip(f"{page} was made with cyclopts {PARSER}, whose help pages look different")
    made = generator()
    assert (DOCS / page).read_text(encoding="utf-8") == made.GENERATED[page](), "run python docs/generate.py"


PAGES = [*DOCS.rglob("*.md"), DOCS.parent / "CONTRIBUTING.md", DOCS.parent / "CHANGELOG.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS.parent).as_posix())
def test_links_lead_to_files(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#: ]+)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_page(command: str) -> None:
    assert command in {words[0] for words in generator().PAGES}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_page_on_study_files_names_every_option(question: str) -> None:
    page = (DOCS / "study_files.md").read_text(encoding="utf-8")
    assert [name for name in keywords(question) if name not in page] == []


def all_options() -> list[Option]:
    return [*OPTIONS, *(option for name in built_in() for option in parameter_options(get_scenario(name)))]


def test_every_option_has_a_line_of_help() -> None:
    for option in all_options():
        assert option.help.endswith("."), option.name
        assert "\n" not in option.help, option.name
        assert len(option.words) > 10, option.name


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    assert f"Usage: simstudy {command}" in done.out
    assert COMMANDS[command][1].split(".")[0] in done.flat.replace("│", "")


@pytest.mark.parametrize("scenario", built_in())
@pytest.mark.parametrize("command", ["power", "size", "replay"])
def test_every_parameter_is_an_option(run: Run, command: str, scenario: str) -> None:
    page = run(command, scenario, "--help").out
    declared = get_scenario(scenario)
    solved = declared.size if command == "size" else None
    for parameter in declared.parameters:
        assert (f"--{parameter.name.replace('_', '-')} " in page) == (parameter is not solved)


def test_bare_simstudy_prints_the_commands(run: Run) -> None:
    bare = run()
    assert bare.code == 0
    assert bare.out == run("--help").out
    assert all(f" {name} " in bare.out for name in COMMANDS)
    assert run("--version").out == f"simstudy {version('simstudy')}\n"


@pytest.mark.parametrize("scenario", built_in())
def test_list_describes_a_scenario(run: Run, scenario: str) -> None:
    page = run("list", scenario)
    declared = get_scenario(scenario)
    assert page.code == 0
    assert max(map(len, page.out.splitlines())) <= 130
    for parameter in declared.parameters:
        assert f"  --{parameter.name.replace('_', '-')}\n" in page.out
        assert parameter.help in page.flat
    for method in declared.methods:
        star = "*" if method.name in declared.default_methods else ""
        assert f"  {method.name}{star}\n" in page.out
        assert method.note in page.flat
        assert all(name in page.out for name in method.needs)
    assert ("exact, counts" in page.out) == bool(declared.blocks)
    assert scenario in run("list").out


@pytest.mark.parametrize("words", [("power",), ("power", "paired"), ("list",)])
def test_help_may_come_before_the_command(run: Run, words: tuple[str, ...]) -> None:
    assert run("--help", *words).out == run(*words, "--help").out
