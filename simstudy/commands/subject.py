"""What a command is about: nothing, a scenario, a study file, or a scenario of one's own in a Python file."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from simstudy.errors import RequestError, StudyFileError, UnknownNameError, nearest
from simstudy.scenarios import get_scenario, register, scenario_names
from simstudy.scenarios.declaration import Scenario


@dataclass(frozen=True)
class Subject:
    """What a command is about; both None where nothing was named.

    Attributes
    ----------
    scenario : Scenario or None
    study_file : Path or None
    typed : str
        As it was typed.
    """

    scenario: Scenario | None = None
    study_file: Path | None = None
    typed: str = ""


def take_subject(tokens: Sequence[str]) -> tuple[Subject, list[str]]:
    """Return what a command is about and the remaining tokens.

    Parameters
    ----------
    tokens : sequence of str
        What was typed after the command.

    Returns
    -------
    Subject
    list of str
        The options.

    Raises
    ------
    RequestError
        For a file that is missing, or a name that no scenario has.
    """
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
    """Return what a word names: files are told by their ending before a scenario is looked for.

    Parameters
    ----------
    word : str
        ``paired``, ``study.toml``, ``mystudy.py:MyScenario`` or ``mystudy.py``.

    Returns
    -------
    Subject

    Raises
    ------
    RequestError
        For a file that is missing, or a name that no scenario has.
    """
    if word.endswith(".toml"):
        return Subject(study_file=_existing(word), typed=word)
    if _is_file(word):
        return Subject(scenario=_own_scenario(word), typed=word)
    if word in scenario_names():
        return Subject(scenario=get_scenario(word), typed=word)
    path = Path(word)
    if path.is_dir():
        raise RequestError(f"{word} is a folder; name a study file in it (.toml), or a scenario.")
    if path.is_file() or path.suffix or "/" in word:
        missing = "" if path.is_file() else " It does not exist either."
        raise RequestError(
            f"'{word}' is neither a scenario nor a study file (.toml) nor a Python file (.py:CLASS).{missing} "
            f"Scenarios: {', '.join(scenario_names())}."
        )
    raise UnknownNameError("scenario", word, scenario_names())


def _existing(word: str) -> Path:
    path = Path(word)
    if path.is_file():
        return path
    if path.is_dir():
        raise StudyFileError(f"{word} is a folder, not a file.")
    if not path.parent.is_dir():
        raise StudyFileError(f"There is no file {word}: the folder {path.parent} does not exist either.")
    close = nearest(path.name, [entry.name for entry in path.parent.glob(f"*{path.suffix}")])
    hint = f" Did you mean {path.with_name(close)}?" if close else ""
    raise StudyFileError(f"There is no file {word}.{hint}")


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
    return register(own[name] if name else next(iter(own.values())))


def _module(path: Path) -> ModuleType:
    # under its own name, so that "mystudy:function" in its declarations is found; unless that name is taken
    name = path.stem if path.stem not in sys.modules else f"_study_{path.stem}"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise RequestError(f"{path} cannot be loaded as Python.")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except (SyntaxError, ImportError, NameError, AttributeError, TypeError) as error:
        del sys.modules[name]
        raise RequestError(f"{path} cannot be loaded: {type(error).__name__}: {error}.") from error
    return module
