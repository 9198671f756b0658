"""What a command is about: nothing, a scenario, a study file, or a scenario of one's own in a Python file."""

from __future__ import annotations

import importlib.util
import os
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from simstudy.commands.parsing import Invocation, Page, parse
from simstudy.commands.without_dask import show_dask
from simstudy.errors import ComputationError, RequestError, SimstudyError, StudyFileError, UnknownNameError
from simstudy.files import check_source
from simstudy.options import LIST, options_of
from simstudy.scenarios import get_scenario, register, scenario_names
from simstudy.scenarios.declaration import Scenario

# of the message of an error in somebody's scenario
MOST_CHARACTERS = 300


@dataclass(frozen=True)
class Subject:
    """What a command is about; both None where nothing was named."""

    scenario: Scenario | None = None
    study_file: Path | None = None
    typed: str = ""


def take_subject(tokens: Sequence[str]) -> tuple[Subject, list[str]]:
    """Return what a command is about and the remaining tokens."""
    rest = list(tokens)
    if not rest:
        return Subject(), rest
    if not rest[0].startswith("-"):
        return find_subject(rest[0]), rest[1:]
    # options may come first, as long as the scenario can be told from their values
    place = next((i for i, token in enumerate(rest) if _is_subject(token, rest[i - 1])), None)
    if place is None:
        return Subject(), rest
    return find_subject(rest[place]), rest[:place] + rest[place + 1 :]


def _is_subject(token: str, before: str) -> bool:
    if before in ("--out", "--plot", "--set", "--pilot"):
        return False
    return token in scenario_names() or _is_file(token)


def _is_file(word: str) -> bool:
    path, _, _ = word.partition(".py:")
    return word.endswith((".toml", ".py")) or path != word


def find_subject(word: str) -> Subject:
    """Return what a word names: files are told by their ending before a scenario is looked for."""
    if not word.strip():
        raise RequestError(f"The name of the scenario is empty. Scenarios: {', '.join(scenario_names())}.")
    if word.endswith(".toml"):
        return Subject(study_file=_existing(word), typed=word)
    if _is_file(word):
        return Subject(scenario=_own_scenario(word), typed=word)
    if word in scenario_names():
        return Subject(scenario=get_scenario(word), typed=word)
    # os.path, because Path fails where a name is too long or a folder may not be entered
    if os.path.isdir(word):
        raise RequestError(f"{word} is a folder; name a study file in it (.toml), or a scenario.")
    if os.path.isfile(word) or Path(word).suffix or "/" in word:
        missing = "" if os.path.isfile(word) else " It does not exist either."
        raise RequestError(
            f"'{word}' is neither a scenario nor a study file (.toml) nor a Python file (.py:CLASS).{missing} "
            f"Scenarios: {', '.join(scenario_names())}."
        )
    raise UnknownNameError("scenario", word, scenario_names())


def _existing(word: str) -> Path:
    path = Path(word)
    check_source(path, StudyFileError)
    return path


def _own_scenario(word: str) -> Scenario:
    """Load the scenario of a Python file and make it known under its name."""
    file, _, name = word.partition(".py:")
    path = _existing(f"{file}.py" if name or word.endswith(":") else word)
    module = _module(path)
    own = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Scenario) and value.__module__ == module.__name__
    }
    if not own:
        raise RequestError(f"{path} defines no scenario: it needs a subclass of simstudy.Scenario.")
    if not name and len(own) > 1:
        raise RequestError(f"{path} defines several scenarios: say which, as {path}:{next(iter(own))}.")
    if name and name not in own:
        raise UnknownNameError(f"scenario in {path}", name, own)
    try:
        return register(own[name] if name else next(iter(own.values())))
    except SimstudyError:
        raise
    except Exception as error:  # a declaration is anybody's code, so it may fail in any way
        raise RequestError(f"The scenario in {path} cannot be used: {_in_one_line(error)}.") from error


def needs_subject(asked: Invocation, tokens: Sequence[str], files: str = "|FILE.toml") -> int:
    """Answer a command that names nothing: help where asked for, else a refusal."""
    usage = f"simstudy {asked.name} SCENARIO{files}|FILE.py:CLASS [OPTIONS]"
    names = ", ".join(scenario_names())
    if not any(token in ("--help", "-h") for token in tokens):
        raise RequestError(
            f"simstudy {asked.name} needs a scenario: {usage}. Scenarios: {names}; simstudy list tells more."
        )
    more = f"{asked.about} Scenarios: {names}. The options depend on the scenario: simstudy {asked.name} paired --help."
    parse(Page(usage, more, tuple(o for o in options_of(LIST) if o.name == "debug")), ["--help"])
    return 0


@contextmanager
def errors_of(scenario: Scenario) -> Iterator[None]:
    """Turn whatever the code of a scenario of one's own raises into one message that names its file."""
    module = type(scenario).__module__
    file = getattr(sys.modules.get(module), "__file__", None)
    try:
        yield
    except (SimstudyError, MemoryError, BrokenPipeError):  # each has a message of its own
        raise
    except (Exception, SystemExit) as error:  # kernels, laws and estimates are anybody's code: they may fail in any way
        if file is None or module.startswith("simstudy."):
            raise
        raise ComputationError(
            f"Scenario {scenario.name} of {Path(file).name} failed: {_in_one_line(error)}. --debug shows where."
        ) from error


def _in_one_line(error: BaseException) -> str:
    """Return the kind and the words of an error; compilers write whole pages."""
    words = textwrap.shorten(" ".join(str(error).split()), MOST_CHARACTERS, placeholder=" ...")
    return f"{type(error).__name__}{': ' if words else ''}{words.rstrip('.')}"


def _module(path: Path) -> ModuleType:
    # under its own name, so that "mystudy:function" in its declarations is found; unless that name is taken
    name = f"_study_{path.stem.replace('.', '_')}" if _is_taken(path) else path.stem
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise RequestError(f"{path} cannot be loaded as Python.")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    show_dask()
    try:
        specification.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # the file is anybody's code, so it may fail, or even exit, in any way
        sys.modules.pop(name, None)
        raise RequestError(f"{path} cannot be loaded: {_in_one_line(error)}.") from error
    return module


def _is_taken(path: Path) -> bool:
    """Return whether a module of another file has the name of this one, loaded or not: json.py, numpy.py."""
    if path.stem in sys.modules or "." in path.stem:
        return True
    found = importlib.util.find_spec(path.stem)
    return found is not None and (found.origin is None or Path(found.origin).resolve() != path.resolve())
