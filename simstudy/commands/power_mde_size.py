"""``simstudy power``, ``mde`` and ``size``: from what was typed, or a study file, to a printed answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simstudy.commands.output import emit, make_output, progress, say
from simstudy.commands.parsing import Invocation, Page, in_options, parameter_options, parse
from simstudy.commands.subject import Subject, errors_of, needs_subject, take_subject
from simstudy.errors import RefusedError, StudyFileError
from simstudy.options import ALONE, FROM_PILOT, STUDY_FILE, Option, keywords, options_of
from simstudy.pages.shown import left_of, refuse_plot
from simstudy.ranges import perhaps_thousands
from simstudy.scenarios import get_scenario, scenario_names
from simstudy.scenarios.declaration import Scenario

if TYPE_CHECKING:
    from simstudy.study.studyfile import StudyFile

# of a question about a scenario, for the end of its help page
EXAMPLES = {
    ("power", "paired"): "simstudy power paired --accuracy-a 0.7 --difference 0:0.2:0.05 --n-cases 36,100,400",
    ("mde", "paired"): "simstudy mde paired --accuracy-a 0.7 --n-cases 36,100,400 --difficulty-sd 0,1.5,3 --target 0.8",
    ("size", "paired"): "simstudy size paired --accuracy-a 0.7 --difference 0.05,0.1 --discordance 0.15 --target 0.8",
    ("size", "proportion"): "simstudy size proportion --accuracy 0.75 --target half_width=0.05 --method wald,wilson",
}
# scenarios whose parameters can be taken from files of results
FILLED = ("paired", "clustered")
OF_A_FILE = "simstudy power experiments/paired.toml --set n_cases=36,100"
# the study that simstudy power answers when it is asked nothing else
ALONE_PARAMETERS = {
    "accuracy_a": 0.7,
    "difference": [0.05, 0.10, 0.15, 0.20],
    "n_cases": [36, 100, 400, 1251],
    "difficulty_sd": [0, 1.5, 3],
}
ALONE_METHODS = ["mcnemar_exact", "mcnemar_midp", "unpaired_z"]
ALONE_IN_WORDS = (
    "In words: system A answers 70% of the cases right, system B 75% to 90%, and both answer the same cases. How often "
    "does a test on so many cases find that they differ? difficulty_sd says how much cases differ in difficulty for "
    "both systems: 0 not at all (independent errors), 3 strongly (they fail on the same cases)."
)
NEXT = "simstudy power paired --accuracy-a 0.8 --difference 0.05,0.1 --n-cases 200 --difficulty-sd 1.5"


def command(asked: Invocation) -> int:
    """Answer one of the three commands; return 0."""
    subject, tokens = take_subject(asked.tokens)
    if subject.study_file:
        return _of_file(asked, subject, subject.study_file, tokens)
    if subject.scenario:
        return _of_scenario(asked, subject.scenario, tokens)
    if asked.name == "power":
        return _alone(asked, tokens)
    return needs_subject(asked, tokens)


def _of_scenario(asked: Invocation, scenario: Scenario, tokens: Sequence[str]) -> int:
    page = scenario_page(asked.name, scenario)
    given = parse(page, tokens)
    if given is None:
        return 0
    notes = []
    if "pilot" in given:
        from simstudy.commands.from_pilot import take_parameters  # late: start-up

        with in_options(page):
            notes = take_parameters(given, page, asked.name, scenario)
    said = _said(given, "method", "target", *keywords(asked.name))
    with in_options(page):
        return _answered(asked, given, scenario, _said(given, *scenario.by_name), said, notes)


def _of_file(asked: Invocation, subject: Subject, path: Path, tokens: Sequence[str]) -> int:
    given = parse(file_page(asked.name, subject.typed), tokens)
    if given is None:
        return 0
    file = _read(path)
    if file.question != asked.name:
        raise RefusedError(f"{path} asks for {file.question}: type simstudy {file.question} {path}.")
    file = file.with_settings(given["set"] or ())
    return _answered(asked, given, get_scenario(file.scenario), file.parameters, file.keywords)


def _alone(asked: Invocation, tokens: Sequence[str]) -> int:
    given = parse(alone_page(asked.about), tokens)
    if given is None:
        return 0
    said = {"method": ALONE_METHODS, **_said(given, "target", "seed")}
    _answered(asked, given, get_scenario("paired"), ALONE_PARAMETERS, said, introduction=ALONE_IN_WORDS)
    if not given["quiet"] and not given["dry_run"]:
        say(f"\nNext, your own numbers: {NEXT}")
    return 0


def _said(given: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: given[name] for name in names if given[name] is not None}


def _answered(
    asked: Invocation,
    given: Mapping[str, Any],
    scenario: Scenario,
    parameters: Mapping[str, Any],
    said: Mapping[str, Any],
    notes: Sequence[str] = (),
    introduction: str = "",
) -> int:
    """Make the study, compute, save, print and draw; return 0."""
    output = make_output(given)
    from simstudy.study.plan import make_study  # late: start-up

    commas = _perhaps_thousands(scenario, parameters)
    notes = (*notes, *commas)
    with errors_of(scenario):
        study = make_study(scenario, parameters, question=asked.name, **said)  # type: ignore[arg-type]
        if output.plot:
            refuse_plot(study, output.shown)
        elif output.shown.selected:
            left_of(study, output.shown)
        if given["dry_run"]:
            from simstudy.commands.dry_run import plan_lines  # late: start-up

            print("\n".join([*plan_lines(study), *commas]))
            return 0
        from simstudy.commands.affordable import check_affordable  # late: start-up

        check_affordable(study)
        from simstudy.solve import questions  # late: start-up
        from simstudy.study.results import recorded
        from simstudy.study.words import Beside

        with progress(output.quiet) as bar:
            dataset = questions.answer(study, bar)
        beside = Beside(introduction, tuple(notes))
        if not output.for_people:
            from simstudy.pages.notes import result_of  # late: start-up
            from simstudy.pages.notes import said as words_of
            from simstudy.pages.notes.below_answers import REMARKS, SKIPPED

            for words in (*commas, *words_of((REMARKS, SKIPPED), result_of(study, dataset))):
                output.note(words)
        if output.for_people or output.out:
            from simstudy.pages.notes import closing_words  # late: start-up

            beside = Beside(introduction, (*notes, *closing_words(study, dataset)))
        emit(recorded(dataset, asked.typed, beside), output, study, beside)
    return 0


def _perhaps_thousands(scenario: Scenario, parameters: Mapping[str, Any]) -> list[str]:
    """Return remarks on lists of whole numbers that could be one number with commas."""
    whole = {parameter.name for parameter in scenario.parameters if parameter.kind == "integer"}
    texts = {name: value for name, value in parameters.items() if name in whole and isinstance(value, str)}
    return [said for name, text in texts.items() if (said := perhaps_thousands(name, text))]


def _read(path: Path) -> StudyFile:
    from simstudy.study.studyfile import parse_study  # late: start-up

    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors write a mark at the beginning
    except UnicodeDecodeError:
        raise StudyFileError(f"{path} is no text in UTF-8.") from None
    except OSError as error:
        raise StudyFileError(f"{path} cannot be read: {error.strerror or error}.") from None
    return parse_study(text, str(path))


def scenario_page(question: str, scenario: Scenario) -> Page:
    """Return the page of a question about a scenario; what the question solves for is understood, to be refused."""
    solved = {"mde": scenario.effect, "size": scenario.size}.get(question)
    own = options_of(question, *([FROM_PILOT] if scenario.name in FILLED else []))
    # --runs of clustered is both: a number is the parameter, a word says what becomes of the runs of a file
    own = tuple(option for option in own if option.name not in scenario.by_name)
    example = EXAMPLES.get((question, scenario.name))
    return Page(
        f"simstudy {question} {scenario.name} [OPTIONS]",
        f"{scenario.aims}: {scenario.title.rstrip('?')}. A parameter is one number, a list a,b,c, a range from:to:step "
        "with both ends included, or log:from:to:count.",
        (*parameter_options(scenario, solved.name if solved else ""), *(_of_this(option, scenario) for option in own)),
        (example,) if example else (),
    )


def _of_this(option: Option, scenario: Scenario) -> Option:
    """Return an option with what it is by default in a scenario, and the targets that are the scenario's own."""
    if option.name == "method":
        return replace(option, unsaid=", ".join(scenario.default_methods))
    if option.name == "target" and not option.typed_only:
        usual = scenario.target_variable
        own = ", ".join(name for measure in scenario.measures for name in measure.targets)
        words = f"{option.words}; measures of this scenario that can be targets: {own}" if own else option.words
        return replace(option, words=words, unsaid=f"{usual}=0.8" if usual.startswith("power") else "")
    return option


def file_page(question: str, typed: str) -> Page:
    """Return the page of a question that a study file holds."""
    return Page(
        f"simstudy {question} {typed} [--set NAME=VALUE ...] [OPTIONS]",
        f"Answer the question of the study file {typed}.",
        options_of(STUDY_FILE),
    )


def alone_page(about: str) -> Page:
    """Return the page of ``simstudy power`` without a scenario."""
    names = ", ".join(scenario_names())
    return Page(
        "simstudy power [SCENARIO | FILE.toml | FILE.py:CLASS] [OPTIONS]",
        f"{about} Scenarios: {names}; each has its own options: simstudy power paired --help.",
        options_of(ALONE),
        (EXAMPLES["power", "paired"], OF_A_FILE),
    )
