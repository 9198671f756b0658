"""What was asked, in words."""

from __future__ import annotations

from collections.abc import Sequence

from simstudy.scenarios.declaration import Method, Number, Profile, profile_text
from simstudy.scenarios.rules import Rule
from simstudy.study.grid import Grid
from simstudy.study.plan import Study

# characters of a number that is said in full
LONG = 8


def number(value: Number | Profile) -> str:
    """Return a number as it is said: short ones in full, long fractions to four digits; profiles with strokes."""
    if not isinstance(value, float):
        return profile_text(value)
    written = f"{value:.10g}"
    return written if len(written) <= LONG or abs(value) >= 1000 else f"{value:.4g}"


def apart(values: Sequence[Number]) -> list[str]:
    """Return numbers as they are said, with as many digits as tell them apart."""
    said = [number(value) for value in values]
    digits = 4
    while len(set(said)) < len(said) and digits < 17:
        digits += 1
        said = [f"{value:.{digits}g}" if isinstance(value, float) else profile_text(value) for value in values]
    return said


def listing(values: Sequence[Number], most: int = 8) -> str:
    """Return values as a list in words, shortened in the middle where there are more than ``most``."""
    said = apart(values)
    if len(values) <= most:
        return ", ".join(said)
    return f"{', '.join(said[:2])}, …, {said[-1]} ({len(values)} values)"


def setting(grid: Grid, methods: Sequence[Method]) -> str:
    """Return the parameters of a grid in words: ``n_cases 36, 100; difficulty_sd 1.5 (default)``.

    A default that none of the methods reads, where methods alone do, is left out.
    """
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


def question(study: Study, asked: str) -> str:
    """Return the sentence that opens a result; ``asked`` is what is asked, such as "Power"."""
    methods = ", ".join(method.name for method in study.methods)
    methods += _claims(study)
    title, name = study.scenario.title, study.scenario.name
    fixed, decided = setting(study.grid, study.methods), level(study)
    return f"{asked}: {title} ({name}); {fixed}; {decided}; {methods}."


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
