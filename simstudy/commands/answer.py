"""The way that power, mde and size share: from what was typed, or a study file, to a printed result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simstudy.commands.output import IN_WORDS, Output, emit, make_output, progress
from simstudy.commands.pages_of_options import (
    ANSWERS,
    OUTPUTS,
    SETTINGS,
    Option,
    answering,
    parameter_options,
    parameters_of,
)
from simstudy.commands.parsing import Page, parse
from simstudy.commands.subject import Subject, errors_of
from simstudy.errors import RefusedError, RequestError, StudyFileError
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Scenario

if TYPE_CHECKING:
    import xarray as xr

    from simstudy.study.studyfile import StudyFile

Words = Callable[["xr.Dataset"], list[str]]


def scenario_page(
    question: str, scenario: Scenario, extra: Sequence[Option], solved: str | None = None, example: str = ""
) -> Page:
    """Return the page of a question about a scenario.

    Parameters
    ----------
    question : {"power", "mde", "size"}
    scenario : Scenario
    extra : sequence of Option
        Options of this question alone.
    solved : str, optional
        Parameter that the question solves for.
    example : str
        A command, for the end of the help page.

    Returns
    -------
    Page
    """
    options = (*parameter_options(scenario, solved), *extra, *ANSWERS, *OUTPUTS)
    return Page(
        f"simstudy {question} {scenario.name} [OPTIONS]",
        f"{scenario.aims}: {scenario.title.rstrip('?')}. A parameter is one number, a list a,b,c, a range from:to:step "
        "with both ends included, or log:from:to:count.",
        options,
        examples=(example,) if example else (),
    )


def file_page(question: str, subject: Subject, extra: Sequence[Option] = ()) -> Page:
    """Return the page of a question that a study file holds.

    Parameters
    ----------
    question : {"power", "mde", "size"}
    subject : Subject
    extra : sequence of Option

    Returns
    -------
    Page
    """
    return Page(
        f"simstudy {question} {subject.typed} [--set NAME=VALUE ...] [OPTIONS]",
        f"Answer the question of the study file {subject.typed}.",
        (SETTINGS, *extra, *OUTPUTS),
    )


def needs_subject(question: str, tokens: Sequence[str], about: str) -> int:
    """Answer a question that names neither a scenario nor a file: help where asked for, else a refusal.

    Parameters
    ----------
    question : str
    tokens : sequence of str
    about : str

    Returns
    -------
    int
        0 after help.

    Raises
    ------
    RequestError
    """
    usage = f"simstudy {question} SCENARIO|FILE.toml|FILE.py:CLASS [OPTIONS]"
    if question == "replay":
        usage = "simstudy replay SCENARIO|FILE.py:CLASS [OPTIONS]"
    if any(token in ("--help", "-h") for token in tokens):
        names = ", ".join(scenario_names())
        more = f"{about} Scenarios: {names}. The options depend on the scenario: simstudy {question} paired --help."
        parse(Page(usage, more, OUTPUTS[-1:]), ["--help"])
        return 0
    raise RequestError(
        f"simstudy {question} needs a scenario: {usage}. Scenarios: {', '.join(scenario_names())}; "
        "simstudy list tells more."
    )


def typed_study(question: str, scenario: Scenario, given: dict[str, Any], extra: Sequence[str] = ()) -> StudyFile:
    """Return what was typed in the shape of a study file.

    Parameters
    ----------
    question : {"power", "mde", "size"}
    scenario : Scenario
    given : dict
        Name of an option → what was typed.
    extra : sequence of str
        Options of this question alone.

    Returns
    -------
    StudyFile
    """
    from simstudy.study.plan import make_methods  # late: start-up
    from simstudy.study.studyfile import StudyFile

    options = answering(given)
    method = options.pop("method", None)
    if question == "power":
        options.pop("target", None)
    options.update({name: given[name] for name in extra if given.get(name) is not None})
    names = [m.name for m in make_methods(scenario, method)] if method is not None else None
    return StudyFile(scenario.name, question, "", names, parameters_of(scenario, given), options)


def read_study(path: Path, question: str, settings: Sequence[str]) -> StudyFile:
    """Read a study file.

    Parameters
    ----------
    path : Path
    question : {"power", "mde", "size"}
        The command that was typed.
    settings : sequence of str
        ``name=value``.

    Returns
    -------
    StudyFile

    Raises
    ------
    StudyFileError, RefusedError
        If it cannot be read, or asks another question than the command.
    """
    from simstudy.study.studyfile import parse_study, with_settings  # late: start-up

    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors write a mark at the beginning
    except UnicodeDecodeError:
        raise StudyFileError(f"{path} is no text in UTF-8.") from None
    except OSError as error:
        raise StudyFileError(f"{path} cannot be read: {error.strerror or error}.") from None
    study = parse_study(text, str(path))
    if study.question != question:
        raise RefusedError(f"{path} asks for {study.question}: type simstudy {study.question} {path}.")
    return with_settings(study, settings)


def answer(study: StudyFile, given: dict[str, Any], typed: str, words: Words) -> int:
    """Compute, save, print and draw the answer.

    Parameters
    ----------
    study : StudyFile
    given : dict
        Name of an option → what was typed.
    typed : str
        The command, for the record.
    words : callable
        Returns the paragraphs that follow the tables.

    Returns
    -------
    int
        0.
    """
    output = make_output(given)
    with errors_of(get_scenario(study.scenario)):
        if given.get("dry_run"):
            from simstudy.commands.dry_run import plan_lines  # late: start-up

            print("\n".join(plan_lines(study)))
            return 0
        with progress(output.quiet) as bar:
            dataset = study.answer(bar)
        dataset.attrs["command"] = typed
        deliver(dataset, output, words)
    return 0


def deliver(dataset: xr.Dataset, output: Output, words: Words) -> None:
    """Add the paragraphs in words where anybody will read them, then save, print and draw.

    Parameters
    ----------
    dataset : xarray.Dataset
    output : Output
    words : callable
    """
    if output.for_people or output.out:
        dataset.attrs[IN_WORDS] = words(dataset)
    emit(dataset, output)


def answer_file(question: str, subject: Subject, tokens: Sequence[str], typed: str, words: Words) -> int:
    """Answer the question of a study file.

    Parameters
    ----------
    question : {"power", "mde", "size"}
    subject : Subject
        With a study file.
    tokens : sequence of str
        Options.
    typed : str
    words : callable

    Returns
    -------
    int
        0.
    """
    given = parse(file_page(question, subject), tokens)
    if given is None or subject.study_file is None:
        return 0
    return answer(read_study(subject.study_file, question, given["set"] or ()), given, typed, words)
