"""What was asked, in words, and the words that stand beside the tables of what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simstudy.scenarios.declaration import Method, Number, Profile, profile_text
from simstudy.scenarios.rules import Rule
from simstudy.study.grid import Grid
from simstudy.study.plan import Study

# characters of a number that is said in full
LONG = 8
# attributes: a paragraph above the tables, and paragraphs below them
INTRODUCTION, IN_WORDS = "introduction", "in_words"


@dataclass(frozen=True)
class Asked:
    """What was asked, in parts: what, of which scenario, and how."""

    what: str
    scenario: str
    details: str

    @property
    def heading(self) -> str:
        """What was asked, without how: ``Power: two systems answer the same cases (paired)``."""
        return f"{self.what}: {self.scenario}"

    @property
    def how(self) -> str:
        """Parameters, level and methods, as the end of a sentence."""
        return f"{self.details}."

    @property
    def sentence(self) -> str:
        """All of it, as it opens a page."""
        return f"{self.heading}; {self.how}"


@dataclass(frozen=True)
class Beside:
    """Paragraphs that stand above and below the tables of a result; one with line breaks is laid out already."""

    introduction: str = ""
    closing: tuple[str, ...] = ()


def number(value: Number | Profile) -> str:
    """Return a number as it is said: short ones in full, long fractions to four digits; profiles with strokes."""
    if not isinstance(value, float):
        return profile_text(value)
    written = f"{value:.10g}"
    if written == "1" and value < 1.0:
        return repr(float(value))  # a level that is 1 but for rounding is none of 1
    return written if len(written) <= LONG or abs(value) >= 1000 else f"{value:.4g}"


def apart(values: Sequence[Number]) -> list[str]:
    """Return numbers as they are said, with as many digits as tell them apart."""
    said = [number(value) for value in values]
    digits = 4
    while len(set(said)) < len(said) and digits < 17:
        digits += 1
        said = [f"{value:.{digits}g}" if isinstance(value, float) else profile_text(value) for value in values]
    return said


def first_clause(words: str) -> str:
    """Return what something is, without the remark that descriptions add after a semicolon."""
    return words.partition(";")[0]


def listing(values: Sequence[Number], most: int = 8) -> str:
    """Return values as a list in words, shortened in the middle where there are more than ``most``."""
    said = apart(values)
    if len(values) <= most:
        return ", ".join(said)
    return f"{', '.join(said[:2])}, …, {said[-1]} ({len(values)} values)"


def setting(grid: Grid, methods: Sequence[Method]) -> str:
    """Return the parameters that anything reads, in words: ``n_cases 36, 100; difficulty_sd 1.5 (default)``."""
    parts = []
    for parameter in grid.scenario.parameters:
        name = parameter.name
        if not parameter.read_by(methods):
            continue
        if name in grid.swept:
            parts.append(f"{name} {listing(grid.swept[name])}")
        elif name in grid.fixed:
            parts.append(f"{name} {number(grid.fixed[name])}" + (" (default)" if name in grid.defaults else ""))
    return "; ".join(parts)


def level(study: Study) -> str:
    """Return level and alternative in words: ``alpha 0.05, two-sided``; claims that are one-sided anyway say it."""
    options = study.options
    words = f"alpha {listing(options.alpha)}"
    if options.comparisons > 1:
        words += f" divided by {options.comparisons} comparisons (Bonferroni)"
    less, greater = study.scenario.directions
    sides = {"two-sided": "two-sided", "greater": f"one-sided ({greater})", "less": f"one-sided ({less})"}
    if not all(method.decision.about_margin or isinstance(method.decision, Rule) for method in study.methods):
        words += f", {sides[options.alternative]}"
    if options.unusable:
        words += f"; {options.unusable:.4g} of the units unusable"
    return words


def asked(study: Study) -> Asked:
    """Return what a study asks, in its own words where it has some."""
    if study.words is not None:
        return study.words
    scenario = study.scenario
    methods = ", ".join(method.name for method in study.methods) + _claims(study)
    details = "; ".join(part for part in (setting(study.grid, study.methods), level(study), methods) if part)
    return Asked(what(study), f"{scenario.title} ({scenario.name})", details)


def what(study: Study) -> str:
    """Return what is asked of a scenario: ``Power``, or ``Smallest n_cases for power=0.8``."""
    if study.solved is None or study.target is None:
        return "Coverage" if study.scenario.target_variable == "coverage" else "Power"
    smallest = "detectable effect" if study.question == "mde" else study.solved.name
    return f"Smallest {smallest} for {study.target.words}"


def _claims(study: Study) -> str:
    """Say of each method how its level is meant, where the study's own words do not say it."""
    said: dict[str, list[str]] = {}
    for method in study.methods:
        if words := method.decision.level_words(method, study.options.alternative):
            said.setdefault(words, []).append(method.name)
    parts = [
        f"{'all' if len(names) == len(study.methods) else ', '.join(names)} {words}" for words, names in said.items()
    ]
    return f" ({'; '.join(parts)})" if parts else ""
